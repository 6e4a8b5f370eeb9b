package nets

import (
	"math/bits"

	"etch/sim/internal/program"
	"etch/sim/net"
)

// lut makes a look-up. Up to six operands are one node, up to eight a tree of muxes over parts
// of the table; beyond that, the table is read as a memory.
func (b *Builder) lut(in *program.Instr) net.ID {
	ops := b.p.Pool[in.A:][:max(in.B, 1)]
	if in.Code == program.OpLut6 {
		ops = b.p.Pool[in.A:][:6]
	}

	args := make([]net.ID, len(ops))
	for i, slot := range ops {
		args[i] = b.At[slot]
	}
	if in.Code != program.OpLutBig {
		return b.N.Lut(in.Mask, args)
	}

	table := b.p.Tables[in.C:][:1<<len(args)/64]
	if len(args) <= 8 {
		return b.halves(table, args)
	}

	// The upper operands select a word of the table, the lower six a bit of it.
	index := b.N.Const(0)
	for i := len(args) - 1; i >= 6; i-- {
		index = b.N.Cat(index, args[i], 1)
	}
	at := b.N.Const(0)
	for i := 5; i >= 0; i-- {
		at = b.N.Cat(at, args[i], 1)
	}
	return b.N.Slice(b.N.Make(net.Shr, 0, b.rom(table, index, 64), at, net.None, 0), 0, 1)
}

// halves selects between the halves of a table by the last operand, down to six operands.
func (b *Builder) halves(table []uint64, args []net.ID) net.ID {
	if len(table) == 1 {
		return b.N.Lut(table[0], args)
	}
	k, half := len(args)-1, len(table)/2
	return b.N.Mux(args[k], b.halves(table[half:], args[:k]), b.halves(table[:half], args[:k]))
}

// rom reads a constant table at an index below its length, rounded up to a power of two.
func (b *Builder) rom(table []uint64, index net.ID, w uint8) net.ID {
	size := program.Pow2(len(table))
	words := make([]uint64, size)
	copy(words, table)
	b.N.Mems = append(b.N.Mems, net.Mem{At: b.room, Words: size, Depth: size, W: w})
	b.room += uint32(size)
	b.Roms = append(b.Roms, words)
	return b.N.Read(int32(len(b.N.Mems)-1), index)
}

// caseOf makes word k of a case.
func (b *Builder) caseOf(t *program.CaseTable, sel, k uint32) net.ID {
	n := b.N
	other := b.At[t.Other+k]

	// A wide selector is compared key by key.
	if t.Selector > 1 {
		z := other
		x := b.At[sel:][:t.Selector]
		for i := len(t.Values) - 1; i >= 0; i-- {
			key := make([]net.ID, t.Selector)
			for j := range key {
				key[j] = n.Const(t.Keys[i*t.Selector+j])
			}
			z = n.Mux(n.WideEq(x, key), b.At[t.Values[i]+k], z)
		}
		return z
	}

	// A selector of one word reads a table if the values are constants; else it is compared.
	if z := b.caseTable(t, b.At[sel], k); z >= 0 {
		return z
	}
	return b.choose(t, b.At[sel], k, 0, len(t.Values), other)
}

// caseTable reads a case of constants from a table if it has at least five keys that lie close
// together; None otherwise.
func (b *Builder) caseTable(t *program.CaseTable, sel net.ID, k uint32) net.ID {
	if len(t.Values) < 5 || t.Direct == nil {
		return net.None
	}

	// The table's last entry is the value without a key.
	table := make([]uint64, program.Pow2(len(t.Direct)+1))
	var all uint64
	for i := range table {
		slot := t.Other
		if i < len(t.Direct) {
			slot = t.Direct[i]
		}
		v, ok := b.N.IsConst(b.At[slot+k])
		if !ok {
			return net.None
		}
		table[i] = v
		all |= v
	}

	// Indices beyond the table are mapped to that entry.
	index := b.N.Sub(sel, b.N.Const(t.First), 64)
	if t.First == 0 {
		index = sel
	}
	last := b.N.Const(uint64(len(table) - 1))
	index = b.N.Mux(b.N.Make(net.Lt, 1, index, last, net.None, 0), b.N.Slice(index, 0, uint8(bits.Len(uint(len(table)-1)))), last)
	return b.rom(table, index, uint8(max(1, bits.Len64(all))))
}

// choose selects between keys lo to hi: by successive comparison if they are few, else after a
// binary split.
func (b *Builder) choose(t *program.CaseTable, sel net.ID, k uint32, lo, hi int, other net.ID) net.ID {
	n := b.N
	if hi-lo > 8 {
		mid := (lo + hi) / 2
		return n.Mux(n.Make(net.Lt, 1, sel, n.Const(t.Keys[mid]), net.None, 0),
			b.choose(t, sel, k, lo, mid, other), b.choose(t, sel, k, mid, hi, other))
	}

	z := other
	for i := hi - 1; i >= lo; i-- {
		z = n.Mux(n.Eq(sel, n.Const(t.Keys[i])), b.At[t.Values[i]+k], z)
	}
	return z
}
