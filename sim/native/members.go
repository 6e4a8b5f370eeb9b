package native

import "math/bits"

// members is a set of small numbers, with the rank of each member.
type members struct {
	bits  []uint64
	ahead []int32 // by word of bits: the number of members in earlier words
}

func newMembers(all int) members { return members{bits: make([]uint64, (all+63)/64)} }

func (m *members) add(x int32) { m.bits[x>>6] |= 1 << (x & 63) }

func (m *members) has(x int32) bool { return m.bits[x>>6]>>(x&63)&1 != 0 }

// settle computes the ranks once all members are added.
func (m *members) settle() {
	m.ahead = make([]int32, len(m.bits)+1)
	for i, w := range m.bits {
		m.ahead[i+1] = m.ahead[i] + int32(ones(w))
	}
}

// number is the rank of a member.
func (m *members) number(x int32) int32 {
	return m.ahead[x>>6] + int32(ones(m.bits[x>>6]&(1<<(x&63)-1)))
}

// count is the number of members.
func (m *members) count() int32 { return m.ahead[len(m.bits)] }

// each yields the members in ascending order.
func (m *members) each(yield func(int32) bool) {
	for i, w := range m.bits {
		for ; w != 0; w &= w - 1 {
			if !yield(int32(i*64 + trailing(w))) {
				return
			}
		}
	}
}

// down yields the members in descending order, including members added below the current one
// meanwhile.
func (m *members) down(yield func(int32) bool) {
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
