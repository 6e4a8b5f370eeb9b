package caller

import (
	"runtime"
	"strings"

	"etch/ir"
)

// Call is a call of the user's.
type Call struct {
	PC uintptr
	At ir.Location
}

// Calls is the user's functions on the stack, innermost first, up to the component
// being built: the line of the operation, and the calls of the user's own helpers that lead
// there. A function that the language called back, such as the body of a When, adds
// nothing. Outside of a component it is the line that calls Build.
func Calls() []Call {
	var pcs [128]uintptr
	var out []Call
	helper, asked := true, false // the frame below is the user's, or there is none; it is Build

	// One frame after the other: each return address stands for one, inlined or not.
	for _, pc := range pcs[:runtime.Callers(2, pcs[:])] {
		f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
		switch {
		// The component's own Build ends the way out, and so do the ends of the stack.
		case f.Function == "testing.tRunner", f.Function == "runtime.goexit", f.Function == "runtime.main",
			len(out) > 0 && (strings.HasPrefix(f.Function, Home+".elaborate") || strings.HasPrefix(f.Function, Home+".Build")):
			return out
		// Go's own packages call back, and are nobody's line.
		case strings.HasPrefix(f.Function, "runtime."), library != "" && strings.HasPrefix(f.File, library):
		case Inside(f.File):
			helper = false
			asked = strings.HasPrefix(f.Function, Home+".Build") || asked && buildsForUser(f.File)
		case asked:
			return []Call{{pc, ir.Location{File: f.File, Line: f.Line}}}

		// A user's function: a helper's line counts, but that of a function that was called back does not.
		default:
			if helper || len(out) == 0 {
				out = append(out, Call{pc, ir.Location{File: f.File, Line: f.Line}})
			}
			helper = true
		}
	}
	return out
}
