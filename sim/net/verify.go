package net

import (
	"fmt"
	"sync/atomic"

	"etch/sim/internal/switches"
)

// The verifier holds the invariants that every engine relies on. Tests turn it on for all
// transformations (VerifyAll, or ETCH_VERIFY=1); otherwise it costs nothing.

// verifying is set while transformations verify their results.
var verifying atomic.Bool

func init() { verifying.Store(switches.Verify) }

// VerifyAll makes all transformations verify their results from now on, and panic at a mistake.
// It is for tests.
func VerifyAll() { verifying.Store(true) }

// Verified returns n. If verification is on, it panics unless n satisfies Verify; by names the
// transformation that made n.
func (n *Net) Verified(by string) *Net {
	if verifying.Load() {
		if err := n.Verify(); err != nil {
			panic(fmt.Sprintf("net: after %s: %v", by, err))
		}
	}
	return n
}

// Verify returns the first violation of the invariants of a net, or nil: arguments before their
// users and as many as the op has, widths from 1 to 64 that the values cannot exceed, immediates
// in range, and references to state, memories, banks and roots that exist.
//
// It does not compare widths where a value goes, to a register, a memory or the low part of a
// Cat: a sum of counts of ones has a bound that no value reaches, and W is that bound.
func (n *Net) Verify() error {
	for i := range n.N {
		if err := n.verifyNode(ID(i)); err != nil {
			return fmt.Errorf("%%%d = %s.%d #%#x: %w", i, n.N[i].Op, n.N[i].W, n.N[i].Imm, err)
		}
	}

	// The nodes hold now, so the roots may be followed to them.
	for r := range n.Regs {
		if err := n.verifyReg(r); err != nil {
			return fmt.Errorf("state word %d: %w", r, err)
		}
	}
	for i := range n.Mems {
		if err := n.Mems[i].verify(); err != nil {
			return fmt.Errorf("memory %d: %w", i, err)
		}
	}
	for i := range n.Writes {
		if err := n.verifyWrite(&n.Writes[i]); err != nil {
			return fmt.Errorf("write %d: %w", i, err)
		}
	}
	return n.verifyRoots()
}

// verifyNode verifies a node, whose arguments have been verified.
func (n *Net) verifyNode(id ID) error {
	nd := &n.N[id]
	if nd.Op >= NumOps || nd.W < 1 || nd.W > 64 {
		return fmt.Errorf("no op or no width")
	}
	if err := n.verifyArgs(id); err != nil {
		return err
	}
	if err := n.verifyImm(nd); err != nil {
		return err
	}

	// A value must stay below 2^W. Ops that cut see to it; the others need the width that their
	// operands ask for.
	switch table[nd.Op].width {
	case oneBit:
		if nd.W != 1 {
			return fmt.Errorf("a width that is not 1")
		}
	case own:
		if need := n.bound(nd, nd.W); need > nd.W {
			return fmt.Errorf("a value of up to %d bits", need)
		}
	}
	return nil
}

// verifyArgs verifies the number of arguments, and that they come before their user.
func (n *Net) verifyArgs(id ID) error {
	nd := &n.N[id]
	arity := nd.Op.Arity()

	// A pooled op uses A and B as the begin and length of its list, so their signs and the arity
	// mean nothing.
	if nd.Op.Pooled() {
		if nd.A < 0 || nd.B < 0 || int(nd.A)+int(nd.B) > len(n.Pool) {
			return fmt.Errorf("operands outside of the pool")
		}
		if nd.Op == Lut && nd.B > 6 {
			return fmt.Errorf("%d operands", nd.B)
		}
		arity = 0
	} else {
		for k, x := range [3]ID{nd.A, nd.B, nd.C} {
			if (k < arity) != (x >= 0) {
				return fmt.Errorf("argument %d is %%%d, of %d", k, x, arity)
			}
		}
	}

	// The order of IDs makes every pass over the net a topological one. Operands of look-ups are
	// bits, and a bank has no value but through its words.
	var err error
	n.Args(id, func(x ID) {
		switch {
		case x < 0 || x >= id:
			err = fmt.Errorf("argument %%%d does not come before it", x)
		case nd.Op == Lut && n.N[x].W != 1:
			err = fmt.Errorf("operand %%%d of %d bits", x, n.N[x].W)
		case n.N[x].Op == Tables && nd.Op != TableWord:
			err = fmt.Errorf("argument %%%d is a bank", x)
		}
	})
	return err
}

// verifyImm verifies the immediate. Indices are verified by what they name.
func (n *Net) verifyImm(nd *Node) error {
	bad := false
	switch nd.Op.Immediate() {
	case NoImmediate:
		bad = nd.Imm != 0
	case Number:
		bad = nd.Imm > Mask(nd.W)
	case Truth:
		bad = nd.B < 6 && nd.Imm>>(1<<nd.B) != 0
	case Position:
		bad = nd.Imm > 63
	case SignWidth:
		bad = nd.Imm < 1 || nd.Imm > 64
	case Index:
		return n.verifyIndex(nd)
	}
	if bad {
		return fmt.Errorf("an immediate out of range")
	}
	return nil
}

// verifyIndex verifies that the thing with number Imm exists and has the node's width.
func (n *Net) verifyIndex(nd *Node) error {
	w := nd.W
	switch at := int(nd.Imm); nd.Op {
	case Leaf:
		if at >= len(n.Regs) {
			return fmt.Errorf("no such state word")
		}
		w = n.Regs[at].W
	case Read:
		if at >= len(n.Mems) {
			return fmt.Errorf("no such memory")
		}
		w = n.Mems[at].W
	case Tables:
		if at >= len(n.Banks) {
			return fmt.Errorf("no such bank")
		}
		return n.verifyBank(nd)
	// The bank's node has a smaller ID, so its number is verified. A word has a bit per look-up.
	case TableWord:
		if n.N[nd.A].Op != Tables {
			return fmt.Errorf("a word of %%%d, which is no bank", nd.A)
		}
		b := n.Banks[n.N[nd.A].Imm]
		if at >= len(b.Words) {
			return fmt.Errorf("no such word")
		}
		w = uint8(len(b.Words[at]))
	}

	// Such nodes have exactly the width of the thing; bound has no part in it.
	if w != nd.W {
		return fmt.Errorf("the width of a thing of %d bits", w)
	}
	return nil
}

// verifyBank verifies that the look-ups of a bank read its operands.
func (n *Net) verifyBank(nd *Node) error {
	operands := n.Pool[nd.A : nd.A+nd.B]
	for _, word := range n.Banks[nd.Imm].Words {
		if len(word) < 1 || len(word) > 64 {
			return fmt.Errorf("a word of %d look-ups", len(word))
		}
		for _, l := range word {
			if l.K > 6 || l.K < 6 && l.Table>>(1<<l.K) != 0 {
				return fmt.Errorf("a table with more rows than inputs give")
			}

			// Inputs are numbered across all operands, 64 bits for each, whatever their widths.
			for _, in := range l.In[:l.K] {
				if in < 0 || int(in/64) >= len(operands) {
					return fmt.Errorf("a look-up of operand %d of %d", in/64, len(operands))
				}
			}
		}
	}
	return nil
}

// verifyReg verifies a state word.
func (n *Net) verifyReg(r int) error {
	g := &n.Regs[r]
	switch {
	case g.W < 1 || g.W > 64:
		return fmt.Errorf("width %d", g.W)
	case g.Q != None && (!n.has(g.Q) || n.N[g.Q].Op != Leaf || n.N[g.Q].Imm != uint64(r)):
		return fmt.Errorf("%%%d is not its leaf", g.Q)
	case g.Next == None:
	case !n.value(g.Next):
		return fmt.Errorf("next value %%%d is no value", g.Next)
	}
	return nil
}

// has reports whether node x exists.
func (n *Net) has(x ID) bool { return x >= 0 && int(x) < len(n.N) }

// value reports whether node x exists and is a value, which a bank is not.
func (n *Net) value(x ID) bool { return n.has(x) && n.N[x].Op != Tables }

// verify verifies the shape of a memory.
func (m *Mem) verify() error {
	switch {
	case m.W < 1 || m.W > 64:
		return fmt.Errorf("width %d", m.W)
	case m.Words < 1 || m.Words&(m.Words-1) != 0 || m.Depth < 0 || m.Depth > m.Words:
		return fmt.Errorf("%d of %d words", m.Depth, m.Words)
	case m.Far > 8 || m.Far&(m.Far-1) != 0 || m.Far > 0 && int(m.W) > 8*int(m.Far):
		return fmt.Errorf("%d bytes for words of %d bits", m.Far, m.W)
	}
	return nil
}

// verifyWrite verifies a write. Only the enable and the mask may be missing.
func (n *Net) verifyWrite(w *Write) error {
	switch {
	case w.Mem < 0 || int(w.Mem) >= len(n.Mems):
		return fmt.Errorf("no memory %d", w.Mem)
	case w.Addr == None || w.Data == None:
		return fmt.Errorf("no address or no data")
	}

	// Each visits the parts that exist; a bank among them has no value to write.
	var err error
	w.Each(func(x ID) {
		if !n.value(x) {
			err = fmt.Errorf("%%%d is no value", x)
		}
	})
	return err
}

// verifyRoots verifies the other roots.
func (n *Net) verifyRoots() error {
	for i, o := range n.Outs {
		if !n.value(o.Node) {
			return fmt.Errorf("output %d is %%%d, no value", i, o.Node)
		}
	}
	for _, x := range [2]ID{n.Stop, n.Entry} {
		if x != None && !n.value(x) {
			return fmt.Errorf("stop or entry is %%%d, no value", x)
		}
	}
	return nil
}
