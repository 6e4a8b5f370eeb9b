package fst

import "encoding/binary"

// chain is the changes of one net in a block: of each how many times later it
// comes than the one before, and the value. A bit shares a number with its time.
type chain struct {
	data  []byte
	at    uint32 // number of the time of the last change
	width uint32
}

// add appends a change at the time of that number and returns how many bytes it
// took.
func (c *chain) add(at uint32, value []uint64) int {
	had, later := len(c.data), uint64(at-c.at)
	c.at = at
	if later < 32 && c.width <= 64 && cap(c.data)-had >= 9 { // what most changes are: the number is one byte
		if c.width == 1 {
			c.data = append(c.data, byte(later<<2|value[0]<<1))
			return 1
		}
		size := 1 + int(c.width+7)/8
		d := c.data[:had+9]
		d[had] = byte(later << 1)
		binary.BigEndian.PutUint64(d[had+1:], value[0]<<(64-c.width))
		c.data = d[:had+size]
		return size
	}
	switch {
	case c.width == 1:
		c.data = binary.AppendUvarint(c.data, later<<2|value[0]<<1)
	case c.width <= 64:
		b := binary.AppendUvarint(c.data, later<<1)
		end := len(b) + int(c.width+7)/8
		c.data = binary.BigEndian.AppendUint64(b, value[0]<<(64-c.width))[:end]
	default:
		c.data = appendBits(binary.AppendUvarint(c.data, later<<1), value, int(c.width))
	}
	return len(c.data) - had
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

// appendLetters appends the bits of a value as digits, the highest one first.
func appendLetters(b []byte, value []uint64, width int) []byte {
	for i := width - 1; i >= 0; i-- {
		b = append(b, '0'+byte(value[i/64]>>uint(i%64)&1))
	}
	return b
}
