package why_test

import (
	"fmt"
	"testing"

	"etch/designs/examples/uart"
	"etch/hw"
	"etch/sim"
	"etch/sim/replay"
	"etch/sim/why"
)

func TestTry(t *testing.T) {
	d, _, err := hw.Build(uart.Tx{ClocksPerBit: 4})
	if err != nil {
		t.Fatal(err)
	}
	s, _ := sim.New(d)
	s.Record(1 << 20)
	rst, _ := s.Signal("rst")
	valid, _ := s.Signal("bytes_valid")
	data, _ := s.Signal("bytes_data")
	s.Set(rst, 1)
	s.Step(1)
	s.Set(rst, 0)
	for c := 0; c < 22; c++ {
		if c == 2 {
			s.Set(valid, 1)
			s.Set(data, 0x53)
		}
		if c == 3 {
			s.Set(valid, 0)
		}
		s.Step(1)
	}
	run, err := replay.Of(s.Recorded())
	if err != nil {
		t.Fatal(err)
	}
	e := why.New(run)
	sig, _ := run.Sim().Signal("line")
	for _, n := range []int{10, 40} {
		_, err := e.Explain(sig, 15, n)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println(e.Text())
	}
}
