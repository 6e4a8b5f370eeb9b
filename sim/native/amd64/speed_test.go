package amd64

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNoAllocation: a buffer that is large enough is all the memory there is.
func TestNoAllocation(t *testing.T) {
	a := Asm{Code: make([]byte, 0, 1<<12)}
	require.Zero(t, testing.AllocsPerRun(10, func() {
		a.Reset()
		mixture(&a)
	}))
}

// TestGrowth: instructions are whole wherever the buffer ends.
func TestGrowth(t *testing.T) {
	var want Asm
	want.Code = make([]byte, 0, 1<<12)
	mixture(&want)
	for n := range 100 {
		a := Asm{Code: make([]byte, 0, n)}
		mixture(&a)
		require.Equal(t, want.Code, a.Code)
	}
}

// mixture is what a simulator's inner loop looks like: 24 instructions.
func mixture(a *Asm) {
	a.MovRM(S64, RAX, At(RDI, 0x48))
	a.RM(ADD, S64, RAX, At(RDI, 0x148))
	a.MovRI(RCX, 0xffff)
	a.RR(AND, S64, RAX, RCX)
	a.ShiftI(SHR, S64, RAX, 3)
	a.Shlx(S64, RDX, RAX, RCX)
	a.RI(XOR, S32, RDX, 0x12345)
	a.TestRR(S32, RDX, RDX)
	a.Setcc(NE, RBX)
	a.MovZX(S8, RBX, RBX)
	a.Cmov(E, S64, R8, RAX)
	a.MovMR(S64, At(RDI, 0x50), R8)
	a.Andn(S64, R9, R8, RAX)
	a.Rorx(S64, R10, R9, 7)
	a.Lea(S64, R11, AtIndex(R10, R9, 4, 12))
	a.MovMR(S32, AtIndex(RDI, R11, 8, 0x1000), R10)
	a.V2M(VMOVDQU, V256, V1, At(RDI, 64))
	a.V3(VPADDD, V256, V2, V1, V3)
	a.V3M(VPAND, V256, V9, V2, At(R12, 32))
	a.V3(VPSHUFB, V256, V4, V9, V10)
	a.V2I(VPSLLDI, V256, V5, V4, 3)
	a.V3I(VPTERNLOGD, V512, V5, V4, V20, 0x96)
	a.VStore(VMOVDQU, V256, At(RDI, 96), V5)
	a.VToG(VPMOVMSKB, V256, RAX, V5)
}

// BenchmarkEncode gives the time of an instruction.
func BenchmarkEncode(b *testing.B) {
	a := Asm{Code: make([]byte, 0, 1<<12)}
	n := 0
	for b.Loop() {
		a.Reset()
		mixture(&a)
		n++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n)/24, "ns/instruction")
	b.ReportMetric(float64(len(a.Code))/24, "bytes/instruction")
}

// BenchmarkShape gives the time of one shape of instruction.
func BenchmarkShape(b *testing.B) {
	for _, s := range []struct {
		name string
		emit func(a *Asm)
	}{
		{"RR", func(a *Asm) { a.RR(ADD, S64, RAX, R9) }},
		{"RI", func(a *Asm) { a.RI(ADD, S64, R9, 1000) }},
		{"MovRM", func(a *Asm) { a.MovRM(S64, RAX, At(RDI, 1000)) }},
		{"MovRMindex", func(a *Asm) { a.MovRM(S64, RAX, AtIndex(RDI, R9, 8, 1000)) }},
		{"Shlx", func(a *Asm) { a.Shlx(S64, RAX, RDI, R9) }},
		{"V3vex2", func(a *Asm) { a.V3(VPADDD, V256, V1, V2, V3) }},
		{"V3evex", func(a *Asm) { a.V3(VPADDD, V512, V1, V2, V3) }},
		{"V3M", func(a *Asm) { a.V3M(VPADDD, V256, V1, V2, At(RDI, 64)) }},
	} {
		b.Run("shape="+s.name, func(b *testing.B) {
			a := Asm{Code: make([]byte, 0, 1<<12)}
			for b.Loop() {
				if len(a.Code) > 4000 {
					a.Reset()
				}
				s.emit(&a)
			}
		})
	}
}
