package equiv_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/backends/firrtl"
	"etch/backends/verilog"
	"etch/backends/yosys"
	"etch/hw"
	"etch/ir"
	"etch/testbench/equiv"
	"etch/testbench/randcircuit"
	"etch/testbench/tools"
)

type unresetPorts struct {
	X, Y, Z hw.UInt
	En, Sel hw.Bit
	Addr    hw.UInt
}

// unreset has state of many kinds and no reset: registers that share their names with
// ports, two equal chains that are seen in different places, an enable, a memory. In
// a wrong one the chains change places where they are seen, under one address.
func unreset(wrong bool) hw.Component[unresetPorts] {
	w := hw.Unsigned(6)
	shape := unresetPorts{hw.In(w), hw.Out(w), hw.Out(w), hw.In(hw.Bit{}), hw.In(hw.Bit{}), hw.In(hw.Unsigned(2))}
	return hw.Func("unreset", shape, func(m *hw.Module, p unresetPorts) {
		y, z := hw.Reg(m, "y", w), hw.Reg(m, "z", w)
		one, two := hw.Delay(m, "one", p.X, 3), hw.Delay(m, "two", p.X, 3)
		if wrong {
			other := p.Addr.Is(2)
			one, two = hw.Mux(other, two, one), hw.Mux(other, one, two)
		}
		held := hw.Reg(m, "held", w)
		m.When(p.En, func() { held.Set(one.Add(held)) })
		mem := hw.Mem(m, "mem", 4, w)
		m.When(p.Sel, func() { mem.Write(p.Addr, two) })
		y.Set(hw.Mux(p.Sel, held, two.Xor(y)))
		z.Set(mem.Read(p.Addr).Add(one))
		p.Y.Set(y)
		p.Z.Set(z)
	})
}

// throughFIRRTL writes a design as FIRRTL and reads it.
func throughFIRRTL(t testing.TB, d *ir.Design) *ir.Design {
	text, err := firrtl.Text(d, firrtl.Options{})
	require.NoError(t, err)
	back, _, err := firrtl.ReadText(string(text), "d.fir", firrtl.ReadOptions{})
	require.NoError(t, err)
	return back
}

// throughVerilog writes a design as Verilog and has yosys read it.
func throughVerilog(t testing.TB, d *ir.Design) *ir.Design {
	tool := tools.Need(t, "yosys")[0]
	text, err := verilog.Text(d, verilog.Options{})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "d.v")
	require.NoError(t, os.WriteFile(file, text, 0o666))
	back, err := yosys.Read(t.Context(), tool.Command, yosys.Source{Files: []string{file}, Top: verilog.TopName(d)})
	require.NoError(t, err)
	return back
}

// TestOtherNames: a design without reset is equal to what comes back from a file in
// another language, and with other names altogether; a mistake is still found.
func TestOtherNames(t *testing.T) {
	d, wrong := made(t, unreset(false)), made(t, unreset(true))
	forms := map[string]func(d *ir.Design) *ir.Design{
		"firrtl":  func(d *ir.Design) *ir.Design { return throughFIRRTL(t, d) },
		"verilog": func(d *ir.Design) *ir.Design { return throughVerilog(t, d) },
		"renamed": func(d *ir.Design) *ir.Design { return renamed(d, 1) },
	}
	for _, name := range []string{"renamed", "firrtl", "verilog"} {
		form := forms[name]
		t.Run(name, func(t *testing.T) {
			t.Log(equiv.CheckDesigns(t, d, form(d), equiv.WithoutABC()))
			r, err := equiv.Compare(d, form(wrong), equiv.WithoutABC())
			require.NoError(t, err)
			if name == "renamed" {
				// The chains differ in the first steps only, by their starts: with names that
				// say nothing a run need not be one of both.
				require.NotEqual(t, equiv.Equal, r.Outcome)
			} else {
				require.Equal(t, equiv.Different, r.Outcome)
			}
		})
	}
}

// renamed gives all state of a design names that say nothing, and another order.
func renamed(d *ir.Design, seed uint64) *ir.Design {
	d = d.Clone()
	rng := rand.New(rand.NewPCG(seed, 7))
	for _, m := range d.Modules {
		for i, n := range rng.Perm(len(m.Regs)) {
			m.SetName(m.Regs[i].Node, fmt.Sprintf("s%d", n))
		}
		rng.Shuffle(len(m.Regs), func(i, j int) {
			m.Regs[i], m.Regs[j] = m.Regs[j], m.Regs[i]
			m.Node(m.Regs[i].Node).Aux, m.Node(m.Regs[j].Node).Aux = int32(i), int32(j)
		})
		for i := range m.Mems {
			m.Mems[i].Name = fmt.Sprintf("m%d", i)
		}
	}
	return d
}

// TestExamplesRenamed: the examples from power-up, with other names.
func TestExamplesRenamed(t *testing.T) {
	for name, d := range examples(t) {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			r := equiv.CheckDesigns(t, d, renamed(d, 1), equiv.FromPowerUp(), equiv.WithoutABC())
			t.Log(time.Since(start).Round(time.Millisecond), r)
		})
	}
}

// TestRandomRenamed: so are random designs, nearly all: what state does that looks
// the same at random is a guess.
func TestRandomRenamed(t *testing.T) {
	n, wrong := uint64(60), 0
	if testing.Short() {
		n = 20
	}
	for seed := range n {
		d := randcircuit.Design(seed, randcircuit.Config{Nodes: 20, Modules: int(seed % 3), State: true, Widths: randcircuit.Narrow})
		r, err := equiv.Compare(d, renamed(d, seed), equiv.FromPowerUp(), equiv.WithoutABC(), equiv.Limit(20*time.Second))
		require.NoError(t, err)
		if r.Outcome != equiv.Equal {
			t.Logf("seed %d: %v", seed, r)
			wrong++
		}
	}
	require.LessOrEqual(t, wrong, int(n)/20)
}

// TestApart: state without a counterpart is named.
func TestApart(t *testing.T) {
	a := made(t, start("r"))
	b := made(t, hw.Func("start", delayPorts{hw.In(hw.Unsigned(4)), hw.Out(hw.Unsigned(4)), hw.In(hw.Bit{})}, func(m *hw.Module, p delayPorts) {
		r := hw.Reg(m, "s", hw.Unsigned(4))
		m.When(p.Go.Not(), func() { r.Set(p.X) })
		p.Y.Set(r)
	}))
	r, err := equiv.Compare(a, b, equiv.FromPowerUp())
	require.NoError(t, err)
	require.Equal(t, equiv.Different, r.Outcome)
	require.True(t, strings.Contains(r.String(), "start as anything, with none like them on the other side: a.r, b.s"), r)
}
