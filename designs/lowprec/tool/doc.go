// Package tool gives the etch command what it has of low-precision learning: the areas of
// the units (experiment lowprecision-area).
//
// # Areas
//
// # AREAS
package tool
