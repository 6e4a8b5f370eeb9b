package fuzz

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/backends/firrtl"
	"etch/backends/verilog"
	"etch/ir"
	"etch/passes"
	"etch/testbench/tools"
)

// plant is a mistake for a judge to find.
type plant struct {
	name  string
	judge string
	most  int // nodes of the shrunk case
	n     int // circuits to look at
	put   func()
}

// mutated is a copy of a design with a change to some nodes.
func mutated(d *ir.Design, change func(m *ir.Module, id ir.ID)) *ir.Design {
	d = d.Clone()
	for _, m := range d.Modules {
		for id := ir.ID(1); int(id) < m.Len(); id++ {
			change(m, id)
		}
	}
	return d
}

// wrongPass is a table with one more pass, which makes a change.
func wrongPass(change func(m *ir.Module, id ir.ID)) func() []passes.Pass {
	wrong := passes.Pass{Name: "wrong", Module: func(m *ir.Module, _ *passes.Options) passes.Count {
		for id := ir.ID(1); int(id) < m.Len(); id++ {
			change(m, id)
		}
		var c passes.Count
		c[passes.Folded] = 1
		return c
	}}
	return func() []passes.Pass { return append([]passes.Pass{wrong}, passes.Table...) }
}

// wrongText is an emitter that writes something else for some words.
func wrongText(from, to string) func(*ir.Design, verilog.Options) ([]byte, error) {
	return func(d *ir.Design, o verilog.Options) ([]byte, error) {
		text, err := verilog.Text(d, o)
		return bytes.ReplaceAll(text, []byte(from), []byte(to)), err
	}
}

// wrongFirrtl is the same for FIRRTL.
func wrongFirrtl(from, to string) func(*ir.Design, firrtl.Options) ([]byte, error) {
	return func(d *ir.Design, o firrtl.Options) ([]byte, error) {
		text, err := firrtl.Text(d, o)
		return bytes.ReplaceAll(text, []byte(from), []byte(to)), err
	}
}

// mend takes all planted mistakes away.
func mend() {
	engineTakes = func(d *ir.Design) *ir.Design { return d }
	passTable = func() []passes.Pass { return passes.Table }
	verilogText, firrtlText = verilog.Text, firrtl.Text
}

var plants = []plant{
	{"signed comparison of 65 bits as unsigned", "native", 8, 400, func() {
		engineTakes = func(d *ir.Design) *ir.Design {
			return mutated(d, func(m *ir.Module, id ir.ID) {
				if m.Op(id) == ir.LtS && m.Width(m.Args(id)[0]) == 65 {
					m.Node(id).Op = ir.Lt
				}
			})
		}
	}},
	{"a register forgets its reset", "native", 8, 400, func() {
		engineTakes = func(d *ir.Design) *ir.Design {
			d = d.Clone()
			for _, m := range d.Modules {
				for i := range m.Regs {
					if r := &m.Regs[i]; r.Rst != ir.None && !r.Async {
						r.Rst, r.Reset = ir.None, ir.None
					}
				}
			}
			return d
		}
	}},
	{"the last write port does not win", "native", 16, 400, func() {
		engineTakes = func(d *ir.Design) *ir.Design {
			d = d.Clone()
			for _, m := range d.Modules {
				for i := range m.Mems {
					if w := m.Mems[i].Writes; len(w) > 1 {
						w[0], w[1] = w[1], w[0]
					}
				}
			}
			return d
		}
	}},
	{"signed comparison as unsigned", "lanes", 8, 400, func() {
		engineTakes = func(d *ir.Design) *ir.Design {
			return mutated(d, func(m *ir.Module, id ir.ID) {
				if m.Op(id) == ir.LtS {
					m.Node(id).Op = ir.Lt
				}
			})
		}
	}},
	{"remainder for quotient by 1", "passes", 8, 400, func() {
		passTable = wrongPass(func(m *ir.Module, id ir.ID) {
			if m.Op(id) == ir.Div && m.Width(id) > 8 {
				m.Node(id).Op = ir.Rem
			}
		})
	}},
	{"the else arm of nested multiplexers", "passes", 16, 400, func() {
		passTable = wrongPass(func(m *ir.Module, id ir.ID) {
			if a := m.Args(id); m.Op(id) == ir.Mux && m.Op(a[1]) == ir.Mux {
				a[2] = m.Args(a[1])[2]
			}
		})
	}},
	{"arithmetic shift as logical", "iverilog", 10, 400, func() { verilogText = wrongText(">>>", ">>") }},
	{"enables are forgotten", "verilator", 12, 30, func() { verilogText = wrongText("else if (", "else if (1'b1 | ") }},
	{"xor as or", "yosys", 8, 600, func() { verilogText = wrongText(" ^ ", " | ") }},
	{"differences as sums", "firtool", 8, 60, func() { firrtlText = wrongFirrtl("sub(", "add(") }},
	{"shifts to the right as shifts to the left", "firrtl", 8, 100, func() { firrtlText = wrongFirrtl("dshr(", "dshl(") }},
	{"a word of SystemVerilog as a name", "slang", 8, 100, func() { verilogText = wrongText("assign out3 ", "assign logic ") }},
}

// TestPlanted: each judge finds its planted mistake among the first circuits, and
// what is left after shrinking is small, fails again, and is fine without the
// mistake.
func TestPlanted(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	for _, p := range plants {
		t.Run(p.judge+"/"+p.name, func(t *testing.T) {
			j := find(p.judge)
			tools.Need(t, j.Tools...)
			t.Cleanup(mend)
			p.put()
			dir := t.TempDir()
			sum, err := Run(context.Background(), Options{N: p.n, Seed: 1, Judges: []*Judge{j}, Most: 1, Dir: dir, Shrink: 30 * time.Second, Workers: 1})
			require.NoError(t, err)
			require.NotEmpty(t, sum.Mismatches)
			m := sum.Mismatches[0]
			t.Log(m)
			most := p.most
			if len(j.Tools) > 0 { // each step is a run of a tool, and time is bounded
				most = 40
			}
			require.LessOrEqual(t, m.Size, most)
			c, err := Load(m.File)
			require.NoError(t, err)
			v, err := j.Look(context.Background(), c)
			require.NoError(t, err)
			require.Equal(t, m.Kind, v.Kind, v.Text)
			mend()
			v, err = j.Look(context.Background(), c)
			require.NoError(t, err)
			require.Equal(t, None, v.Kind, v.Text)
		})
	}
}
