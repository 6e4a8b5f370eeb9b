package amd64

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPlainForms: a method without options writes what the same one with none
// does; the golden file has the latter.
func TestPlainForms(t *testing.T) {
	m := AtIndex(R9, RAX, 2, 100)
	for name, f := range map[string]func(plain, x *Asm){
		"V3":       func(p, x *Asm) { p.V3(VPADDB, V256, V1, V2, V3); x.V3X(VPADDB, V256, Evex{}, V1, V2, V3) },
		"V3M":      func(p, x *Asm) { p.V3M(VPADDB, V512, V1, V2, m); x.V3MX(VPADDB, V512, Evex{}, V1, V2, m) },
		"V3I":      func(p, x *Asm) { p.V3I(VPALIGNR, V256, V1, V2, V3, 9); x.V3IX(VPALIGNR, V256, Evex{}, V1, V2, V3, 9) },
		"V3MI":     func(p, x *Asm) { p.V3MI(VPALIGNR, V256, V1, V2, m, 9); x.V3MIX(VPALIGNR, V256, Evex{}, V1, V2, m, 9) },
		"V2":       func(p, x *Asm) { p.V2(VPABSB, V256, V1, V2); x.V2X(VPABSB, V256, Evex{}, V1, V2) },
		"V2M":      func(p, x *Asm) { p.V2M(VPABSB, V256, V1, m); x.V2MX(VPABSB, V256, Evex{}, V1, m) },
		"V2I":      func(p, x *Asm) { p.V2I(VPSHUFD, V256, V1, V2, 9); x.V2IX(VPSHUFD, V256, Evex{}, V1, V2, 9) },
		"V2MI":     func(p, x *Asm) { p.V2MI(VPSHUFD, V256, V1, m, 9); x.V2MIX(VPSHUFD, V256, Evex{}, V1, m, 9) },
		"VStore":   func(p, x *Asm) { p.VStore(VPMOVDB, V512, m, V1); x.VStoreX(VPMOVDB, V512, Evex{}, m, V1) },
		"VFromG":   func(p, x *Asm) { p.VFromG(VMOVD, V128, V1, R9); x.VFromGX(VMOVD, V128, Evex{}, V1, R9) },
		"VShufps":  func(p, x *Asm) { p.VShufps(V256, V1, V2, V3, 9); x.V3I(VSHUFPS, V256, V1, V2, V3, 9) },
		"VShufpsM": func(p, x *Asm) { p.VShufpsM(V256, V1, V2, m, 9); x.V3MI(VSHUFPS, V256, V1, V2, m, 9) },
		"Plus":     func(p, x *Asm) { p.MovRM(S8, RAX, m.Plus(-90)); x.MovRM(S8, RAX, AtIndex(R9, RAX, 2, 10)) },
		"no index": func(p, x *Asm) { p.MovRM(S8, RAX, Mem{Base: R9}); x.MovRM(S8, RAX, At(R9, 0)) },
	} {
		t.Run(name, func(t *testing.T) {
			var plain, x Asm
			f(&plain, &x)
			require.NotEmpty(t, plain.Code)
			require.Equal(t, x.Code, plain.Code)
		})
	}
}
