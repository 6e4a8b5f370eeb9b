// Package suite is the library of the command check: a list of steps (tools,
// gofmt, vet, hwvet, test) that all run even if an earlier one failed, then a
// summary. [Main] is the whole command.
//
// The last line of the output is always
//
//	N passed, N failed, N skipped
//
// which counts tests: each test or subtest that has no subtests of its own, and
// for a package that fails by itself (it does not build, it panics) one failure.
// Tests are never taken from go test's cache, because that does not notice that
// an outside tool was installed or removed.
//
// The package imports the standard library and testbench/tools only.
package suite
