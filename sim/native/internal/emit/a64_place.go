package emit

import (
	"etch/sim/native/arm64"
	"etch/sim/net"
)

// Accesses to words, indexed by the word's size in bytes.
var (
	wordLoads  = [9]arm64.Access{1: arm64.LDRB, 2: arm64.LDRH, 4: arm64.LDRW, 8: arm64.LDR}
	wordStores = [9]arm64.Access{1: arm64.STRB, 2: arm64.STRH, 4: arm64.STRW, 8: arm64.STR}
)

// The accumulator is the first temporary.

// fetch loads the whole word: such loads reach further.
func (e *a64) fetch(p place, _ uint8) {
	e.access(arm64.LDR, a64A, e.address(p))
	e.known.tested = a64At{}
}

func (e *a64) keep(p place, bytes uint8) { e.access(wordStores[bytes], a64A, e.address(p)) }

// write has the value in a register before it addresses the place, which may take a temporary too.
func (e *a64) write(p place, bytes uint8, x net.ID) {
	r := e.register(x, a64A)
	e.access(wordStores[bytes], r, e.address(p))
}

func (e *a64) set(p place, bytes uint8, v uint32) {
	r := arm64.ZR
	if v != 0 {
		r = a64A
		e.MovRI(r, uint64(v))
	}
	e.access(wordStores[bytes], r, e.address(p))
}

// compare leaves a word of the state in the first temporary, for comparisons with further values. The
// zero a64At means unknown, so the word at the base itself is loaded anew each time.
func (e *a64) compare(p place, _ uint8, v uint64) {
	at := e.address(p)
	if p.base != ofState || at == (a64At{}) || e.known.tested != at {
		e.fetch(p, 8)
		e.known.tested = at
	}
	e.compareTo(a64A, v)
}

func (e *a64) jumpIf(cc cond, l Label) { e.BCond(a64Cond[cc], e.leads(l)) }

func (e *a64) addressOf(l Label) {
	e.Adr(a64A, arm64.Label(l))
	e.known.tested = a64At{}
}

// jumpTo forgets the moving bases: the code there may have others.
func (e *a64) jumpTo(p place) {
	e.known = a64Known{}
	e.access(arm64.LDR, a64A, e.address(p))
	e.BR(a64A)
	e.dead = true
}
