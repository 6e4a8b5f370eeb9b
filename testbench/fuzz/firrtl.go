package fuzz

import (
	"fmt"

	"etch/backends/firrtl"
	"etch/ir"
	"etch/sim"
)

// portableFirrtl returns the reason why emitted FIRRTL cannot follow a circuit, "" if it can.
func portableFirrtl(c *Case) string {
	// A reason names the limit of the text, so that the summary can count by it.
	if hasLatch(c.Design) {
		return "FIRRTL has no latches"
	}
	if c.Design.HasNets() {
		return "nets with several drivers are Verilog in cells of their own beside FIRRTL"
	}
	return portableVerilog(c)
}

// firrtlText is the emitter, a variable for tests to plant mistakes in.
var firrtlText = firrtl.Text

// runFirrtl emits FIRRTL, reads it back by package firrtl, and runs the design read.
func runFirrtl(c *Case) Verdict {
	c = c.startingAtZero()
	text, err := firrtlText(c.Design, firrtl.Options{})
	if err != nil {
		return Verdict{Kind: Broken, Text: "emitting: " + err.Error()}
	}

	// Contents of memories are in files beside the text.
	files := map[string][]byte{}
	for _, f := range firrtl.DataFiles(c.Design, firrtl.Options{}) {
		files[f.Name] = f.Data
	}
	back, _, err := firrtl.ReadText(string(text), "emitted.fir", firrtl.ReadOptions{File: func(name string) ([]byte, error) {
		if data, ok := files[name]; ok {
			return data, nil
		}
		return nil, fmt.Errorf("there is no file %s", name)
	}})
	if err != nil {
		return Verdict{Kind: Refused, Text: gist([]byte(err.Error()))}
	}

	// An invalid design is the reader's mistake, whatever the text says.
	if err := ir.Verify(back); err != nil {
		return Verdict{Kind: Broken, Text: "what was read is invalid: " + gist([]byte(err.Error()))}
	}

	// The ports have to be the same, under the names of the emitter. They get their own names
	// back for the stimulus.
	if x, y := len(back.Top.Ports), len(c.Design.Top.Ports); x != y {
		return Verdict{Kind: Differs, Text: fmt.Sprintf("%d ports, want %d", x, y)}
	}
	names := firrtl.PortNames(c.Design.Top)
	for i := range back.Top.Ports {
		p, want := &back.Top.Ports[i], &c.Design.Top.Ports[i]
		if p.Name != names[i] || p.Width != want.Width || p.Dir != want.Dir {
			return Verdict{Kind: Differs, Text: fmt.Sprintf("port %s: %d came back as %s: %d", names[i], want.Width, p.Name, p.Width)}
		}
		p.Name = want.Name
	}

	// Statements and coverage are not compared: FIRRTL has them in another form.
	got, want := *Answer(back, c.Stim, c.options(fromZero, sim.Interpreter)...), *c.Reference(fromZero)
	got.Covers, want.Covers = nil, nil
	for i := range got.Said {
		got.Said[i] = nil
	}
	want.Said = make([][]string, len(want.Said))
	if text := got.Diff(&want, c.Design.Top, false); text != "" {
		return Verdict{Kind: Differs, Text: text}
	}
	return Verdict{}
}
