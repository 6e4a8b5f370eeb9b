package native

import (
	"math/bits"
	"slices"
	"unsafe"

	"etch/sim/native/internal/emit"
)

// raise sets all flags: anything may have changed.
func (p *active) raise(base unsafe.Pointer) {
	// Excess bits of the last group set no part's flag, because no part tests them.
	l := &p.layout
	for g := range l.Groups {
		*(*uint32)(unsafe.Add(base, int(l.At(l.Now, g)))) = ^uint32(0)
	}
	p.note(base)
}

// foreign is a state word that others write: an input, a register of the Host, or one of another
// event.
type foreign struct {
	slot  int32
	last  uint64      // its value at the end of the last call
	flags []emit.Flag // of the parts that read it, and of the part that writes it
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
			p.foreign = append(p.foreign, foreign{slot: q.Slot, flags: p.flags(parts)})
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
			p.foreign = append(p.foreign, foreign{slot: q.Slot, flags: p.flags(parts)})
		}
		if q.Host || q.Next < 0 {
			continue
		}
		parts := append([]int32{p.r.Of[q.Next]}, p.s.Readers(int32(i))...)
		slices.Sort(parts)
		p.foreign = append(p.foreign, foreign{slot: q.Slot, flags: p.flags(slices.Compact(parts))})
	}
}

// note remembers the foreign words.
func (p *active) note(base unsafe.Pointer) {
	for i := range p.foreign {
		f := &p.foreign[i]
		f.last = *(*uint64)(unsafe.Add(base, 8*int(f.slot)))
	}
}

// renew sets the flags of parts that read a foreign word which has changed since the last call.
func (p *active) renew(base unsafe.Pointer) {
	for i := range p.foreign {
		f := &p.foreign[i]
		v := *(*uint64)(unsafe.Add(base, 8*int(f.slot)))
		if v == f.last {
			continue
		}
		f.last = v
		for _, k := range f.flags {
			*(*uint32)(unsafe.Add(base, int(p.layout.At(p.layout.Now, k.Group)))) |= k.Mask
		}
	}
}

// flagged counts the flags that are set at the start of a cycle.
func (p *active) flagged(base unsafe.Pointer) (k int) {
	l := &p.layout
	for g := range l.Groups {
		// A call that stopped within a cycle leaves flags of both kinds.
		now := *(*uint32)(unsafe.Add(base, int(l.At(l.Now, g))))
		next := *(*uint32)(unsafe.Add(base, int(l.At(l.Next, g))))
		k += bits.OnesCount32((now | next) & p.whole[g])
	}
	return k
}
