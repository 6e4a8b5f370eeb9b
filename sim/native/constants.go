package native

import "bytes"

// constants is data placed behind the code, one label each.
type constants []constant

type constant struct {
	label label
	data  []byte
}

// label is the label of data. Equal data is stored once.
func (p *constants) label(w writer, data []byte) label {
	for _, c := range *p {
		if bytes.Equal(c.data, data) {
			return c.label
		}
	}
	l := w.newLabel()
	*p = append(*p, constant{l, data})
	return l
}
