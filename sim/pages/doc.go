// Package pages has blocks of memory whose pages are made when they are touched.
//
// A [Block] of 2 GiB of which 1 MiB is written takes 1 MiB, also when machine code
// writes it: on Linux it is an anonymous mapping without reserve. [Block.Copy] and
// [Block.Held] go through the pages that there are, not through all that there may
// be. Elsewhere a block is a slice of Go's, all of which is gone through.
//
// A page of zeros that was only read counts as not touched. The package imports the
// standard library alone.
package pages
