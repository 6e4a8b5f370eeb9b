package arm64

import "encoding/binary"

// Asm appends instructions to Code. The zero value is ready.
type Asm struct {
	Code   []uint32
	labels []int32 // by label: the word that it is at, -1 when it is not bound
	jumps  []jump  // in the order of their places
}

// Reset forgets code and labels and keeps their memory.
func (a *Asm) Reset() { a.Code, a.labels, a.jumps = a.Code[:0], a.labels[:0], a.jumps[:0] }

// Bytes is the code as it lies in memory. Jumps are right after Resolve.
func (a *Asm) Bytes() []byte {
	out := make([]byte, 0, 4*len(a.Code))
	for _, w := range a.Code {
		out = binary.LittleEndian.AppendUint32(out, w)
	}
	return out
}

// Word appends a word of data, or an instruction by its encoding.
func (a *Asm) Word(w uint32) { a.Code = append(a.Code, w) }

// dnm appends an instruction with registers in the places of Rd, Rn and Rm.
func (a *Asm) dnm(op uint32, d, n, m Reg) {
	a.Word(op | uint32(m)<<16 | uint32(n)<<5 | uint32(d))
}

// check panics when a condition of the caller's does not hold.
func check(ok bool, what string) {
	if !ok {
		panic("arm64: " + what)
	}
}
