package fst

import (
	"encoding/binary"

	"etch/sim"
)

// chain is the encoded changes of one net in a block: for each change the distance in times from
// the change before, and the value. For a net of up to 64 bits it is the column itself.
type chain struct {
	data  []byte
	short int // as in sim.Column
}

// appendWide appends the chain of a net of several columns: a merge of the columns by time.
// frame is the net's value at the begin of the block; short is the one of the chain.
func appendWide(b []byte, n net, columns []sim.Column, frame []uint64) (_ []byte, short int) {
	start := len(b)

	// The chain has whole values, the columns only their words: value holds the words that do
	// not change.
	value := make([]uint64, len(columns))
	copy(value, frame)
	readers := make([]reader, len(columns))
	for k := range readers {
		readers[k] = reader{data: columns[k].Data, bits: n.bits(k)}
		readers[k].next()
	}

	for before := uint32(0); ; {
		// Find the time of the next change in any word.
		at := never
		for k := range readers {
			at = min(at, readers[k].at)
		}
		if at == never {
			return b, short
		}

		// Take the new words.
		for k := range readers {
			if r := &readers[k]; r.at == at {
				value[k] = r.value
				r.next()
			}
		}

		// Append the change: the distance in times, then all bits. A distance of more than one
		// byte makes the change longer than a step.
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
	at    uint32 // number of the time of the change read last; never: the column has ended
	value uint64
}

const never = ^uint32(0)

// next reads a change: a varint of the time's distance and a flag, then the value in whole
// bytes. In a column of one bit the value is a bit of the varint.
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

// appendBits appends a value, highest bit first, in whole bytes; the last byte is filled up with
// zeros.
func appendBits(b []byte, value []uint64, width int) []byte {
	end := len(b) + (width+7)/8
	used := uint(width-1)%64 + 1 // bits of the top word

	// Each output word joins the bits of two neighbouring words, since the value begins at the
	// top of the first byte.
	for i := len(value) - 1; i >= 0; i-- {
		word := value[i] << (64 - used)
		if i > 0 {
			word |= value[i-1] >> used // 0 when all 64 are used
		}
		b = binary.BigEndian.AppendUint64(b, word)
	}
	return b[:end]
}
