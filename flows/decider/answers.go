package decider

// P gives the probability of a yes/no question; false when it was not answered.
func (a Answers) P(id string) (float64, bool) {
	ans, ok := a[id]
	return ans.P, ok
}

// Calibrated is (P(yes) + 1 - P(no)) / 2; with one of them missing, the other
// alone.
func (a Answers) Calibrated(yes, no string) (float64, bool) {
	y, okY := a.P(yes)
	n, okN := a.P(no)
	switch {
	case okY && okN:
		return (y + 1 - n) / 2, true
	case okY:
		return y, true
	case okN:
		return 1 - n, true
	}
	return 0, false
}

// Top gives the probability of the highest level of a Score.
func (a Answers) Top(id string) (float64, bool) {
	ans, ok := a[id]
	if !ok || len(ans.Levels) == 0 {
		return 0, false
	}
	return ans.Levels[len(ans.Levels)-1], true
}

// Level gives the expected level of a Score on a scale of 0 to 1.
func (a Answers) Level(id string) (float64, bool) {
	ans, ok := a[id]
	if !ok || len(ans.Levels) < 2 {
		return 0, false
	}
	expected := 0.0
	for i, p := range ans.Levels {
		expected += float64(i) * p
	}
	return expected / float64(len(ans.Levels)-1), true
}

// Combined is the mean of an estimate and a Score's top level.
func Combined(calibrated, top float64) float64 { return (calibrated + top) / 2 }

// Chosen gives the picked key and its probability; false for none, for a key
// that was not offered and for a missing answer. No reader ever puts a default
// in the place of a pick.
func (a Answers) Chosen(id string, q Question) (string, float64, bool) {
	ans, ok := a[id]
	if !ok || ans.Choice == "" || ans.Choice == None {
		return "", 0, false
	}
	for _, o := range q.Options {
		if o.Key == ans.Choice {
			return o.Key, ans.Probabilities[o.Key], true
		}
	}
	return "", 0, false
}
