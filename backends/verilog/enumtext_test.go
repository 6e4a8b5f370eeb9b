package verilog_test

import (
	"bytes"
	"testing"

	"etch/backends/verilog"
	"etch/sim"
	"etch/testbench/tools"
)

// phases prints the name of an enumeration's value, of which code 3 has none.
const phases = `etch 1
top phases
enum phase { idle = 0, transmit = 1, x = 2 }
module phases {
  input clk: 1 clock = %clk
  output n: 2 = %n
  %clk clk: 1 clock = input clk
  %n n: 2 enum phase = reg
  %one: 2 = const 2'h1
  %next: 2 = add %n %one
  %zero: 2 = const 2'h0
  reg %n next %next clk %clk init %zero
  print "" clk %clk format "[%s]" %n
}
`

// TestEnumText: %s prints the same names in the simulator and in emitted Verilog.
func TestEnumText(t *testing.T) {
	tools.Need(t, "iverilog", "vvp")
	d := source(t, phases)
	text := written(t, d, verilog.Options{})
	want := "[idle][transmit][x][?][idle]"
	var out bytes.Buffer
	s, err := sim.New(d, sim.WithOutput(&out))
	if err != nil {
		t.Fatal(err)
	}
	s.Step(5)
	if out.String() != want {
		t.Errorf("the simulator prints %q, want %q", out.String(), want)
	}
	bench := "module tb;\n  reg clk = 0; wire [1:0] n;\n  phases dut(clk, n);\n" +
		"  initial repeat (5) begin #1 clk = 1; #1 clk = 0; end\nendmodule\n"
	if got := iverilog(t, folder(t), []byte(text+bench), "tb"); got != want {
		t.Errorf("Verilog prints %q, want %q\n%s", got, want, text)
	}
	lint(t, d, verilog.Options{})
}
