package emit

import "etch/sim/native/arm64"

func (e *a64) Reside(all Residents) { e.home = all }

// moveResidents loads or stores all resident registers.
func (e *a64) moveResidents(o arm64.Access) {
	for _, q := range e.home {
		e.access(o, arm64.Reg(q.Reg), e.stateWord(q.Slot))
	}
}

// resident returns the machine register that holds register r's value at the start of the cycle,
// if there is one.
func (e *a64) resident(r int) (arm64.Reg, bool) {
	if _, ok := e.c.Copied(r, e.at); ok {
		return 0, false
	}
	q, ok := e.home.in(e.n.Regs[r].Slot)
	return arm64.Reg(q), ok
}
