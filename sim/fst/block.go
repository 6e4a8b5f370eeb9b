package fst

import (
	"bytes"
	"encoding/binary"
	"errors"

	"etch/sim"
	"etch/sim/internal/record"
)

// block is a stretch of time being collected.
type block struct {
	begin, end uint64
	frame      []uint64     // all values at the begin, by word
	times      []byte       // each as its distance from the one before, the first from 0
	count      uint32       // of times
	columns    []sim.Column // by word
	bytes      int          // in times and columns
	old        int          // of them, what the block before says too
	look       uint32       // with more times than that, see whether the block is full
}

// net is a net's place among the words.
type net struct {
	width int
	word  int // the first of them
}

// words is how many there are of a net.
func (n net) words() int { return (n.width + 63) / 64 }

// bits is how many bits word k has.
func (n net) bits(k int) int { return min(64, n.width-64*k) }

// step is how many bytes most changes take.
func (n net) step() int {
	if n.width == 1 {
		return 1
	}
	return 1 + (n.width+7)/8
}

// start empties the block and gives it its first time. It keeps room for columns,
// but not more than room bytes.
func (b *block) start(t uint64, room int) {
	b.begin, b.end = t, t
	b.times = binary.AppendUvarint(b.times[:0], t)
	b.count, b.bytes, b.old = 1, len(b.times), len(b.times)
	held := 0
	for i := range b.columns {
		c := &b.columns[i]
		c.Data, c.Last, c.Short = c.Data[:0], 0, 0
		if held += cap(c.Data); held > room {
			c.Data = nil
		}
	}
}

// time adds a time.
func (b *block) time(t uint64) {
	had := len(b.times)
	b.times = binary.AppendUvarint(b.times, t-b.end)
	b.bytes += len(b.times) - had
	b.end = t
	b.count++
}

// add adds a change of a word.
func (b *block) add(word int, value uint64, bits int) {
	c := &b.columns[word]
	had := len(c.Data)
	c.Grow(1, word)
	c.Add(b.count-1, value, bits)
	b.bytes += len(c.Data) - had
}

// encoder is a Writer as the Recorder sees it.
type encoder Writer

// Begin writes what stands in front of the blocks and begins the first one. All
// values become changes at its first time.
func (e *encoder) Begin(root *record.Scope, nets []record.Net, t uint64) error {
	w := (*Writer)(e)
	if len(nets) == 0 {
		return errors.New("there are no signals, and readers refuse a file without")
	}
	letters, words := 0, 0
	for _, n := range nets {
		w.nets = append(w.nets, net{n.Width(), words})
		letters += n.Width()
		words += w.nets[len(w.nets)-1].words()
	}
	w.block.columns, w.told = make([]sim.Column, words), make([]uint64, words)
	if w.limit == 0 {
		w.limit = min(max(blockBytes, blockFrames*letters), blockMost)
	}
	w.every = uint32(min(max(1, w.limit/(letters/8+2*words)), mostEvery))
	w.block.start(t, 0)
	w.block.look = w.block.count + w.every
	w.all = true
	err := w.declare(root, nets)
	w.head.first = t
	return err
}

// Time adds a time to the block.
func (e *encoder) Time(t uint64) { e.block.time(t) }

// Change adds a value to the columns of a net.
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

// Columns implements sim.Columnar. The last of the events may be the one after
// which Done looks at the block: looks come at the same times, however the
// changes come.
func (w *Writer) Columns(most int) (columns []sim.Column, events int, first uint32) {
	b := &w.block
	events = min(most, int(b.look-b.count)/2+1, max(1, columnRoom/len(b.columns)))
	for i := range b.columns {
		b.columns[i].Grow(events, i)
	}
	return b.columns, events, b.count
}

// Events adds times, and levels of clocks; all other changes are in the columns.
func (e *encoder) Events(t uint64, n int, clocks []int) {
	b := &e.block
	if n > 0 {
		for _, i := range clocks {
			word := e.nets[i].word
			c := &b.columns[word]
			c.Grow(2*n, word)
			c.Add(b.count, 1, 1)
			c.Add(b.count+1, 0, 1)
			c.Data = appendCopies(c.Data, pulses, 2*n-2)
			c.Last += uint32(2*n - 2)
		}
		b.time(t)
		b.times = appendCopies(b.times, halves, 2*n-1)
		b.end += uint64(2*n-1) * (sim.CycleTime / 2)
		b.count += uint32(2*n - 1)
	}
	b.bytes = len(b.times)
	for i := range b.columns {
		b.bytes += len(b.columns[i].Data)
	}
	for i, n := range e.nets {
		if n.width > 64 {
			copy(e.told[n.word:], (*Writer)(e).rec.Value(i))
		}
	}
}

// Two bytes of a column in which a clock rises and falls, and two half cycles in
// a list of times; many of them.
var (
	pulses = bytes.Repeat([]byte{(1<<1 | 1) << 1, 1 << 2}, mostEvery)
	halves = bytes.Repeat([]byte{sim.CycleTime / 2}, 2*mostEvery)
)

// appendCopies appends n bytes of what has the same bytes over and over.
func appendCopies(b, from []byte, n int) []byte {
	for ; n > len(from); n -= len(from) {
		b = append(b, from...)
	}
	return append(b, from[:n]...)
}

// Done looks whether the block is full, now and then, and writes it if it is.
func (e *encoder) Done() error {
	w := (*Writer)(e)
	b := &w.block
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

// setFrame takes down the values with which the block begins.
func (w *Writer) setFrame() {
	f := w.block.frame[:0]
	for i := range w.nets {
		f = append(f, w.rec.Value(i)...)
	}
	w.block.frame = f
}

// flush has the block packed, if it says anything, and begins the next one with
// the same time. Packing takes about as long as collecting: it is done meanwhile,
// on a goroutine of its own, and what comes of it is written at the next flush.
// In every block net 0 has a chain: where the first net has none, GTKWave's reader
// takes a length left over from the block before for a net that is shared.
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

	b := &w.block
	if b.columns == nil {
		b.columns = make([]sim.Column, len(full.columns))
	}
	b.start(full.end, 2*w.limit)
	w.setFrame()
	w.all = true
	(*encoder)(w).Change(0, w.rec.Value(0))
	w.all = false
	b.old = b.bytes
}

// collect writes the block that is being packed, if there is one, when that is
// done. Until then nobody touches spare, which it is.
func (w *Writer) collect() {
	if w.packing != nil {
		w.write(<-w.packing)
		w.packing = nil
	}
}
