package asm_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/examples/rv32i/asm"
)

// far is a program that defines the label far at 4n.
func far(first string, n int) string {
	return first + "\n" + strings.Repeat("nop\n", n-1) + "far: ecall\n"
}

// TestLabelRange uses a label as a number: it must fit its field as a written number must.
func TestLabelRange(t *testing.T) {
	words, err := asm.Assemble(far("li a0, far", 511))
	require.NoError(t, err)
	require.Equal(t, uint32(2044<<20|10<<7|0x13), words[0])
	words, err = asm.Assemble(far(".word far", 1500))
	require.NoError(t, err)
	require.Equal(t, uint32(6000), words[0])

	for source, want := range map[string]string{
		"li a0, far":       "line 1: li: label far is 6000, not in -2048..2047",
		"addi a0, a0, far": "line 1: addi: operand 3: label far is 6000, not in -2048..2047",
		"sw a0, far(x0)":   "line 1: sw: operand 2: label far is 6000, not in -2048..2047",
		"slli a0, a0, far": "line 1: slli: operand 3: label far is 6000, not in 0..31",
	} {
		_, err := asm.Assemble(far(source, 1500))
		require.EqualError(t, err, want)
	}
}

func TestLabelTwice(t *testing.T) {
	_, err := asm.Assemble("loop: nop\nend:\n j loop\nloop: j end\n")
	require.EqualError(t, err, "line 4: label loop is defined on line 1 already")
}
