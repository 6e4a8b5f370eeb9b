package fifo

import (
	"math/rand/v2"
	"testing"

	"etch/hw"
	"etch/testbench"
)

type Pixel struct {
	X, Y hw.UInt
	Luma hw.SInt
	Last hw.Bit
}

var pixel = Pixel{X: hw.Unsigned(10), Y: hw.Unsigned(9), Luma: hw.Signed(8)}

func at(x, y, luma int) Pixel { return Pixel{X: hw.U(x), Y: hw.U(y), Luma: hw.S(luma)} }

func TestFIFO(t *testing.T) {
	s, p := testbench.New(t, FIFO[Pixel]{Elem: pixel, Depth: 4}, testbench.CoSim())
	testbench.Send(s, p.Push, at(1, 2, -3), at(640, 480, 127))
	s.Expect(p.Level, 2)
	testbench.Take(s, p.Pop, at(1, 2, -3), at(640, 480, 127))
	s.Expect(p.Level, 0)
}

func TestFull(t *testing.T) {
	s, p := testbench.New(t, FIFO[hw.UInt]{Elem: hw.Unsigned(8), Depth: 2}, testbench.CoSim())
	testbench.Send(s, p.Push, hw.U(1), hw.U(2))
	s.Expect(p.Push.Ready, 0)
	testbench.Take(s, p.Pop, hw.U(1), hw.U(2))
	s.Expect(p.Pop.Valid, 0)
}

// Both sides pause at random; everything arrives, in order.
func TestBackPressure(t *testing.T) {
	s, p := testbench.New(t, FIFO[hw.UInt]{Elem: hw.Unsigned(16), Depth: 4}, testbench.CoSim())
	in := testbench.NewSource(s, p.Push, testbench.Pauses(0.4, 1))
	out := testbench.NewSink(s, p.Pop, testbench.Pauses(0.5, 2))
	var all []hw.UInt
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		all = append(all, hw.U(r.IntN(1<<16)))
	}
	in.Send(all...)
	s.StepUntil(func() bool { return len(out.Got()) == len(all) }, 5000)
	s.Step(10)
	out.Expect(all...)
}
