// Package quads compares values that lie a word apart with expected ones that are packed four to a
// word, sixteen at a time. A recording spends most of its time so, under a bench that sets every
// port in every cycle.
//
// A quad is four neighbouring words of at most 16 bits as one word: the first word is the lowest
// field of 16 bits.
//
// The package imports sim/native/cpu and the standard library.
package quads
