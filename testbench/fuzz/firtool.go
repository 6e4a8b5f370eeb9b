package fuzz

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"etch/backends/firrtl"
	"etch/ir"
	"etch/ir/bits"
)

const (
	firFile        = "all.fir"
	keepFile       = "keep.json"
	firtoolFile    = "firtool.sv"
	firtoolDefines = "defines.v"
)

// zeroStart makes firtool's Verilog start as 0 and keeps its statements silent.
const zeroStart = "`define RANDOMIZE_REG_INIT\n`define RANDOM 32'h0\n`define INIT_RANDOM_PROLOG_\n" +
	"`define PRINTF_COND 0\n`define STOP_COND 0\n`define ASSERT_VERBOSE_COND 0\n"

// firtoolArgs make firtool write Verilog that Icarus Verilog 11 reads.
var firtoolArgs = []string{firFile, "-o", firtoolFile, "--annotation-file=" + keepFile, "--verification-flavor=if-else-fatal",
	"--lowering-options=disallowLocalVariables,disallowPackedArrays"}

// runFirtool has firtool compile a batch as one FIRRTL circuit in which the top of each case is
// public, and runs the Verilog under Icarus Verilog. Statements are left out.
func runFirtool(ctx context.Context, w *workshop, cases []*Case) ([]Verdict, error) {
	b, err := w.bench(ctx)
	if err != nil {
		return nil, err
	}
	defer b.close()
	again := func(cases []*Case) ([]Verdict, error) { return runFirtool(ctx, w, cases) }
	e := &emitted{bench: b, cases: cases, verdicts: make([]Verdict, len(cases))}

	// Join all designs below one top.
	all := &ir.Design{Top: ir.NewModule("etch_fuzz_firrtl", ir.NewSources()), Src: ir.NewSources()}
	for at, c := range cases {
		zero := c.startingAtZero()
		d := renamed(zero.Design, at)
		for _, m := range d.Modules {
			m.Stmts = nil // firtool refuses one that always fails
			guardWideQuotients(m)
		}
		addTo(all, d)

		// Every circuit keeps a place of its own, so that a verdict finds its case.
		if err := e.sit(&seat{c: zero, at: at, top: d.Top.Name, ports: firrtl.PortNames(d.Top)}, firtoolFile); err != nil {
			return nil, err
		}
	}

	// Emit the whole; a failure may be any circuit's, so it is searched by halves.
	all.Modules = append(all.Modules, all.Top)
	text, err := e.firrtl(all)
	if err != nil {
		return halves(cases, &outcome{messages: []byte("emitting: " + err.Error())}, again)
	}
	if err := e.write(firFile, text); err != nil {
		return nil, err
	}
	for name, data := range map[string][]byte{keepFile: keepRegisters(text, all.Top.Name), firtoolDefines: []byte(zeroStart)} {
		if err := e.write(name, data); err != nil {
			return nil, err
		}
	}
	o, err := e.run("firtool", "", firtoolArgs...)
	if err != nil {
		return nil, err
	}
	if o.failed || len(o.messages) > 0 {
		return halves(cases, o, again)
	}

	// One file for all seats: a message of Icarus Verilog cannot name a circuit, so batches are
	// halved.
	e.files, e.systemVerilog = []string{firtoolDefines, firtoolFile}, true
	return e.icarus(false, again)
}

// takesFirtool returns the reason why firtool is not asked about a circuit.
func takesFirtool(c *Case) string {
	if falls(c.Design) {
		return "firtool makes a falling edge of an inverted clock, which under Icarus Verilog rises at the start"
	}

	// An AsyncReset that is read as a value, not only passed on by a wire.
	for _, m := range c.Design.Modules {
		for id := ir.ID(1); int(id) < m.Len(); id++ {
			for _, a := range m.Args(id) {
				if m.Op(id) != ir.Wire && m.TypeOf(m.Node(m.Unwired(a)).Type).Kind == ir.AsyncReset {
					return "firtool 1.155 folds asSInt of an AsyncReset wrongly, and then refuses what it made"
				}
			}
		}
	}
	return portableFirrtl(c)
}

// addTo adds a design to the joined one: its top becomes an instance there. Clocks and resets
// come from inputs, as FIRRTL has no constants of these types; all other inputs are 0. The
// harness instantiates the public modules and not this top.
func addTo(all, d *ir.Design) {
	all.Modules = append(all.Modules, d.Modules...)
	m := all.Top
	at := m.AddInst(d.Top.Name, d.Top, 0)

	// A port without a driver would be refused, so every input gets one.
	for i, p := range d.Top.Ports {
		if p.Dir == ir.Out {
			continue
		}
		var in ir.ID
		switch kind := d.Top.TypeOf(p.Type).Kind; kind {
		// One clock and one reset of each type serve all circuits.
		case ir.Clock, ir.Reset, ir.AsyncReset:
			name := kind.String()
			if k := m.PortIndex(name); k >= 0 {
				in = m.Ports[k].Node
			} else {
				in = m.AddInput(name, 1, ir.TypeID(kind), 0)
			}
		default:
			in = m.Const(bits.Zero(p.Width), 0)
		}
		m.Insts[at].Conns[i] = in
	}
}

// firrtl returns the FIRRTL text of all circuits and writes the files of memory contents. The
// text is emitted with one public module; the top of each circuit is made public here.
func (e *emitted) firrtl(all *ir.Design) (text []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	if text, err = firrtlText(all, firrtl.Options{NoPositions: true}); err != nil {
		return nil, err
	}
	for _, f := range firrtl.DataFiles(all, firrtl.Options{NoPositions: true}) {
		if err := e.write(f.Name, f.Data); err != nil {
			return nil, err
		}
	}

	// One replacement each: the name with the number of the batch is unique.
	for _, s := range e.seats {
		line := fmt.Sprintf("\n  module %s :", s.top)
		text = bytes.Replace(text, []byte(line), []byte(strings.Replace(line, "module", "public module", 1)), 1)
	}
	return text, nil
}

var (
	moduleLine   = regexp.MustCompile(`^  (?:public )?module (\S+) :`)
	registerLine = regexp.MustCompile("^    reg(?:reset)? `?(\\w+)`? :")
)

// keepRegisters returns annotations that keep firtool from taking a register for a constant. In
// FIRRTL a register may start as anything, so firtool folds a register that is only ever set to
// one value; with a start of 0 this is wrong.
func keepRegisters(text []byte, circuit string) []byte {
	type annotation struct {
		Class  string `json:"class"`
		Target string `json:"target"`
	}
	list, module := []annotation{}, ""
	for line := range strings.Lines(string(text)) {
		if m := moduleLine.FindStringSubmatch(line); m != nil {
			module = m[1]
		}
		if m := registerLine.FindStringSubmatch(line); m != nil {
			// A target is "~circuit|module>register".
			list = append(list, annotation{"firrtl.transforms.DontTouchAnnotation", "~" + circuit + "|" + module + ">" + m[1]})
		}
	}
	b, _ := json.Marshal(list) // of strings: it cannot fail
	return b
}
