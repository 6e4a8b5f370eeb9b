package firrtl_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/backends/firrtl"
	"etch/hw"
	"etch/ir"
	"etch/ir/bits"
	"etch/ir/pads"
	"etch/sim"
	"etch/testbench/randcircuit"
	"etch/testbench/tools"
)

// outside may drive a pad that the design has let go of, and returns the value.
func outside(t *testing.T, s *sim.Sim, p sim.Signal, rng *rand.Rand) *bits.Value {
	t.Helper()
	driven, err := s.Signal(pads.Driven(p.Base()))
	if err != nil {
		t.Fatal(err)
	}
	if s.Get(driven) == 1 || rng.IntN(2) == 0 {
		return nil
	}
	v := randcircuit.Value(rng, p.Width())
	if err := s.Drive(p, v); err != nil {
		t.Fatal(err)
	}
	return &v
}

// drivePads drives pads in the simulator and in Verilog, and returns what lets go of
// them, which must be after the edge: the design may drive then.
func (r *drive) drivePads(t *testing.T, s *sim.Sim, rng *rand.Rand) (release func()) {
	t.Helper()
	names := firrtl.PortNames(r.d.Top)
	var all []sim.Signal
	for i, p := range r.d.Top.Ports {
		if p.Dir != ir.InOut {
			continue
		}
		all = append(all, s.Top()[i])
		if v := outside(t, s, s.Top()[i], rng); v != nil {
			fmt.Fprintf(&r.stim, "    out_%s = %d'h%s; en_%[1]s = 1;\n", names[i], p.Width, v.Hex())
		}
	}
	return func() {
		if len(all) > 0 {
			r.stim.WriteString("    #1;\n")
		}
		for i, p := range r.d.Top.Ports {
			if p.Dir == ir.InOut {
				fmt.Fprintf(&r.stim, "    en_%s = 0;\n", names[i])
			}
		}
		for _, p := range all {
			if err := s.Release(p); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// padPorts has a register that chooses who drives.
type padPorts struct {
	Sel hw.UInt
	D   hw.UInt
	Pad hw.Pad[hw.UInt]
	Low hw.Pad[hw.Bit]
	Q   hw.UInt
	S   hw.SInt
}

func padShapes(pull ...hw.Pull) padPorts {
	return padPorts{
		Sel: hw.In(hw.Unsigned(2)), D: hw.In(hw.Unsigned(4)), Q: hw.Out(hw.Unsigned(4)), S: hw.Out(hw.Signed(5)),
		Pad: hw.InOut(hw.Unsigned(4), pull...), Low: hw.InOut(hw.Bit{}),
	}
}

// padTop has pads that instances share, two deep, a net between instances, one that
// is signed, pulls at every place, several drivers in a module, pads that nobody
// reads. Never do two drive other values at once.
var padTop = hw.Func("pad_top", padShapes(hw.PullUp), func(m *hw.Module, p padPorts) {
	cell := func(n int, pull ...hw.Pull) hw.Component[padPorts] {
		return hw.Func(fmt.Sprintf("pad_cell_%d", n), padShapes(pull...), func(m *hw.Module, p padPorts) {
			mine := p.Sel.Is(n)
			p.Pad.Drive(p.D.Add(hw.U(3)), mine.And(p.D.Bit(0)))
			p.Pad.Drive(p.D, mine.And(p.D.Bit(0).Not()).And(p.D.Bit(1)))
			p.Low.DriveLow(mine)
			p.Q.Set(hw.Delay(m, "q", p.Pad.Value(), 1, hw.U(0)))
			p.S.Set(p.Q.AsSigned().Extend(5))
		})
	}
	inner := hw.Func("pad_middle", padShapes(), func(m *hw.Module, p padPorts) {
		u := hw.Inst(m, "deep", cell(1), padPorts{Sel: p.Sel, D: p.D, Pad: p.Pad, Low: p.Low})
		p.Q.Set(u.Q)
		p.S.Set(u.S)
	})
	wires := hw.Net(m, "wires", hw.Unsigned(4), hw.PullDown)
	level := hw.Net(m, "level", hw.Signed(5), hw.PullUp)
	single := hw.Net(m, "single", hw.Bit{}, hw.PullUp)
	a := hw.Inst(m, "a", cell(0, hw.PullUp), padPorts{Sel: p.Sel, D: p.D, Pad: p.Pad, Low: p.Low})
	b := hw.Inst(m, "b", inner, padPorts{Sel: p.Sel, D: p.D, Pad: p.Pad, Low: p.Low})
	c := hw.Inst(m, "c", inner, padPorts{Sel: p.Sel, D: a.Q, Pad: wires, Low: single})
	d := hw.Inst(m, "d", cell(2), padPorts{Sel: p.Sel, D: b.Q, Pad: wires, Low: single})
	wires.Drive(p.D, p.Sel.Is(3))
	level.Drive(a.S, p.Sel.Is(0))
	level.Drive(b.S.Not(), p.Sel.Is(1))
	p.Q.Set(c.Q.Xor(d.Q).Xor(wires.Value()).Xor(single.Value().Rep(4)))
	p.S.Set(level.Value().Add(c.S))
})

func padDesign(t *testing.T) *ir.Design {
	t.Helper()
	d, _, err := hw.Build(padTop)
	require.NoError(t, err)
	require.NoError(t, ir.Verify(d))
	return d
}

// TestPads: firtool's Verilog does what the simulator does, and what is written reads
// back as the same nets.
func TestPads(t *testing.T) {
	d := padDesign(t)
	startAtZero(d)
	back, text := readBack(t, d)
	equal(t, d, back, text, 3, 500)
	require.Equal(t, netsOf(d), netsOf(back), text)
	again, err := firrtl.Text(back, firrtl.Options{NoPositions: true})
	require.NoError(t, err)
	first, err := firrtl.Text(d, firrtl.Options{NoPositions: true})
	require.NoError(t, err)
	_, a, _ := strings.Cut(string(first), "]]")
	_, b, _ := strings.Cut(string(again), "]]")
	require.Equal(t, strings.Count(a, "attach("), strings.Count(b, "attach("))

	tools.Need(t, "firtool", "iverilog", "vvp")
	r := newDrive(t, d)
	r.compare(t)
}

// netsOf says what nets a design has: their modules, names, pulls and numbers of
// drivers.
func netsOf(d *ir.Design) (list []string) {
	for _, m := range d.Modules {
		for _, n := range m.Nets {
			list = append(list, fmt.Sprintf("%s.%s %v %d %v", m.Name, m.NameOf(n.Node), n.Pull, len(n.Drivers), m.PadOf(n.Node) >= 0))
		}
	}
	return list
}

// A design of the user's that has the name of a cell gives way, since the cell's
// Verilog must be found by its own.
func TestPadNames(t *testing.T) {
	d := padDesign(t)
	for i, m := range d.Modules {
		if m != d.Top {
			m.Name = []string{"etch_drive", "etch_read_4", "etch_pullup"}[i%3]
			if i > 2 {
				m.Name += fmt.Sprint("_", i)
			}
		}
	}
	text, err := firrtl.Text(d, firrtl.Options{})
	require.NoError(t, err)
	for _, want := range []string{"module etch_drive_2 ", "module etch_read_4 ", "extmodule etch_read_4_2 ", "module etch_pullup_2 ", "defname = etch_drive\n"} {
		require.Contains(t, string(text), want)
	}
	back, _ := readBack(t, d)
	equal(t, d, back, string(text), 4, 50)
	firtoolText(t, text, t.TempDir())
}

// chipFile has the top level of a chip as generators write it: pads behind cells whose
// Verilog is the foundry's, bundles of pads, two cells on one pad, two ports of a
// module on one wire, attaches under a condition and in several steps.
const chipFile = "lower/testdata/analog/chip.fir"

const chipCell = `
module GenericDigitalGPIOCell(inout pad, output i, input ie, input o, input oe);
  assign pad = oe ? o : 1'bz;
  assign i = ie ? pad : 1'b0;
endmodule
`

// cellBody gives a black box GenericDigitalGPIOCell the model that its Verilog is.
func cellBody(m *ir.Module) {
	at := func(name string) *ir.Port { return &m.Ports[m.PortIndex(name)] }
	m.Extern.Model = true
	pad := at("pad").Node
	m.Nets[0].Drivers = []ir.Driver{{Value: at("o").Node, En: at("oe").Node}}
	at("i").Node = m.Add(ir.Node{Op: ir.And, Type: ir.TypeID(ir.Bool), Width: 1}, at("ie").Node, pad)
}

// TestChip: the chip that was read does what firtool's Verilog does with the cells'
// Verilog beside it, and so does the chip that is written again.
func TestChip(t *testing.T) {
	chip, err := os.ReadFile(chipFile)
	require.NoError(t, err)
	d, _, err := firrtl.ReadText(string(chip), "chip.fir", firrtl.ReadOptions{})
	require.NoError(t, err)
	for _, m := range d.Modules {
		if m.Extern != nil {
			cellBody(m)
		}
	}
	require.NoError(t, ir.Verify(d))
	tools.Need(t, "firtool", "iverilog", "vvp")
	for _, text := range [][]byte{chip, nil} {
		r := newDrive(t, d)
		r.text, r.bodies = text, chipCell
		r.compare(t)
	}
}
