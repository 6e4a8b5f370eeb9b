package fst

import (
	"bytes"
	"encoding/binary"
	"errors"

	"etch/sim"
	"etch/sim/internal/record"
)

// block collects the changes of one stretch of time, until it is packed and written.
type block struct {
	begin, end uint64
	frame      []uint64     // the values of all nets at begin, by word
	times      []byte       // each as the distance from the time before; the first as the distance from 0
	count      uint32       // number of times
	columns    []sim.Column // by word
	bytes      int          // length of times and columns together
	old        int          // part of bytes that only repeats the end of the block before
	look       uint32       // the count above which Done checks whether the block is full
}

// net is the position of a net among the words.
type net struct {
	width int
	word  int // its first word
}

// words returns the number of words of a net.
func (n net) words() int { return (n.width + 63) / 64 }

// bits returns the number of bits in word k.
func (n net) bits(k int) int { return min(64, n.width-64*k) }

// step returns the length in bytes of most changes of the net: a time distance of one byte, and
// the value. A change of one bit is in the byte of its time.
func (n net) step() int {
	if n.width == 1 {
		return 1
	}
	return 1 + (n.width+7)/8
}

// start empties the block and gives it its first time. The memory of the columns is kept for the
// next changes, up to room bytes in all.
func (b *block) start(t uint64, room int) {
	b.begin, b.end = t, t
	b.times = binary.AppendUvarint(b.times[:0], t)
	b.count, b.bytes, b.old = 1, len(b.times), len(b.times)

	// Columns over the limit lose their memory; a block of an unusual net would otherwise hold
	// it for ever.
	held := 0
	for i := range b.columns {
		c := &b.columns[i]
		c.Data, c.Last, c.Short = c.Data[:0], 0, 0
		if held += cap(c.Data); held > room {
			c.Data = nil
		}
	}
}

// time appends a time.
func (b *block) time(t uint64) {
	had := len(b.times)
	b.times = binary.AppendUvarint(b.times, t-b.end)
	b.bytes += len(b.times) - had
	b.end = t
	b.count++
}

// add appends a change of a word.
func (b *block) add(word int, value uint64, bits int) {
	c := &b.columns[word]
	had := len(c.Data)
	c.Grow(1, word)
	c.Add(b.count-1, value, bits)
	b.bytes += len(c.Data) - had
}

// encoder is the Writer's implementation of record.Encoder; the methods are not the Writer's
// own, for users not to see them.
type encoder Writer

// Begin writes the header, the hierarchy and the geometry, and begins the first block. All
// values become changes at its first time.
func (e *encoder) Begin(root *record.Scope, nets []record.Net, t uint64) error {
	w := (*Writer)(e)
	if len(nets) == 0 {
		return errors.New("there are no signals, and readers refuse a file without")
	}

	// Number the words: a net of n bits has ⌈n/64⌉ of them, each with a column.
	letters, words := 0, 0
	for _, n := range nets {
		w.nets = append(w.nets, net{n.Width(), words})
		letters += n.Width()
		words += w.nets[len(w.nets)-1].words()
	}
	w.block.columns, w.told = make([]sim.Column, words), make([]uint64, words)

	// Derive the size of a block, and the number of times between two checks of it, from the
	// size of the design: a block begins with all values, so it has to be larger in a larger
	// design.
	if w.limit == 0 {
		w.limit = min(max(blockBytes, blockFrames*letters), blockMost)
	}
	w.every = uint32(min(max(1, w.limit/(letters/8+2*words)), mostEvery))

	// The first values are changes even where they equal the zeros in told.
	w.block.start(t, 0)
	w.block.look = w.block.count + w.every
	w.all = true
	err := w.declare(root, nets)
	w.head.first = t
	return err
}

// Time adds a time to the block.
func (e *encoder) Time(t uint64) { e.block.time(t) }

// Change appends a value to the columns of a net. A wide net gets a change only in the words
// that differ from the value told last.
func (e *encoder) Change(i int, value []uint64) {
	n := e.nets[i]
	if n.width <= 64 {
		e.block.add(n.word, value[0], n.width)
		return
	}
	for k, x := range value {
		if told := &e.told[n.word+k]; x != *told || e.all {
			*told = x
			e.block.add(n.word+k, x, n.bits(k))
		}
	}
}

// Columns implements sim.Columnar. The last of the events may be the one after which Done checks
// the block: the checks come at the same times in whichever way the changes come, so the files
// are equal.
func (w *Writer) Columns(most int) (columns []sim.Column, events int, first uint32) {
	b := &w.block
	events = min(most, int(b.look-b.count)/2+1, max(1, columnRoom/len(b.columns)))
	for i := range b.columns {
		b.columns[i].Grow(events, i)
	}
	return b.columns, events, b.count
}

// Events appends times, and the levels of clocks; all other changes are in the columns already.
func (e *encoder) Events(t uint64, n int, clocks []int) {
	b := &e.block
	if n > 0 {
		// A clock rises and falls once per event. The first two changes are appended in the
		// usual way, for the distance from the clock's last change; all others have the same two
		// bytes.
		for _, i := range clocks {
			word := e.nets[i].word
			c := &b.columns[word]
			c.Grow(2*n, word)
			c.Add(b.count, 1, 1)
			c.Add(b.count+1, 0, 1)
			c.Data = appendCopies(c.Data, pulses, 2*n-2)
			c.Last += uint32(2*n - 2)
		}

		// Likewise the times: after the first one they are half a cycle apart.
		b.time(t)
		b.times = appendCopies(b.times, halves, 2*n-1)
		b.end += uint64(2*n-1) * (sim.CycleTime / 2)
		b.count += uint32(2*n - 1)
	}

	// The machine code has appended to the columns without counting.
	b.bytes = len(b.times)
	for i := range b.columns {
		b.bytes += len(b.columns[i].Data)
	}

	// It has changed the values of wide nets as well; told has to follow.
	for i, n := range e.nets {
		if n.width > 64 {
			copy(e.told[n.word:], (*Writer)(e).rec.Value(i))
		}
	}
}

// pulses is the bytes of a column in which a clock rises and falls, many times over; halves is a
// list of times half a cycle apart.
var (
	pulses = bytes.Repeat([]byte{(1<<1 | 1) << 1, 1 << 2}, mostEvery)
	halves = bytes.Repeat([]byte{sim.CycleTime / 2}, 2*mostEvery)
)

// appendCopies appends n bytes, from being a pattern that may be repeated at its length.
func appendCopies(b, from []byte, n int) []byte {
	for ; n > len(from); n -= len(from) {
		b = append(b, from...)
	}
	return append(b, from[:n]...)
}

// Done ends a moment. Every w.every times it checks whether the block is full, and writes it if
// it is.
func (e *encoder) Done() error {
	w := (*Writer)(e)
	b := &w.block

	// The first moment ends: all values are known.
	if w.all {
		w.all = false
		if len(b.frame) == 0 {
			w.setFrame()
		}
	}
	if b.count > b.look {
		if b.bytes >= w.limit {
			w.flush()
		}
		w.block.look = w.block.count + w.every
	}
	return w.err
}

// setFrame stores the values with which the block begins.
func (w *Writer) setFrame() {
	f := w.block.frame[:0]
	for i := range w.nets {
		f = append(f, w.rec.Value(i)...)
	}
	w.block.frame = f
}

// flush hands a full block to a goroutine that packs it, and begins the next block at the same
// time; a block without changes stays. Packing takes about as long as collecting, so the two run
// side by side with two blocks; the packed block is written at the next flush.
//
// Net 0 has a chain in every block: GTKWave's reader takes the length of a shared chain from the
// block before if the first net has none.
func (w *Writer) flush() {
	if w.block.bytes == w.block.old {
		return
	}
	w.collect()
	full := w.block
	w.block, w.spare = w.spare, full
	w.packing = make(chan []byte, 1)
	go func(done chan<- []byte) { done <- w.pack.block(w.nets, &full) }(w.packing)
	w.head.blocks++

	// The spare block has no columns at the first flush.
	b := &w.block
	if b.columns == nil {
		b.columns = make([]sim.Column, len(full.columns))
	}
	b.start(full.end, 2*w.limit)
	w.setFrame()

	// Change must not skip the value of net 0 for being equal to the value told last.
	w.all = true
	(*encoder)(w).Change(0, w.rec.Value(0))
	w.all = false
	b.old = b.bytes
}

// collect waits for the block that is being packed, if there is one, and writes it. Until then
// the goroutine reads the memory of spare.
func (w *Writer) collect() {
	if w.packing != nil {
		w.write(<-w.packing)
		w.packing = nil
	}
}
