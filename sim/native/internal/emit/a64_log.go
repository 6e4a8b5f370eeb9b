package emit

import (
	"etch/sim/native/arm64"
	"etch/sim/native/internal/rows"
	"etch/sim/net"
)

// a64LogTo holds the address of the current row of narrow lanes; the next register that of wide
// lanes. Both are reloaded at every use.
const a64LogTo = a64C

func (e *a64) KeepRow(l *LogLayout) {
	e.log = l
	for q := range uint8(len(l.Kept)) {
		e.logRow(q)
		for i, slot := range l.State {
			if at := &l.Lanes[i]; at.Wide == q {
				e.access(arm64.LDR, a64A, e.stateWord(slot))
				e.keepLane(at, a64A)
			}
		}
	}
}

// logRow loads the address of the current row, of narrow (0) or wide (1) lanes.
func (e *a64) logRow(wide uint8) arm64.Reg {
	to := a64LogTo + arm64.Reg(wide)
	e.access(arm64.LDR, to, e.scratch(LogTo+int32(wide)))
	return to
}

// keepLane stores r in a lane of the row.
func (e *a64) keepLane(at *LogLane, r arm64.Reg) {
	o := arm64.STRW
	if at.Wide != 0 {
		o = arm64.STR
	}
	e.access(o, r, a64At{a64LogTo + arm64.Reg(at.Wide), int64(at.Lane) * int64(e.log.Kept[at.Wide].LaneBytes())})
}

// keepOut stores the value of an output in its lane.
func (e *a64) keepOut(o *net.Out) {
	at := &e.log.Lanes[e.log.Outs[o.Slot]]
	r := e.register(o.Node, a64A)
	e.logRow(at.Wide)
	e.keepLane(at, r)
}

// NextRow advances the row addresses. Rows lie in tiles of tileRows rows; at the end of a tile
// the address jumps over the tiles of other blocks.
func (e *a64) NextRow(l *LogLayout) {
	for q, r := range l.Kept {
		if r.Blocks == 0 {
			continue
		}

		within := e.Declare()
		size := uint64(1) << r.Shift
		to := e.logRow(uint8(q))
		e.RRI(arm64.ADD, arm64.X, to, to, size)

		// Row sizes are powers of two, so the low bits of the address are 0 at a tile's end.
		e.TstI(arm64.X, to, (rows.TileRows-1)*size)
		e.BCond(arm64.NE, e.leads(within))
		e.MovRI(a64A, uint64(r.TileBytes())-rows.TileRows*size)
		e.RRR(arm64.ADD, arm64.X, to, to, a64A)
		e.Define(within)
		e.access(arm64.STR, to, e.scratch(LogTo+int32(q)))
	}
	e.known = a64Known{} // the moving bases may be any row's
}
