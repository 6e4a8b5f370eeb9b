package fst

// SetLimit makes blocks of about n bytes.
func (w *Writer) SetLimit(n int) { w.limit = n }

// Pack packs data by LZ4, all of it with one packer.
func Pack(step, short int, data ...[]byte) (packed [][]byte) {
	var z lz4
	for _, d := range data {
		packed = append(packed, z.append(nil, d, step, min(short, len(d))))
	}
	return packed
}

// AppendSigned is what the index is written in.
var AppendSigned = appendSigned
