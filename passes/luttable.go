package passes

import (
	"math/bits"

	irbits "etch/ir/bits"
)

// lutTable is the table of n inputs during rewriting. Bit a of value is the entry at
// address a; bit a of reach says whether the address is possible.
type lutTable struct {
	n     int
	value []uint64
	reach []uint64
}

func newLutTable(n int) lutTable {
	words := max(1, 1<<n>>6)
	return lutTable{n: n, value: make([]uint64, words), reach: make([]uint64, words)}
}

// tableOf reads the table of a Lut node, with every address reachable.
func tableOf(v irbits.Value) lutTable {
	t := newLutTable(bits.Len(uint(v.Width())) - 1)
	v.CopyTo(t.value)
	for i := range t.reach {
		t.reach[i] = wordMask(t.n)
	}
	return t
}

func (t lutTable) bits() irbits.Value { return irbits.FromWords(1<<t.n, t.value) }

func get(ws []uint64, a int) bool { return ws[a>>6]>>(a&63)&1 == 1 }

func set(ws []uint64, a int, on bool) {
	if on {
		ws[a>>6] |= 1 << (a & 63)
	} else {
		ws[a>>6] &^= 1 << (a & 63)
	}
}

// insert puts bit b into a at position i, moving the higher bits up.
func insert(a, i, b int) int {
	low := a & (1<<i - 1)
	return a>>i<<(i+1) | b<<i | low
}

// remap makes a table of n inputs in which address a takes address from(a) of t. A negative
// from(a) makes the address impossible.
func (t lutTable) remap(n int, from func(a int) int) lutTable {
	out := newLutTable(n)
	for a := range 1 << n {
		if old := from(a); old >= 0 {
			set(out.value, a, get(t.value, old))
			set(out.reach, a, get(t.reach, old))
		}
	}
	return out
}

// fix sets input i to a constant.
func (t lutTable) fix(i, b int) lutTable {
	return t.remap(t.n-1, func(a int) int { return insert(a, i, b) })
}

// flip inverts input i.
func (t lutTable) flip(i int) lutTable {
	return t.remap(t.n, func(a int) int { return a ^ 1<<i })
}

// same makes input j equal to input i < j and drops it.
func (t lutTable) same(i, j int) lutTable {
	return t.remap(t.n-1, func(a int) int { return insert(a, j, a>>i&1) })
}

// restrict marks the addresses whose bits at pins are none of the given combinations as
// impossible. Bit k of a combination belongs to pins[k].
func (t lutTable) restrict(pins []int, combinations []uint32) (changed bool) {
	// The combinations that may occur, by number.
	allowed := make([]bool, 1<<len(pins))
	for _, c := range combinations {
		allowed[c] = true
	}
	for a := range 1 << t.n {
		c := 0
		for k, p := range pins {
			c |= a >> p & 1 << k
		}
		if !allowed[c] && get(t.reach, a) {
			set(t.reach, a, false)
			changed = true
		}
	}
	return changed
}

// project drops the inputs outside of mask; ok is false if the possible entries are not a
// function of the rest.
func (t lutTable) project(mask int) (lutTable, bool) {
	out := newLutTable(bits.OnesCount(uint(mask)))
	for a := range 1 << t.n {
		if !get(t.reach, a) {
			continue
		}
		// Two addresses with the same kept bits must agree.
		b := gatherBits(a, mask)
		if get(out.reach, b) && get(out.value, b) != get(t.value, a) {
			return lutTable{}, false
		}
		set(out.reach, b, true)
		set(out.value, b, get(t.value, a))
	}
	return out, true
}

// gatherBits collects the bits of a selected by mask (pext).
func gatherBits(a, mask int) int {
	out := 0
	for k := 0; mask != 0; mask &= mask - 1 {
		out |= a >> bits.TrailingZeros(uint(mask)) & 1 << k
		k++
	}
	return out
}

// smallLut is the number of inputs up to which every subset of them is tried.
const smallLut = 6

// support returns a set of inputs that determines the table, as a mask. If every address is
// possible, these are the inputs that make a difference. If not, it is the smallest such set for up
// to smallLut inputs, found by trying all; beyond that, inputs are dropped greedily from the top.
func (t lutTable) support() int {
	all := 1<<t.n - 1
	full := t.full()

	// Greedily, from the top: a full table by comparing its halves, any other by trying.
	if full || t.n > smallLut {
		mask := all
		for i := t.n - 1; i >= 0; i-- {
			if full && t.ignores(i) {
				mask &^= 1 << i
			} else if !full {
				if _, ok := t.project(mask &^ (1 << i)); ok {
					mask &^= 1 << i
				}
			}
		}
		return mask
	}

	// Every subset; of equally small ones the first.
	best := all
	for mask := range all {
		if bits.OnesCount(uint(mask)) < bits.OnesCount(uint(best)) {
			if _, ok := t.project(mask); ok {
				best = mask
			}
		}
	}
	return best
}

// full reports whether every address is possible.
func (t lutTable) full() bool {
	for _, word := range t.reach {
		if word != wordMask(t.n) {
			return false
		}
	}
	return true
}

// lowHalf has a one at every address in which input i is 0, for i below 6.
var lowHalf = [6]uint64{
	0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f, 0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff,
}

// ignores reports whether input i makes no difference: the half of the table in which it is 0
// equals the half in which it is 1.
func (t lutTable) ignores(i int) bool {
	// Inputs below 6 select bits within a word, the others words.
	if i < 6 {
		for _, v := range t.value {
			if (v>>(1<<i)^v)&lowHalf[i]&wordMask(t.n) != 0 {
				return false
			}
		}
		return true
	}
	step := 1 << (i - 6)
	for a := range t.value {
		if a&step == 0 && t.value[a] != t.value[a|step] {
			return false
		}
	}
	return true
}

// wordMask has a one for every address of a table of n inputs, up to 64.
func wordMask(n int) uint64 {
	if n >= 6 {
		return ^uint64(0)
	}
	return 1<<(1<<n) - 1
}
