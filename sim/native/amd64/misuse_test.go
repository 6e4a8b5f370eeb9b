package amd64

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMisuse: what has no encoding panics instead of becoming another instruction.
func TestMisuse(t *testing.T) {
	var a Asm
	m := At(RAX, 0)
	for want, f := range map[string]func(){
		"RSP as an index":          func() { a.MovRM(S64, RAX, AtIndex(RAX, RSP, 1, 0)) },
		"a scale that is not":      func() { a.MovRM(S64, RAX, AtIndex(RAX, RBX, 3, 0)) },
		"without a form for bytes": func() { a.Imul(S8, RAX, RBX) },
		"of 32 or 64 bits alone":   func() { a.Shlx(S16, RAX, RBX, RCX) },
		"does not widen":           func() { a.MovSX(S32, S32, RAX, RBX) },
		"vpaddd has no such form of length 128": func() {
			a.V2(VPADDD, V128, V1, V2)
		},
		"vperm2i128 has no such form of length 512": func() { a.V3I(VPERM2I128, V512, V1, V2, V3, 0) },
		"vpermd has no such form of length 128":     func() { a.V3(VPERMD, V128, V1, V2, V3) },
		"an EVEX feature in":                        func() { a.V3(VPHADDD, V128, V1, V2, V19) },
		"zeroing without a mask":                    func() { a.V3X(VPADDD, V128, Evex{Zero: true}, V1, V2, V3) },
		"zeroing of memory":                         func() { a.VStoreX(VMOVDQU8, V128, Evex{Mask: K1, Zero: true}, m, V1) },
		"zeroing in a comparison":                   func() { a.VCmpM(VPTESTMB, V128, Evex{Mask: K1, Zero: true}, K2, V1, m) },
		"a broadcast from a register":               func() { a.V3X(VPADDD, V128, Evex{Bcast: true}, V1, V2, V3) },
		"a broadcast in an instruction without":     func() { a.V3MX(VPADDB, V128, Evex{Bcast: true}, V1, V2, m) },
		"a mask in an instruction without":          func() { a.V3X(VPSADBW, V128, Evex{Mask: K1}, V1, V2, V3) },
		"three different ones":                      func() { a.VGather(VPGATHERDD, V128, V1, VMem{RAX, V2, 4, 0}, V1) },
		"into its own index":                        func() { a.VGatherK(VPGATHERDD, V128, V1, VMem{RAX, V1, 4, 0}, K1) },
		"gather or scatter without a mask":          func() { a.VScatter(VPSCATTERDD, V128, VMem{RAX, V1, 4, 0}, V2, K0) },
		"of two masks of four bits":                 func() { a.KUnpck(S8, K1, K2, K3) },
	} {
		t.Run(want, func(t *testing.T) {
			defer func() { require.Contains(t, recover(), want) }()
			f()
		})
	}
	require.Empty(t, a.Code, "a panic leaves nothing behind")
}

// TestTable: every row is filled and named, and every shape has cases.
func TestTable(t *testing.T) {
	for i := range vdefs {
		d := &vdefs[i]
		require.NotEmpty(t, d.name, "row %d", i)
		require.Equal(t, d.name, VOp(i).String())
		require.NotZero(t, d.shape, d.name)
		require.NotZero(t, d.f&lenAll, d.name)
		require.NotZero(t, d.f&both, d.name)
		require.NotZero(t, d.f&3, d.name)
		require.False(t, d.f&hasEVEX == 0 && d.f&(bcast|evexW|len512) != 0, d.name)
	}
	require.Equal(t, int(VGF2P8MULB)+1, len(vdefs), "the last VOp has the last row")
}
