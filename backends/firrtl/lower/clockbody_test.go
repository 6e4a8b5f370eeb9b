package lower_test

import (
	"os"
	"path/filepath"
	"testing"

	"etch/backends/firrtl/lower"
	"etch/backends/firrtl/syntax"
	"etch/backends/yosys"
	"etch/ir"
	"etch/passes/derived"
	"etch/sim"
	"etch/testbench/extern"
	"etch/testbench/tools"
)

const chip = `FIRRTL version 4.0.0
circuit Chip :
  extmodule Gate :
    output out : Clock
    input en : UInt<1>
    input in : Clock
  extmodule InCell :
    input pad : UInt<1>
    output i : UInt<1>
    input ie : UInt<1>
  extmodule Tick :
    input clk : Clock
    output n : UInt<16>
    output half : Clock
  public module Chip :
    input pad : UInt<1>
    input en : UInt<1>
    input a : UInt<8>
    output q : UInt<8>
    output r : UInt<8>
    output n : UInt<16>
    output m : UInt<16>
    inst c of InCell
    connect c.pad, pad
    connect c.ie, UInt<1>(1)
    node clock = asClock(c.i)
    reg free : UInt<8>, clock
    connect free, xor(free, a)
    connect r, free
    inst g of Gate
    connect g.in, clock
    connect g.en, xor(en, bits(free, 0, 0))
    reg x : UInt<8>, g.out
    connect x, tail(add(x, xor(a, free)), 1)
    connect q, x
    inst t of Tick
    connect t.clk, g.out
    connect n, t.n
    inst u of Tick2
    connect u.clk, t.half
    connect m, u.n
  extmodule Tick2 :
    input clk : Clock
    output n : UInt<16>
`

const chipCells = `module InCell(input pad, output i, input ie);
  assign i = ie & pad;
endmodule
module Gate(output out, input en, input in);
  reg held;
  always @* if (!in) held = en;
  assign out = held & in;
endmodule
module Tick(input clk, output reg [15:0] n = 0, output half);
  always @(posedge clk) n <= n + 1;
  assign half = n[0];
endmodule
module Tick2(input clk, output reg [15:0] n = 0);
  always @(posedge clk) n <= n + 1;
endmodule
`

// A clock that comes through an IO cell and a gate with a latch, both black boxes
// whose bodies are Verilog, is the input, and the gate an enable. So it is for black
// boxes that it moves, one behind the other.
func TestClockThroughBodies(t *testing.T) {
	tools.Need(t, "yosys")
	c, err := syntax.Parse("chip.fir", chip)
	if err != nil {
		t.Fatal(err)
	}
	d, _, err := lower.Lower(c, lower.Options{})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "cells.v")
	if err := os.WriteFile(file, []byte(chipCells), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, m := range d.Modules {
		if m.Extern != nil {
			m.Extern.Files = []string{file}
		}
	}
	if err := extern.Attach(t.Context(), d, yosys.Source{}); err != nil {
		t.Fatal(err)
	}
	if err := derived.Resolve(d); err != nil {
		t.Fatal(err)
	}
	if err := ir.Verify(d); err != nil {
		t.Fatal(err)
	}

	s, err := sim.New(d, sim.WithEngine(sim.Interpreter))
	if err != nil {
		t.Fatal(err)
	}
	sig := func(name string) sim.Signal {
		x, err := s.Signal(name)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	en, a, q, r, n, m := sig("en"), sig("a"), sig("q"), sig("r"), sig("n"), sig("m")
	free, x, moved := uint64(0), uint64(0), 0
	for i := range uint64(300) {
		e, v := i*7>>2&1, i*37&255
		s.Set(en, e)
		s.Set(a, v)
		s.Step(1)
		if e^free&1 == 1 {
			x = (x + (v ^ free)) & 255
			moved++
		}
		free ^= v
		if ticks := uint64(moved); s.Get(n) != ticks || s.Get(m) != (ticks+1)/2 {
			t.Fatalf("cycle %d: the boxes count %d and %d, want %d and %d", i, s.Get(n), s.Get(m), ticks, (ticks+1)/2)
		}
		if s.Get(q) != x || s.Get(r) != free {
			t.Fatalf("cycle %d: q %d, r %d, want %d, %d", i, s.Get(q), s.Get(r), x, free)
		}
	}
	if moved == 0 || moved == 300 {
		t.Errorf("the gate is open in %d of 300 cycles", moved)
	}
}
