//go:build !amd64

package native

func (r *rows) compareVectors(tiles int) { r.compareValues(tiles) }

// Only amd64 has these. Other targets never set Log.vectors.
func encodeNarrow(*laneCode, int, *batch) { panic("native: no vectors") }
func encodeWide(*laneCode, int, *batch)   { panic("native: no vectors") }
