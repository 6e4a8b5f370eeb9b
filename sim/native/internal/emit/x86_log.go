package emit

import "etch/sim/native/amd64"

// rowAt uses the second temporary.
func (e *x86) rowAt(wide uint8) {
	e.MovRM(amd64.S64, tmpC, e.scratch(loads, LogTo+int32(wide)))
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
