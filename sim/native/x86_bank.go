package native

import (
	"bytes"

	"etch/sim/native/amd64"
	"etch/sim/net"
)

// constants is data behind the code.
type constants struct {
	label amd64.Label
	data  []byte
}

// behind returns the label of data that will lie behind the code, at a multiple
// of 64 bytes; equal data lies there once.
func (e *x86) behind(data []byte) amd64.Label {
	for _, p := range e.pools {
		if bytes.Equal(p.data, data) {
			return p.label
		}
	}
	l := e.NewLabel()
	e.pools = append(e.pools, constants{l, data})
	return l
}

// writeConstants puts the data behind the code.
func (e *x86) writeConstants() {
	for _, p := range e.pools {
		for len(e.Code)%64 != 0 {
			e.Int3()
		}
		e.Bind(p.label)
		e.Code = append(e.Code, p.data...)
	}
	e.pools = nil
}

// bankCode writes the code of one bank.
type bankCode struct {
	*x86
	bank   *net.Bank
	at     []int32 // by operand: its first staged byte
	staged int32   // bytes
	inputs int     // of the look-up with the most
	out    amd64.Mem
}

// bank computes the words of Tables node x.
func (e *x86) bank(x net.ID) {
	b := &bankCode{x86: e, bank: e.n.Banks[e.n.N[x].Imm], out: scratchAt(stateW, e.c.loc[x].at)}
	b.at, b.staged = stagedBytes(e.n, x)
	for _, w := range b.bank.Words {
		for _, l := range w {
			b.inputs = max(b.inputs, int(l.K))
		}
	}
	b.stage(e.n.Operands(x))
	switch windows := (b.staged + windowBytes - 1) / windowBytes; {
	case e.f.VBMI && b.staged <= maxPermuted || e.f.AVX512 && b.staged <= maxShuffled:
		b.avx512()
	case e.f.AVX2 && windows <= maxWindows:
		b.avx2()
	default:
		b.scalar()
	}
}

// workAt is word i of the work area.
func (b *bankCode) workAt(base amd64.Reg, i int32) amd64.Mem {
	return scratchAt(base, b.c.work+b.c.workSize-1).Plus(8 * i)
}

// stagedAt is the first of the staged bytes.
func (b *bankCode) stagedAt(base amd64.Reg) amd64.Mem { return b.workAt(base, savedWords) }

// stage copies the operands. Whole words are stored, upwards, so that each
// overwrites the zeros that the one before left behind its bytes.
func (b *bankCode) stage(operands []net.ID) {
	for i, x := range operands {
		b.store(b.stagedAt(stateW).Plus(b.at[i]), x)
	}
}

// loopRegs is the registers that a bank's code takes from values.
var loopRegs = [savedWords]amd64.Reg{amd64.RDX, amd64.RSI, amd64.RDI}

func (b *bankCode) save() {
	for i, r := range loopRegs {
		b.MovMR(amd64.S64, b.workAt(stateW, int32(i)), r)
	}
}

func (b *bankCode) restore() {
	for i, r := range loopRegs {
		b.MovRM(amd64.S64, r, b.workAt(stateR, int32(i)))
	}
}

// place is the byte and the bit in it that input i of l reads.
func (b *bankCode) place(l *net.Lookup, i int) (at int32, bit uint8) {
	in := l.In[i]
	return b.at[in/64] + in%64/8, uint8(in % 8)
}

// full is the table of l over six inputs, the upper of which do not count.
func full(l *net.Lookup) uint64 {
	t := l.Table
	for k := l.K; k < 6; k++ {
		t |= t << (1 << k)
	}
	return t
}

// lookup is look-up lane of word w; one past its end is always 0.
func (b *bankCode) lookup(w, lane int) *net.Lookup {
	if word := b.bank.Words[w]; lane < len(word) {
		return &word[lane]
	}
	return &net.Lookup{}
}
