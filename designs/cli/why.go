package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"etch/ir"
	"etch/sim/replay"
	"etch/sim/replay/runfile"
	"etch/sim/why"
)

// WhyCommand explains a value of a recorded run, or of a design that it simulates.
var WhyCommand = Command{
	Name: "why", Usage: "FILE.run|DESIGN|FILE… SIGNAL@CYCLE [-rows N] [-depth N] [-json] [-p name=value]… [-set PORT=VALUE]… [-mem NAME=FILE]… [-reset N] [-top NAME]",
	Doc: "explains the value of a signal at a cycle, latest causes first: of a run that a failing test has kept, or of a simulation from the flags of sim",
	Examples: []string{
		"why uart_tx-1.run line@15",
		"why uart -p clocks_per_bit=4 line@15 -set bytes_valid=1 -set bytes_data=0x55 -rows 30",
	},
	Run: func(app *App, args []string, out Output) error {
		w, err := newWhyRun(app, args, out)
		if err != nil {
			return err
		}
		return w.explain()
	},
}

// whyRun is one call of etch why.
type whyRun struct {
	*runner
	signal string
	cycle  uint64
	rows   int
	depth  int
	asJSON bool
	answer io.Writer
}

func newWhyRun(app *App, args []string, out Output) (*whyRun, error) {
	// The design's text and all notes go to standard error: the answer stands alone.
	w := &whyRun{runner: &runner{app: app, out: Output{out.Err, out.Err}, engine: "auto", memory: 1024}, answer: out.Out}
	f := NewFlags("why", out)
	w.given = f.Values()
	f.IntVar(&w.rows, "rows", 20, "`number` of causes to print; 0: all")
	f.IntVar(&w.depth, "depth", 0, "`number` of steps to follow; 0: as far as they go")
	f.BoolVar(&w.asJSON, "json", false, "print one JSON document: the causes, with the numbers of their own causes")
	f.StringVar(&w.top, "top", "", "main module of files, `name`")
	f.IntVar(&w.reset, "reset", 1, "`number` of cycles with all resets high, of a design that is simulated")

	// The flags of a simulation, for a design without a recorded run.
	w.stimulus(f)
	w.source = f.Verilog()
	words, err := f.rest(args)
	switch {
	case err != nil:
		return nil, err
	case len(words) < 2:
		return nil, usagef("a run or a design, and SIGNAL@CYCLE, are missing")
	case w.rows < 0 || w.depth < 0:
		return nil, usagef("-rows and -depth are 0 or more")
	case w.reset < 0:
		return nil, usagef("-reset: %d cycles", w.reset)
	}

	// The question is the last word.
	w.files = words[:len(words)-1]
	question := words[len(words)-1]
	name, at, ok := strings.Cut(question, "@")
	if w.cycle, err = strconv.ParseUint(at, 10, 63); !ok || name == "" || err != nil {
		return nil, usagef("%q is not SIGNAL@CYCLE, as line@15", question)
	}
	w.signal = name
	return w, nil
}

// explain prints the explanation.
func (w *whyRun) explain() error {
	defer func() { w.progress.End() }()
	run, err := w.open()
	if err != nil {
		return err
	}
	sig, err := run.Sim().Signal(w.signal)
	if err != nil {
		return fmt.Errorf("%s: %w", w.files[0], err)
	}

	// The depth bounds the search; the rows bound the causes that are printed.
	w.progress.End()
	w.progress = NewProgress(w.out.Err, "explains "+w.signal)
	e := why.New(run)
	e.Depth = w.depth
	c, err := e.Explain(sig, w.cycle, w.rows)
	if err != nil {
		return fmt.Errorf("%s: %w", w.files[0], err)
	}
	w.progress.End()
	if w.asJSON {
		return JSON(w.answer, numbered(e.Rows(), portable(run.Sim().Design(), e.Rows())))
	}
	_, err = fmt.Fprintf(w.answer, "why is %s %s in cycle %d?\n%s", c.Signal, c.Value, w.cycle, e.Text())
	return err
}

// open opens the one argument if it ends in .run; otherwise it simulates the design and records the
// run.
func (w *whyRun) open() (*replay.Run, error) {
	if len(w.files) == 1 && filepath.Ext(w.files[0]) == ".run" {
		if len(w.sets)+len(w.mems)+len(w.given) > 0 {
			return nil, usagef("%s is a run: -p, -set and -mem are for a design that is simulated", w.files[0])
		}
		return runfile.Open(w.files[0])
	}

	// Simulate up to the cycle.
	d, err := w.subject()
	if err != nil {
		return nil, err
	}
	if err := giveBodies(d, nil, w.source); err != nil {
		return nil, err
	}
	if err := bodiless(d, w.files); err != nil {
		return nil, err
	}
	w.progress = NewProgress(w.out.Err, "simulates "+shortList(w.files))
	if err := w.prepare(d); err != nil {
		return nil, err
	}

	// The record holds the inputs of all cycles: the run can then go to any of them.
	defer w.s.Close()
	rec := w.s.Record(whyRecorded)
	w.cycles = max(w.cycle, uint64(w.reset)+1) - uint64(w.reset)

	// After the first signal, a second one ends the command at once.
	ctx, free := Interruptible()
	defer free()
	context.AfterFunc(ctx, free)
	w.step(ctx)
	w.text.Flush()
	return replay.Of(rec)
}

// whyRecorded is the size in bytes of the recording of a simulation.
const whyRecorded = 64 << 20

// whyRow is a cause in the document of -json.
type whyRow struct {
	Row  int    `json:"row"`
	File string `json:"file,omitempty"` // the path of its package in place of the folder
	Line int    `json:"line,omitempty"`
	*why.Cause
	Because []int `json:"because,omitempty"` // rows
}

// portable leads from the files of rows to their names that are the same on every machine.
func portable(d *ir.Design, rows []*why.Cause) map[string]string {
	names := map[string]string{}
	for _, c := range rows {
		if c.At.Line > 0 {
			names[c.At.File] = c.At.File
		}
	}

	// The tables of positions know both names of a file. Positions are numbered from 1, and the
	// first behind the last has no line.
	seen := map[*ir.Sources]bool{}
	for _, m := range d.Modules {
		if seen[m.Src] {
			continue
		}
		seen[m.Src] = true
		for p := ir.Pos(1); ; p++ {
			at := m.Src.At(p)
			if at.Line == 0 {
				break
			}
			if name, asked := names[at.File]; asked && name == at.File {
				names[at.File] = m.Src.Portable(p).File
			}
		}
	}
	return names
}

// numbered are causes with their numbers and the portable names of their files.
func numbered(rows []*why.Cause, files map[string]string) []whyRow {
	number := map[*why.Cause]int{}
	for i, c := range rows {
		number[c] = i
	}

	// A cause names its own causes by their rows; those beyond the printed rows have none.
	all := make([]whyRow, len(rows))
	for i, c := range rows {
		all[i] = whyRow{Row: i, File: files[c.At.File], Line: c.At.Line, Cause: c}
		for _, k := range c.Why {
			if n, ok := number[k]; ok {
				all[i].Because = append(all[i].Because, n)
			}
		}
	}
	return all
}
