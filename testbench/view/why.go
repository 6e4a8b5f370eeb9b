package view

import "etch/sim/why"

// mostReasons is the number of causes that the page lists.
const mostReasons = 30

// reason is a row of an explanation.
type reason struct {
	Text   string `json:"text"`
	Signal string `json:"signal"` // "" for an expression without a name
	Cycle  uint64 `json:"cycle"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Source string `json:"source"`
}

// why explains the value of a signal at a cycle, latest causes first.
func (v *View) why(q query) (any, error) {
	sig, err := v.signal(q.Get("name"))
	if err != nil {
		return nil, err
	}
	if err := v.at(q); err != nil {
		return nil, err
	}

	// The search for causes moves the run to earlier cycles, so it is brought back at the end.
	cycle := v.run.Cycle()
	e := why.New(v.run)
	if _, err := e.Explain(sig, cycle, mostReasons); err != nil {
		return nil, err
	}
	rows := []reason{}
	for _, c := range e.Rows() {
		rows = append(rows, reason{c.String(), c.Signal, c.Since, c.At.File, c.At.Line, e.Source(c.At)})
	}
	return rows, v.run.Go(cycle)
}
