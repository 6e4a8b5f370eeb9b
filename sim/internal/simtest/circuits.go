package simtest

import (
	"etch/ir"
	"etch/ir/bits"
)

// Build wraps a module for designs written straight in ir.
type Build struct {
	*ir.Module
	Clk ir.ID // of the registers
}

// NewBuild begins a module with the clock clk.
func NewBuild(name string) *Build {
	m := ir.NewModule(name, ir.NewSources())
	return &Build{m, m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)}
}

// Put adds a node.
func (b *Build) Put(op ir.Op, width int, args ...ir.ID) ir.ID {
	return b.Add(ir.Node{Op: op, Width: int32(width)}, args...)
}

// Number adds a constant.
func (b *Build) Number(width int, v uint64) ir.ID { return b.Const(bits.New(width, v), 0) }

// Cut adds a slice of width bits from bit lo on.
func (b *Build) Cut(id ir.ID, lo, width int) ir.ID {
	return b.Add(ir.Node{Op: ir.Slice, Width: int32(width), Aux: int32(lo)}, id)
}

// Register adds a register that starts at init; its next value comes by Feed.
func (b *Build) Register(name string, width int, init uint64) ir.ID {
	id := b.AddReg(name, width, 0, b.Clk, 0)
	b.Regs[b.Node(id).Aux].Init = b.Number(width, init)
	return id
}

// Feed gives a register its next value.
func (b *Build) Feed(reg, to ir.ID) { b.Regs[b.Node(reg).Aux].Next = to }

// Child connects the inputs of a child by position and returns its outputs.
func (b *Build) Child(name string, child *ir.Module, in ...ir.ID) []ir.ID {
	inst := &b.Insts[b.AddInst(name, child, 0)]

	var out []ir.ID
	for i, p := range child.Ports {
		if p.Dir == ir.In {
			inst.Conns[i], in = in[0], in[1:]
		} else {
			out = append(out, inst.Conns[i])
		}
	}
	return out
}

// Design has the modules below before the top, with the top's sources.
func Design(top *Build, below ...*ir.Module) *ir.Design {
	return &ir.Design{Top: top.Module, Modules: append(below, top.Module), Src: top.Src}
}

// Counter counts to 2^width while en is high; rst sets it to 3.
func Counter(width int, async bool) *ir.Module {
	b := NewBuild("counter")
	kind := ir.Reset
	if async {
		kind = ir.AsyncReset
	}

	// The position of the register is looked at by tests.
	rst := b.AddInput("rst", 1, ir.TypeID(kind), 0)
	en := b.AddInput("en", 1, 0, 0)
	count := b.AddReg("count", width, 0, b.Clk, b.Src.Line("counter.go", 7))
	r := &b.Regs[0]
	r.Rst, r.Reset, r.Async = rst, b.Number(width, 3), async
	r.Next = b.Put(ir.Mux, width, en, b.Put(ir.Add, width, count, b.Number(width, 1)), count)
	b.AddOutput("count", width, 0, count, 0)
	return b.Module
}

// Alone makes m the top of a design that has no other modules.
func Alone(m *ir.Module) *ir.Design {
	return &ir.Design{Top: m, Modules: []*ir.Module{m}, Src: m.Src}
}

// TwoClocks has two clocks: register a counts with clk, and seen takes it over with slow.
func TwoClocks() *Build {
	b := NewBuild("two")
	fast := b.Clk

	// Registers take the clock that Clk names when they are added.
	slow := b.AddInput("slow", 1, ir.TypeID(ir.Clock), 0)
	a := b.Register("a", 8, 0)
	b.Feed(a, b.Put(ir.Add, 8, a, b.Number(8, 1)))
	b.Clk = slow
	seen := b.Register("seen", 8, 0)
	b.Feed(seen, a)
	b.Clk = fast
	b.AddOutput("out", 8, 0, seen, 0)
	return b
}

// Noise is a xorshift generator of 64 bits (Marsaglia 2003).
func (b *Build) Noise(name string, seed uint64) ir.ID {
	x := b.Register(name, 64, seed)
	y := b.Put(ir.Xor, 64, x, b.Put(ir.Shl, 64, x, b.Number(6, 13)))

	// Three shifts by 13, 7 and 17 have the full period.
	y = b.Put(ir.Xor, 64, y, b.Put(ir.Shr, 64, y, b.Number(6, 7)))
	b.Feed(x, b.Put(ir.Xor, 64, y, b.Put(ir.Shl, 64, y, b.Number(6, 17))))
	return x
}

// Rotated is x, of w bits, rotated by one.
func (b *Build) Rotated(x ir.ID, w int) ir.ID {
	return b.Put(ir.Cat, w, b.Cut(x, 0, w-1), b.Cut(x, w-1, 1))
}
