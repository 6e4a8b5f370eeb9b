package amd64

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// hop is a jump, call or address of a label; as needs to be told to take the long
// form of a forward jump.
type hop struct {
	text string
	emit func(a *Asm, l Label)
	long string // the hint for a forward jump
}

var hops = []hop{
	{"jmp L", func(a *Asm, l Label) { a.Jmp(l) }, "{disp32} "},
	{"jne L", func(a *Asm, l Label) { a.Jcc(NE, l) }, "{disp32} "},
	{"jbe L", func(a *Asm, l Label) { a.Jcc(BE, l) }, "{disp32} "},
	{"call L", func(a *Asm, l Label) { a.Call(l) }, ""},
	{"lea rdx, [rip+L]", func(a *Asm, l Label) { a.LeaLabel(RDX, l) }, ""},
	{"lea r13, [rip+L]", func(a *Asm, l Label) { a.LeaLabel(R13, l) }, ""},
}

// TestLabels compares a program of jumps with that of GNU as: forward, backward
// and both, at the distances where the short form ends, several to one label.
func TestLabels(t *testing.T) {
	needBinutils(t)
	var a Asm
	src := ".intel_syntax noprefix\n"
	label := 0
	for _, h := range hops {
		for _, fill := range []int{0, 1, 100, 120, 121, 122, 123, 124, 125, 126, 127, 128, 130, 1000} {
			l := a.NewLabel()
			name := fmt.Sprintf("L%d", label)
			text := strings.ReplaceAll(h.text, "L", name)
			label++
			for range 2 {
				h.emit(&a, l)
				a.Code = append(a.Code, make([]byte, fill)...)
				src += fmt.Sprintf("%s%s\n.zero %d\n", h.long, text, fill)
			}
			a.Bind(l)
			src += name + ":\n"
			a.Code = append(a.Code, make([]byte, fill)...)
			h.emit(&a, l)
			h.emit(&a, l)
			src += fmt.Sprintf(".zero %d\n%s\n%s\n", fill, text, text)
		}
	}
	require.NoError(t, a.Resolve())
	require.Equal(t, section(t, gas(t, src), ".text"), a.Code)
}

func TestResolve(t *testing.T) {
	var a Asm
	a.NewLabel() // nobody jumps to it
	bound, first, second := a.NewLabel(), a.NewLabel(), a.NewLabel()
	require.NoError(t, a.Resolve())
	require.False(t, a.Bound(bound))
	require.Equal(t, -1, a.Offset(bound))
	a.Nop(3)
	a.Bind(bound)
	require.True(t, a.Bound(bound))
	require.Equal(t, 3, a.Offset(bound))
	a.Jcc(E, second)
	a.Jmp(first)
	a.Jmp(bound)
	require.EqualError(t, a.Resolve(), "amd64: 2 labels are jumped to and not bound, label 2 first")
	a.Bind(first)
	require.EqualError(t, a.Resolve(), "amd64: 1 labels are jumped to and not bound, label 3 first")
	a.Bind(second)
	require.NoError(t, a.Resolve())
	require.Panics(t, func() { a.Bind(second) })

	a.Reset()
	require.Empty(t, a.Code)
	require.NoError(t, a.Resolve())
	require.Equal(t, Label(0), a.NewLabel(), "labels start anew")
}

func TestPatch(t *testing.T) {
	var a Asm
	a.Nop(2)
	at := a.JmpRel32()
	cc := a.JccRel32(G)
	require.Equal(t, []byte{0x66, 0x90, 0xe9, 0, 0, 0, 0, 0x0f, 0x8f, 0, 0, 0, 0}, a.Code)
	a.Patch(at, 0)
	a.Patch(cc, 0x100+len(a.Code))
	require.Equal(t, []byte{0x66, 0x90, 0xe9, 0xf9, 0xff, 0xff, 0xff, 0x0f, 0x8f, 0, 1, 0, 0}, a.Code)
}
