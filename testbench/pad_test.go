package testbench

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/ir/bits"
)

type padBenchPorts struct {
	En   hw.Bit
	D    hw.SInt
	Up   hw.Pad[hw.SInt]
	Wide hw.Pad[hw.UInt]
	Line hw.Pad[hw.Bit]
	Seen hw.UInt
}

// padBench drives three pads while En is high and remembers what it reads.
type padBench struct{}

func (padBench) Ports() padBenchPorts {
	return padBenchPorts{
		En: hw.In(hw.Bit{}), D: hw.In(hw.Signed(5)), Seen: hw.Out(hw.Unsigned(76)),
		Up: hw.InOut(hw.Signed(5), hw.PullUp), Wide: hw.InOut(hw.Unsigned(70)), Line: hw.InOut(hw.Bit{}, hw.PullDown),
	}
}

func (padBench) Build(m *hw.Module, p padBenchPorts) {
	seen := hw.Reg(m, "seen", hw.Unsigned(76), hw.U(0))
	seen.Set(hw.Cat(p.Up.Value().AsUnsigned(), p.Wide.Value(), p.Line.Value().UInt()))
	p.Seen.Set(seen)
	m.When(p.En, func() {
		p.Up.Drive(p.D, p.D.AsUnsigned().Bit(0))
		p.Wide.Drive(p.D.AsUnsigned().Extend(70), hw.B(true))
		p.Line.Drive(p.D.AsUnsigned().Bit(1), p.D.AsUnsigned().Bit(2))
	})
}

// TestPads: a test is one more driver of a pad; the emitted Verilog agrees.
func TestPads(t *testing.T) {
	s, p := New(t, padBench{}, CoSim())
	g := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		en, d := g.IntN(2), g.IntN(32)
		s.Set(p.En, en)
		s.Set(p.D, int(int8(d<<3))>>3)
		drive := en == 0 && g.IntN(2) == 0
		up, wide, line := -1, bits.Zero(70), 0
		switch {
		case drive:
			up, wide, line = g.IntN(32)-16, bits.New(64, g.Uint64()).ZExt(70).Shl(uint64(g.IntN(6))), g.IntN(2)
			s.Drive(p.Up, up)
			s.DriveBits(p.Wide, wide)
			s.Drive(p.Line, line)
		default:
			s.Release(p.Up)
			s.Release(p.Wide)
			s.Release(p.Line)
			if en == 1 {
				wide = bits.New(70, uint64(d))
				if d&1 == 1 {
					up = int(int8(d<<3)) >> 3
				}
				if d&4 == 4 {
					line = d >> 1 & 1
				}
			}
		}
		s.Expect(p.Up, up)
		s.ExpectBits(p.Wide, wide)
		s.Expect(p.Line, line)
		require.Equal(t, en, s.Peek("wide$driven"))
		s.Step(1)
		s.ExpectBits(p.Seen, bits.Concat(bits.FromInt(5, int64(up)), wide, bits.New(1, uint64(line))))
		if drive {
			s.Release(p.Up)
			s.Release(p.Wide)
			s.Release(p.Line)
		}
	}
}

// TestPadsWrong: what a test may not do with a pad is told at its line.
func TestPadsWrong(t *testing.T) {
	fails(t, func(t testing.TB) {
		s, p := New(t, padBench{})
		s.Set(p.Up, 1)
	}, "Set: sim: up is a pad: Drive drives it, Release lets go")
	fails(t, func(t testing.TB) {
		s, p := New(t, padBench{})
		s.Drive(p.Up, 16)
	}, "Drive: up cannot be 16: it is signed, 5 bits, -16 to 15")
	fails(t, func(t testing.TB) {
		s, p := New(t, padBench{})
		s.DriveBits(p.Wide, bits.New(8, 1))
	}, "Drive: sim: 8'h1 is not of 70 bits as wide is")
	fails(t, func(t testing.TB) {
		s, p := New(t, padBench{})
		s.Release(p.En)
	}, "Release: sim: en is not a pad of the top pad_bench")
	fails(t, func(t testing.TB) {
		s, p := New(t, padBench{})
		s.Set(p.En, 1)
		s.Set(p.D, 5)
		s.Drive(p.Up, 5) // agrees
		s.Step(1)
		s.Drive(p.Line, 1) // the design drives 0
		s.Step(1)
	}, "line has two drivers at once: pad_test.go:39 drives 0, from outside drives 1")
}
