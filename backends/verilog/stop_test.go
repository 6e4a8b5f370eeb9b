package verilog_test

import (
	"strings"
	"testing"

	"etch/backends/verilog"
	"etch/sim"
	"etch/testbench/tools"
)

// stops is a counter that stops at 5, and with code 3 when it is told to.
const stops = `etch 1
top counter
module counter {
  input clk: 1 clock = %clk
  input now: 1 = %now
  output n: 8 = %n
  %clk clk: 1 clock = input clk
  %now now: 1 = input now
  %n n: 8 = reg
  %one: 8 = const 8'h1
  %next: 8 = add %n %one
  %zero: 8 = const 8'h0
  %end: 8 = const 8'h5
  %done: 1 = eq %n %end
  reg %n next %next clk %clk init %zero
  stop good clk %clk en %done
  stop bad clk %clk en %now code 3
}
`

// TestStops: emitted Verilog ends in the cycle in which the simulator stops, and
// says so when that is a failure.
func TestStops(t *testing.T) {
	tools.Need(t, "iverilog", "vvp")
	d := source(t, stops)
	text := written(t, d, verilog.Options{})
	for _, c := range []struct {
		now, want string
		cycles    uint64
	}{
		{"1'b0", "0 1 2 3 4 5 ", 6},
		{"n == 2", "0 1 2 stop bad failed in tb.dut: code 3\n", 3},
	} {
		s, err := sim.New(d)
		if err != nil {
			t.Fatal(err)
		}
		for s.Cycles() < 20 {
			if _, ok := s.Stopped(); ok {
				break
			}
			if sig, _ := s.Signal("now"); s.Cycles() == 2 && strings.Contains(c.now, "2") {
				s.Set(sig, 1)
			}
			s.Step(1)
		}
		if s.Cycles() != c.cycles {
			t.Errorf("now = %s: the simulator stops after %d cycles, want %d", c.now, s.Cycles(), c.cycles)
		}
		bench := "module tb;\n  reg clk = 0; wire [7:0] n;\n  counter dut(clk, " + c.now + ", n);\n" +
			"  initial repeat (20) begin $write(\"%0d \", n); #1 clk = 1; #1 clk = 0; end\nendmodule\n"
		if got := iverilog(t, folder(t), []byte(text+bench), "tb"); got != c.want {
			t.Errorf("now = %s: Verilog says %q, want %q\n%s", c.now, got, c.want, text)
		}
	}
}
