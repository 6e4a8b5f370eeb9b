package view

import (
	"encoding/json"
	"fmt"
	"net/http"

	"etch/ir"
	"etch/ir/bits"
)

// notice is an event that the server sends to the pages that are open.
type notice struct {
	Kind string `json:"kind"` // design: it is another one now; error: it does not build
	Text string `json:"text"`
}

// Watched returns the view of a design that may be replaced: its pages listen. With an error in its
// place, a design that does not build yet, the error is the page.
func Watched(d *ir.Design, err error) (*View, error) {
	if err != nil {
		v := newView(nil)
		v.watched, v.broken = true, err
		return v, nil
	}
	v, err := Live(d)
	if err == nil {
		v.watched = true
	}
	return v, err
}

// Replace shows another design in the place of the present one, as after a change of its source. Inputs
// and registers that were set are set again in the same cycles, as far as there are such names and the
// values fit, and the run is as long as before. Open pages load again, with their selection by name.
// Errors: those of Live; the present design stays.
func (v *View) Replace(d *ir.Design) error {
	// The new run is complete before the present one is touched: an error leaves everything as it
	// was.
	fresh, err := newLive(d)
	if err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if old, ok := v.run.(*live); ok {
		if err := fresh.takeOver(old); err != nil {
			return err
		}
		old.s.Close()
	}

	// The pages load again by themselves.
	v.show(fresh)
	v.broken = nil
	v.tell(notice{"design", ""})
	return nil
}

// takeOver makes the sets of another run in this one, up to the same cycle.
func (l *live) takeOver(old *live) error {
	for _, x := range old.sets {
		to, err := l.s.Signal(x.to.Name())
		if err != nil || !to.IsInput() && !to.IsState() {
			continue
		}

		// The signal may have another width now: a value is set only if it fits.
		n := x.value.Big()
		if value := bits.FromBig(to.Width(), n); value.Big().Cmp(n) == 0 {
			if err := l.Extend(x.cycle); err != nil {
				return err
			}
			if err := l.Set(x.cycle, to, value); err != nil {
				return err
			}
		}
	}
	return l.Extend(old.last)
}

// Fail tells the open pages that the changed source does not build. The design before stays.
func (v *View) Fail(err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.broken != nil {
		v.broken = err
	}
	v.tell(notice{"error", err.Error()})
}

// tell sends a notice to all pages; one that does not listen in time misses it.
func (v *View) tell(n notice) {
	for c := range v.pages {
		select {
		case c <- n:
		default:
		}
	}
}

// events sends notices to a page as server-sent events, until the page is left.
func (v *View) events(w http.ResponseWriter, r *http.Request) {
	// The page is registered while it listens. The buffer takes notices that come while one is
	// being sent.
	c := make(chan notice, 8)
	v.mu.Lock()
	if v.pages == nil {
		v.pages = map[chan notice]bool{}
	}
	v.pages[c] = true
	v.mu.Unlock()
	defer func() {
		v.mu.Lock()
		delete(v.pages, c)
		v.mu.Unlock()
	}()

	// The first comment line tells the browser that the stream is open, before any notice.
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	fmt.Fprint(w, ": listening\n\n")
	for {
		if err := out.Flush(); err != nil {
			return
		}

		// Leaving the page cancels the request.
		select {
		case <-r.Context().Done():
			return
		case n := <-c:
			b, err := json.Marshal(n)
			if err != nil {
				panic(err) // two strings
			}
			fmt.Fprintf(w, "data: %s\n\n", b)
		}
	}
}
