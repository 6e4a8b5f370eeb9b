package arm64

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMisuse: what has no encoding panics instead of becoming another instruction.
func TestMisuse(t *testing.T) {
	var a Asm
	for _, c := range []struct {
		want string
		f    func()
	}{
		{"an immediate that addition does not have", func() { a.RRI(ADD, X, R1, R2, 4097) }},
		{"an immediate that addition does not have", func() { a.CmpI(X, R1, 1<<24) }},
		{"an immediate that logic does not have", func() { a.RRI(AND, X, R1, R2, 0) }},
		{"an immediate that logic does not have", func() { a.RRI(EOR, W, R1, R2, 5) }},
		{"an inverted immediate", func() { a.RRI(BIC, W, R1, R2, 1) }},
		{"a source that cannot be shifted so", func() { a.RRS(ADD, W, R1, R2, R3, LSL, 32) }},
		{"a source that cannot be shifted so", func() { a.RRS(ADD, X, R1, R2, R3, ROR, 3) }},
		{"a source that cannot be extended so", func() { a.RRX(AND, X, R1, R2, R3, UXTB, 0) }},
		{"a source that cannot be extended so", func() { a.RRX(ADD, X, R1, R2, R3, UXTB, 5) }},
		{"bits beyond the register", func() { a.Ubfx(W, R1, R2, 20, 13) }},
		{"bits beyond the register", func() { a.Ubfx(X, R1, R2, 64, 1) }},
		{"bits beyond the register", func() { a.Bfi(X, R1, R2, 3, 0) }},
		{"bits beyond the register", func() { a.Ubfiz(W, R1, R2, 30, 3) }},
		{"a shift beyond the register", func() { a.ShiftI(LSL, W, R1, R2, 32) }},
		{"a shift beyond the register", func() { a.Extr(W, R1, R2, R3, 32) }},
		{"a move beyond the register", func() { a.MovK(W, R1, 1, 2) }},
		{"flags that do not exist", func() { a.Ccmp(EQ, X, R1, R2, 16) }},
		{"an immediate that Ccmp does not have", func() { a.CcmpI(EQ, X, R1, 32, 0) }},
		{"an offset out of reach", func() { a.Mem(LDR, R1, R2, 32768) }},
		{"an offset out of reach", func() { a.Mem(LDR, R1, R2, 257) }},
		{"an offset out of reach", func() { a.Mem(LDRB, R1, R2, -257) }},
		{"an offset out of reach", func() { a.MemPre(STR, R1, R2, 256) }},
		{"an offset out of reach", func() { a.Ldp(X, R1, R2, R3, 4) }},
		{"an offset out of reach", func() { a.Stp(W, R1, R2, R3, 256) }},
		{"a shift beyond the element", func() { a.VShiftI(VSHL, E8, 1, 2, 8) }},
		{"a shift beyond the element", func() { a.VShiftI(VUSHR, E16, 1, 2, 0) }},
		{"a shift beyond the element", func() { a.VShiftI(VSRI, E16, 1, 2, 17) }},
		{"a table of no registers", func() { a.VTbl(1, 2, 5, 3) }},
		{"an element beyond the vector", func() { a.VLdElem(E32, 1, 4, R2) }},
		{"an element beyond the vector", func() { a.VIns(E32, 1, 4, 2, 0) }},
		{"bytes beyond the vector", func() { a.VExt(1, 2, 3, 16) }},
		{"an offset out of reach", func() { a.VMem(LDRVQ, 1, R2, 65536) }},
		{"an offset out of reach", func() { a.VMem(STRVH, 1, R2, -257) }},
		{"an offset out of reach", func() { a.VMemPost(STRVH, 1, R2, 256) }},
		{"an offset out of reach", func() { a.VLdp(1, 2, R3, 8) }},
		{"a bit beyond the register", func() { a.Tbz(R1, 64, a.NewLabel()) }},
	} {
		require.PanicsWithValue(t, "arm64: "+c.want, c.f)
	}
	require.Empty(t, a.Code, "a panic leaves nothing behind")
}
