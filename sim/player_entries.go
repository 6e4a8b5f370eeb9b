package sim

import (
	"bytes"
	"encoding/binary"

	"etch/ir"
	"etch/ir/bits"
)

// Entries come from a file, so every number in them is checked before it is used.

// number reads a number of the present entry.
func (p *Player) number() (uint64, error) {
	x, n := binary.Uvarint(p.run.segments[p.segment].entries[p.at:])
	if n <= 0 {
		return 0, errBadRun("a number is cut short")
	}
	p.at += n
	return x, nil
}

// numbers reads several.
func (p *Player) numbers(to ...*uint64) (err error) {
	for _, x := range to {
		if *x, err = p.number(); err != nil {
			return err
		}
	}
	return nil
}

func (p *Player) take(n int) ([]byte, error) {
	rest := p.run.segments[p.segment].entries[p.at:]
	if n > len(rest) {
		return nil, errBadRun("a value is cut short")
	}
	p.at += n
	return rest[:n], nil
}

func (p *Player) words(width int) (bits.Value, error) {
	words := make([]uint64, bits.WordCount(width))
	b, err := p.take(8 * len(words))
	if err != nil {
		return bits.Value{}, err
	}
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return bits.FromWords(width, words), nil
}

// entry does the next entry, of which the edges are left to Forward.
func (p *Player) entry() error {
	head, err := p.number()
	if err != nil {
		return err
	}
	n := head >> 2
	switch head & 3 {
	case tagSet:
		return p.input(n)
	case tagEdges:
		p.left = n
		if p.set == nil {
			return errBadRun("edges of no clock")
		}
		return p.move()
	case tagQuad:
		return p.quad(n)
	}
	return p.other(n)
}

// quad gives words of the inputs their values: those in the mask of the four.
func (p *Player) quad(n uint64) error {
	// Entries come from a file, so everything is checked before it is used as an index.
	first, mask := n>>inQuad*inQuad, n&allFields
	size := uint64(len(p.bits))
	for i := range uint64(inQuad) {
		if mask>>i&1 == 0 {
			continue
		}
		if first >= size || size-first <= i {
			return errBadRun("the design has no input word %d", first+i)
		}
		b, err := p.take(2)
		if err != nil {
			return err
		}
		if err := p.word(first+i, uint64(binary.LittleEndian.Uint16(b))); err != nil {
			return err
		}
	}
	return nil
}

// input reads the next value of one input word and applies it.
func (p *Player) input(word uint64) error {
	in := p.s.m.P.Inputs
	if word >= uint64(in.Hi-in.Lo) {
		return errBadRun("the design has no input word %d", word)
	}
	b, err := p.take(int(p.bits[word]+7) / 8)
	if err != nil {
		return err
	}
	var x uint64

	// The value takes the bytes that the word's bits need, low byte first.
	for i := range b {
		x |= uint64(b[i]) << (8 * i)
	}
	return p.word(word, x)
}

// word gives a word of the inputs, which the design has, its value.
func (p *Player) word(word, x uint64) error {
	width := uint(p.bits[word])
	if x>>1>>(width-1) != 0 {
		return errBadRun("%d does not fit in the %d bits of input word %d", x, width, word)
	}
	at := &p.s.m.St.V[p.s.m.P.Inputs.Lo+uint32(word)]
	p.moves.named(word, *at, x)
	*at = x
	p.s.m.Touch()
	return nil
}

// other does an entry without a tag of its own.
func (p *Player) other(entry uint64) error {
	s := p.s
	var a, b, c uint64

	switch entry {
	case entryClocks:
		set, err := p.take(len(s.m.On))
		if p.set = set; bytes.ContainsFunc(set, func(r rune) bool { return r > 1 }) {
			return errBadRun("a clock is neither left out nor in")
		}
		return err

	case entrySettle:
		s.m.Settle()
		return nil

	case entryPoke:
		if err := p.numbers(&a, &b); err != nil {
			return err
		}

		// Only a node of the design may be poked; Poke itself checks that it holds state.
		if a >= uint64(len(s.m.P.Insts)) || b == 0 || b >= uint64(s.m.P.Mod(int32(a)).Len()) {
			return errBadRun("the design has no node %d in instance %d", b, a)
		}
		sig := s.signal(int32(a), ir.ID(b), -1)
		v, err := p.words(sig.Width())
		if err != nil {
			return err
		}
		return s.Poke(sig, v)

	case entryWrite:
		if err := p.numbers(&a, &b); err != nil {
			return err
		}
		if a >= uint64(len(s.m.P.Mems)) {
			return errBadRun("the design has no memory %d", a)
		}
		v, err := p.words(s.m.P.Mems[a].Width)
		if err != nil {
			return err
		}
		return Mem{s, int32(a)}.Write(int(b), v)

	case entryPeriod:
		if err := p.numbers(&a, &b, &c); err != nil {
			return err
		}
		if a >= uint64(len(s.m.Clocks)) {
			return errBadRun("the design has no clock %d", a)
		}
		return s.SetPeriod(s.top[s.m.P.Clocks[a]], b, c)

	case entryRun:
		p.runs = true
		return p.numbers(&p.until)

	case entryBox:
		if err := p.numbers(&a, &b); err != nil {
			return err
		}
		if a >= uint64(len(p.outs)) {
			return errBadRun("black boxes have no word %d", a)
		}
		p.outs[a] = b

		// The black box shows the word when values settle next.
		s.m.Touch()
		return nil

	case entryMove:
		p.moves.begin()
		return nil

	case entryRest:
		p.moves.on = false
		return nil

	case entryFall:
		return nil // the cycle has made it, when its edge was replayed
	}
	return errBadRun("there is no entry of kind %d", entry)
}

// boxOutputs does the entries of outputs of black boxes that come next: between the rising and the
// falling edge of a cycle there are no others.
func (p *Player) boxOutputs() error {
	for {
		if p.at == len(p.run.segments[p.segment].entries) {
			if !p.nextSegment() {
				return nil
			}
			continue
		}
		at := p.at
		if head, err := p.number(); err != nil || head != entryBox<<2|tagOther {
			p.at = at
			return err
		}
		if err := p.other(entryBox); err != nil {
			return err
		}
	}
}
