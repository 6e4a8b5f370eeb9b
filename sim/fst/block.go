package fst

import (
	"encoding/binary"
	"errors"

	"etch/sim/internal/record"
)

// block is a stretch of time being collected.
type block struct {
	begin, end uint64
	frame      []byte // all values at the begin, a letter a bit
	times      []byte // each as its distance from the one before, the first from 0
	count      uint32 // of times
	chains     []chain
	bytes      int // in times and chains
	old        int // of them, what the block before says too
}

// start empties the block and gives it its first time. It keeps room for chains,
// but not more than room bytes.
func (b *block) start(t uint64, room int) {
	b.begin, b.end = t, t
	b.times = binary.AppendUvarint(b.times[:0], t)
	b.count, b.bytes, b.old = 1, len(b.times), len(b.times)
	held := 0
	for i := range b.chains {
		c := &b.chains[i]
		c.data, c.at = c.data[:0], 0
		if held += cap(c.data); held > room {
			c.data = nil
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

// encoder is a Writer as the Recorder sees it.
type encoder Writer

// Begin writes what stands in front of the blocks and begins the first one. All
// values become changes at its first time.
func (e *encoder) Begin(root *record.Scope, nets []record.Net, t uint64) error {
	w := (*Writer)(e)
	if len(nets) == 0 {
		return errors.New("there are no signals, and readers refuse a file without")
	}
	w.block.chains = make([]chain, len(nets))
	letters := 0
	for i, n := range nets {
		w.block.chains[i].width = uint32(n.Width())
		letters += n.Width()
	}
	if w.limit == 0 {
		w.limit = min(max(blockBytes, blockFrames*letters), blockMost)
	}
	w.block.start(t, 0)
	err := w.declare(root, nets)
	w.head.first = t
	return err
}

// Time adds a time to the block.
func (e *encoder) Time(t uint64) { e.block.time(t) }

// Change adds a value to the chain of a net.
func (e *encoder) Change(net int, value []uint64) {
	b := &e.block
	b.bytes += b.chains[net].add(b.count-1, value)
}

// Done writes the block if it is full.
func (e *encoder) Done() error {
	w := (*Writer)(e)
	if len(w.block.frame) == 0 {
		w.setFrame()
	}
	if w.block.bytes >= w.limit {
		w.flush()
	}
	return w.err
}

// setFrame takes down the values with which the block begins.
func (w *Writer) setFrame() {
	f := w.block.frame[:0]
	for i := range w.block.chains {
		f = appendLetters(f, w.rec.Value(i), int(w.block.chains[i].width))
	}
	w.block.frame = f
}

// flush has the block packed, if it says anything, and begins the next one with
// the same time. Packing takes about as long as collecting: it is done meanwhile,
// on a goroutine of its own, and what comes of it is written at the next flush. In every block net 0 has a chain: where the first net has none,
// GTKWave's reader takes a length left over from the block before for a net that
// is shared.
func (w *Writer) flush() {
	if w.block.bytes == w.block.old {
		return
	}
	w.collect()
	full := w.block
	w.block, w.spare = w.spare, full
	w.packing = make(chan []byte, 1)
	go func(done chan<- []byte) { done <- w.pack.block(&full) }(w.packing)
	w.head.blocks++

	b := &w.block
	b.like(&full)
	b.start(full.end, 2*w.limit)
	w.setFrame()
	(*encoder)(w).Change(0, w.rec.Value(0))
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

// like gives an unused block the nets of another one.
func (b *block) like(other *block) {
	if b.chains != nil {
		return
	}
	b.chains = make([]chain, len(other.chains))
	for i := range b.chains {
		b.chains[i].width = other.chains[i].width
	}
}
