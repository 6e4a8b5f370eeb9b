package view

import (
	"fmt"
	"strings"

	"etch/ir/bits"
	"etch/sim"
)

// wave is a signal's values over a range.
type wave struct {
	Name    string   `json:"name"`
	Width   int      `json:"width"`
	Changes []change `json:"changes"` // the first at the start of the range
	Now     string   `json:"now"`     // the value at the cycle of the request, if it names one
}

// change is a new value, and the number of edges before it.
type change struct {
	Cycle uint64 `json:"c"`
	Value string `json:"v"`
}

// cycles is the range of cycles of a request, the whole run's where it names none.
func (v *View) cycles(q query) (from, to uint64, err error) {
	first, last := v.run.Cycles()
	if from, err = q.number("from", first); err != nil {
		return 0, 0, err
	}
	if to, err = q.number("to", last); err != nil {
		return 0, 0, err
	}
	if from < first || to > last || from > to {
		return 0, 0, fmt.Errorf("cycles %d to %d: the run has cycles %d to %d", from, to, first, last)
	}
	return from, to, nil
}

// waves answers with the values of signals (comma-separated full names) from a cycle to another,
// both included.
func (v *View) waves(q query) (any, error) {
	from, to, err := v.cycles(q)
	if err != nil {
		return nil, err
	}
	if to-from >= mostWaveCycles {
		return nil, fmt.Errorf("cycles %d to %d: at most %d are read at a time", from, to, mostWaveCycles)
	}

	sigs, list, err := v.unread(q.Get("signals"))
	if err != nil {
		return nil, err
	}

	// The value at the cursor, which may be elsewhere.
	if q.Get("cycle") != "" {
		if err := v.at(q); err != nil {
			return nil, err
		}
		for i, sig := range sigs {
			list[i].Now = v.text(sig)
		}
	}

	// A text is made only where a value differs from the one before.
	before := make([]bits.Value, len(sigs))
	for cycle := from; cycle <= to; cycle++ {
		if err := v.run.Go(cycle); err != nil {
			return nil, err
		}
		for i, sig := range sigs {
			if now := v.run.Sim().GetBits(sig); cycle == from || !now.Equal(before[i]) {
				before[i] = now
				list[i].Changes = append(list[i].Changes, change{cycle, valueText(sig.Type(), now)})
			}
		}
	}
	return struct {
		From  uint64 `json:"from"`
		To    uint64 `json:"to"`
		Waves []wave `json:"waves"`
	}{from, to, list}, nil
}

// unread gives the signals of a comma-separated list, and for each a wave without changes.
func (v *View) unread(names string) (sigs []sim.Signal, list []wave, err error) {
	list = []wave{}
	for name := range strings.SplitSeq(names, ",") {
		if name == "" {
			continue
		}

		sig, err := v.signal(name)
		if err != nil {
			return nil, nil, err
		}
		if sigs = append(sigs, sig); len(sigs) > mostWaveSignals {
			return nil, nil, fmt.Errorf("more than %d signals", mostWaveSignals)
		}
		list = append(list, wave{Name: name, Width: sig.Width(), Changes: []change{}})
	}
	return sigs, list, nil
}
