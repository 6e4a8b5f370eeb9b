package emit

import (
	"slices"

	"etch/sim/native/amd64"
	"etch/sim/native/cpu"
	"etch/sim/net"
)

// amd64Target is the target for x86-64 processors.
type amd64Target struct{}

func (amd64Target) Runs(f cpu.Features) bool     { return f.Popcnt }
func (amd64Target) Writer(f cpu.Features) Writer { return newX86(f) }

func (amd64Target) Registers(p Purpose) []uint8 {
	switch p {
	case InClass:
		return x86Pool[:len(x86Pool)-2]
	case InParts:
		return x86Pool[:len(x86Pool)-1-MostNear]
	}
	return x86Pool
}

func (amd64Target) Vectors(f cpu.Features) bool { return f.AVX2 }

func (amd64Target) packs(f cpu.Features) PackWriter {
	e := &x86Packs{x86: newX86(f)}
	e.at = e.NewLabel()
	return e
}

func (e *x86) Declare() Label       { return Label(e.NewLabel()) }
func (e *x86) Define(l Label)       { e.Bind(amd64.Label(l)) }
func (e *x86) Entry(l Label)        { e.Bind(amd64.Label(l)) }
func (e *x86) AlignEntry()          { e.Align(32) }
func (e *x86) Jump(l Label)         { e.Jmp(amd64.Label(l)) }
func (e *x86) OffsetOf(l Label) int { return e.Offset(amd64.Label(l)) }

func (e *x86) branch(x net.ID, want bool, l Label) {
	e.Jcc(e.tested(x, want), amd64.Label(l))
}

func (e *x86) Enter() {
	e.MovRR(amd64.S64, stateW, amd64.RDI)
	e.MovRR(amd64.S64, stateR, amd64.RDI)
	e.MovMR(amd64.S64, e.scratch(stores, cyclesWord), amd64.RSI)
}

func (e *x86) Leave() {
	e.MovRM(amd64.S64, amd64.RAX, e.scratch(loads, cyclesWord))
	e.Ret()
}

func (e *x86) count() { e.DecM(amd64.S64, e.scratch(stores, cyclesWord)) }

func (e *x86) begin(instructions int) {
	e.Code = slices.Grow(e.Code, 8*instructions) // eight bytes per instruction is usual
	if e.words != nil {
		e.findLoose()
	}
}

func (e *x86) Text() ([]byte, error) {
	e.writeConstants()
	if err := e.Resolve(); err != nil {
		return nil, err
	}
	return e.Code, nil
}
