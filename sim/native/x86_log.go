package native

import (
	"etch/sim/native/amd64"
	"etch/sim/native/internal/rows"
	"etch/sim/net"
)

// keepRow stores the state words in the current row. It loads the row addresses first, since no
// values are in registers here.
func (e *x86) keepRow(l *logLayout) {
	e.log = l
	if len(l.state) == 0 {
		return
	}

	var to [2]amd64.Reg
	for q, r := range [2]amd64.Reg{tmpC, amd64.RDX} {
		if l.kept[q].Blocks > 0 {
			to[q] = r
			e.MovRM(amd64.S64, r, e.scratch(loads, logTo+int32(q)))
		}
	}

	for i, slot := range l.state {
		at := &l.lanes[i]
		s := amd64.S32 + amd64.Size(at.wide)
		e.MovRM(s, tmpA, amd64.At(stateR, 8*int32(slot)))
		e.MovMR(s, l.laneAt(to[at.wide], at), tmpA)
	}
}

// laneAt addresses the value of a lane in the row at to.
func (l *logLayout) laneAt(to amd64.Reg, at *logLane) amd64.Mem {
	return amd64.At(to, int32(int(at.lane)*l.kept[at.wide].LaneBytes()))
}

// keepOut stores the value of an output in its lane. The row address goes into a temporary, so
// the value is loaded first.
func (e *x86) keepOut(o *net.Out) {
	at := &e.log.lanes[e.log.outs[o.Slot]]
	s := amd64.S32 + amd64.Size(at.wide)
	m := e.log.laneAt(tmpC, at)
	v, ok := e.n.IsConst(o.Node)
	ok = ok && (s == amd64.S32 || v <= 1<<31-1)

	var from amd64.Reg
	if !ok {
		from = e.register(o.Node, tmpA)
	}

	e.MovRM(amd64.S64, tmpC, e.scratch(loads, logTo+int32(at.wide)))
	if ok {
		e.MovMI(s, m, int32(uint32(v)))
	} else {
		e.MovMR(s, m, from)
	}
}

// nextRow advances the row addresses; at the end of a tile they jump over the tile's other
// blocks.
func (e *x86) nextRow(l *logLayout) {
	for q, r := range l.kept {
		if r.Blocks == 0 {
			continue
		}

		word := int32(logTo + q)
		size := int32(1) << r.Shift
		e.MovRM(amd64.S64, tmpA, e.scratch(loads, word))
		e.RI(amd64.ADD, amd64.S64, tmpA, size)
		e.TestRI(amd64.S32, tmpA, (rows.TileRows-1)*size)

		within := e.JccRel32(amd64.NE)
		e.RI(amd64.ADD, amd64.S64, tmpA, int32(r.TileBytes())-rows.TileRows*size)
		e.Patch(within, len(e.Code))
		e.MovMR(amd64.S64, e.scratch(stores, word), tmpA)
	}
}
