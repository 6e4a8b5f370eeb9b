package hw_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"etch/hw"
)

// ring is a component with a given number of mistakes, each of another kind than
// the one before.
type ring struct{ N int }

func (ring) Ports() pins { return pinShapes() }

func (r ring) Build(m *hw.Module, p pins) {
	for i := range r.N {
		w := hw.Wire(m, fmt.Sprintf("w%d", i), hw.Unsigned(8))
		switch i % 6 {
		case 0: // never set
		case 1:
			w.Set(p.B)
		case 2:
			m.When(p.C, func() { w.Set(p.A) })
		case 3:
			w.Set(w.Inc())
		case 4:
			w.Set(p.A)
			w.Set(p.A)
		case 5:
			w.Set(p.A.Add(w.Lit(1000 + i)))
		}
	}
	p.Y.Set(p.A)
}

func TestHundredMistakes(t *testing.T) {
	for _, n := range []int{1, 100} {
		got := errorsOf(t, build(ring{n}))
		if len(got) != n {
			t.Errorf("%d mistakes give %d diagnostics:\n%v", n, len(got), got)
		}
		for _, d := range got {
			if !strings.HasSuffix(d.Pos.File, "errors_test.go") {
				t.Errorf("at %v: %s", d.Pos, d.Msg)
			}
		}
	}
}

// Past a thousand, mistakes are counted and no longer kept.
func TestMistakesAreBounded(t *testing.T) {
	got := errorsOf(t, build(dut(func(m *hw.Module, p pins) {
		p.Y.Set(p.A)
		for i := range 3000 {
			m.Errorf("param", "mistake %d", i)
		}
	})))
	if len(got) != 1001 || got[1000].Code != "limit" || got[1000].Msg != "and 2000 more mistakes" {
		t.Errorf("%d diagnostics, the last %v", len(got), got[len(got)-1])
	}
}

// The text of an error: position and message first, the line with a caret below
// the operation, the other places, the callers.
func TestErrorText(t *testing.T) {
	err := build(dut(func(m *hw.Module, p pins) {
		p.Y.Set(sumOf(p.A, p.B))
	}))
	lines := strings.Split(err.Error(), "\n")
	want := []string{
		"mistake_module_test.go:*: Add: a has 8 bits, b has 4 [width]",
		"\t* | return x.Add(y) // want *",
		"\t* |          ^",
		"\tmistake_form_test.go:*: a is 8 bits wide",
		"\tmistake_form_test.go:*: b is 4 bits wide",
		"\tExtend widens and Trunc cuts, on purpose",
		"\terrors_test.go:*: called from here",
	}
	if len(lines) != len(want) {
		t.Fatalf("got\n%v", err)
	}
	for i, line := range lines {
		start, end, _ := strings.Cut(want[i], "*")
		end = strings.TrimSuffix(end, "*")
		if !strings.HasPrefix(line, start) || !strings.Contains(line[len(start):], end) {
			t.Errorf("line %d is %q, want %q", i, line, want[i])
		}
	}
	if d := errorsOf(t, err)[0]; d.String() != err.Error() {
		t.Errorf("a Diag prints differently:\n%v", d)
	}
}

// The five classic mistakes are found, four when built and the mix of signed and
// unsigned by the compiler; see mistake_*_test.go for the places they name.
func TestCompilerRefuses(t *testing.T) {
	out, err := exec.Command("go", "build", "-gcflags=-e", "./testdata/refused").CombinedOutput()
	if err == nil {
		t.Fatal("testdata/refused compiles")
	}
	text, lines := string(out), 0
	for _, want := range []string{
		"cannot use s (variable of struct type hw.SInt) as hw.UInt value in argument to a.Add",
		"cannot use a (variable of struct type hw.UInt) as hw.SInt value in argument to s.Set",
		"invalid operation: a == b (struct containing hw.",
		"cannot use hw.S(1) (value of struct type hw.SInt) as hw.UInt value in argument to a.Add",
		"cannot use 3 (constant of type int) as hw.Signal value in argument to hw.Cat",
		"cannot use a (variable of struct type hw.UInt) as hw.Bit value in argument to m.When",
		"does not match inferred type hw.UInt for T",
		"duplicate case idle (constant \"idle\" of string type phase) in expression switch",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the compiler does not say: %s", want)
		}
		lines++
	}
	if got := strings.Count(text, "refused.go:"); got < lines {
		t.Errorf("%d lines, want %d:\n%s", got, lines, text)
	}
}
