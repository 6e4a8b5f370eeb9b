package pixel

import (
	"testing"

	"etch/hw"
	"etch/testbench"
)

func TestStage(t *testing.T) {
	s, p := testbench.New(t, Stage{}, testbench.CoSim())
	testbench.Put(s, p.In, Pixel{R: hw.U(10), G: hw.U(20), B: hw.U(30), At: Point{hw.U(3), hw.U(4)}, Valid: hw.B(true)})
	s.Step(1)
	s.Expect(p.Luma, 20)
	testbench.Check(s, p.Out, Pixel{R: hw.U(10), At: Point{hw.U(3), hw.U(4)}, Valid: hw.B(true)})
	s.Reset()
	testbench.Check(s, p.Out, Pixel{R: hw.U(10), At: Point{hw.U(0), hw.U(0)}, Valid: hw.B(false)})
}

func TestLuma(t *testing.T) {
	s, p := testbench.New(t, Stage{}, testbench.CoSim())
	s.Set(p.In.Valid, 1)
	for i := range 100 {
		r, g, b := i*97%256, i*31%256, i*211%256
		s.Set(p.In.R, r)
		s.Set(p.In.G, g)
		s.Set(p.In.B, b)
		s.Step(1)
		s.Expect(p.Luma, (r+2*g+b)/4)
	}
}
