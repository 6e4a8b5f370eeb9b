//go:build !amd64

package rows

func (r *Rows) compareVectors(tiles int) { r.compareValues(tiles) }

// Only amd64 has these. Other targets never set Log.vectors.
func encodeNarrow(*FieldCode, int, *batch) { panic("native: no vectors") }
func encodeWide(*FieldCode, int, *batch)   { panic("native: no vectors") }
