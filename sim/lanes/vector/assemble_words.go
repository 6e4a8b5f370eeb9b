package vector

import "etch/sim/native/amd64"

// accessWords writes a macro of word form: scalar code for each instance.
func (a *assembler) accessWords(m *Access) {
	const index, x, old = amd64.RAX, amd64.R9, amd64.R10
	size := amd64.S32
	switch m.Elem {
	case 2:
		size = amd64.S16
	case 8:
		size = amd64.S64
	}
	wide := max(size, amd64.S32)
	at := func(slot int32, lane, bits int) amd64.Mem {
		return a.slot(slot).Plus(int32(ByteOf(lane, bits, a.bytes)))
	}
	for lane := range a.bytes / 2 {
		from := amd64.S16
		if m.addrWidth == 32 {
			from = amd64.S32
		}
		a.MovRM(from, index, at(m.addrAt, lane, m.addrWidth))
		word := amd64.AtIndex(regMems, index, uint8(m.Elem), int32(m.Offset+m.inRow(lane, a.bytes)))
		data := at(m.dataAt, lane, 8*m.Elem)
		switch {
		case !m.Write:
			a.MovRM(size, x, word)
			a.MovMR(size, data, x)
		case !m.Masked:
			a.MovRM(size, x, data)
			a.MovMR(size, word, x)
		default:
			a.MovRM(size, old, word)
			a.MovRM(size, x, data)
			a.RR(amd64.XOR, wide, x, old)
			a.MovRM(size, amd64.R11, at(m.maskAt, lane, 8*m.Elem))
			a.RR(amd64.AND, wide, x, amd64.R11)
			a.RR(amd64.XOR, wide, x, old)
			a.MovMR(size, word, x)
		}
	}
}
