package native

import (
	"maps"
	"slices"
	"unsafe"

	"etch/sim/native/internal/emit"
	"etch/sim/net"
)

// cells is the places of the registers and kept values that parts read: a byte, or 4 or 8. A word of
// the state takes 8 bytes for a single bit, and the 20,000 registers of a large core would push its
// code out of the caches.
//
// The word of the state holds the same value between cycles. Code writes both; whoever else writes
// the word makes that known, and the cell follows (raise, renew).
type cells struct {
	regs []emit.Cell // by register; without bytes for those that are read in the state
	kept map[net.ID]emit.Cell
}

// of is the place of a word of a part, at a slot if it is a register.
func (c *cells) of(w *net.PartWord, slot int32) emit.Cell {
	switch {
	case w.Reg < 0:
		return c.kept[w.Kept]
	case c.regs[w.Reg].Bytes > 0:
		return c.regs[w.Reg]
	}
	return wordOfState(slot)
}

// wordOfState is the word of the state at a slot, where no cell stands for it.
func wordOfState(slot int32) emit.Cell { return emit.Cell{At: 8 * slot, Bytes: 8} }

// room is a region of cells that grows.
type room struct{ bytes int32 }

// take returns a place, relative to the begin of the region, for a value of w bits.
func (r *room) take(w uint8) emit.Cell {
	c := emit.Cell{Bytes: 1}
	switch {
	case w > 32:
		c.Bytes = 8
	case w > 8:
		c.Bytes = 4
	}
	step := int32(c.Bytes)
	c.At = (r.bytes + step - 1) &^ (step - 1)
	r.bytes = c.At + step
	return c
}

// findCells gives cells to the values that parts write and returns their sizes. Those that one part uses
// most lie side by side, so that a register of the processor can point at them.
func (p *active) findCells() emit.Sizes {
	n := p.r.Net
	p.cells = cells{make([]emit.Cell, len(n.Regs)), map[net.ID]emit.Cell{}}
	var near, late room

	// Enables come first and side by side, so that several can be tested at once.
	for k := range p.r.Parts {
		if x := p.r.Parts[k].Enable; x >= 0 {
			p.cells.kept[x] = near.take(1)
		}
	}

	listed := int32(0)
	for _, v := range p.byUser() {
		switch g := v.reg; {
		case g < 0:
			if _, placed := p.cells.kept[v.kept]; !placed {
				p.cells.kept[v.kept] = near.take(n.N[v.kept].W)
			}
		case len(p.s.Readers(g)) == 0: // it is only written
		case p.s.Viewed(g) || n.Regs[g].Host: // views read the state, and so does the Host
			listed++
		case p.s.Deferred(g):
			p.cells.regs[g] = late.take(n.Regs[g].W)
		default:
			p.cells.regs[g] = near.take(n.Regs[g].W)
		}
	}
	return emit.Sizes{Listed: listed, Cells: near.bytes, Late: late.bytes}
}

// placeCells moves the cells to their regions.
func (p *active) placeCells() {
	for x, c := range p.cells.kept {
		c.At += p.layout.Cells
		p.cells.kept[x] = c
	}
	for g := range p.cells.regs {
		switch c := &p.cells.regs[g]; {
		case c.Bytes == 0:
		case p.s.Deferred(int32(g)):
			c.At += p.layout.Late
		default:
			c.At += p.layout.Cells
		}
	}
}

// follow copies the state's word of a register to its cells.
func (p *active) follow(base unsafe.Pointer, g int32) {
	c := p.cells.regs[g]
	if c.Bytes == 0 {
		return
	}
	v := *(*uint64)(unsafe.Add(base, 8*int(p.r.Net.Regs[g].Slot)))
	put(unsafe.Add(base, int(c.At)), c.Bytes, v)
	if p.s.Deferred(g) {
		put(unsafe.Add(base, int(p.layout.NextOf(c.At))), c.Bytes, v)
	}
}

// put stores the low bytes of a value.
func put(at unsafe.Pointer, bytes uint8, v uint64) {
	switch bytes {
	case 1:
		*(*uint8)(at) = uint8(v)
	case 4:
		*(*uint32)(at) = uint32(v)
	default:
		*(*uint64)(at) = v
	}
}

// nearest finds the places at which registers should point in a part: those with most uses of cells
// in reach.
func nearest(s *net.PartNet, words []emit.Change, cells []emit.Cell) (near []int32) {
	// How often the code uses each place, about. Effects of rare changes do not count.
	uses := map[int32]int{}
	for i := range s.Net.N {
		s.Net.Args(net.ID(i), func(y net.ID) {
			if nd := &s.Net.N[y]; nd.Op == net.Leaf {
				uses[cells[nd.Imm].At]++
			}
		})
	}
	for i := range s.Net.Regs {
		q, c := &s.Net.Regs[i], &words[i]
		if q.Next < 0 {
			continue
		}
		uses[cells[i].At]++
		if c.Often && !c.Listed {
			uses[c.To]++
			if c.Home {
				uses[8*q.Slot]++
			}
		}
	}
	places := slices.Sorted(maps.Keys(uses))

	// Greedily the window with most uses, then the best one of the rest.
	for range emit.MostNear {
		best, most, from, sum := int32(0), emit.LeastNear, 0, 0
		for _, at := range places {
			for sum += uses[at]; at-places[from] >= 2*emit.Reach; from++ {
				sum -= uses[places[from]]
			}
			if sum > most {
				best, most = places[from], sum
			}
		}
		if most <= emit.LeastNear {
			break
		}
		near = append(near, best+emit.Reach)
		for _, at := range places {
			if at >= best && at < best+2*emit.Reach {
				uses[at] = 0
			}
		}
	}
	return near
}
