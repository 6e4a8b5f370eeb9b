package emit

import (
	"etch/sim/native/amd64"
	"etch/sim/native/internal/rows"
	"etch/sim/net"
)

// KeepRow stores the state words in the current row. It loads the row addresses first, since no
// values are in registers here.
func (e *x86) KeepRow(l *LogLayout) {
	e.log = l
	if len(l.State) == 0 {
		return
	}

	// The address of each kind of row that exists.
	var to [2]amd64.Reg
	for q, r := range [2]amd64.Reg{tmpC, amd64.RDX} {
		if l.Kept[q].Blocks > 0 {
			to[q] = r
			e.MovRM(amd64.S64, r, e.scratch(loads, LogTo+int32(q)))
		}
	}

	for i, slot := range l.State {
		at := &l.Lanes[i]
		s := amd64.S32 + amd64.Size(at.Wide)
		e.MovRM(s, tmpA, amd64.At(stateR, 8*int32(slot)))
		e.MovMR(s, l.laneAt(to[at.Wide], at), tmpA)
	}
}

// laneAt addresses the value of a lane in the row at to.
func (l *LogLayout) laneAt(to amd64.Reg, at *LogLane) amd64.Mem {
	return amd64.At(to, int32(int(at.Lane)*l.Kept[at.Wide].LaneBytes()))
}

// keepOut stores the value of an output in its lane. The row address goes into a temporary, so
// the value is loaded first.
func (e *x86) keepOut(o *net.Out) {
	at := &e.log.Lanes[e.log.Outs[o.Slot]]
	s := amd64.S32 + amd64.Size(at.Wide)
	m := e.log.laneAt(tmpC, at)

	// A constant is stored as an immediate if that fits.
	v, ok := e.n.IsConst(o.Node)
	ok = ok && (s == amd64.S32 || v <= 1<<31-1)

	var from amd64.Reg
	if !ok {
		from = e.register(o.Node, tmpA)
	}

	e.MovRM(amd64.S64, tmpC, e.scratch(loads, LogTo+int32(at.Wide)))
	if ok {
		e.MovMI(s, m, int32(uint32(v)))
	} else {
		e.MovMR(s, m, from)
	}
}

// NextRow advances the row addresses; at the end of a tile they jump over the tile's other
// blocks.
func (e *x86) NextRow(l *LogLayout) {
	for q, r := range l.Kept {
		if r.Blocks == 0 {
			continue
		}

		word := int32(LogTo + q)
		size := int32(1) << r.Shift
		e.MovRM(amd64.S64, tmpA, e.scratch(loads, word))
		e.RI(amd64.ADD, amd64.S64, tmpA, size)

		// Tiles are aligned, so the low bits of the address are 0 behind a tile.
		e.TestRI(amd64.S32, tmpA, (rows.TileRows-1)*size)

		within := e.JccRel32(amd64.NE)
		e.RI(amd64.ADD, amd64.S64, tmpA, int32(r.TileBytes())-rows.TileRows*size)
		e.Patch(within, len(e.Code))
		e.MovMR(amd64.S64, e.scratch(stores, word), tmpA)
	}
}
