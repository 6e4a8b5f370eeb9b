package net

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOps checks the table of operations against the reference semantics: every op has a row, and
// what the row says of arity, commutation, width and immediate holds for random operands.
func TestOps(t *testing.T) {
	names := map[string]Op{}
	for op := range NumOps {
		name := op.String()
		require.NotEmpty(t, name)
		require.NotContains(t, names, name, "two ops of one name")
		names[name] = op

		require.Equal(t, table[op].width == oneBit && op.Arity() == 2, op.IsCompare(), name)
		require.False(t, op.Packs() && !(op.IsPure() && op.HasWords()), "%s: packs are plain words", name)
		require.False(t, op.Commutes() && op.Arity() != 2, name)
		if op.IsPure() && op != Const {
			checkRow(t, op)
		}

		// A pure op has a value for any arguments, and the others have none without a net.
		eval := func() { Eval(op, 1, 1, 0, 0, 0) }
		if op.IsPure() {
			require.NotPanics(t, eval, name)
		} else {
			require.Panics(t, eval, name)
		}
	}
}

// checkRow checks a row with random operands.
func checkRow(t *testing.T, op Op) {
	r := rand.New(rand.NewPCG(uint64(op), 7))
	exchanged := false
	for range 5000 {
		n, nd, v := randomNode(r, op)
		require.NoError(t, n.verifyNode(ID(len(n.N)-1)), "%s", n)
		got := Eval(op, nd.W, nd.Imm, v[0], v[1], v[2])
		require.Zero(t, got&^Mask(nd.W), "%s of %#x exceeds its width", n, v)

		// What the op does not have does not matter.
		arity := op.Arity()
		for k := arity; k < 3; k++ {
			u := v
			u[k] = r.Uint64()
			require.Equal(t, got, Eval(op, nd.W, nd.Imm, u[0], u[1], u[2]), "%s reads argument %d", n, k)
		}
		if op.Immediate() == NoImmediate {
			require.Equal(t, got, Eval(op, nd.W, r.Uint64(), v[0], v[1], v[2]), "%s reads its immediate", n)
		}

		// An op that cuts computes mod 2^W; the others do not look at W.
		wide := Eval(op, 64, nd.Imm, v[0], v[1], v[2])
		if rule := table[op].width; rule == cut || rule == quotient {
			wide &= Mask(nd.W)
		}
		if table[op].width != quotient || v[1] != 0 {
			require.Equal(t, wide, got, "%s of %#x", n, v)
		}

		if arity > 1 {
			other := Eval(op, nd.W, nd.Imm, v[1], v[0], v[2])
			exchanged = exchanged || other != got
			require.False(t, op.Commutes() && other != got, "%s of %#x does not commute", n, v)
		}
	}
	require.Equal(t, op.Arity() > 1 && !op.Commutes(), exchanged, "%s commutes, and its row does not say so", op)
}

// randomNode returns a net whose last node has the op, and values of its arguments.
func randomNode(r *rand.Rand, op Op) (n *Net, nd *Node, v [3]uint64) {
	n = New()
	nd = &Node{Op: op, W: uint8(1 + r.IntN(64)), A: None, B: None, C: None}
	widest := 64
	if op == Cat {
		widest = 32
	}

	ids := [3]*ID{&nd.A, &nd.B, &nd.C}
	for k := range op.Arity() {
		w := uint8(1 + r.IntN([]int{3, widest}[r.IntN(2)]))
		n.Regs = append(n.Regs, Reg{W: w, Q: None, Next: None})
		*ids[k], v[k] = n.Leaf(k), r.Uint64()&Mask(w)
		if r.IntN(6) == 0 {
			v[k] = [...]uint64{0, 1, Mask(w), 1 << (w - 1)}[r.IntN(4)]
		}
	}

	// Immediates and widths that Verify asks for.
	wa, wb := n.N[0].W, uint8(1)
	if nd.B >= 0 {
		wb = n.N[1].W
	}
	switch op.Immediate() {
	case Position:
		nd.Imm = uint64(r.IntN(64))
		if op == Cat {
			nd.Imm = uint64(wb)
		}
	case SignWidth:
		nd.Imm = uint64(max(wa, wb))
	}
	switch table[op].width {
	case oneBit:
		nd.W = 1
	case own:
		nd.W = n.bound(nd, 64)
	case quotient:
		nd.W = max(nd.W, wa)
	}
	n.N = append(n.N, *nd)
	return n, nd, v
}

// TestVerifyFinds breaks a net in each way that Verify must find.
func TestVerifyFinds(t *testing.T) {
	for name, spoil := range map[string]func(n *Net){
		"does not come before it": func(n *Net) { n.N[2].A = 2 },
		"argument 1 is %-1":       func(n *Net) { n.N[2].B = None },
		"argument 2 is %0":        func(n *Net) { n.N[2].C = 0 },
		"no width":                func(n *Net) { n.N[2].W = 0 },
		"width that is not 1":     func(n *Net) { n.N[3].W = 2 },
		"up to 8 bits":            func(n *Net) { n.N[4].W = 7 },
		"immediate out of range":  func(n *Net) { n.N[2].Imm = 1 },
		"thing of 8 bits":         func(n *Net) { n.N[0].W = 7 },
		"no such state word":      func(n *Net) { n.N[0].Imm = 5 },
		"no such memory":          func(n *Net) { n.N[5].Imm = 1 },
		"operand %0 of 8 bits":    func(n *Net) { n.Pool[0] = 0 },
		"outside of the pool":     func(n *Net) { n.N[7].B = 9 },
		"is not its leaf":         func(n *Net) { n.Regs[0].Q = 1 },
		"next value":              func(n *Net) { n.Regs[2].Next = 99 },
		"no address":              func(n *Net) { n.Writes[0].Addr = None },
		"is no value":             func(n *Net) { n.Writes[0].En = 99 },
		"no memory 3":             func(n *Net) { n.Writes[0].Mem = 3 },
		"3 of 2 words":            func(n *Net) { n.Mems[0].Depth = 3 },
		"output 0":                func(n *Net) { n.Outs[0].Node = 77 },
		"stop or entry":           func(n *Net) { n.Stop = 77 },
	} {
		n := wellFormed()
		require.NoError(t, n.Verify(), "%s", n)
		spoil(n)
		err := n.Verify()
		require.Error(t, err, name)
		require.True(t, strings.Contains(err.Error(), name), "%q does not say %q", err, name)
	}
}

// wellFormed is a net with all kinds of parts.
func wellFormed() *Net {
	n := New()
	for _, w := range []uint8{8, 8, 1} {
		n.Regs = append(n.Regs, Reg{W: w, Q: None, Next: None})
	}
	n.Mems = []Mem{{Words: 2, Depth: 2, W: 4}}

	a, b := n.Leaf(0), n.Leaf(1)
	sum := n.Add(a, b, 8)
	less := n.Make(Lt, 1, a, b, None, 0)
	either := n.Or(a, b)
	n.Read(0, less)
	s := n.Leaf(2)
	l := n.Lut(6, []ID{less, s})
	n.Regs[0].Next, n.Regs[2].Next = sum, l
	n.Writes = []Write{{Mem: 0, En: l, Addr: s, Data: less, Mask: None}}
	n.Outs = []Out{{0, either}}
	return n
}
