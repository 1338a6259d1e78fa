package decider

import "testing"

// TestWhatAPageSaysInItsTongue: complaints, refusals, outcomes, waiting and
// emptiness are read in German and Spanish as they are in English.
func TestWhatAPageSaysInItsTongue(t *testing.T) {
	sent := &LastAction{Op: "click", Role: "button", Name: "Senden", OK: true, Changed: true, Window: true}
	stayed := &LastAction{Op: "click", Role: "button", Name: "Guardar", OK: true, Changed: true}
	tests := []struct {
		name, text string
		last       *LastAction
		q          Question
		over, upTo float64
	}{
		{"German, it went through", "Vielen Dank! Ihre Nachricht wurde gesendet.", sent, Question{Ask: AskHappened, Subject: "sending the message"}, 0.8, 1},
		{"German, it was refused", "Die Zahlung wurde abgelehnt.", sent, Question{Ask: AskHappened, Subject: "paying the order"}, 0, 0.3},
		{"Spanish, it went through", "Pedido confirmado, gracias por su compra", sent, Question{Ask: AskHappened, Subject: "placing the order"}, 0.8, 1},
		{"Spanish, it was refused", "Su pago fue rechazado", sent, Question{Ask: AskHappened, Subject: "paying the order"}, 0, 0.3},
		{"German, a field is missing", "Die Adresse ist erforderlich", stayed, Question{Ask: AskDone, Subject: "guardar"}, 0, 0.5},
		{"Spanish, a field is missing", "Dirección: campo obligatorio", stayed, Question{Ask: AskDone, Subject: "guardar"}, 0, 0.5},
		{"Spanish, nothing against it", "Todo está bien", stayed, Question{Ask: AskDone, Subject: "guardar"}, 0.7, 1},
		{"German, the field is flagged", "Name: Pflichtfeld", stayed, Question{Ask: AskError, Subject: "name"}, 0.7, 1},
		{"German, nothing found", "Keine Ergebnisse", nil, Question{Ask: AskHolds, Subject: "a list of results is showing"}, 0, 0.74},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := ask(t, State{Surface: "window", VisibleText: []string{tt.text}, Last: tt.last}, tt.q)
			if a.P < tt.over || a.P > tt.upTo {
				t.Errorf("got %.2f (%q), want %.2f to %.2f", a.P, a.Why, tt.over, tt.upTo)
			}
		})
	}
	for _, text := range []string{"Bitte warten", "Cargando"} {
		if r := read(State{VisibleText: []string{text}}); r.loading == "" {
			t.Errorf("%q does not say that the page works", text)
		}
	}
}
