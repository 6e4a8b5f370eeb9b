package protocol

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/testbench"
)

// encode is the bytes of a frame.
func encode(f frame) []byte {
	bytes := []byte{Sync, byte(f.number<<6 | len(f.words) - 1)}
	for _, w := range f.words {
		bytes = append(bytes, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
	}
	crc := crc16(bytes[1:])
	return append(bytes, byte(crc>>8), byte(crc))
}

// What is cut off in the middle does not spoil the frame behind it: neither where
// the line fell silent, nor where a byte was broken.
func TestReceiverRecovers(t *testing.T) {
	const gap = 50
	whole := encode(frame{number: 1, words: []uint32{9, 0xa5a5a5a5, 0xdeadbeef}})
	for _, silent := range []bool{true, false} {
		for cut := 1; cut < len(whole); cut++ {
			s, p := testbench.New(t, Receiver{Words: 64, Gap: gap})
			send := func(bytes []byte) {
				for _, b := range bytes {
					s.Set(p.Valid, 1)
					s.Set(p.Data, int(b))
					s.Step(1)
					s.Set(p.Valid, 0)
					s.Step(9)
				}
			}
			send(whole[:cut])
			if silent {
				s.Step(gap)
			} else {
				s.Set(p.Broken, 1)
				s.Step(1)
				s.Set(p.Broken, 0)
			}
			send(whole)
			s.Expect(p.Bus.Valid, 1)
			s.Expect(p.Bus.Addr, 9)
			s.Expect(p.Bus.Data, 0xa5a5a5a5)
		}
	}
}

// The sender repeats a frame at once after a bad reply, at its time after none,
// and does not take an acknowledgement of another frame for its own.
func TestSenderRepeats(t *testing.T) {
	const timeout = 40
	for _, c := range []struct {
		name                string
		valid, good, number int
		again               int // cycles until the frame comes again, -1 for never
	}{
		{"no reply", 0, 0, 0, timeout},
		{"bad", 1, 0, 0, 0},
		{"good", 1, 1, 0, -1},
		{"of another", 1, 1, 2, timeout},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, p := testbench.New(t, Sender{Timeout: timeout, Tries: 3})
			testbench.Send(s, p.Packet, Word{Data: hw.U(0x1234), Last: hw.B(true)})
			for _, b := range encode(frame{words: []uint32{0x1234}}) {
				testbench.Take(s, p.Bytes, hw.U(b))
			}
			s.Set(p.Reply.Valid, c.valid)
			s.Set(p.Reply.Good, c.good)
			s.Set(p.Reply.Number, c.number)
			s.Step(1)
			s.Set(p.Reply.Valid, 0)
			again := -1
			for cycle := range 2 * timeout {
				if s.High(p.Bytes.Valid) {
					again = cycle
					break
				}
				s.Step(1)
			}
			require.Equal(t, c.again, again)
		})
	}
}
