package moments_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/moments"
)

// A bit is a function of a register's bit and of an input: four values, in a table of
// four bits. These are the functions that a Truth stands for.
func functions(t moments.Truth) (list []int) {
	for f := range 16 {
		ofInput := f&1 != f>>1&1 || f>>2&1 != f>>3&1 // bit 0 and 1 differ in the input
		switch {
		case t == moments.No && f != 0, t == moments.Yes && f != 15, t == moments.Held && ofInput:
			continue
		}
		list = append(list, f)
	}
	return list
}

// least is the Truth with the fewest functions that has all of a list.
func least(list map[int]bool) moments.Truth {
	for t := moments.No; t < moments.Wild; t++ {
		has := map[int]bool{}
		for _, f := range functions(t) {
			has[f] = true
		}
		all := true
		for f := range list {
			all = all && has[f]
		}
		if all {
			return t
		}
	}
	return moments.Wild
}

// TestTruth: the tables say all that can be said, and no more.
func TestTruth(t *testing.T) {
	all := []moments.Truth{moments.No, moments.Yes, moments.Held, moments.Wild}
	for _, x := range all {
		inverse := map[int]bool{}
		for _, f := range functions(x) {
			inverse[15&^f] = true
		}
		require.Equal(t, least(inverse), x.Not())

		for _, y := range all {
			for _, op := range []ir.Op{ir.And, ir.Or, ir.Xor} {
				got := map[int]bool{}
				for _, f := range functions(x) {
					for _, g := range functions(y) {
						got[map[ir.Op]int{ir.And: f & g, ir.Or: f | g, ir.Xor: f ^ g}[op]] = true
					}
				}
				require.Equal(t, least(got), moments.Gate(op, x, y), "%v %v %v", x, op, y)
			}
			for _, sel := range all {
				got := map[int]bool{}
				for _, s := range functions(sel) {
					for _, f := range functions(x) {
						for _, g := range functions(y) {
							got[s&f|15&^s&g] = true
						}
					}
				}
				require.Equal(t, least(got), moments.Mux(sel, x, y), "%v ? %v : %v", sel, x, y)
			}
		}
	}
}
