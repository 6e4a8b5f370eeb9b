package emit

import "bytes"

// constants is data placed behind the code, one label each.
type constants []constant

type constant struct {
	label Label
	data  []byte
}

// label is the label of data. Equal data is stored once.
func (p *constants) label(w Writer, data []byte) Label {
	for _, c := range *p {
		if bytes.Equal(c.data, data) {
			return c.label
		}
	}
	l := w.Declare()
	*p = append(*p, constant{l, data})
	return l
}
