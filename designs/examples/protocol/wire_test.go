package protocol

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/testbench"
)

// crc16 is the remainder of the message, its first 16 bits inverted, times x¹⁶ by
// x¹⁶ + x¹² + x⁵ + 1: long division, a bit at a time.
func crc16(message []byte) uint16 {
	bits := make([]byte, 0, 8*len(message)+16)
	for _, b := range message {
		for i := 7; i >= 0; i-- {
			bits = append(bits, b>>i&1)
		}
	}
	bits = append(bits, make([]byte, 16)...)
	for i := range 16 {
		bits[i] ^= 1
	}
	for i := range len(bits) - 16 {
		if bits[i] == 1 {
			for _, power := range []int{16, 12, 5, 0} {
				bits[i+16-power] ^= 1
			}
		}
	}
	var crc uint16
	for _, b := range bits[len(bits)-16:] {
		crc = crc<<1 | uint16(b)
	}
	return crc
}

// The check value of CRC-16/CCITT-FALSE in the catalogues.
func TestCRCOfTheTests(t *testing.T) {
	require.Equal(t, uint16(0x29b1), crc16([]byte("123456789")))
}

// wire listens to a line in the middle of its bits.
type wire struct {
	clocks int // per bit
	since  int // the beginning of the start bit; -1 while the line rests
	byte   int
	bytes  []byte
}

func (w *wire) listen(level int) {
	if w.since < 0 && level == 1 {
		return
	}
	if w.since < 0 {
		w.since, w.byte = 0, 0
	}
	if at := w.since - w.clocks/2; at%w.clocks == 0 && at > 0 {
		if bit := at / w.clocks; bit <= 8 {
			w.byte |= level << (bit - 1)
		} else {
			w.bytes = append(w.bytes, byte(w.byte))
			w.since = -2
		}
	}
	w.since++
}

// frame is a frame as the description has it.
type frame struct {
	number int
	words  []uint32
}

// frames reads bytes that were sent as frames, and checks all that is redundant.
func frames(t *testing.T, bytes []byte) (all []frame) {
	t.Helper()
	for len(bytes) > 0 {
		require.Equal(t, byte(0xa5), bytes[0])
		require.Zero(t, bytes[1]&0x30)
		f := frame{number: int(bytes[1] >> 6)}
		end := 2 + 4*int(bytes[1]&15+1)
		require.GreaterOrEqual(t, len(bytes), end+2)
		for at := 2; at < end; at += 4 {
			f.words = append(f.words, uint32(bytes[at])|uint32(bytes[at+1])<<8|uint32(bytes[at+2])<<16|uint32(bytes[at+3])<<24)
		}
		require.Equal(t, crc16(bytes[1:end]), uint16(bytes[end])<<8|uint16(bytes[end+1]))
		all = append(all, f)
		bytes = bytes[end+2:]
	}
	return all
}

func TestRx(t *testing.T) {
	for _, clocks := range []int{4, 5, 16} {
		s, p := testbench.New(t, Rx{ClocksPerBit: clocks}, testbench.CoSim())
		var got []int
		var broken int
		level := func(v, cycles int) {
			s.Set(p.Line, v)
			for range cycles {
				if s.High(p.Valid) {
					got = append(got, s.Get(p.Data))
				}
				broken += s.Get(p.Broken)
				s.Step(1)
			}
		}
		send := func(b, stop int) {
			level(0, clocks)
			for i := range 8 {
				level(b>>i&1, clocks)
			}
			level(stop, clocks)
		}
		level(1, 3)
		send(0x53, 1)
		send(0xff, 1) // at once
		level(1, 7)
		level(0, 1) // a spike
		level(1, 2*clocks)
		send(0x00, 1)
		send(0x41, 0) // no stop bit, and a break behind it
		level(0, 30*clocks)
		level(1, 2*clocks)
		send(0x80, 1)
		level(1, 2*clocks)
		require.Equal(t, []int{0x53, 0xff, 0x00, 0x80}, got, "%d clocks", clocks)
		require.Equal(t, 1, broken)
	}
}
