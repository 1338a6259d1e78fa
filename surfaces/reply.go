package surfaces

import (
	"encoding/json"

	"countersign/surfaces/fault"
)

// Delivery says whether an act reached the app.
type Delivery string

// Retry says whether sending it again is safe; it follows from the delivery.
type Retry string

// Deliveries and retries (surfaces.md section 2).
const (
	DeliveryUnknown     Delivery = "unknown"
	NotDelivered        Delivery = "not_delivered"
	DeliveryUncertain   Delivery = "delivery_uncertain"
	DeliveredUnverified Delivery = "delivered_unverified"
	DeliveredVerified   Delivery = "delivered_verified"

	RetryUnknown Retry = "unknown"
	RetrySafe    Retry = "safe"
	RetryUnsafe  Retry = "unsafe"
)

// Retry follows the delivery: not_delivered is safe, the three after it unsafe.
func (d Delivery) Retry() Retry {
	switch d {
	case NotDelivered:
		return RetrySafe
	case DeliveryUncertain, DeliveredUnverified, DeliveredVerified:
		return RetryUnsafe
	case DeliveryUnknown:
		return RetryUnknown
	default:
		return RetryUnknown
	}
}

// Reply is what an act answers; exactly one of Data and Error is set.
type Reply struct {
	OK      bool
	Command string
	Data    *Data
	Error   *Failure
}

// Data is what an act that went well says about itself. Absent fields are left
// out on the wire.
type Data struct {
	URL               string  `json:"url,omitempty"` // where the page is after an act that may have moved it
	Title             string  `json:"title,omitempty"`
	Status            int     `json:"status,omitempty"` // HTTP status; 0 when not reached over HTTP
	Root              string  `json:"root,omitempty"`   // for drill and widen
	Dismissed         *string `json:"dismissed,omitempty"`
	Download          string  `json:"download,omitempty"` // file name of a download the act started
	Loading           bool    `json:"loading,omitempty"`  // the page can be read, but something on it had not come in time
	ClipboardRestored *bool   `json:"clipboard_restored,omitempty"`
}

// Failure is a domain failure with a code and what may be done about it.
type Failure struct {
	Code     fault.Code `json:"code"`
	Message  string     `json:"message"`
	Hint     string     `json:"hint"`
	Details  Details    `json:"details"`
	Delivery Delivery   `json:"-"`
	Cause    error      `json:"-"` // for logs only
}

// Details are the facts behind a failure; absent ones are left out.
type Details struct {
	Cover      string   `json:"cover,omitempty"`       // what lies over the target
	EmptyLayer bool     `json:"empty_layer,omitempty"` // the cover is a bare backdrop
	LeftPage   bool     `json:"left_page,omitempty"`   // a refused page was reached and left
	Candidates []string `json:"candidates,omitempty"`
	Works      []string `json:"works,omitempty"`
}

// Succeed makes the reply of an act that went well.
func Succeed(command string, data Data) *Reply {
	return &Reply{OK: true, Command: command, Data: &data}
}

// Fail makes the reply of an act that failed, with the code's default hint and
// its delivery of surfaces.md 2.1.
func Fail(command string, code fault.Code, message string) *Reply {
	return &Reply{Command: command, Error: &Failure{Code: code, Message: message, Hint: code.Hint(), Delivery: defaultDelivery(code)}}
}

// Err returns the reply's failure as a fault, nil for a reply that is ok.
func (r *Reply) Err() error {
	if r == nil || r.OK {
		return nil
	}
	return &fault.Error{Code: r.Error.Code, Message: r.Error.Message, Hint: r.Error.Hint, Cause: r.Error.Cause}
}

// Code returns the failure's code, empty for a reply that is ok.
func (r *Reply) Code() fault.Code {
	if r == nil || r.OK || r.Error == nil {
		return ""
	}
	return r.Error.Code
}

func defaultDelivery(code fault.Code) Delivery {
	switch code {
	case fault.ElementNotFound, fault.NotActionable, fault.Timeout, fault.PageError, fault.Internal:
		return DeliveryUnknown
	case fault.TextNotDelivered:
		return DeliveryUncertain
	default:
		return NotDelivered
	}
}

type wireReply struct {
	Version string       `json:"version"`
	OK      bool         `json:"ok"`
	Command string       `json:"command"`
	Data    *Data        `json:"data,omitempty"`
	Error   *wireFailure `json:"error,omitempty"`
}

type wireFailure struct {
	Code        fault.Code       `json:"code"`
	Message     string           `json:"message"`
	Hint        string           `json:"hint"`
	Recovery    *wireRecovery    `json:"recovery,omitempty"`
	Details     *Details         `json:"details,omitempty"`
	Disposition *wireDisposition `json:"disposition,omitempty"`
}

type wireRecovery struct {
	Strategy             string `json:"strategy"`
	Retryable            bool   `json:"retryable"`
	RequiresFreshReading bool   `json:"requires_fresh_reading"`
}

type wireDisposition struct {
	Delivery Delivery `json:"delivery"`
	Retry    Retry    `json:"retry"`
}

// MarshalJSON writes the envelope of surfaces.md section 2.
func (r *Reply) MarshalJSON() ([]byte, error) {
	w := wireReply{Version: "1", OK: r.OK, Command: r.Command}
	if r.OK {
		w.Data = r.Data
		if w.Data == nil {
			w.Data = &Data{}
		}
		return json.Marshal(w)
	}
	f := r.Error
	w.Error = &wireFailure{
		Code: f.Code, Message: f.Message, Hint: f.Hint,
		Recovery:    recovery(f.Code),
		Disposition: &wireDisposition{Delivery: f.Delivery, Retry: f.Delivery.Retry()},
	}
	if d := f.Details; d.Cover != "" || d.EmptyLayer || d.LeftPage || len(d.Candidates) > 0 || len(d.Works) > 0 {
		w.Error.Details = &d
	}
	return json.Marshal(w)
}

// UnmarshalJSON reads the envelope; a missing disposition is unknown/unknown.
func (r *Reply) UnmarshalJSON(b []byte) error {
	var w wireReply
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	*r = Reply{OK: w.OK, Command: w.Command, Data: w.Data}
	if w.Error == nil {
		return nil
	}
	r.Error = &Failure{Code: w.Error.Code, Message: w.Error.Message, Hint: w.Error.Hint, Delivery: DeliveryUnknown}
	if w.Error.Details != nil {
		r.Error.Details = *w.Error.Details
	}
	if w.Error.Disposition != nil && w.Error.Disposition.Delivery != "" {
		r.Error.Delivery = w.Error.Disposition.Delivery
	}
	return nil
}

func recovery(code fault.Code) *wireRecovery {
	switch code {
	case fault.StaleRef, fault.ElementNotFound, fault.NotActionable, fault.NotATextField, fault.TextNotDelivered:
		return &wireRecovery{Strategy: "refresh_then_retry", Retryable: true, RequiresFreshReading: true}
	case fault.Timeout:
		return &wireRecovery{Strategy: "look_before_repeating", Retryable: true, RequiresFreshReading: true}
	case fault.InvalidArgs, fault.AppNotFound, fault.AmbiguousTarget, fault.PageError:
		return &wireRecovery{Strategy: "change_the_request", Retryable: false, RequiresFreshReading: true}
	default:
		return nil
	}
}
