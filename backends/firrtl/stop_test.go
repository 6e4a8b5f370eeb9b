package firrtl_test

import (
	"fmt"
	"strings"
	"testing"

	"etch/backends/firrtl"
	"etch/ir"
	"etch/ir/text"
	"etch/sim"
	"etch/testbench/tools"
)

// stops is a counter that stops well at 12 and with code 3 when it is told to.
const stops = `etch 1
top counter
module counter {
  input clk: 1 clock = %clk
  input rst: 1 reset = %rst
  input now: 1 = %now
  output n: 8 = %n
  %clk clk: 1 clock = input clk
  %rst rst: 1 reset = input rst
  %now now: 1 = input now
  %n n: 8 = reg
  %one: 8 = const 8'h1
  %next: 8 = add %n %one
  %zero: 8 = const 8'h0
  %end: 8 = const 8'hc
  %done: 1 = eq %n %end
  reg %n next %next clk %clk rst %rst reset %zero
  stop good clk %clk en %done
  stop bad clk %clk en %now code 3
}
`

// TestStops: a stop goes out and comes back with its code, and the Verilog that
// firtool makes of it ends in the cycle in which the simulator stops.
func TestStops(t *testing.T) {
	d, err := text.Parse(strings.NewReader(stops), "stops.etch")
	if err != nil {
		t.Fatal(err)
	}
	fir, err := firrtl.Text(d, firrtl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	back, _, err := firrtl.ReadText(string(fir), "stops.fir", firrtl.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"good 0", "bad 3"} {
		st := back.Top.Stmts[i]
		if got := fmt.Sprint(st.Name, " ", st.Code); got != want || st.Kind != ir.Stop {
			t.Errorf("%v %s, want a stop %s\n%s", st.Kind, got, want, fir)
		}
	}
	s, err := sim.New(back)
	if err != nil {
		t.Fatal(err)
	}
	rst, err := s.Signal("rst")
	if err != nil {
		t.Fatal(err)
	}
	s.Set(rst, 1)
	s.Step(1)
	s.Set(rst, 0)
	s.Step(100)
	stop, ok := s.Stopped()
	if !ok || stop.Cycle != 13 || stop.Code != 0 {
		t.Fatalf("stopped %v: %v", ok, stop)
	}
	tools.Need(t, "firtool", "iverilog", "vvp")
	dir := folder(t)
	_, verilog := firtool(t, d, dir, plainVerilog...)
	out := iverilog(t, dir, []byte(string(verilog)+`
module tb;
  reg clk = 0, rst = 1; wire [7:0] n; integer i;
  counter dut(clk, rst, 1'b0, n);
  initial begin
    for (i = 0; i < 100; i = i + 1) begin $display("cycle %0d", i); #1 clk = 1; #1 clk = 0; rst = 0; end
  end
endmodule
`))
	if at := strings.LastIndex(out, "cycle "); !strings.HasPrefix(out[at:], "cycle 13\n") {
		t.Errorf("firtool's Verilog ends otherwise:\n%s\n%s", out, verilog)
	}
}
