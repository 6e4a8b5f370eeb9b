package fuzz

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"etch/ir"
)

// largestSynthesis is the largest circuit for yosys, in estimated gates.
const largestSynthesis = 6000

// smallVerilog returns the reason why yosys is not asked to synthesise a circuit.
func smallVerilog(c *Case) string {
	// The reasons of Verilog in general come first, then those of yosys.
	if reason := portableVerilog(c); reason != "" {
		return reason
	}
	if hasty(c.Design) {
		return hastyLatch
	}
	if hasPull(c.Design) {
		return "a pull is for simulators"
	}
	for _, m := range c.Design.Modules {
		for i := range m.Mems {
			if mem := &m.Mems[i]; twoClocks(m, mem) {
				return "yosys 0.23 maps no memory on two clocks to registers"
			}
		}
	}
	if gates(c.Design) > largestSynthesis {
		return "too large for synthesis"
	}
	return ""
}

// twoClocks reports whether a memory has ports on different clocks.
func twoClocks(m *ir.Module, mem *ir.Memory) bool {
	// Wires may lie between: the clocks at their roots are compared.
	first := ir.None
	other := func(clk ir.ID) bool {
		clk = m.Unwired(clk)
		if first == ir.None {
			first = clk
		}
		return clk != first
	}
	for _, r := range mem.Reads {
		if other(r.Clk) {
			return true
		}
	}
	for _, w := range mem.Writes {
		if other(w.Clk) {
			return true
		}
	}
	return false
}

// gates estimates the number of gates after synthesis.
func gates(d *ir.Design) int {
	sum := 0
	for _, m := range d.Modules {
		for id := ir.ID(1); int(id) < m.Len(); id++ {
			w := m.Width(id)

			// Multipliers and dividers grow with the square of the width, shifters with its
			// logarithm times the width.
			switch m.Op(id) {
			case ir.Mul, ir.MulS, ir.Div, ir.DivS, ir.Rem, ir.RemS:
				for _, a := range m.Args(id) {
					w = max(w, m.Width(a))
				}
				sum += 8 * w * w
			case ir.Shl, ir.Shr, ir.ShrS, ir.PopCount:
				sum += 8 * w
			case ir.Const, ir.Input, ir.Wire, ir.Slice, ir.Cat, ir.ZExt, ir.SExt:
			case ir.Case:
				sum += w * len(m.Args(id))
			default:
				sum += w
			}
		}

		// A memory becomes registers with a multiplexer per port.
		for i := range m.Mems {
			mem := &m.Mems[i]
			sum += 2 * mem.Depth * mem.Width * (1 + len(mem.Writes))
		}
	}
	return sum
}

const netlistFile = "netlist.v"

// decided returns a case in which reads under a write give the old word where the design leaves
// the word open: synthesis may choose any word there, simulators give the old one.
func (c *Case) decided() *Case {
	d := c.Design.Clone()
	for _, m := range d.Modules {
		for i := range m.Mems {
			// Undefined means that any word is right there.
			for j := range m.Mems[i].Reads {
				if r := &m.Mems[i].Reads[j]; r.Under == ir.Undefined {
					r.Under = ir.Old
				}
			}
		}
	}
	return c.again(d, c.Stim)
}

// runYosys synthesises a batch to gates and runs the netlist under Icarus Verilog, without
// statements. It runs as SystemVerilog: only there a latch with constant data is evaluated at
// the start.
func runYosys(ctx context.Context, w *workshop, cases []*Case) ([]Verdict, error) {
	// The two kinds need different scripts, so they go in batches of their own.
	if slices.ContainsFunc(cases, func(c *Case) bool { return hasNets(c) != hasNets(cases[0]) }) {
		return apart(ctx, w, cases, hasNets, runYosys)
	}
	all := make([]*Case, len(cases))
	for i, c := range cases {
		all[i] = c.decided()
	}
	e, err := w.emit(ctx, all)
	if err != nil {
		return nil, err
	}
	defer e.close()
	again := func(cases []*Case) ([]Verdict, error) { return runYosys(ctx, w, cases) }
	synth := "synth"

	if hasNets(cases[0]) { // synth takes z for x
		synth = "proc; flatten; tribuf -logic; synth"
	}
	script := fmt.Sprintf("read_verilog %s; %s; write_verilog -sv -noattr %s", strings.Join(e.files, " "), synth, netlistFile)
	o, err := e.run("yosys", "", "-q", "-p", script)
	if err != nil {
		return nil, err
	}

	// yosys names no circuit's file after reading it.
	if o.failed {
		return halves(cases, o, again)
	}
	e.files, e.systemVerilog = []string{netlistFile}, true
	return e.icarus(false, again)
}

// hasNets reports whether a case has nets with several drivers.
func hasNets(c *Case) bool { return c.Design.HasNets() }

// hasPull reports whether a net has a pull.
func hasPull(d *ir.Design) bool {
	return slices.ContainsFunc(d.Modules, func(m *ir.Module) bool {
		return slices.ContainsFunc(m.Nets, func(n ir.Net) bool { return n.Pull != ir.PullNone })
	})
}

// apart judges the cases of one kind in one batch and all others in another, and returns the
// verdicts in order.
func apart(ctx context.Context, w *workshop, cases []*Case, kind func(*Case) bool, judge func(context.Context, *workshop, []*Case) ([]Verdict, error)) ([]Verdict, error) {
	all := make([]Verdict, len(cases))
	for _, k := range []bool{false, true} {
		var part []*Case
		var at []int
		for i, c := range cases {
			if kind(c) == k {
				part, at = append(part, c), append(at, i)
			}
		}
		found, err := judge(ctx, w, part)
		if err != nil {
			return nil, err
		}
		for i, v := range found {
			all[at[i]] = v
		}
	}
	return all, nil
}
