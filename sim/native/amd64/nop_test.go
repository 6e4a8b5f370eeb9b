package amd64

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNop has objdump read every length: nothing but nops, one for 8 bytes.
func TestNop(t *testing.T) {
	needBinutils(t)
	var codes [][]byte
	for n := 1; n <= 40; n++ {
		var a Asm
		a.Nop(n)
		require.Len(t, a.Code, n)
		codes = append(codes, a.Code)
	}
	for i, text := range disassemble(t, codes) {
		list := strings.Split(strings.TrimSuffix(text, ";"), ";")
		require.Len(t, list, (i+8)/8, text)
		for _, insn := range list {
			require.Regexp(t, `^(nop|xchg ax,ax|nop [DW]+ORD PTR .*|cs nop .*)$`, insn, "%d bytes", i+1)
		}
	}
}

func TestAlign(t *testing.T) {
	for n := 1; n <= 64; n *= 2 {
		for start := range 70 {
			var a Asm
			a.Nop(start)
			a.Align(n)
			require.Zero(t, len(a.Code)%n)
			require.Less(t, len(a.Code)-start, n)
		}
	}
	var a Asm
	a.Nop(0)
	require.Empty(t, a.Code)
}

func TestCondNot(t *testing.T) {
	for c, not := range map[Cond]Cond{O: NO, B: AE, E: NE, BE: A, S: NS, P: NP, L: GE, LE: G} {
		require.Equal(t, not, c.Not())
		require.Equal(t, c, not.Not())
	}
}
