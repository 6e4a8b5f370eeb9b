package view

import (
	"fmt"

	"etch/ir/input"
	"etch/sim/cover"
)

// lineCount is a line of source with the number of times that it acted.
type lineCount struct {
	Line  int    `json:"line"`
	Count uint64 `json:"count"`
}

// coverage answers with the counts of a file's lines over the whole run, and of the modules by kind.
func (v *View) coverage(q query) (any, error) {
	c, err := v.counts()
	if err != nil {
		return nil, err
	}
	file := q.Get("file")
	if file != "" && !v.files[file] {
		return nil, fmt.Errorf("the design has no line in %q", input.Message(file))
	}

	// Counts are in the order of lines, so that all counts of a line are neighbours and add up.
	lines := []lineCount{}
	for _, l := range c.Lines {
		if l.Path != file && l.File != file {
			continue
		}
		switch l.Kind {
		case cover.Set, cover.Cover, cover.Assert:
		default:
			continue
		}

		if n := len(lines); n > 0 && lines[n-1].Line == l.Line {
			lines[n-1].Count += l.Count
			continue
		}
		lines = append(lines, lineCount{l.Line, l.Count})
	}

	return struct {
		Lines   []lineCount    `json:"lines"`
		Modules []cover.Module `json:"modules"`
	}{lines, c.Modules()}, nil
}

// counts makes the run again with counters. The last result is kept until the run is longer or another.
func (v *View) counts() (*cover.Counts, error) {
	// Counting costs a whole run. A record never changes; a live run is the same while its length
	// and its sets are.
	_, last := v.run.Cycles()
	if l, ok := v.run.(*live); ok && v.counted != nil && v.countedAt == (countedAt{last, l.changes}) {
		return v.counted, nil
	} else if !ok && v.counted != nil {
		return v.counted, nil
	}

	// The counters are registers of an instrumented design, on which the run is made again.
	instrumented := cover.New(v.run.Sim().Design(), cover.All)
	p, err := v.run.Again(instrumented.Design)
	if err != nil {
		return nil, err
	}
	defer p.Sim().Close()
	if err := p.Forward(last); err != nil {
		return nil, err
	}

	if v.counted, err = instrumented.Total(p.Sim()).Counts(); err != nil {
		return nil, err
	}

	// A live run may go on: its counts hold until then.
	if l, ok := v.run.(*live); ok {
		v.countedAt = countedAt{last, l.changes}
	}
	return v.counted, nil
}

// countedAt is the length of a live run and the number of its changes so far.
type countedAt struct {
	last    uint64
	changes int
}
