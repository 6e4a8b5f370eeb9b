//go:build !amd64

package native

func (r *rows) compareVectors(tiles int) { r.compareValues(tiles) }

// Only amd64 has these; no others ask for them.
func encodeNarrow(*encoding) { panic("native: no vectors") }
func encodeWide(*encoding)   { panic("native: no vectors") }
