// Package simtest has circuits and small tools for tests of package sim and of the packages below it:
// a builder of modules, random designs of every op, a writer without room.
//
// The package imports sim, internal/drive, ir with ir/bits, and testify besides the standard library.
package simtest
