package fst

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"

	"etch/sim/internal/record"
)

// packer encodes blocks of changes. Its fields are memory kept from block to block.
type packer struct {
	out   []byte         // the block being made
	pos   []int32        // by net: the offset of its chain, or -handle of the net whose chain it shares
	same  map[uint64]int // by hash of a chain: its net
	lz4   lz4
	zlib  *zlib.Writer
	unzip bytes.Buffer // output of zlib

	letters []byte // the frame's digits
	list    []chain
	wide    []byte // data of the chains of several columns
}

// shortChain is the longest chain, in bytes, that is stored as it is.
const shortChain = 32

// block returns the encoded block of changes: frame, chains, index of the chains, times. It is
// valid until the next call.
func (p *packer) block(nets []net, b *block) []byte {
	p.out = appendUint64s(open(p.out, kindChanges), b.begin, b.end)
	reader := len(p.out) // the memory that a reader needs comes here
	p.out = appendUint64s(p.out, 0)

	// The frame: all values as digits, packed.
	p.letters = p.letters[:0]
	for _, n := range nets {
		p.letters = record.AppendDigits(p.letters, b.frame[n.word:], n.width)
	}
	frame := p.deflate(p.letters)
	p.out = binary.AppendUvarint(p.out, uint64(len(p.letters)))
	p.out = binary.AppendUvarint(p.out, uint64(len(frame)))
	p.out = binary.AppendUvarint(p.out, uint64(len(nets)))
	p.out = append(p.out, frame...)

	// The chains and their index. A reader has to know the unpacked size of all chains
	// beforehand.
	p.out = binary.AppendUvarint(p.out, uint64(len(nets)))
	unpacked := p.chains(nets, b)
	binary.BigEndian.PutUint64(p.out[reader:], unpacked)
	index := len(p.out)
	p.index()
	p.out = appendUint64s(p.out, uint64(len(p.out)-index))

	// The times come last, with the lengths by which a reader finds them from the end.
	times := p.deflate(b.times)
	p.out = append(p.out, times...)
	p.out = appendUint64s(p.out, uint64(len(b.times)), uint64(len(times)), uint64(b.count))
	return closed(p.out)
}

// chains appends the chains and notes their offsets in p.pos. Each comes behind its unpacked
// length, or 0 if it is not packed. The result is the unpacked length of all.
func (p *packer) chains(nets []net, b *block) (total uint64) {
	base := len(p.out)
	p.out = append(p.out, '4') // for LZ4
	p.pos = append(p.pos[:0], make([]int32, len(nets))...)
	chains := p.each(nets, b)
	if p.same == nil {
		p.same = map[uint64]int{}
	}
	clear(p.same)
	for i := range chains {
		// A chain equal to one before, as of a register and its copy, is stored once. The hash
		// finds a candidate; only equal bytes count.
		data := chains[i].data
		if len(data) == 0 {
			continue
		}
		total += uint64(len(data))
		h := hash(data)
		if twin, ok := p.same[h]; ok && bytes.Equal(chains[twin].data, data) {
			p.pos[i] = -int32(twin + 1)
			continue
		}
		p.same[h] = i
		p.pos[i] = int32(len(p.out) - base)
		p.chain(chains[i], nets[i].step())
	}
	return total
}

// each returns the chains by net. Those of up to 64 bits are the columns themselves.
func (p *packer) each(nets []net, b *block) []chain {
	p.list, p.wide = p.list[:0], p.wide[:0]
	for _, n := range nets {
		first := &b.columns[n.word]
		c := chain{first.Data, first.Short}
		if k := n.words(); k > 1 {
			at := len(p.wide)
			p.wide, c.short = appendWide(p.wide, n, b.columns[n.word:][:k], b.frame[n.word:][:k])
			c.data = p.wide[at:len(p.wide):len(p.wide)] // full capacity: still valid when wide moves
		}
		p.list = append(p.list, c)
	}
	return p.list
}

// chain appends one chain, packed if that makes it shorter.
func (p *packer) chain(c chain, step int) {
	data := c.data
	if len(data) > shortChain {
		start := len(p.out)
		p.out = binary.AppendUvarint(p.out, uint64(len(data)))
		content := len(p.out)
		p.out = p.lz4.append(p.out, data, step, c.short)
		if len(p.out)-content < len(data) {
			return
		}
		p.out = p.out[:start]
	}
	p.out = append(append(p.out, 0), data...)
}

// index appends the offsets of the chains, as a list of numbers. An odd number is a net with a
// chain: the rest of it is the distance from the chain before, or -handle of the net that shares
// its chain, or 0 for the handle of the last time. An even number is as many nets without a
// chain.
func (p *packer) index() {
	var skipped uint64
	var before, twin int32
	for _, pos := range p.pos {
		if pos == 0 {
			skipped++
			continue
		}
		if skipped > 0 {
			p.out = binary.AppendUvarint(p.out, skipped<<1)
			skipped = 0
		}

		// A negative offset is -handle of the net whose chain is shared. Distances are above 0 and
		// handles start at 1, so 0 is free for the handle of the last time.
		step := int64(pos)
		switch {
		case pos > 0:
			step, before = int64(pos-before), pos
		case pos == twin:
			step = 0
		default:
			twin = pos
		}
		p.out = appendSigned(p.out, step<<1|1)
	}
	if skipped > 0 {
		p.out = binary.AppendUvarint(p.out, skipped<<1)
	}
}

// deflate returns data packed by zlib, or data itself if that is not longer: a reader compares
// the two lengths. It is valid until the next call.
func (p *packer) deflate(data []byte) []byte {
	p.unzip.Reset()
	if p.zlib == nil {
		p.zlib, _ = zlib.NewWriterLevel(&p.unzip, zlib.BestSpeed) // the level exists
	} else {
		p.zlib.Reset(&p.unzip)
	}
	p.zlib.Write(data) // to memory: no error
	p.zlib.Close()
	if p.unzip.Len() >= len(data) {
		return data
	}
	return p.unzip.Bytes()
}

// hash returns a hash of the length, the first and the last 256 bytes of data: a cheap filter,
// since equal hashes are compared in full.
func hash(data []byte) uint64 {
	const part = 256
	if len(data) > 2*part {
		return mixed(mixed(uint64(len(data)), data[:part]), data[len(data)-part:])
	}
	return mixed(uint64(len(data)), data)
}

// mixed mixes data into a hash: multiply and fold.
func mixed(h uint64, data []byte) uint64 {
	for len(data) >= 8 {
		h = (h ^ binary.LittleEndian.Uint64(data)) * 0x9e3779b97f4a7c15
		h ^= h >> 32
		data = data[8:]
	}
	for _, c := range data {
		h = (h ^ uint64(c)) * 0x9e3779b97f4a7c15
		h ^= h >> 32
	}
	return h
}
