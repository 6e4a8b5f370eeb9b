package verilog

import (
	"etch/ir"
	"etch/ir/bits"
)

// use is how the trees of a module use a value, over all places, and what follows from it.
type use uint16

const (
	seen     use = 1 << iota // printed somewhere
	wantNet                  // some use of it needs a name
	edge                     // some use of it is an edge
	inside                   // some use of it is a part of an expression
	wider                    // some use of it is in a wider context
	inBlock                  // some use of it is in a combinational always block
	inElse                   // it is the last part of a chain of ?:
	inPin                    // it is connected to an instance
	rigid                    // its text has its own width in a wider context
	chained                  // its text is a chain of ?:, for whole right-hand sides only
	net                      // has a wire (or variable) of its own
	read                     // every bit of it is used
	asyncUse                 // it resets registers asynchronously
	otherUse                 // it is used in another way
)

// uses counts the references to each value while the trees are built, and decides from them
// which values get a wire (size.go).
type uses struct {
	*view
	*naming
	how         []use
	count       []uint8              // references, up to 255
	cost        []uint8              // estimated length of the text of an inlined value, in characters
	bits        map[ir.ID]bits.Value // the bits that slices use, for nodes that are not read whole
	work        []ir.ID              // values without a name whose trees are still to be built
	isReadAsync []bool               // of memories
	place       use                  // noted with each use: inBlock while a combinational block is built
}

func (p *uses) reset(n int) {
	p.how, p.count, p.cost = grown(p.how, n), grown(p.count, n), grown(p.cost, n)
	p.bits, p.place = map[ir.ID]bits.Value{}, 0
	p.isReadAsync = grown(p.isReadAsync, len(p.m.Mems))
}

// used reports whether any of the uses is noted.
func (p *uses) used(id ir.ID, k use) bool { return p.how[id]&k != 0 }

// use notes a use of a value. The first use queues the value, so that its own tree is built.
// how is 0 for a whole right-hand side.
func (p *uses) use(id ir.ID, how use) {
	id = p.v(id)

	// Uses other than as a reset or at a pin are noted for isMixedReset.
	if how&(asyncUse|inPin) == 0 {
		how |= otherUse
	}
	p.how[id] |= how | read | p.place
	p.useOf(id)
}

// useBits is use for some bits of a value by part-select, which needs a name. The bits are
// recorded: those that nothing reads are listed by unused.go.
func (p *uses) useBits(id ir.ID, lo, w int) {
	id = p.v(id)
	if p.isSlice(id) {
		x, at := p.part(id)
		id, lo = p.v(x), lo+at
	}

	p.how[id] |= wantNet | otherUse
	if lo == 0 && w == p.m.Width(id) {
		p.how[id] |= read
	}

	// Which bits are read only matters while not all are.
	if !p.used(id, read) {
		b, ok := p.bits[id]
		if !ok {
			b = bits.Zero(p.m.Width(id))
		}
		p.bits[id] = b.Or(bits.Ones(w).ZExt(b.Width()).Shl(uint64(lo)))
	}
	p.useOf(id)
}

// useOf counts a use, and queues a value without a name at its first use.
func (p *uses) useOf(id ir.ID) {
	if p.isState(id) {
		return
	}
	if p.count[id] < 255 {
		p.count[id]++
	}
	if !p.is(id, named) && !p.used(id, seen) {
		p.how[id] |= seen
		if !p.isConst(id) {
			p.work = append(p.work, id)
		}
	}
}

// isMixedReset reports whether a value resets registers asynchronously and also has other
// uses, here or in modules below.
func (p *uses) isMixedReset(id ir.ID) bool {
	return id != ir.None && p.how[id]&(asyncUse|otherUse) == asyncUse|otherUse
}

// resetUse is the way in which a module uses an input: as asynchronous reset, otherwise, or
// both.
func (p *design) resetUse(m *ir.Module, port int) use {
	if uses, ok := p.resets[m]; ok {
		return uses[port]
	}
	return otherUse // a black box
}

// noteResetUse records how the module uses its inputs, for its parents.
func (p *uses) noteResetUse() {
	// Parents must know whether a port acts as an asynchronous reset, as data, or as both.
	list := make([]use, len(p.m.Ports))
	for i := range p.m.Ports {
		if port := &p.m.Ports[i]; port.Dir == ir.In {
			list[i] = p.how[port.Node] & (asyncUse | otherUse)
		}
	}
	p.resets[p.m] = list
}
