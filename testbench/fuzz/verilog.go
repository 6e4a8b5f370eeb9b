package fuzz

import (
	"context"
	"fmt"
	"strings"

	"etch/backends/verilog"
	"etch/ir"
)

// textOptions make Verilog that starts as the interpreter does, and does not end the simulation
// at a stop, since there are other circuits in it.
var textOptions = verilog.Options{Zero: true, RunOn: true, NoPositions: true}

// emitted is a batch as Verilog. Each circuit has a seat, or else a verdict already.
type emitted struct {
	*bench
	cases    []*Case
	seats    []*seat
	files    []string // of the circuits that have seats
	verdicts []Verdict

	systemVerilog bool // the files are
}

// emit writes the Verilog and the stimulus of each circuit into a new bench.
func (w *workshop) emit(ctx context.Context, cases []*Case) (*emitted, error) {
	b, err := w.bench(ctx)
	if err != nil {
		return nil, err
	}

	e := &emitted{bench: b, cases: cases, verdicts: make([]Verdict, len(cases))}

	// A circuit that cannot be written is a finding; a file that cannot be written ends the run.
	for at, c := range cases {
		d := renamed(c.Design, at)
		text, err := emitText(d)
		if err != nil {
			e.verdicts[at] = Verdict{Kind: Broken, Text: "emitting: " + err.Error()}
			continue
		}

		// A file for each circuit: a message then names the circuit by its file.
		name := fmt.Sprintf("c%d.v", at)
		if err := e.write(name, text); err != nil {
			return nil, err
		}
		if err := e.sit(&seat{c: c, at: at, top: verilog.TopName(d)}, name); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// sit adds a circuit whose Verilog is in a file.
func (e *emitted) sit(s *seat, file string) error {
	e.seats, e.files = append(e.seats, s), append(e.files, file)
	return e.write(stimulusFile(s.at), s.words())
}

// emitText returns the Verilog of a design; a panic becomes an error.
func emitText(d *ir.Design) (_ []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return verilogText(d, textOptions)
}

// verilogText is the emitter, a variable for tests to plant mistakes in.
var verilogText = verilog.Text

// refuse takes the seats from circuits that a tool names in its messages, and reports whether
// there were any.
func (e *emitted) refuse(o *outcome) bool {
	by := o.blame(len(e.cases))
	if len(by) == 0 {
		return false
	}

	// New slices: append may not write over the old ones, which the caller may hold.
	seats, files := e.seats[:0:0], e.files[:0:0]
	for i, s := range e.seats {
		if text, bad := by[s.at]; bad {
			e.verdicts[s.at] = Verdict{Kind: Refused, Text: text}
		} else {
			seats, files = append(seats, s), append(files, e.files[i])
		}
	}
	gone := len(seats) < len(e.seats)
	e.seats, e.files = seats, files
	return gone
}

// judge compares the printed outputs of the circuits in seats.
func (e *emitted) judge(responses string, statements bool) ([]Verdict, error) {
	all, err := readResponses(e.path(responses), len(e.cases))
	if err != nil {
		return nil, err
	}
	for _, s := range e.seats {
		if text := all[s.at].compare(s.c, statements); text != "" {
			e.verdicts[s.at] = Verdict{Kind: Differs, Text: text}
		}
	}
	return e.verdicts, nil
}

// halves splits a batch on which a tool fails without naming a circuit: each half is judged by
// itself, down to single circuits, by bisection.
func halves(cases []*Case, o *outcome, judge func([]*Case) ([]Verdict, error)) ([]Verdict, error) {
	// One circuit alone is to blame.
	if len(cases) == 1 {
		return []Verdict{{Kind: Refused, Text: gist(o.messages)}}, nil
	}
	n := len(cases) / 2
	first, err := judge(cases[:n])
	if err != nil {
		return nil, err
	}
	second, err := judge(cases[n:])
	return append(first, second...), err
}

// gist returns the line of a tool's messages that tells the error: the first one marked as an
// error, else the first.
func gist(messages []byte) string {
	first := ""
	for line := range strings.Lines(string(messages)) {
		line = strings.TrimSpace(line)

		// Capital or small: Error and error.
		if strings.Contains(line, "rror") {
			return clip(line)
		}
		if first == "" {
			first = line
		}
	}
	return clip(first)
}

// portableVerilog returns the reason why emitted Verilog cannot follow a circuit, "" if it can;
// see backends/verilog/doc.go.
func portableVerilog(c *Case) string {
	for _, m := range c.Design.Modules {
		if m.Extern != nil {
			return "a black box has no Verilog"
		}
	}
	if meet(c.Design) {
		return "a clock enters an instance with memories twice"
	}
	if writtenTwice(c.Design) && together(c.Stim) {
		return "clocks that write to one memory rise together"
	}
	return ""
}

// meet reports whether an instance that contains memories gets one clock through two ports.
func meet(d *ir.Design) bool {
	mems := map[*ir.Module]bool{}
	for _, m := range d.Modules {
		mems[m] = len(m.Mems) > 0

		// Children come first in a design's list, so theirs are known.
		for _, inst := range m.Insts {
			mems[m] = mems[m] || mems[inst.Mod]
			if !mems[inst.Mod] {
				continue
			}

			// One clock through two ports: in Verilog its copies may rise one after another.
			seen := map[ir.ID]bool{}
			for i, p := range inst.Mod.Ports {
				if p.Dir == ir.In && inst.Mod.TypeOf(p.Type).Kind == ir.Clock {
					clk := m.Unwired(inst.Conns[i])
					if seen[clk] {
						return true
					}
					seen[clk] = true
				}
			}
		}
	}
	return false
}

// together reports whether clocks rise together in a step.
func together(st *Stimulus) bool {
	for _, s := range st.Steps {
		if s.Rise&(s.Rise-1) != 0 {
			return true
		}
	}
	return false
}
