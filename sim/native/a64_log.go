package native

import (
	"etch/sim/native/arm64"
	"etch/sim/native/internal/rows"
	"etch/sim/net"
)

// a64LogTo holds the address of the current row of narrow lanes; the next register that of wide
// lanes. Both are reloaded at every use.
const a64LogTo = a64C

func (e *a64) keepRow(l *logLayout) {
	e.log = l
	for q := range uint8(len(l.kept)) {
		e.logRow(q)
		for i, slot := range l.state {
			if at := &l.lanes[i]; at.wide == q {
				e.access(arm64.LDR, a64A, e.stateWord(slot))
				e.keepLane(at, a64A)
			}
		}
	}
}

// logRow loads the address of the current row, of narrow (0) or wide (1) lanes.
func (e *a64) logRow(wide uint8) arm64.Reg {
	to := a64LogTo + arm64.Reg(wide)
	e.access(arm64.LDR, to, e.scratch(logTo+int32(wide)))
	return to
}

// keepLane stores r in a lane of the row.
func (e *a64) keepLane(at *logLane, r arm64.Reg) {
	o := arm64.STRW
	if at.wide != 0 {
		o = arm64.STR
	}
	e.access(o, r, a64At{a64LogTo + arm64.Reg(at.wide), int64(at.lane) * int64(e.log.kept[at.wide].LaneBytes())})
}

// keepOut stores the value of an output in its lane.
func (e *a64) keepOut(o *net.Out) {
	at := &e.log.lanes[e.log.outs[o.Slot]]
	r := e.register(o.Node, a64A)
	e.logRow(at.wide)
	e.keepLane(at, r)
}

// nextRow advances the row addresses. Rows lie in tiles of tileRows rows; at the end of a tile
// the address jumps over the tiles of other blocks.
func (e *a64) nextRow(l *logLayout) {
	for q, r := range l.kept {
		if r.Blocks == 0 {
			continue
		}

		within := e.newLabel()
		size := uint64(1) << r.Shift
		to := e.logRow(uint8(q))
		e.RRI(arm64.ADD, arm64.X, to, to, size)

		// Row sizes are powers of two, so the low bits of the address are 0 at a tile's end.
		e.TstI(arm64.X, to, (rows.TileRows-1)*size)
		e.BCond(arm64.NE, e.leads(within))
		e.MovRI(a64A, uint64(r.TileBytes())-rows.TileRows*size)
		e.RRR(arm64.ADD, arm64.X, to, to, a64A)
		e.bind(within)
		e.access(arm64.STR, to, e.scratch(logTo+int32(q)))
	}
	e.known = a64Known{} // the moving bases may be any row's
}
