package native

import (
	"etch/sim/native/amd64"
	"etch/sim/native/cpu"
)

// amd64Target is the target of x86-64 processors.
type amd64Target struct{}

func (amd64Target) runs(f cpu.Features) bool { return f.Popcnt }
func (amd64Target) adapts() bool             { return true }
func (amd64Target) gates() bool              { return true }
func (amd64Target) banks() bool              { return true }
func (amd64Target) registers() []uint8       { return x86Pool }

func (amd64Target) plain(c *code, f cpu.Features) ([]byte, error) {
	e := newX86(f)
	e.enter()
	top := e.NewLabel()
	e.Bind(top)
	e.body(c)
	e.DecM(amd64.S64, e.scratch(stores, cyclesWord))
	e.Jcc(amd64.NE, top)
	e.leave()
	e.asides()
	return e.text()
}

// enter takes over the arguments of a call: the state, and the cycles to do.
func (e *x86) enter() {
	e.MovRR(amd64.S64, stateW, amd64.RDI)
	e.MovRR(amd64.S64, stateR, amd64.RDI)
	e.MovMR(amd64.S64, e.scratch(stores, cyclesWord), amd64.RSI)
}

// leave returns the cycles that are still to do; stops lead here.
func (e *x86) leave() {
	for _, at := range e.stops {
		e.Patch(at, len(e.Code))
	}
	e.stops = e.stops[:0]
	e.MovRM(amd64.S64, amd64.RAX, e.scratch(loads, cyclesWord))
	e.Ret()
}

// text is the code when it is complete.
func (e *x86) text() ([]byte, error) {
	e.writeConstants()
	if err := e.Resolve(); err != nil {
		return nil, err
	}
	return e.Code, nil
}

// finish makes the code executable.
func (e *x86) finish(scratch, nodes int) (*Code, error) {
	text, err := e.text()
	if err != nil {
		return nil, err
	}
	return newCode(text, scratch, nodes)
}
