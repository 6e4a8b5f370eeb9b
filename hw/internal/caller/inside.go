package caller

import (
	"reflect"
	"runtime"
	"slices"
	"strings"
)

// Home is the path of package hw, and folder where its files are.
var Home, folder = func() (string, string) {
	// Both are two levels above this file.
	const here = "/internal/caller"
	_, file, _, _ := runtime.Caller(0)
	home, folder := reflect.TypeFor[Stack]().PkgPath(), file[:strings.LastIndexByte(file, '/')]
	return strings.TrimSuffix(home, here), strings.TrimSuffix(folder, here) + "/"
}()

// library is the folder of Go's own packages, "" where paths are trimmed. They are
// never the user's line, though they call back.
var library = func() string {
	cut := reflect.ValueOf(strings.Cut).Pointer()
	file, _ := runtime.FuncForPC(cut).FileLine(cut)
	root, ok := strings.CutSuffix(file, "strings/strings.go")
	if !ok {
		return ""
	}
	return root
}()

// Inside reports whether a file belongs to the language, that is to package hw or one below it. The
// first frame on the stack outside is the user's line. Commands and tests count as users. The
// function's name would not do: a closure is named after the function that it was inlined into.
func Inside(file string) bool {
	if rest, ok := strings.CutPrefix(file, folder); ok {
		return !strings.HasPrefix(rest, "cmd/") && !strings.HasSuffix(rest, "_test.go")
	}
	return buildsForUser(file) || helpsUser(file)
}

// helpers are files outside of the language whose functions stand for operations of it, as the
// dataflow form of floating point does: a mistake in a call of them is at the caller's line.
// Components beside them keep lines of their own.
var helpers = []string{"designs/float/kind.go", "designs/float/units.go"}

func helpsUser(file string) bool {
	rest, ok := strings.CutPrefix(file, strings.TrimSuffix(folder, "hw/"))
	return ok && slices.Contains(helpers, rest)
}

// buildsForUser reports whether a file belongs to a package of etch that builds components
// for its caller (testbench, designs/cli). For testbench.New, the user's line is the call
// of New.
func buildsForUser(file string) bool {
	rest, ok := strings.CutPrefix(file, strings.TrimSuffix(folder, "hw/"))
	return ok && (strings.HasPrefix(rest, "testbench/") || strings.HasPrefix(rest, "designs/cli/")) && !strings.HasSuffix(rest, "_test.go")
}

// insidePC is Inside for a program counter as runtime.Callers gives it.
func insidePC(pc uintptr) bool {
	f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	return Inside(f.File)
}
