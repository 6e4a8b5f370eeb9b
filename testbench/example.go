package testbench

import (
	"fmt"
	"io"
	"os"
	"testing"
)

// Example stands in for a *testing.T in example functions, which have none: failures are
// printed, so that the output is not the expected one, and Fatal panics.
//
//	func ExampleCounter() {
//		s, p := testbench.New(testbench.Example(), Counter{Width: 4})
//		w := s.Wave()
//		s.Set(p.En, 1)
//		s.Step(5)
//		fmt.Print(w)
//		// Output:
//		// en     ‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾
//		// count  |0 |1 |2 |3 |4
//	}
//
// State without initial value starts at 0, so that drawings can be read; [WithSeed]
// starts it at random, as in tests.
//
// It has no temporary folders and never runs a Cleanup, so [Golden] is not for it.
func Example() testing.TB { return &exampleTB{out: os.Stdout} }

// exampleTB implements the methods of testing.TB that a Bench calls.
type exampleTB struct {
	testing.TB // nil: only the testing package can make one
	out        io.Writer
	failed     bool
}

func (e *exampleTB) Helper()        {}
func (e *exampleTB) Cleanup(func()) {}
func (e *exampleTB) Name() string   { return "Example" }
func (e *exampleTB) Failed() bool   { return e.failed }

func (e *exampleTB) Log(args ...any)                 { fmt.Fprintln(e.out, args...) }
func (e *exampleTB) Logf(format string, args ...any) { fmt.Fprintf(e.out, format+"\n", args...) }

func (e *exampleTB) Error(args ...any) {
	e.failed = true
	e.Log(args...)
}

func (e *exampleTB) Errorf(format string, args ...any) {
	e.failed = true
	e.Logf(format, args...)
}

func (e *exampleTB) Fatal(args ...any)                 { panic(fmt.Sprint(args...)) }
func (e *exampleTB) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
