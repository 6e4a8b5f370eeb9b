package verilog

import (
	"etch/backends/verilog/internal/syntax"
	"etch/ir"
	"etch/ir/bits"
)

// memRead is an asynchronous read. Past the end it gives 0, by a comparison unless the
// address cannot get there.
func (p *exprs) memRead(id ir.ID) *syntax.Expr {
	at := int(p.m.Node(id).Aux)
	mem, addr := &p.m.Mems[at], p.m.Args(id)[0]
	p.isReadAsync[at] = true
	// A constant address is decided here.
	if isPast, isConst := p.isPastEnd(mem, addr); isPast {
		return p.zeros(mem.Width)
	} else if isConst || !pastEnd(mem, p.m.Width(addr)) {
		return p.word(at, addr)
	}
	return p.trees.Choose(p.inRange(mem, addr), p.word(at, addr), p.zeros(mem.Width), syntax.BreakNever)
}

// isPastEnd reports whether an address is constant, and if so, whether it is at least the depth of
// mem.
func (p *view) isPastEnd(mem *ir.Memory, addr ir.ID) (isPast, isConst bool) {
	a, ok := p.konst(addr)
	return ok && (!a.IsUint64() || a.Uint64() >= uint64(mem.Depth)), ok
}

// indexWidth is the number of bits that address a memory.
func indexWidth(mem *ir.Memory) int { return ir.CountWidth(mem.Depth - 1) }

// pastEnd reports whether an address of w bits can exceed the depth.
func pastEnd(mem *ir.Memory, w int) bool { return w >= 31 || 1<<w > mem.Depth }

// inRange compares an address with the depth.
func (p *exprs) inRange(mem *ir.Memory, addr ir.ID) *syntax.Expr {
	a, w := p.operand(addr, wantNet, context{}), p.m.Width(addr)
	if mem.Depth == 1 {
		return p.trees.Tight(syntax.Eq, a, p.zeros(w))
	}
	return p.trees.Tight(syntax.Lt, a, p.trees.Literal(bits.New(w, uint64(mem.Depth))))
}

// word is mem[addr]. The index has exactly the bits that the depth needs, since tools warn
// of others.
func (p *exprs) word(at int, addr ir.ID) *syntax.Expr {
	mem := &p.m.Mems[at]
	n, w := indexWidth(mem), p.m.Width(addr)

	// Bits above n are zero where the word is read at all: the guard sees to that.
	var index *syntax.Expr
	a, isConst := p.konst(addr)
	switch {
	case isConst:
		index = p.trees.Literal(bits.New(n, a.Uint64()))
	case mem.Depth == 1:
		index = p.zeros(1)
	case w > n:
		index = p.bitsOf(addr, 0, n)
	case w < n:
		index = p.trees.Extend(p.zeros(n-w), p.inner(addr))
	default:
		index = p.trees.New(syntax.AsUnsigned, p.inner(addr))
	}
	return p.trees.Index(p.mems[at], index, mem.Width)
}
