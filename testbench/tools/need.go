package tools

import (
	"os"
	"slices"
	"strings"
)

// TB is the part of testing.TB that [Need] uses, so that programs which are not
// tests can import this package without importing testing.
type TB interface {
	Helper()
	Skipf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Strict reports whether a missing tool is an error: ETCH_STRICT=1, as in CI, makes it one for
// all tools that are installed by default, ETCH_STRICT=iverilog,yosys for these.
func Strict(name string) bool {
	env := os.Getenv("ETCH_STRICT")
	if slices.Contains(strings.Split(env, ","), name) {
		return true
	}
	s, err := lookup(name)
	return env == "1" && (err != nil || !s.optional)
}

// Need returns the tools of those names, in that order. If one is missing it skips the test with
// a line about it, or fails it if [Strict] is true of the tool. An unknown name always fails.
func Need(t TB, names ...string) []Tool {
	t.Helper()

	found := make([]Tool, 0, len(names))
	for _, name := range names {
		if _, err := lookup(name); err != nil {
			t.Fatalf("%v", err)
			return nil
		}

		// Missing tools skip; the environment may ask for more.
		tool, err := Find(name)
		switch {
		case err == nil:
			found = append(found, tool)
		case Strict(name):
			t.Fatalf("%v (ETCH_STRICT=%s)", err, os.Getenv("ETCH_STRICT"))
			return nil
		default:
			t.Skipf("%v", err)
			return nil
		}
	}
	return found
}
