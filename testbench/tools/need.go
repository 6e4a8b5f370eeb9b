package tools

import "os"

// TB is the part of testing.TB that [Need] uses, so that programs which are not
// tests can import this package without importing testing.
type TB interface {
	Helper()
	Skipf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Strict tells whether a missing tool is an error: ETCH_STRICT=1, as in CI.
func Strict() bool { return os.Getenv("ETCH_STRICT") == "1" }

// Need returns the tools of those names, in that order. If one is missing it
// skips the test with a line saying so, or fails it when [Strict]. A name that
// is not in the table always fails.
func Need(t TB, names ...string) []Tool {
	t.Helper()
	found := make([]Tool, 0, len(names))
	for _, name := range names {
		if _, err := lookup(name); err != nil {
			t.Fatalf("%v", err)
			return nil
		}
		tool, err := Find(name)
		switch {
		case err == nil:
			found = append(found, tool)
		case Strict():
			t.Fatalf("%v (ETCH_STRICT=1)", err)
			return nil
		default:
			t.Skipf("%v", err)
			return nil
		}
	}
	return found
}
