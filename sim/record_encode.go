package sim

import (
	"encoding/binary"
	"errors"
	"math"

	"etch/ir"
	"etch/sim/internal/drive"
)

// Encode returns the recording up to now without its design, for [ReadPlayer]. Errors: it cannot
// be replayed; it has lost its begin, and large memories would have to be saved in its place.
func (r *Recording) Encode() ([]byte, error) {
	t, err := r.taken()
	if err != nil {
		return nil, err
	}

	// The options of the simulator, then the parts.
	e := encoder{}
	e.numbers(t.seed, flag(t.seeded), uint64(t.pack), t.last, uint64(len(t.models)))
	for _, name := range t.models {
		e.text(name)
	}
	e.numbers(uint64(len(t.segments)))
	for i := range t.segments {
		s := &t.segments[i]
		e.numbers(s.cycle)
		if i == 0 { // a later part goes on where the one before ends
			e.wordList(s.outs)
			if err := e.state(s.from); err != nil {
				return nil, err
			}
		}
		e.numbers(uint64(len(s.entries)))
		e.b = append(e.b, s.entries...)
	}
	return e.b, nil
}

// encoder appends the parts of a recording.
type encoder struct{ b []byte }

func (e *encoder) numbers(list ...uint64) {
	for _, x := range list {
		e.b = binary.AppendUvarint(e.b, x)
	}
}

func (e *encoder) text(s string) {
	e.numbers(uint64(len(s)))
	e.b = append(e.b, s...)
}

// wordList appends words with their number.
func (e *encoder) wordList(words []uint64) {
	e.numbers(uint64(len(words)))
	e.numbers(words...)
}

// state appends a snapshot, or that there is none.
func (e *encoder) state(snap *Snapshot) error {
	e.numbers(flag(snap != nil))
	if snap == nil {
		return nil
	}

	// Images of large memories are pages shared with the simulator, and have no encoding.
	for _, image := range snap.large {
		if image != nil {
			return errors.New("sim: the recording has lost its begin, and its large memories cannot be saved in a file")
		}
	}

	// decoder.state reads in this order.
	e.wordList(snap.leaves)
	e.numbers(uint64(len(snap.mems)))
	for _, words := range snap.mems {
		e.wordList(words)
	}

	e.numbers(snap.time.Now, snap.time.Cycles)
	e.wordList(snap.time.Edges)
	e.numbers(uint64(len(snap.time.Clocks)))
	for _, c := range snap.time.Clocks {
		e.numbers(c.Period, c.Phase, c.Next, flag(c.Over))
	}
	return nil
}

// flag is 1 for true.
func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// ReadPlayer returns a player of an encoded recording of d. Errors: the recording is damaged, or
// is of another design; those of New.
func ReadPlayer(d *ir.Design, encoded []byte) (*Player, error) {
	if d == nil || d.Top == nil {
		return nil, drive.ErrNoDesign
	}
	dec := decoder{b: encoded}
	t := &run{design: d}
	var seeded, pack, count uint64

	// The order is that of Encode. Counts are not trusted: the loops end at the first read that
	// fails.
	dec.numbers(&t.seed, &seeded, &pack, &t.last, &count)
	t.seeded, t.pack = seeded == 1, int(min(pack, math.MaxInt32))
	for ; count > 0 && !dec.bad; count-- {
		t.models = append(t.models, string(dec.bytes()))
	}
	dec.numbers(&count)
	for i := uint64(0); i < count && !dec.bad; i++ {
		var s segment
		dec.numbers(&s.cycle)
		if i == 0 {
			s.outs = dec.wordList()
			s.from = dec.state(d)
		}
		s.entries = dec.bytes()
		t.segments = append(t.segments, s)
	}

	// Bytes left over are as wrong as missing ones.
	if dec.bad || len(dec.b) > 0 || len(t.segments) == 0 || t.last < t.segments[0].cycle {
		return nil, errBadRun("its %d bytes are not of the form that this version writes", len(encoded))
	}
	return t.player()
}

// decoder reads what encoder writes. After an error everything is empty.
type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) numbers(to ...*uint64) {
	for _, x := range to {
		n := 0
		if *x, n = binary.Uvarint(d.b); n <= 0 || d.bad {
			*x, d.b, d.bad = 0, nil, true
			return
		}
		d.b = d.b[n:]
	}
}

// bytes reads a number of bytes and the bytes.
func (d *decoder) bytes() []byte {
	var n uint64
	if d.numbers(&n); n > uint64(len(d.b)) {
		d.b, d.bad = nil, true
		return nil
	}

	// The result cannot grow into the bytes that follow.
	b := d.b[:n:n]
	d.b = d.b[n:]
	return b
}

// wordList reads a number of words and the words.
func (d *decoder) wordList() []uint64 {
	var n uint64
	if d.numbers(&n); n > uint64(len(d.b)) { // each takes a byte
		d.b, d.bad = nil, true
		return nil
	}
	words := make([]uint64, n)
	for i := range words {
		d.numbers(&words[i])
	}
	return words
}

// state reads a snapshot, nil for none.
func (d *decoder) state(design *ir.Design) *Snapshot {
	var is, n, over uint64
	if d.numbers(&is); is == 0 {
		return nil
	}
	snap := &Snapshot{design: design, leaves: d.wordList()}

	// A count from a file is no reason to allocate: the list grows as words are read.
	for d.numbers(&n); n > 0 && !d.bad; n-- {
		snap.mems = append(snap.mems, d.wordList())
	}

	d.numbers(&snap.time.Now, &snap.time.Cycles)
	snap.time.Edges = d.wordList()
	for d.numbers(&n); n > 0 && !d.bad; n-- {
		var c drive.FreeClock
		d.numbers(&c.Period, &c.Phase, &c.Next, &over)
		c.Over = over == 1
		snap.time.Clocks = append(snap.time.Clocks, c)
	}
	return snap
}
