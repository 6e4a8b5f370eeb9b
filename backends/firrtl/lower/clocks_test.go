package lower_test

import (
	"strings"
	"testing"

	"etch/backends/firrtl/lower"
	"etch/backends/firrtl/syntax"
	"etch/passes/derived"
)

// TestClocks compares circuits whose clocks are computed with firtool's Verilog.
func TestClocks(t *testing.T) { judgeAll(t, "testdata/clocks/*.fir") }

// divided is a circuit with a memory whose read port has a divided clock.
const divided = `FIRRTL version 4.0.0
circuit T :
  public module T :
    input clock : Clock
    input c : UInt<1>
    input a : UInt<8>
    output o : UInt<8>
    reg half : UInt<1>, clock
    connect half, not(half)
    reg at : UInt<3>, clock
    connect at, bits(a, 7, 5)
    node slow = asClock(half)
`

// A sequential read on a computed clock is an asynchronous one with a register.
func TestReadOnMadeClock(t *testing.T) {
	write := "    when c :\n      write mport w = m[bits(a, 2, 0)], clock\n      connect w, a\n"
	seq, _ := design(t, "t.fir", divided+"    smem m : UInt<8>[8], old\n"+write+"    node addr = at\n    read mport r = m[addr], slow\n    connect o, r\n")
	reg, _ := design(t, "t.fir", divided+"    cmem m : UInt<8>[8]\n"+write+"    read mport r = m[at], slow\n    reg q : UInt<8>, slow\n    connect q, r\n    connect o, q\n")
	sameOutputs(t, seq, reg)
}

// Clocks that cannot be taken out are errors at the line of what they move.
func TestClockErrors(t *testing.T) {
	for more, want := range map[string]string{
		"input d : Clock\n    reg r : UInt<8>, mux(half, clock, d)\n    connect r, a\n    connect o, r":          "t.fir:13: the clock of register r follows from two clocks, clock and d",
		"reg r : UInt<8>, asClock(and(c, half))\n    connect r, a\n    connect o, r":                             "t.fir:13: the clock of register r may rise when an input changes (clock, c) without an edge of clock",
		"reg r : UInt<8>, asClock(andr(a))\n    connect r, a\n    connect o, r":                                  "t.fir:13: the clock of register r is made of a: none of them is a clock",
		"inst x of X\n    connect x.i, c\n    reg r : UInt<8>, asClock(x.o)\n    connect r, a\n    connect o, r": "t.fir:15: the clock of register r comes out of instance x of black box X: give it a body",
	} {
		text := divided
		if strings.HasPrefix(more, "input") {
			in, rest, _ := strings.Cut(more, "\n    ")
			text, more = strings.Replace(text, "    output o", "    "+in+"\n    output o", 1), rest
			want = strings.Replace(want, ":13:", ":14:", 1)
		}
		if strings.Contains(more, "of X") {
			text = strings.Replace(text, "  public", "  extmodule X :\n    input i : UInt<1>\n    output o : UInt<1>\n  public", 1)
			want = strings.Replace(want, ":15:", ":18:", 1)
		}
		c, err := syntax.Parse("t.fir", text+"    "+more+"\n")
		if err != nil {
			t.Fatal(err)
		}
		d, _, err := lower.Lower(c, lower.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := derived.Resolve(d); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n  %v\n  want %s", more, err, want)
		}
	}
}
