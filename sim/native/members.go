package native

import "math/bits"

// members is a set of numbers from 0 on, of which each member has a number in their
// order.
type members struct {
	bits  []uint64
	ahead []int32 // by word of bits: members in those before it
}

func newMembers(all int) members { return members{bits: make([]uint64, (all+63)/64)} }

func (m *members) add(x int32) { m.bits[x>>6] |= 1 << (x & 63) }

func (m *members) has(x int32) bool { return m.bits[x>>6]>>(x&63)&1 != 0 }

// settle numbers the members, when all are there.
func (m *members) settle() {
	m.ahead = make([]int32, len(m.bits)+1)
	for i, w := range m.bits {
		m.ahead[i+1] = m.ahead[i] + int32(ones(w))
	}
}

// number is that of a member among all.
func (m *members) number(x int32) int32 {
	return m.ahead[x>>6] + int32(ones(m.bits[x>>6]&(1<<(x&63)-1)))
}

// count is how many members there are.
func (m *members) count() int32 { return m.ahead[len(m.bits)] }

// each yields the members upwards.
func (m *members) each(yield func(int32) bool) {
	for i, w := range m.bits {
		for ; w != 0; w &= w - 1 {
			if !yield(int32(i*64 + trailing(w))) {
				return
			}
		}
	}
}

// down yields the members downwards, those too that are added below meanwhile.
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
