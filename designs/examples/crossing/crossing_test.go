package crossing

import (
	"testing"

	"etch/hw"
	"etch/testbench"
)

func TestBridge(t *testing.T) {
	s, p := testbench.New(t, Bridge{Width: 8, Depth: 4}, testbench.CoSim())
	s.Set(p.Samples.Valid, 1)
	s.Set(p.Samples.Data, 7)
	s.Expect(p.Samples.Ready, 0)
	s.Set(p.Enable, 1)
	s.Tick(p.Fast.Clk)
	s.Expect(p.Samples.Ready, 0) // still in the synchroniser
	s.Tick(p.Fast.Clk)
	for i := range 4 {
		s.Expect(p.Samples.Ready, 1)
		s.Set(p.Samples.Data, 10+i)
		s.Tick(p.Fast.Clk)
	}
	s.Expect(p.Samples.Ready, 0) // full
	s.Expect(p.Out.Valid, 0)     // nothing until the slow clock runs
	s.Set(p.Samples.Valid, 0)
	testbench.Take(s, p.Out, hw.U(10), hw.U(11), hw.U(12), hw.U(13))
	s.Expect(p.Out.Valid, 0)
}

// Unrelated clocks, random pauses: everything arrives, in order.
func TestRatios(t *testing.T) {
	for _, ratio := range []int{1, 2, 3, 7} {
		s, p := testbench.New(t, Bridge{Width: 8, Depth: 8}, testbench.CoSim())
		s.Set(p.Enable, 1)
		in := testbench.NewSource(s, p.Samples, testbench.OnClock(p.Fast.Clk), testbench.Pauses(0.3, 1))
		out := testbench.NewSink(s, p.Out, testbench.OnClock(p.Slow.Clk), testbench.Pauses(0.3, 2))
		var all []hw.UInt
		for i := range 100 {
			all = append(all, hw.U(i*37%256))
		}
		in.Send(all...)
		for n := 0; len(out.Got()) < len(all) && n < 10000; n++ {
			s.Tick(p.Fast.Clk)
			if n%ratio == 0 {
				s.Tick(p.Slow.Clk)
			}
		}
		out.Expect(all...)
	}
}
