package code_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/sim/lanes/internal/code"
	"etch/sim/net"
)

// Held words take a new value under one condition; those of one condition are made in a block
// that is skipped while no instance meets it. A block must not read the old value of a word that
// an earlier block has stored.

// word adds a state word of w bits.
func word(n *net.Net, w uint8) (int, net.ID) {
	n.Regs = append(n.Regs, net.Reg{Slot: int32(len(n.Regs)), W: w, Q: net.None, Next: net.None})
	r := len(n.Regs) - 1
	return r, n.Leaf(r)
}

// hold makes word r take a value under sel.
func hold(n *net.Net, r int, sel, value net.ID) { n.Regs[r].Next = n.Mux(sel, value, n.Regs[r].Q) }

// TestHeldOfHeld: the block of one condition reads a word of another in three ways: as its
// condition, as the extension of a bit, and as a slice that is made again in wider elements.
func TestHeldOfHeld(t *testing.T) {
	for name, build := range map[string]func(n *net.Net, first, second, data net.ID){
		"condition": func(n *net.Net, first, _, data net.ID) {
			x, xq := word(n, 1)
			hold(n, x, first, n.Slice(data, 3, 1))
			y, _ := word(n, 64)
			hold(n, y, xq, data)
		},
		"extension": func(n *net.Net, first, second, data net.ID) {
			x, xq := word(n, 1)
			hold(n, x, first, n.Slice(data, 3, 1))
			y, _ := word(n, 16)
			hold(n, y, second, n.SExt(xq, 1, 16))
		},
		"slice": func(n *net.Net, first, second, data net.ID) {
			x, xq := word(n, 32)
			hold(n, x, first, n.Slice(data, 3, 32))
			y, _ := word(n, 20)
			hold(n, y, second, n.Slice(xq, 5, 8))
		},
	} {
		t.Run(name, func(t *testing.T) {
			n := net.New()
			_, first := word(n, 1)
			_, second := word(n, 1)
			d, data := word(n, 64)
			n.Regs[d].Next = n.Add(n.Make(net.Mul, 64, data, n.Const(0x9E3779B97F4A7C15), net.None, 0), n.Const(77), 64)

			// A block is made from four vectors on: each condition holds a word of 64 bits too.
			for _, sel := range []net.ID{first, second} {
				r, _ := word(n, 64)
				hold(n, r, sel, data)
			}
			build(n, first, second, data)
			agree(t, n, nil, rand.New(rand.NewPCG(1, 1)))
		})
	}
}

// agree compares word form with the interpreter for every target.
func agree(t *testing.T, n *net.Net, tables [][]uint64, r *rand.Rand) {
	t.Helper()
	for _, target := range targets() {
		require.True(t, runBoth(t, target.Name, n, tables, code.Words, target, r, 8))
	}
}

// TestHeldRandom: nets with several groups of held words, whose conditions and new values come
// from words of all groups.
func TestHeldRandom(t *testing.T) {
	seeds := uint64(150)
	if testing.Short() {
		seeds = 40
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 99))
		n := heldNet(r)
		form := []code.Form{code.Words, code.Words, code.Mixed}[seed%3]
		all := targets()
		target := all[seed%uint64(len(all))]
		runBoth(t, fmt.Sprintf("%d-%s-%d", seed, target.Name, form), n, nil, form, target, r, 10)
	}
}

// heldNet is a net of 6 to 29 words under up to five conditions.
func heldNet(r *rand.Rand) *net.Net {
	n := net.New()
	var all, bits []net.ID
	for range 6 + r.IntN(24) {
		w := []uint8{1, 1, 8, 16, 20, 32, 33, 64}[r.IntN(8)]
		_, q := word(n, w)
		if all = append(all, q); w == 1 {
			bits = append(bits, q)
		}
	}
	pick := func() net.ID { return all[r.IntN(len(all))] }

	// A condition is a word, a bit of one, or a comparison.
	bit := func() net.ID {
		switch x := pick(); {
		case r.IntN(2) == 0 && len(bits) > 0:
			return bits[r.IntN(len(bits))]
		case r.IntN(2) == 0:
			return n.Slice(x, uint8(r.IntN(int(n.Width(x)))), 1)
		default:
			return n.Make(net.Lt, 1, n.Slice(x, 0, 3), n.Const(uint64(r.IntN(6))), net.None, 0)
		}
	}
	var sels []net.ID
	for range 1 + r.IntN(5) {
		sels = append(sels, bit())
	}

	// A new value is a word, a part of it, an extension, or a sum.
	for i := range n.Regs {
		x, w := pick(), n.Regs[i].W
		switch r.IntN(4) {
		case 0:
			x = n.Slice(x, uint8(r.IntN(int(n.Width(x)))), w)
		case 1:
			x = n.SExt(x, n.Width(x), max(w, n.Width(x)))
		case 2:
			x = n.Add(n.Slice(x, 0, w), n.Const(3), w)
		}
		if x = n.Slice(x, 0, w); r.IntN(6) == 0 {
			n.Regs[i].Next = x
		} else {
			hold(n, i, sels[r.IntN(len(sels))], x)
		}
	}
	return n
}

// TestSignAboveOperand: an arithmetic shift by a variable amount whose sign lies above its operand.
func TestSignAboveOperand(t *testing.T) {
	n := net.New()
	r, x := word(n, 32)
	n.Regs[r].Next = n.Add(n.Make(net.Mul, 32, x, n.Const(0x9E3779B5), net.None, 0), n.Const(77), 32)
	_, k := word(n, 3)
	y, _ := word(n, 32)
	n.Regs[y].Next = n.Make(net.ShrS, 32, x, k, net.None, 40)
	for _, target := range targets() {
		runBoth(t, target.Name, n, nil, code.Words, target, rand.New(rand.NewPCG(1, 1)), 8)
	}
}

// TestOlderBodies: a program of bodies has all of its constants after more bodies were added.
func TestOlderBodies(t *testing.T) {
	ran := 0
	for seed := range uint64(40) {
		all := targets()
		target := all[seed%uint64(len(all))]
		r := rand.New(rand.NewPCG(seed, 3))
		n, tables := randomNet(r, 30, wordOps, 32)
		states := uniform(n, tables, r)
		deciding, bodies := randomBodies(n, tables, states[0], r)
		if len(bodies) < 2 {
			continue
		}
		l := code.NewLayout(n, tables, code.Words, pol)
		b, err := code.NewBodies(n, l, target, deciding)
		require.NoError(t, err)
		b.Add(bodies[:1])
		before, err := b.Program()
		require.NoError(t, err)
		if before == nil {
			continue
		}
		b.Add(bodies[1:])
		runBodies(t, target.Name, before, code.NewGroup(l, target), n, tables, states)
		ran++
	}
	require.NotZero(t, ran)
}
