package emit

import (
	"etch/sim/native/arm64"
	"etch/sim/net"
)

// a64LogTo holds the address of the current row of narrow lanes; the next register that of wide
// lanes. Both are reloaded at every use.
const a64LogTo = a64C

func (e *a64) keepIn(l *LogLayout) { e.log = l }

func (e *a64) rowAt(wide uint8) {
	e.access(arm64.LDR, a64LogTo+arm64.Reg(wide), e.scratch(LogTo+int32(wide)))
}

// keepLane stores r in a lane of the row.
func (e *a64) keepLane(at *LogLane, r arm64.Reg) {
	o := arm64.STRW
	if at.Wide != 0 {
		o = arm64.STR
	}
	e.access(o, r, a64At{a64LogTo + arm64.Reg(at.Wide), int64(at.Lane) * int64(e.log.Kept[at.Wide].LaneBytes())})
}

func (e *a64) keepWord(slot uint32, at *LogLane) {
	e.access(arm64.LDR, a64A, e.stateWord(slot))
	e.keepLane(at, a64A)
}

// keepOut stores the value of an output in its lane.
func (e *a64) keepOut(o *net.Out) {
	at := &e.log.Lanes[e.log.Outs[o.Slot]]
	r := e.register(o.Node, a64A)
	e.rowAt(at.Wide)
	e.keepLane(at, r)
}

func (e *a64) moveRow(wide uint8, by, low, over int32) {
	within, to := e.Declare(), a64LogTo+arm64.Reg(wide)
	e.rowAt(wide)
	e.RRI(arm64.ADD, arm64.X, to, to, uint64(by))
	e.TstI(arm64.X, to, uint64(low))
	e.BCond(arm64.NE, e.leads(within))
	e.MovRI(a64A, uint64(over))
	e.RRR(arm64.ADD, arm64.X, to, to, a64A)
	e.Define(within)
	e.access(arm64.STR, to, e.scratch(LogTo+int32(wide)))
	e.known = a64Known{} // the moving bases may be any row's
}
