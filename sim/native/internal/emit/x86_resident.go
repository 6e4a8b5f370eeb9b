package emit

import "etch/sim/native/amd64"

func (e *x86) Reside(all Residents) { e.home = all }

// moveIn loads the residents.
func (e *x86) moveIn() {
	for _, q := range e.home {
		e.MovRM(amd64.S64, amd64.Reg(q.Reg), amd64.At(stateR, 8*int32(q.Slot)))
	}
}

// giveBack stores the residents.
func (e *x86) giveBack() {
	for _, q := range e.home {
		e.MovMR(amd64.S64, amd64.At(stateW, 8*int32(q.Slot)), amd64.Reg(q.Reg))
	}
}

// resident returns the machine register that holds register r's value at the start of the cycle,
// if there is one.
func (e *x86) resident(r int) (amd64.Reg, bool) {
	if _, ok := e.c.Copied(r, e.at); ok {
		return 0, false
	}
	q, ok := e.home.in(e.n.Regs[r].Slot)
	return amd64.Reg(q), ok
}
