// Package pages has blocks of memory whose pages are made when they are touched.
//
// A [Block] of 2 GiB of which 1 MiB is written takes 1 MiB, also when machine code
// writes it: on Linux it is an anonymous mapping without reserve. [Block.Copy] and [Block.Held] visit
// only the pages that exist. Elsewhere a block is a Go slice, and they visit all of it.
//
// A page of zeros that was only read counts as not touched. The package imports the
// standard library alone.
package pages
