// Package rows keeps the values of words before each of many events side by side, finds the
// changes afterwards, and encodes them as [Column]s. On amd64 with AVX2 both are done in vectors.
//
// The package imports the standard library.
package rows
