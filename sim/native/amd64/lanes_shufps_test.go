package amd64_test

import (
	"encoding/hex"
	"testing"

	"etch/sim/native/amd64"
)

// The bytes are those of GNU as 2.40.
func TestVShufps(t *testing.T) {
	for _, c := range []struct {
		want string
		make func(a *amd64.Asm)
	}{
		{"c5ecc6cb88", func(a *amd64.Asm) { a.VShufps(amd64.V256, 1, 2, 3, 0x88) }},
		{"c44134c6c289", func(a *amd64.Asm) { a.VShufps(amd64.V256, 8, 9, 10, 0x89) }},
		{"c5ecc64d4088", func(a *amd64.Asm) { a.VShufpsM(amd64.V256, 1, 2, amd64.At(amd64.RBP, 64), 0x88) }},
		{"62f16c48c6cb88", func(a *amd64.Asm) { a.VShufps(amd64.V512, 1, 2, 3, 0x88) }},
		{"62017440c6c71b", func(a *amd64.Asm) { a.VShufps(amd64.V512, 24, 17, 31, 0x1b) }},
		{"62e16c48c64d0188", func(a *amd64.Asm) { a.VShufpsM(amd64.V512, 17, 2, amd64.At(amd64.RBP, 64), 0x88) }},
	} {
		var a amd64.Asm
		c.make(&a)
		if got := hex.EncodeToString(a.Code); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
