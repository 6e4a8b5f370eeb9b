package native

import "bytes"

// constants is data that will lie behind the code, each at a label.
type constants []constant

type constant struct {
	label label
	data  []byte
}

// label is that of data; equal data lies there once.
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
