package vector

// Code for subgroups is word-form code for a group larger than the number of 16-bit elements in a
// vector. The group is divided into subgroups, each with its own state and memories, at equal
// distances. The code reads and stores the sliced values of the group (one vector per bit, for
// all instances) as masks of the instances of a subgroup.

// Words of the frame for subgroups, behind the addresses of state, scratch and memories.
const (
	slicesAt    = 48 // address of the subgroup's bits in slice 0
	stateStepAt = 56 // bytes from one subgroup's state to the next
	memsStepAt  = 64 // bytes from one subgroup's memories to the next
)

// Subgroups is the number of subgroups per group.
const Subgroups = 16

// InSubgroups reports whether p is code for subgroups.
func (p *Program) InSubgroups() bool { return p.places != NoSlot }

// RunSubgroups runs one cycle of every subgroup of a group. states and mems hold all subgroups
// consecutively; slices is the group's sliced state.
func (m *Machine) RunSubgroups(p *Program, states, scratch, mems, slices []uint64) {
	m.slices = slices
	state, mem := len(states)/Subgroups, len(mems)/Subgroups
	for m.subgroup = range Subgroups {
		m.cycle(p, states[m.subgroup*state:], scratch, mems[m.subgroup*mem:], 1, true)
	}
}

// bitsOf is the place of the subgroup's bits in a slice: a word, and a shift.
func (m *Machine) bitsOf(slot int32) (word *uint64, shift int) {
	at := m.subgroup * 4 * m.Words
	return &m.slices[int(slot)*m.Words+at/64], at % 64
}

// bits makes a mask of the subgroup's bits in a slice.
func (m *Machine) bits(d []uint64, slot int32) {
	word, shift := m.bitsOf(slot)
	for k := range d {
		d[k] = 0
		for i := range 4 {
			// Each bit becomes an element of equal bits.
			d[k] |= -(*word >> (shift + 4*k + i) & 1) & 0xffff << (16 * i)
		}
	}
}

// storeBits stores a mask as the subgroup's bits in a slice.
func (m *Machine) storeBits(a []uint64, slot int32) {
	word, shift := m.bitsOf(slot)
	for k := range a {
		for i := range 4 {
			at := shift + 4*k + i
			*word = *word&^(1<<at) | a[k]>>(16*i)&1<<at
		}
	}
}
