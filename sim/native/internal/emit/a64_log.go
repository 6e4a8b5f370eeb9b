package emit

import "etch/sim/native/arm64"

// a64LogTo holds the address of the current row of narrow fields; the next register that of wide
// fields. Both are reloaded at every use.
const a64LogTo = a64C

func (e *a64) rowAt(wide uint8) {
	e.access(arm64.LDR, a64LogTo+arm64.Reg(wide), e.scratch(LogTo+int32(wide)))
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
