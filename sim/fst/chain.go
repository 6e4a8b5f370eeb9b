package fst

import (
	"encoding/binary"

	"etch/sim"
)

// chain is the changes of one net in a block: of each how many times later it comes
// than the one before, and the value. Up to 64 bits it is a column.
type chain struct {
	data  []byte
	short int // as in a column
}

// appendWide appends the data of a chain of several columns; frame is its words
// before. short is that of the chain.
func appendWide(b []byte, n net, columns []sim.Column, frame []uint64) (_ []byte, short int) {
	start := len(b)
	value := make([]uint64, len(columns))
	copy(value, frame)
	readers := make([]reader, len(columns))
	for k := range readers {
		readers[k] = reader{data: columns[k].Data, bits: n.bits(k)}
		readers[k].next()
	}
	for before := uint32(0); ; {
		at := never
		for k := range readers {
			at = min(at, readers[k].at)
		}
		if at == never {
			return b, short
		}
		for k := range readers {
			if r := &readers[k]; r.at == at {
				value[k] = r.value
				r.next()
			}
		}
		number := len(b)
		b = binary.AppendUvarint(b, uint64(at-before)<<1)
		if last := len(b) - 1; last > number {
			short = last - start
		}
		b = appendBits(b, value, n.width)
		before = at
	}
}

// reader reads a column of more than one bit.
type reader struct {
	data  []byte
	bits  int
	at    uint32 // number of the time of the change that has been read; never: there was none
	value uint64
}

const never = ^uint32(0)

// next reads a change.
func (r *reader) next() {
	if len(r.data) == 0 {
		r.at = never
		return
	}
	number, n := binary.Uvarint(r.data)
	r.data = r.data[n:]
	if r.bits == 1 {
		r.at += uint32(number >> 2)
		r.value = number >> 1 & 1
		return
	}
	r.at += uint32(number >> 1)
	var b [8]byte
	n = copy(b[:], r.data[:(r.bits+7)/8])
	r.data = r.data[n:]
	r.value = binary.BigEndian.Uint64(b[:]) >> (64 - r.bits)
}

// appendBits appends the bits of a value, the highest one first, to whole bytes
// of which the last one may have room.
func appendBits(b []byte, value []uint64, width int) []byte {
	end := len(b) + (width+7)/8
	used := uint(width-1)%64 + 1 // bits of the top word
	for i := len(value) - 1; i >= 0; i-- {
		word := value[i] << (64 - used)
		if i > 0 {
			word |= value[i-1] >> used // 0 when all 64 are used
		}
		b = binary.BigEndian.AppendUint64(b, word)
	}
	return b[:end]
}
