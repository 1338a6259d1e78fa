package surfacetest

import (
	"context"

	"countersign/surfaces"
)

// Holding reports whether a verb opened it and nothing closed it since.
func (f *Fake) Holding() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.opened && !f.dead && !f.released && !f.closed
}

// Lost is signalled once by Die.
func (f *Fake) Lost() <-chan struct{} { return f.lost }

// Die ends what it lives in, as a killed browser would.
func (f *Fake) Die() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.dead {
		return
	}
	f.dead = true
	f.lost <- struct{}{} // room for the only one
}

// Reach is where a person would find it; zero when it is not open.
func (f *Fake) Reach() surfaces.Reach {
	if f.side != surfaces.Browser || !f.Holding() {
		return surfaces.Reach{}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return surfaces.Reach{Endpoint: "http://127.0.0.1:9222", Address: f.app.address}
}

// Release gives it back for good.
func (f *Fake) Release(context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.released = true
	return nil
}

// Released reports whether it was given back.
func (f *Fake) Released() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.released
}

// Close only disconnects; Reopen connects again, as after a restart.
func (f *Fake) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	return nil
}

// Reopen undoes Close: the page is as it was.
func (f *Fake) Reopen() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = false
}
