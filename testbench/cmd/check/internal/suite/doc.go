// Package suite is the library of the command check: a list of steps (tools,
// gofmt, vet, hwvet, test) that all run even if an earlier one failed, then a
// summary. [Main] is the whole command. gofmt, vet and test enter the modules inside the
// module too (designs/explore/cluster), whose dependencies are not etch's.
//
// The last line of the output is always
//
//	N passed, N failed, N skipped
//
// which counts tests: each test or subtest without subtests of its own. A package that fails by
// itself (it does not build, it panics) counts as one failure. Tests are never taken from go
// test's cache, since it does not notice that a third-party tool was installed or removed.
//
// The package imports the standard library and testbench/tools only.
package suite
