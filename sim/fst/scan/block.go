package scan

import (
	"encoding/binary"
)

// loaded is a block of changes whose lists have been read; its chains have not.
type loaded struct {
	block
	times  times
	frame  []byte // the values of all nets at the begin, one after the other
	starts []int64
	pack   byte
	chains int64   // offset of the chains in the file
	where  []int64 // by net: the offset of its chain from chains, 0 if it has none
	length []int64 // by net, packed
}

// mostLoaded bounds the blocks that are kept, in bytes, but for the last one.
const mostLoaded = 24 << 20

// load reads the lists of a block, or finds them in the cache.
func (f *File) load(number int) (*loaded, error) {
	if x := f.loaded[number]; x != nil {
		return x, nil
	}

	// The end first: the times tell where the list of chains ends.
	x := &loaded{block: f.blocks[number]}
	positions, err := f.loadTimes(x)
	if err != nil {
		return nil, err
	}
	if err := f.loadFrame(x); err != nil {
		return nil, err
	}
	if err := f.loadPositions(x, positions); err != nil {
		return nil, err
	}

	// When there is no more room, begin anew: questions go from block to block. A block that takes
	// all of it stays alone.
	size := int64(len(x.frame)) + x.times.size() + 8*int64(len(x.starts)+2*len(x.where))
	if f.held+size > mostLoaded || f.loaded == nil {
		f.loaded, f.held = map[int]*loaded{}, 0
	}
	f.loaded[number] = x
	f.held += size
	return x, nil
}

// loadTimes reads the times, which are at the end, and returns the end of the list of chains.
func (f *File) loadTimes(x *loaded) (positions int64, err error) {
	if x.end-x.at < 32 {
		return 0, f.fail(x.at, "a block of changes of %d bytes", x.end-x.at)
	}
	b, err := f.read(x.end-24, 24)
	if err != nil {
		return 0, err
	}

	// The block ends with the size of the times, their packed size and their number.
	size, packed, n := binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:]), binary.BigEndian.Uint64(b[16:])
	room := uint64(x.end - 32 - x.at)

	// Sizes come from the file, so they are bounded before memory is made by them.
	if packed > room || size > MaxBlock || n > size {
		return 0, f.fail(x.end-24, "%d times in %d bytes, packed in %d of %d", n, size, packed, room)
	}
	at := x.end - 24 - int64(packed)
	text, err := f.zipped(at, int64(packed), int64(size))
	if err != nil {
		return 0, err
	}

	r := &reader{f: f, b: fit(text), at: at}
	x.times = newTimes(r, n)
	return at, r.err
}

// loadFrame reads the values at the begin, and the offset and the packing of the chains.
func (f *File) loadFrame(x *loaded) error {
	head, err := f.read(x.at, min(30, x.end-x.at))
	if err != nil {
		return err
	}
	r := &reader{f: f, b: head, at: x.at}

	// The frame holds the value of every net at the begin of the block.
	size, packed, nets := r.varint(), r.varint(), r.varint()
	if r.err != nil {
		return r.err
	}
	at := x.at + int64(len(head)-len(r.b))
	if packed > uint64(x.end-at) || size > MaxBlock || nets > uint64(f.Nets) {
		return f.fail(x.at, "values of %d nets in %d bytes, packed in %d", nets, size, packed)
	}
	if x.frame, err = f.zipped(at, int64(packed), int64(size)); err != nil {
		return err
	}

	// Where each net's value begins; a net that is too new for the frame has none.
	x.starts = make([]int64, nets+1)
	for i := range nets {
		n := int64(f.widths[i])
		switch f.widths[i] {
		case realWidth:
			n = 8
		case textWidth:
			n = 0
		}
		x.starts[i+1] = x.starts[i] + n
	}
	if x.starts[nets] > int64(len(x.frame)) {
		return f.fail(at, "values of %d bytes for nets of %d", len(x.frame), x.starts[nets])
	}

	// The chains begin behind their number; the byte there is their packing.
	at += int64(packed)
	if head, err = f.read(at, min(11, x.end-at)); err != nil {
		return err
	}
	r = &reader{f: f, b: head, at: at}
	if n := r.varint(); n > uint64(f.Nets) {
		return f.fail(at, "chains of %d nets, the file has %d", n, f.Nets)
	}
	x.chains = at + int64(len(head)-len(r.b))
	x.pack = r.byte()
	return r.err
}

// loadPositions reads the list of chains, which ends at an offset with its own length.
func (f *File) loadPositions(x *loaded, end int64) error {
	// The list ends with its own length, as only its end is known.
	size, err := f.number(end - 8)
	if err != nil {
		return err
	}
	if size > uint64(end-8-x.chains) {
		return f.fail(end-8, "a list of chains of %d bytes", size)
	}
	at := end - 8 - int64(size)
	text, err := f.read(at, int64(size))
	if err != nil {
		return err
	}

	// Chains lie one behind the other, so that the next one's begin is the end of the last.
	x.where, x.length = make([]int64, f.Nets), make([]int64, f.Nets)
	l := &positions{x: x, last: -1}
	r := &reader{f: f, b: text, at: at}
	for len(r.b) > 0 && r.err == nil && l.net < f.Nets {
		if x.kind == blockAlias2 {
			l.second(r)
		} else {
			l.first(r)
		}
	}
	if r.err != nil {
		return r.err
	}
	l.ends(at - x.chains)

	// An alias has the chain of an earlier net.
	for i, n := range x.length {
		if n < 0 {
			of := -n - 1
			if of >= int64(i) || x.length[of] < 0 {
				return f.fail(at, "net %d has the changes of net %d", i, of)
			}
			x.where[i], x.length[i] = x.where[of], x.length[of]
		}

		// A chain outside of the block would read another block's bytes.
		if x.where[i] < 0 || x.length[i] < 0 || x.where[i]+x.length[i] > at-x.chains {
			return f.fail(at, "the changes of net %d are outside of their block", i)
		}
	}
	return nil
}

// positions is the list of chains being read.
type positions struct {
	x     *loaded
	net   int   // that comes next
	last  int   // that had a chain of its own, -1 before
	at    int64 // of its begin
	alias int64 // of the last alias of the second kind
}

// skip goes over nets without changes.
func (l *positions) skip(n uint64) { l.net += int(min(n, uint64(len(l.x.where)))) }

// begins notes the begin of the next net's chain.
func (l *positions) begins(distance int64) {
	l.ends(l.at + distance)
	l.x.where[l.net], l.last = l.at, l.net
	l.net++
}

// ends notes the end of the last chain.
func (l *positions) ends(at int64) {
	l.at = at
	if l.last >= 0 {
		l.x.length[l.last] = at - l.x.where[l.last]
	}
}

// first reads an entry of the older kinds: a distance, an alias behind a zero, or nets without changes.
func (l *positions) first(r *reader) {
	switch v := r.varint(); {
	case v == 0:
		// A negative length marks an alias until all chains are known.
		l.x.length[l.net] = -int64(min(r.varint(), MaxVars))
		l.net++
	case v&1 == 1:
		l.begins(int64(min(v>>1, MaxFileBytes)))
	default:
		l.skip(v >> 1)
	}
}

// second reads an entry of the newer kind: below an odd number a distance (positive), an alias
// (negative) or the last alias again (0).
func (l *positions) second(r *reader) {
	// The lowest bit of the first byte tells which of the two it is.
	if r.b[0]&1 == 0 {
		l.skip(r.varint() >> 1)
		return
	}
	switch v := r.signed() >> 1; {
	case v > 0:
		l.begins(min(v, MaxFileBytes))
	case v < 0:
		l.alias = max(v, -MaxVars)
		fallthrough
	default:
		l.x.length[l.net] = l.alias
		l.net++
	}
}

// MaxFileBytes bounds a distance within a file.
const MaxFileBytes = 1 << 56
