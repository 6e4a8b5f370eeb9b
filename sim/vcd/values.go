package vcd

import (
	"slices"
	"strconv"

	"etch/ir"
	"etch/sim"
)

// net is what has an identifier in the dump.
type net struct {
	sig   sim.Signal
	id    string
	enum  *ir.Enum // not nil: the name of the value is dumped
	clock bool     // its level comes with the edges, not from values
	last  []uint64
}

// changes writes every value that is not what it was.
func (w *Writer) changes(t uint64) {
	for i := range w.nets {
		n := &w.nets[i]
		if n.clock {
			continue
		}
		w.words = w.s.AppendWords(w.words[:0], n.sig)
		if !slices.Equal(w.words, n.last) {
			w.at(t)
			w.dump(n)
		}
	}
}

// at writes the time unless it is written.
func (w *Writer) at(t uint64) {
	if t != w.now {
		w.now = t
		w.text = append(strconv.AppendUint(append(w.text[:0], '#'), t, 10), '\n')
		w.write()
	}
}

// level writes that a clock is high or low.
func (w *Writer) level(n *net, high bool, t uint64) {
	to := uint64(0)
	if high {
		to = 1
	}
	if n.last[0] != to {
		n.last[0] = to
		w.at(t)
		w.text = append(append(append(w.text[:0], '0'+byte(to)), n.id...), '\n')
		w.write()
	}
}

// dump writes the value of a net.
func (w *Writer) dump(n *net) {
	n.last = w.s.AppendWords(n.last[:0], n.sig)
	text := w.text[:0]
	switch {
	case n.enum != nil:
		text = append(text, 's')
		if name := n.enum.NameOf(n.last[0]); name != "" {
			text = append(text, word(name)...)
		} else {
			text = strconv.AppendUint(text, n.last[0], 10)
		}
		text = append(text, ' ')
	case n.sig.Width() == 1:
		text = append(text, '0'+byte(n.last[0]))
	default:
		text = append(appendBinary(append(text, 'b'), n.last), ' ')
	}
	w.text = append(append(text, n.id...), '\n')
	w.write()
}

// appendBinary appends a number in binary without leading zeros.
func appendBinary(to []byte, words []uint64) []byte {
	top := len(words) - 1
	for top > 0 && words[top] == 0 {
		top--
	}
	to = strconv.AppendUint(to, words[top], 2)
	for i := top - 1; i >= 0; i-- {
		for bit := 63; bit >= 0; bit-- {
			to = append(to, '0'+byte(words[i]>>uint(bit)&1))
		}
	}
	return to
}
