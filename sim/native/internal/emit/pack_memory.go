package emit

import (
	"math/bits"

	"etch/sim/native/internal/pack"
	"etch/sim/native/vector"
)

// elementAt is the place of a vector's elements for the current block.
func (e *packCode) elementAt(v *pack.Vnode) vector.Place {
	r := &e.k.Runs[v.Run]
	return vector.Place{Base: elementBases[r.Size], At: e.k.ElementAt(r, e.s.At+v.Base+e.disp) - e.elements[elementBases[r.Size]].at}
}

// cellOf is the place of a cell from the state, independent of the current cell.
func (e *packCode) cellOf(cell int32) vector.Place {
	return vector.Place{Base: packState, At: e.k.CellAt(cell)}
}

// cellAt is the place of the cells of a patch; cells is the first cell of the block.
func (e *packCode) cellAt(t *pack.Patch, cells int32) vector.Place {
	return vector.Place{Base: packCell, At: e.cell + 4*(t.Cell-cells)}
}

// loadElements loads elements of size bytes each.
func (e *packCode) loadElements(p vector.Place, size int32) vector.Value {
	at := e.c.Place(p)
	switch size {
	case 1:
		return e.c.Fetch(vector.Widen8, at)
	case 2:
		return e.c.Fetch(vector.Widen16, at)
	}
	return e.c.At(at)
}

// storeElements is the reverse of loadElements.
func (e *packCode) storeElements(v vector.Value, p vector.Place, size int32) {
	at := e.c.Place(p)
	switch size {
	case 1:
		e.c.Put(vector.Store64, e.do(vector.Narrow16, 0, e.do(vector.Narrow32, 0, v)), at)
	case 2:
		e.c.Put(vector.Store128, e.do(vector.Narrow32, 0, v), at)
	default:
		e.c.Store(v, at)
	}
}

// copyElements copies eight elements of size bytes each.
func (e *packCode) copyElements(to, from vector.Place, size int32) {
	c := e.c
	switch size {
	case 1:
		c.Put(vector.Store64, c.Fetch(vector.Load64, c.Place(from)), c.Place(to))
	case 2:
		c.Put(vector.Store128, c.Fetch(vector.Load128, c.Place(from)), c.Place(to))
	default:
		c.Store(c.At(c.Place(from)), c.Place(to))
	}
}

// result stores the elements of the block: only as many as it has registers. The elements behind them
// keep their contents.
func (e *packCode) result(to vector.Place, v vector.Value, size int32) {
	if e.count < pack.ElementCount {
		v = e.do(vector.Blend32, ^uint8(0)<<e.count, v, e.loadElements(to, size))
	}
	e.storeElements(v, to, size)
}

// mend inserts the patched elements into vector v. A single word is loaded by itself, since it can
// then be forwarded from a store still in flight.
func (e *packCode) mend(v vector.Value, t *pack.Patch, cells int32) vector.Value {
	at := e.cellAt(t, cells)
	if bits.OnesCount8(t.Mask) == 1 {
		return e.do(vector.Blend32, t.Mask, v, e.c.Fetch(vector.Spread32, e.c.Place(at)))
	}
	return e.do(vector.Blend32, t.Mask, v, e.patched(t, cells))
}

// patched is the cells of a patch in their elements. The other elements have other cells.
func (e *packCode) patched(t *pack.Patch, cells int32) vector.Value {
	lo, _ := pack.Span(t.Mask)
	at := e.cellAt(t, cells)
	at.At -= 4 * int32(lo)
	return e.c.At(e.c.Place(at))
}
