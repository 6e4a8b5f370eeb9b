package emit

import (
	"etch/sim/native/amd64"
	"etch/sim/net"
)

func (e *x86) keepIn(l *LogLayout) { e.log = l }

// rowAt uses the second temporary.
func (e *x86) rowAt(wide uint8) {
	e.MovRM(amd64.S64, tmpC, e.scratch(loads, LogTo+int32(wide)))
}

// lane is the size and place of a lane in the row at rowAt.
func (e *x86) lane(at *LogLane) (amd64.Size, amd64.Mem) {
	return amd64.S32 + amd64.Size(at.Wide), amd64.At(tmpC, int32(int(at.Lane)*e.log.Kept[at.Wide].LaneBytes()))
}

func (e *x86) keepWord(slot uint32, at *LogLane) {
	s, m := e.lane(at)
	e.MovRM(s, tmpA, amd64.At(stateR, 8*int32(slot)))
	e.MovMR(s, m, tmpA)
}

// keepOut stores the value of an output in its lane.
func (e *x86) keepOut(o *net.Out) {
	at := &e.log.Lanes[e.log.Outs[o.Slot]]
	s, m := e.lane(at)

	// A constant is stored as an immediate if that fits.
	if v, ok := e.n.IsConst(o.Node); ok && (s == amd64.S32 || v <= 1<<31-1) {
		e.rowAt(at.Wide)
		e.MovMI(s, m, int32(uint32(v)))
		return
	}

	// The row address goes into a temporary, so the value is loaded first.
	from := e.register(o.Node, tmpA)
	e.rowAt(at.Wide)
	e.MovMR(s, m, from)
}

func (e *x86) moveRow(wide uint8, by, low, over int32) {
	e.rowAt(wide)
	e.RI(amd64.ADD, amd64.S64, tmpC, by)
	e.TestRI(amd64.S32, tmpC, low)
	within := e.JccRel32(amd64.NE)
	e.RI(amd64.ADD, amd64.S64, tmpC, over)
	e.Patch(within, len(e.Code))
	e.MovMR(amd64.S64, e.scratch(stores, LogTo+int32(wide)), tmpC)
}
