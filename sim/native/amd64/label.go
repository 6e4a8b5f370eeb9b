package amd64

import (
	"encoding/binary"
	"fmt"
)

// Label is a place in the code, of one Asm, that jumps can name before it is bound.
type Label int32

// labelState is where a label is, or else the last jump to it: each jump's rel32
// holds the place of the one before until Bind fills them all.
type labelState struct {
	at   int32 // bound here, or -1
	last int32 // the rel32 appended last that waits, or -1
}

// NewLabel makes a label that is not bound yet.
func (a *Asm) NewLabel() Label {
	a.labels = append(a.labels, labelState{-1, -1})
	return Label(len(a.labels) - 1)
}

// Bind puts l here and fills the jumps to it. A label is bound once.
func (a *Asm) Bind(l Label) {
	st := &a.labels[l]
	if st.at >= 0 {
		panic("amd64: a label bound twice")
	}

	st.at = int32(len(a.Code))

	// Walk the list: each field that waits holds the place of the one before.
	for at := st.last; at >= 0; {
		next := int32(binary.LittleEndian.Uint32(a.Code[at:]))
		a.Patch(int(at), int(st.at))
		at = next
	}

	st.last = -1
}

// Bound tells whether l has been bound.
func (a *Asm) Bound(l Label) bool { return a.labels[l].at >= 0 }

// Offset is the place of a bound label in Code, or -1.
func (a *Asm) Offset(l Label) int { return int(a.labels[l].at) }

// Resolve checks that every label that something jumps to is bound. Error: how
// many are not, and the first of them.
func (a *Asm) Resolve() error {
	// A label that nothing jumps to may stay unbound.
	missing, first := 0, 0
	for i, st := range a.labels {
		if st.last >= 0 {
			if missing == 0 {
				first = i
			}
			missing++
		}
	}

	if missing > 0 {
		return fmt.Errorf("amd64: %d labels are jumped to and not bound, label %d first", missing, first)
	}
	return nil
}

// Jmp jumps to l: in 2 bytes if l is bound and near, else in 5.
func (a *Asm) Jmp(l Label) {
	// Only a backward jump knows its distance. A forward jump takes the long form.
	if at := int(a.labels[l].at); at >= 0 {
		if rel := at - len(a.Code) - 2; rel >= -128 {
			a.bytes(0xeb|uint64(uint8(rel))<<8, 2)
			return
		}
	}
	a.bytes(0xe9, 1)
	a.rel32(l)
}

// Jcc jumps to l if c holds: in 2 bytes if l is bound and near, else in 6.
func (a *Asm) Jcc(c Cond, l Label) {
	if at := int(a.labels[l].at); at >= 0 {
		if rel := at - len(a.Code) - 2; rel >= -128 {
			a.bytes(0x70|uint64(c)|uint64(uint8(rel))<<8, 2)
			return
		}
	}
	a.bytes(0x800f|uint64(c)<<8, 2)
	a.rel32(l)
}

// Call is a near call of l, with a displacement of 32 bits.
func (a *Asm) Call(l Label) {
	a.bytes(0xe8, 1)
	a.rel32(l)
}

// LeaLabel is dst = the address of l.
func (a *Asm) LeaLabel(dst Reg, l Label) {
	a.bytes(0x058d48|uint64(dst&8)>>1|uint64(dst&7)<<19, 3)
	a.rel32(l)
}

// rel32 appends the distance to l, or a link of its list.
func (a *Asm) rel32(l Label) {
	st := &a.labels[l]
	at := len(a.Code)

	// The distance counts from the end of the field.
	if st.at >= 0 {
		a.bytes(uint64(uint32(int(st.at)-at-4)), 4)
		return
	}

	// Not bound yet: link the field into the list.
	a.bytes(uint64(uint32(st.last)), 4)
	st.last = int32(at)
}

// JmpRel32 is a jump of 5 bytes, to the next instruction; at is the place for Patch.
func (a *Asm) JmpRel32() (at int) {
	a.bytes(0xe9, 5)
	return len(a.Code) - 4
}

// JccRel32 is a conditional jump of 6 bytes to the next instruction; at is the place
// for Patch.
func (a *Asm) JccRel32(c Cond) (at int) {
	a.bytes(0x800f|uint64(c)<<8, 6)
	return len(a.Code) - 4
}

// Patch makes the jump whose rel32 is at go to target, both offsets in Code.
func (a *Asm) Patch(at, target int) {
	binary.LittleEndian.PutUint32(a.Code[at:], uint32(target-at-4))
}
