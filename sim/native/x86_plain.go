package native

import (
	"slices"

	"etch/sim/native/amd64"
	"etch/sim/native/cpu"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// amd64Target is the target for x86-64 processors.
type amd64Target struct{}

func (amd64Target) runs(f cpu.Features) bool     { return f.Popcnt }
func (amd64Target) writer(f cpu.Features) writer { return newX86(f) }

func (amd64Target) registers(p purpose) []uint8 {
	switch p {
	case inClass:
		return x86Pool[:len(x86Pool)-2]
	case inParts:
		return x86Pool[:len(x86Pool)-1]
	case besideResidents:
		return x86Pool[:len(x86Pool)-4]
	}
	return x86Pool
}

func (amd64Target) vectors(f cpu.Features) bool { return f.AVX2 }

func (amd64Target) packs(f cpu.Features) packWriter {
	e := &x86Packs{x86: newX86(f)}
	e.at = e.NewLabel()
	return e
}

func (e *x86) newLabel() label    { return label(e.NewLabel()) }
func (e *x86) bind(l label)       { e.Bind(amd64.Label(l)) }
func (e *x86) entry(l label)      { e.Bind(amd64.Label(l)) }
func (e *x86) align()             { e.Align(32) }
func (e *x86) jump(l label)       { e.Jmp(amd64.Label(l)) }
func (e *x86) offset(l label) int { return e.Offset(amd64.Label(l)) }

func (e *x86) branch(x net.ID, want bool, l label) {
	cc := e.test(x)
	if !want {
		cc = cc.Not()
	}
	e.Jcc(cc, amd64.Label(l))
}

func (e *x86) enter() {
	e.MovRR(amd64.S64, stateW, amd64.RDI)
	e.MovRR(amd64.S64, stateR, amd64.RDI)
	e.MovMR(amd64.S64, e.scratch(stores, cyclesWord), amd64.RSI)
	e.moveIn()
}

func (e *x86) leave() {
	e.giveBack()
	e.MovRM(amd64.S64, amd64.RAX, e.scratch(loads, cyclesWord))
	e.Ret()
}

func (e *x86) count(more bool, l label) {
	cc := amd64.E
	if more {
		cc = amd64.NE
	}
	e.DecM(amd64.S64, e.scratch(stores, cyclesWord))
	e.Jcc(cc, amd64.Label(l))
}

func (e *x86) reach(at int32) { e.at = at }

func (e *x86) begin(c *schedule.Code) {
	e.c, e.n, e.at = c, c.N, -1
	e.Code = slices.Grow(e.Code, 8*len(c.Out)) // eight bytes per instruction is usual

	for r, o := range c.Old {
		if o >= 0 {
			q, ok := e.resident(r)
			if !ok {
				q = tmpA
				e.MovRM(amd64.S64, q, e.slot(stateR, r))
			}
			e.MovMR(amd64.S64, e.scratch(stores, o), q)
		}
	}
}

func (e *x86) text() ([]byte, error) {
	e.writeConstants()
	if err := e.Resolve(); err != nil {
		return nil, err
	}
	return e.Code, nil
}
