package lower_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"etch/ir"
	"etch/sim"
	"etch/testbench/randcircuit"
)

// checks is a circuit with the lines of its body.
func checks(lines ...string) string {
	return "FIRRTL version 5.0.0\ncircuit T :\n  public module T :\n    input clock : Clock\n    input a : UInt<1>\n    input b : UInt<1>\n    input c : UInt<1>\n    input on : UInt<1>\n    " +
		strings.Join(lines, "\n    ") + "\n"
}

// failures are the cycles in which assertions fail, on random inputs.
func failures(t *testing.T, d *ir.Design, cycles int) (list []string) {
	t.Helper()
	s, err := sim.New(d, sim.WithOutput(io.Discard), sim.WithEngine(sim.Interpreter))
	if err != nil {
		t.Fatal(err)
	}
	cycle := 0
	s.OnFailure(func(sim.Failure) { list = append(list, fmt.Sprint(cycle)) })
	rng := rand.New(rand.NewPCG(5, 6))
	for cycle = range cycles {
		for i, p := range d.Top.Ports {
			if p.Dir == ir.In && p.Type != ir.TypeID(ir.Clock) {
				if err := s.SetBits(s.Top()[i], randcircuit.Value(rng, p.Width)); err != nil {
					t.Fatal(err)
				}
			}
		}
		s.Step(1)
	}
	return list
}

// TestProperties: each property fails in the cycles of the assertion that is written
// by hand beside it.
func TestProperties(t *testing.T) {
	past := []string{"reg a1 : UInt<1>, clock", "connect a1, a", "reg a2 : UInt<1>, clock", "connect a2, a1",
		"reg b1 : UInt<1>, clock", "connect b1, b", "reg on1 : UInt<1>, clock", "connect on1, on", "reg on2 : UInt<1>, clock", "connect on2, on1",
		"regreset n : UInt<2>, clock, UInt<1>(0), UInt<2>(0)", "connect n, mux(lt(n, UInt<2>(2)), tail(add(n, UInt<2>(1)), 1), n)"}
	property := func(p string) []string {
		return []string{"node p = " + p, "node q = intrinsic(circt_ltl_clock : UInt<1>, p, clock)", "intrinsic(circt_verif_assert<label = \"x\">, q, on)"}
	}
	delay := func(n int, x string) string {
		return fmt.Sprintf("intrinsic(circt_ltl_delay<delay = %d, length = 0> : UInt<1>, %s)", n, x)
	}
	two := func(name, x, y string) string {
		return "intrinsic(circt_ltl_" + name + " : UInt<1>, " + x + ", " + y + ")"
	}
	for _, c := range []struct{ name, property, hand, enable string }{
		{"and", two("and", "a", "b"), "and(a, b)", "on"},
		{"implication", two("implication", "a", "b"), "or(not(a), b)", "on"},
		{"not, or", two("or", "intrinsic(circt_ltl_not : UInt<1>, a)", "b"), "or(not(a), b)", "on"},
		{"delay", delay(1, "a"), "a", "and(and(on, on1), geq(n, UInt<2>(1)))"},
		{"next", two("implication", "a", delay(1, "b")), "or(not(a1), b)", "and(and(on, on1), geq(n, UInt<2>(1)))"},
		{"a sequence", two("implication", two("concat", "a", delay(1, "b")), delay(1, "c")), "or(not(and(a2, b1)), c)",
			"and(and(on, and(on1, on2)), geq(n, UInt<2>(2)))"},
		{"a repetition", two("implication", "intrinsic(circt_ltl_repeat<base = 3, more = 0> : UInt<1>, a)", "b"),
			"or(not(and(a, and(a1, a2))), b)", "and(and(on, and(on1, on2)), geq(n, UInt<2>(2)))"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _ := design(t, "t.fir", checks(property(c.property)...))
			hand, _ := design(t, "t.fir", checks(append(past, fmt.Sprintf("assert(clock, %s, %s, \"x\")", c.hand, c.enable))...))
			a, b := failures(t, got, 2000), failures(t, hand, 2000)
			if len(b) < 5 || strings.Join(a, ", ") != strings.Join(b, ", ") {
				t.Errorf("%d failures, by hand %d\n%v\n%v", len(a), len(b), a, b)
			}
		})
	}
}

// TestChiselStatements: what Chisel writes as an intrinsic is the statement.
func TestChiselStatements(t *testing.T) {
	d, _ := design(t, "t.fir", checks("when c :", `  intrinsic(circt_chisel_ifelsefatal<format = "a is %d\n", label = "low", guards = "X">, clock, a, on, b)`,
		"intrinsic(circt_chisel_cover<label = \"both\">, clock, and(a, b), on)", "intrinsic(circt_chisel_assume, clock, or(a, b), on)",
		`intrinsic(circt_dbg_variable<name = "v">, a)`))
	var got []string
	for _, s := range d.Top.Stmts {
		got = append(got, fmt.Sprintf("%v %s %q %d", s.Kind, s.Name, s.Format, len(s.Args)))
	}
	if want := `[assert low "a is %d\n" 1 cover both "" 0 assume assume "" 0]`; fmt.Sprint(got) != want {
		t.Errorf("%v\n  want %s", got, want)
	}
	hand, _ := design(t, "t.fir", checks("assert(clock, a, and(on, c), \"\")", "assume(clock, or(a, b), on, \"\")"))
	if a, b := failures(t, d, 200), failures(t, hand, 200); len(b) < 5 || strings.Join(a, " ") != strings.Join(b, " ") {
		t.Errorf("%v\n%v", a, b)
	}
}

// TestDeepProperties: properties that use each other twice, level by level, and long
// ones take no more time than their text; too long ones are errors.
func TestDeepProperties(t *testing.T) {
	lines := []string{"node p0 = intrinsic(circt_ltl_delay<delay = 2, length = 0> : UInt<1>, a)"}
	for i := range 60 {
		lines = append(lines, fmt.Sprintf("node p%d = intrinsic(circt_ltl_%s : UInt<1>, p%d, p%d)", i+1, []string{"and", "or"}[i%2], i, i))
	}
	lines = append(lines, "intrinsic(circt_verif_assert, intrinsic(circt_ltl_clock : UInt<1>, p60, clock))")
	d, _ := design(t, "t.fir", checks(lines...))
	hand, _ := design(t, "t.fir", checks("regreset n : UInt<2>, clock, UInt<1>(0), UInt<2>(0)", "connect n, mux(lt(n, UInt<2>(2)), tail(add(n, UInt<2>(1)), 1), n)",
		"assert(clock, a, geq(n, UInt<2>(2)), \"\")"))
	if a, b := failures(t, d, 100), failures(t, hand, 100); len(b) < 5 || strings.Join(a, " ") != strings.Join(b, " ") {
		t.Errorf("%v\n%v", a, b)
	}

	lines = []string{"node p0 = intrinsic(circt_ltl_delay<delay = 4000, length = 0> : UInt<1>, a)"}
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("node p%d = intrinsic(circt_ltl_concat : UInt<1>, p%d, p%d)", i+1, i, i))
	}
	_, _, err := lowered(checks(append(lines, "intrinsic(circt_verif_assert, intrinsic(circt_ltl_clock : UInt<1>, p40, clock))")...))
	if err == nil || !strings.Contains(err.Error(), "circt_verif_assert of a property of more than 4096 cycles is not read") {
		t.Error(err)
	}
}
