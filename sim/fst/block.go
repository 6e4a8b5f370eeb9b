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

// flush writes the block, if it says anything, and begins the next one with the
// same time. In every block net 0 has a chain: where the first net has none,
// GTKWave's reader takes a length left over from the block before for a net that
// is shared.
func (w *Writer) flush() {
	b := &w.block
	if b.bytes == b.old {
		return
	}
	w.write(w.pack.block(b))
	w.head.blocks++
	b.start(b.end, 2*w.limit)
	w.setFrame()
	(*encoder)(w).Change(0, w.rec.Value(0))
	b.old = b.bytes
}
