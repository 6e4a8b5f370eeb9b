package vector

// Code for parts is code in word form for a group that is larger than what a vector
// of elements of 16 bits holds: the group is cut into parts, each with a state and
// memories of its own, at equal distances. What the group has in sliced form, a
// vector for one bit of all its instances, such code reads and stores as masks of
// the instances of a part.

// Where machine code for parts finds, behind the addresses of state, scratch and
// memories, what belongs to parts.
const (
	slicesAt    = 48 // address of the bits of a part in slice 0
	stateStepAt = 56 // bytes from the state of a part to that of the next
	memsStepAt  = 64 // and of memories
)

// Parts is the number of parts of a group of 64 instances for each word of a vector.
const Parts = 16

// InParts reports whether p is code for the parts of a group.
func (p *Program) InParts() bool { return p.places != NoSlot }

// RunParts makes one cycle of every part of a group: states and mems are of all
// parts, one behind the other, and slices what the group has in sliced form.
func (m *Machine) RunParts(p *Program, states, scratch, mems, slices []uint64) {
	m.slices = slices
	state, mem := len(states)/Parts, len(mems)/Parts
	for m.part = range Parts {
		m.cycle(p, states[m.part*state:], scratch, mems[m.part*mem:], 1, true)
	}
}

// bitsOf is where the bits of the part are in a slice: a word, and a shift.
func (m *Machine) bitsOf(slot int32) (word *uint64, shift int) {
	at := m.part * 4 * m.Words
	return &m.slices[int(slot)*m.Words+at/64], at % 64
}

// bits makes a mask of the part's bits in a slice.
func (m *Machine) bits(d []uint64, slot int32) {
	word, shift := m.bitsOf(slot)
	for k := range d {
		d[k] = 0
		for i := range 4 {
			d[k] |= -(*word >> (shift + 4*k + i) & 1) & 0xffff << (16 * i)
		}
	}
}

// storeBits stores a mask as the part's bits in a slice.
func (m *Machine) storeBits(a []uint64, slot int32) {
	word, shift := m.bitsOf(slot)
	for k := range a {
		for i := range 4 {
			at := shift + 4*k + i
			*word = *word&^(1<<at) | a[k]>>(16*i)&1<<at
		}
	}
}
