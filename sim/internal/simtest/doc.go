// Package simtest has circuits and small tools for tests of package sim and of the packages below it: a builder of
// modules, random designs of every op, a writer without room.
//
// The package imports package sim, ir with its parts, and testify.
package simtest
