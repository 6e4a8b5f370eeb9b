package pads_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/ir"
	"etch/ir/bits"
	"etch/ir/pads"
	"etch/ir/text"
	"etch/passes"
	"etch/sim"
)

// here is the line of its caller, as messages write it.
func here(below int) string {
	_, file, line, _ := runtime.Caller(1)
	return fmt.Sprintf("%s:%d", filepath.Base(file), line+below)
}

// driver puts D on its pad while En is high, and registers what it reads.
type driver struct{ Width, Deep int }

type driverPorts struct {
	En   hw.Bit
	D    hw.UInt
	Pad  hw.Pad[hw.UInt]
	Read hw.UInt
}

func (d driver) Ports() driverPorts {
	return driverPorts{
		En:   hw.In(hw.Bit{}),
		D:    hw.In(hw.Unsigned(d.Width)),
		Pad:  hw.InOut(hw.Unsigned(d.Width)),
		Read: hw.Out(hw.Unsigned(d.Width)),
	}
}

var driveLine = here(7)

func (d driver) Build(m *hw.Module, p driverPorts) {
	if d.Deep > 0 {
		hw.Inst(m, "deeper", driver{d.Width, d.Deep - 1}, p)
		return
	}
	m.When(p.En, func() { p.Pad.Drive(p.D, hw.B(true).And(p.En)) })
	read := hw.Reg(m, "read", hw.Unsigned(d.Width), hw.U(0))
	read.Set(p.Pad.Value())
	p.Read.Set(read)
}

// board joins drivers on a net, or on a pad of its own.
type board struct {
	N, Width int
	Up, Pad  bool
}

type boardPorts struct {
	En    hw.Vec[hw.Bit]
	D     hw.Vec[hw.UInt]
	Line  hw.Vec[hw.Pad[hw.UInt]]
	Value hw.UInt
	Read  hw.Vec[hw.UInt]
}

func (b board) pull() (pull []hw.Pull) {
	if b.Up {
		pull = append(pull, hw.PullUp)
	}
	return pull
}

func (b board) Ports() boardPorts {
	p := boardPorts{
		En:    hw.In(hw.VecOf(b.N, hw.Bit{})),
		D:     hw.In(hw.VecOf(b.N, hw.Unsigned(b.Width))),
		Value: hw.Out(hw.Unsigned(b.Width)),
		Read:  hw.Out(hw.VecOf(b.N, hw.Unsigned(b.Width))),
	}
	if b.Pad {
		p.Line = hw.VecOf(1, hw.InOut(hw.Unsigned(b.Width), b.pull()...))
	}
	return p
}

var ownLine = here(12)

func (b board) Build(m *hw.Module, p boardPorts) {
	var line hw.Pad[hw.UInt]
	if b.Pad {
		line = p.Line[0]
	} else {
		line = hw.Net(m, "line", hw.Unsigned(b.Width), b.pull()...)
	}
	for i := range b.N - 1 {
		hw.Inst(m, hw.Name("u", i), driver{b.Width, i % 3}, driverPorts{En: p.En[i], D: p.D[i], Pad: line, Read: p.Read[i]})
	}
	line.Drive(p.D[b.N-1], p.En[b.N-1])
	p.Read[b.N-1].Set(hw.Delay(m, "own", line.Value(), 1, hw.U(0)))
	p.Value.Set(line.Value())
}

func build[P any](t testing.TB, c hw.Component[P]) (*ir.Design, P) {
	t.Helper()
	d, p, err := hw.Build(c)
	require.NoError(t, err)
	require.NoError(t, ir.Verify(d))
	return d, p
}

// TestResolve: in every module a wire has the value of what drives it, of its pull
// or 0, against a model, also optimised, flat, read back from text, and lowered by
// hand.
func TestResolve(t *testing.T) {
	for _, b := range []board{{N: 3, Width: 4}, {N: 4, Width: 1, Up: true}, {N: 3, Width: 70, Up: true, Pad: true}, {N: 1, Width: 2, Pad: true}} {
		t.Run(fmt.Sprintf("%+v", b), func(t *testing.T) {
			d, _ := build(t, b)
			flat := d.Clone()
			_, err := passes.Flatten(flat)
			require.NoError(t, err)
			require.NoError(t, ir.Verify(flat))
			read, err := text.Parse(strings.NewReader(text.String(d)), "board")
			require.NoError(t, err)
			require.Equal(t, text.String(d), text.String(read))
			low := pads.Lower(d)
			require.NoError(t, ir.Verify(low))
			require.False(t, low.HasNets())
			for name, d := range map[string]*ir.Design{"as built": d, "optimised": passes.Optimize(d, passes.Options{}),
				"flat": flat, "flat and optimised": passes.Optimize(d, passes.Options{Flatten: true}), "read": read} {
				require.NoError(t, ir.Verify(d), name)
				for _, e := range []sim.Engine{sim.Interpreter, sim.Native} {
					t.Run(name, func(t *testing.T) { b.resolves(t, d, e) })
				}
			}
		})
	}
}

// resolves drives a board at random, never two of its drivers at once but with
// equal values, and compares what everybody reads.
func (b board) resolves(t *testing.T, d *ir.Design, e sim.Engine) {
	s, err := sim.New(d, sim.WithOutput(io.Discard), sim.WithEngine(e))
	if err != nil && e == sim.Native {
		t.Skip(err)
	}
	require.NoError(t, err)
	sig := func(name string) sim.Signal {
		x, err := s.Signal(name)
		require.NoError(t, err)
		return x
	}
	s.OnFailure(func(f sim.Failure) { t.Errorf("%v", f) })
	g := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		// Whoever drives, drives the same value. Number N is the outside.
		v := bits.Zero(b.Width)
		for range b.Width/32 + 1 {
			v = v.ShlBy(bits.New(8, 32)).Xor(bits.New(64, uint64(g.Uint32())).ZExt(max(64, b.Width)).Slice(0, b.Width))
		}
		any := false
		for i := range b.N {
			en := g.IntN(3) == 0
			any = any || en
			require.NoError(t, s.Set(sig(fmt.Sprintf("en_%d", i)), uint64(one(en))))
			d := v
			if !en {
				d = v.Not()
			}
			require.NoError(t, s.SetBits(sig(fmt.Sprintf("d_%d", i)), d))
		}
		driven := any
		if b.Pad && g.IntN(3) == 0 {
			require.NoError(t, s.Drive(sig("line_0"), v))
			any = true
		} else if b.Pad {
			require.NoError(t, s.Release(sig("line_0")))
		}
		want := v
		if !any {
			if want = bits.Zero(b.Width); b.Up {
				want = bits.Ones(b.Width)
			}
		}
		require.Equal(t, want.String(), s.GetBits(sig("value")).String())
		if b.Pad {
			require.Equal(t, want.String(), s.GetBits(sig("line_0")).String())
			require.Equal(t, uint64(one(driven)), s.Get(sig("line_0$driven")))
		}
		s.Step(1)
		for i := range b.N {
			require.Equal(t, want.String(), s.GetBits(sig(fmt.Sprintf("read_%d", i))).String(), "driver %d", i)
		}
	}
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// failures runs one cycle with the drivers of a set enabled, driver i with value
// 1 << i, and returns what failed.
func (b board) failures(t *testing.T, outside bool, drivers ...int) (got []string) {
	d, p := build(t, b)
	s, err := sim.New(d)
	require.NoError(t, err)
	s.OnFailure(func(f sim.Failure) { got = append(got, f.Error()) })
	at := func(x hw.Signal) sim.Signal { _, i, _ := hw.PortOf(x); return s.Top()[i] }
	for _, i := range drivers {
		require.NoError(t, s.Set(at(p.En[i]), 1))
		require.NoError(t, s.Set(at(p.D[i]), 1<<i))
	}
	if outside {
		require.NoError(t, s.Drive(at(p.Line[0]), bits.New(b.Width, 9)))
	}
	rst, err := s.Signal("rst")
	require.NoError(t, err)
	require.NoError(t, s.Set(rst, 1))
	s.Step(1)
	require.Empty(t, got, "in reset")
	require.NoError(t, s.Set(rst, 0))
	s.Step(1)
	return got
}

// TestConflict: two drivers at once fail the run with both lines, wherever in the
// design they are.
func TestConflict(t *testing.T) {
	b := board{N: 4, Width: 4}
	for _, c := range []struct {
		drivers []int
		outside bool
		want    []string
	}{
		{drivers: []int{2}},
		{drivers: []int{0, 3}, want: []string{"line has two drivers at once: " + ownLine + " drives 1000, u_0 (" + driveLine + ") drives 0001"}},
		{drivers: []int{1, 2}, want: []string{"u_1.deeper (" + driveLine + ") drives 0010, u_2.deeper.deeper (" + driveLine + ") drives 0100"}},
		{drivers: []int{0, 1, 3}, want: []string{"1000, u_0 (", "1000, u_1.deeper (", "0001, u_1.deeper ("}},
		{drivers: []int{1}, outside: true, want: []string{"line_0 has two drivers at once: u_1.deeper (" + driveLine + ") drives 0010, from outside drives 1001"}},
	} {
		b.Pad = c.outside
		got := b.failures(t, c.outside, c.drivers...)
		require.Len(t, got, len(c.want), "%q", got)
		for i, want := range c.want {
			require.Contains(t, got[i], want)
		}
	}
}

// TestManyDrivers: past a number of pairs, a driver is compared with all before it.
func TestManyDrivers(t *testing.T) {
	b := board{N: 30, Width: 30}
	require.Empty(t, b.failures(t, false, 7))
	got := b.failures(t, false, 7, 19)
	require.Len(t, got, 1)
	require.Contains(t, got[0], "u_19.deeper ("+driveLine+") drives 0x00080000, of those before it one drives 0x00000080: ")
}

// TestBoxModel: a black box drives its pads by a Model: two outputs for each.
func TestBoxModel(t *testing.T) {
	type boxPorts struct {
		En  hw.Bit
		Pad hw.Pad[hw.UInt]
	}
	ports := boxPorts{hw.In(hw.Bit{}), hw.InOut(hw.Unsigned(4))}
	top := hw.Func("top", struct {
		En hw.Bit
		Y  hw.UInt
	}{hw.In(hw.Bit{}), hw.Out(hw.Unsigned(4))}, func(m *hw.Module, p struct {
		En hw.Bit
		Y  hw.UInt
	}) {
		u := hw.Inst(m, "u", blackBox[boxPorts]{ports}, boxPorts{En: p.En})
		p.Y.Set(u.Pad.Value())
	})
	d, _ := build[struct {
		En hw.Bit
		Y  hw.UInt
	}](t, top)
	s, err := sim.New(d, sim.WithModel("box", func() sim.Model { return five{} }))
	require.NoError(t, err)
	y, en := s.Top()[1], s.Top()[0]
	require.Equal(t, uint64(0), s.Get(y))
	require.NoError(t, s.Set(en, 1))
	require.Equal(t, uint64(5), s.Get(y))
}

type blackBox[P any] struct{ ports P }

func (b blackBox[P]) Ports() P          { return b.ports }
func (blackBox[P]) Build(*hw.Module, P) {}
func (blackBox[P]) Verilog() hw.Verilog { return hw.Verilog{Module: "box"} }
func (blackBox[P]) ModuleName() string  { return "box" }

// five drives 5 while its first input is high.
type five struct{}

func (five) Eval(in, out []bits.Value) { out[0], out[1] = bits.New(4, 5), in[0] }
func (five) Tick(int, []bits.Value)    {}
func (five) Depends(out, in int) bool  { return out == 1 && in == 0 }
