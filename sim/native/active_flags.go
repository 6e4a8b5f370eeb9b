package native

import (
	"math/bits"
	"slices"
	"unsafe"

	"etch/sim/native/internal/emit"
)

// raise sets all flags, and the cells: anything may have changed.
func (p *active) raise(base unsafe.Pointer) {
	// Excess bits of the last group set no part's flag, because no part tests them.
	l := &p.layout
	for g := range l.Groups {
		*(*uint32)(unsafe.Add(base, int(l.At(l.Now, g)))) = ^uint32(0)
	}
	for g := range p.cells.regs {
		p.follow(base, int32(g))
	}
	p.note(base)
}

// foreign is the state words that others write: inputs, registers of the Host, and those of other
// events. All are read in each call, so their slots and values lie side by side.
type foreign struct {
	slots []int32
	regs  []int32       // of the net
	last  []uint64      // the values at the end of the last call
	flags [][]emit.Flag // of the parts that read the word, and of the part that writes it
}

func (f *foreign) add(reg, slot int32, flags []emit.Flag) {
	f.regs, f.slots, f.last, f.flags = append(f.regs, reg), append(f.slots, slot), append(f.last, 0), append(f.flags, flags)
}

// findForeign lists the foreign words that parts read.
func (p *active) findForeign() {
	for i := range p.r.Net.Regs {
		q := &p.r.Net.Regs[i]
		parts := slices.Clone(p.s.Readers(int32(i)))

		// A register of the Host may be overwritten between calls. The part that writes it must
		// then run again, although its own inputs have not changed.
		if q.Host && q.Next >= 0 {
			parts = append(parts, p.r.Of[q.Next])
			slices.Sort(parts)
			parts = slices.Compact(parts)
		}
		if len(parts) > 0 && (q.Host || q.Next < 0) {
			p.foreign.add(int32(i), q.Slot, p.flags(parts))
		}
	}
}

// share adds registers, by their slots, that parts write and others write too.
func (p *active) share(slots []uint32) {
	n := p.r.Net

	// Sets by slot, because the caller knows no numbers of this net.
	shared := map[int32]bool{}
	for _, slot := range slots {
		shared[int32(slot)] = true
	}

	// As in findForeign: readers see the other's value, and the writer must restore its own.
	for i := range n.Regs {
		q := &n.Regs[i]
		if !shared[q.Slot] {
			continue
		}

		// Elements of a vector that has become a memory have no next value of their own.
		if parts := p.s.Covering(q.Slot); len(parts) > 0 {
			p.foreign.add(int32(i), q.Slot, p.flags(parts))
		}
		if q.Host || q.Next < 0 {
			continue
		}
		parts := append([]int32{p.r.Of[q.Next]}, p.s.Readers(int32(i))...)
		slices.Sort(parts)
		p.foreign.add(int32(i), q.Slot, p.flags(slices.Compact(parts)))
	}
}

// note remembers the foreign words.
func (p *active) note(base unsafe.Pointer) {
	last := p.foreign.last
	for i, slot := range p.foreign.slots[:len(last)] {
		last[i] = *(*uint64)(unsafe.Add(base, 8*int(slot)))
	}
}

// renew sets the flags of parts that read a foreign word which has changed since the last call.
func (p *active) renew(base unsafe.Pointer) {
	last := p.foreign.last
	for i, slot := range p.foreign.slots[:len(last)] {
		v := *(*uint64)(unsafe.Add(base, 8*int(slot)))
		if v == last[i] {
			continue
		}
		last[i] = v
		p.follow(base, p.foreign.regs[i])
		for _, k := range p.foreign.flags[i] {
			*(*uint32)(unsafe.Add(base, int(p.layout.At(p.layout.Now, k.Group)))) |= k.Mask
		}
	}
}

// flagged counts the parts that run because of flags set at the start of a cycle, and those that always
// run.
func (p *active) flagged(base unsafe.Pointer) (k int) {
	l := &p.layout
	k = p.busy
	for g := range l.Groups {
		// A call that stopped within a cycle leaves flags of both kinds.
		now := *(*uint32)(unsafe.Add(base, int(l.At(l.Now, g))))
		next := *(*uint32)(unsafe.Add(base, int(l.At(l.Next, g))))
		k += bits.OnesCount32((now | next) & p.whole[g])
	}
	return k
}
