package hw

import (
	"hash/maphash"

	"etch/ir"
)

// claim is a name in use in a module.
type claim struct {
	name string
	pos  ir.Pos
	kind claimKind
}

type claimKind uint8

const (
	claimed  claimKind = iota
	input              // a port
	output             // a port; a register or value may share its name
	reserved           // the implicit clock or reset; a port may take its name
	register           // gives way to a port
	private            // a register that the library names; gives way to the design's names
	instance           // gives way to all but another instance
)

// claimTable finds claims by name. Large flat modules have hundreds of thousands of names,
// so the table is a hash table with open addressing and linear probing: one probe sequence
// finds a name or the slot to insert it at, and the hash kept beside each index spares most
// comparisons of strings.
type claimTable struct {
	list  []claim
	slots []claimSlot // a power of two of them, at most half in use
}

type claimSlot struct {
	hash uint32
	at   int32 // 1 + index in list, 0 for free
}

var claimSeed = maphash.MakeSeed()

// of returns the claim of a name. If there is none yet, it makes one of the given kind and
// place. The pointer is valid until the next call.
func (t *claimTable) of(name string, kind claimKind, pos ir.Pos) (c *claim, taken bool) {
	if 2*len(t.list) >= len(t.slots) {
		t.grow()
	}

	// Open addressing; a slot holds the hash and an index, so that growing need not hash names
	// again.
	hash := uint32(maphash.String(claimSeed, name))
	s := t.slot(hash, name)
	if s.at != 0 {
		return &t.list[s.at-1], true
	}

	t.list = append(t.list, claim{name, pos, kind})
	*s = claimSlot{hash, int32(len(t.list))}
	return &t.list[len(t.list)-1], false
}

// slot returns the slot that holds name, or the free slot at which the probe sequence
// ended.
func (t *claimTable) slot(hash uint32, name string) *claimSlot {
	mask := uint32(len(t.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		s := &t.slots[i]
		if s.at == 0 || s.hash == hash && t.list[s.at-1].name == name {
			return s
		}
	}
}

func (t *claimTable) grow() {
	old := t.slots
	t.slots = make([]claimSlot, max(64, 4*len(old)))

	// Names are known to be distinct, so that the hashes alone place them.
	mask := uint32(len(t.slots) - 1)
	for _, s := range old {
		if s.at == 0 {
			continue
		}
		i := s.hash & mask
		for t.slots[i].at != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = s
	}
}
