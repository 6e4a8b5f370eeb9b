package schedule

import "math/bits"

// Members is a set of small numbers, with the rank of each member.
type Members struct {
	bits  []uint64
	ahead []int32 // by word of bits: the number of members in earlier words
}

// NewMembers makes an empty set of numbers below all.
func NewMembers(all int) Members { return Members{bits: make([]uint64, (all+63)/64)} }

// Add adds a member, before Settle.
func (m *Members) Add(x int32) { m.bits[x>>6] |= 1 << (x & 63) }

func (m *Members) Has(x int32) bool { return m.bits[x>>6]>>(x&63)&1 != 0 }

// Settle computes the ranks once all members are added.
func (m *Members) Settle() {
	m.ahead = make([]int32, len(m.bits)+1)
	for i, w := range m.bits {
		m.ahead[i+1] = m.ahead[i] + int32(Ones(w))
	}
}

// Number is the rank of a member.
func (m *Members) Number(x int32) int32 {
	return m.ahead[x>>6] + int32(Ones(m.bits[x>>6]&(1<<(x&63)-1)))
}

// Count is the number of members.
func (m *Members) Count() int32 { return m.ahead[len(m.bits)] }

// Each yields the members in ascending order.
func (m *Members) Each(yield func(int32) bool) {
	for i, w := range m.bits {
		for ; w != 0; w &= w - 1 {
			if !yield(int32(i*64 + Trailing(w))) {
				return
			}
		}
	}
}

// Down yields the members in descending order, including members added below the current one
// meanwhile.
func (m *Members) Down(yield func(int32) bool) {
	for i := len(m.bits) - 1; i >= 0; i-- {
		for w := m.bits[i]; w != 0; {
			top := bits.Len64(w) - 1
			if !yield(int32(i*64 + top)) {
				return
			}
			w = m.bits[i] & (1<<top - 1)
		}
	}
}
