package arm64

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestJumps: jumps over n words, to both sides, as GNU as encodes them; where the
// instruction does not reach, by a pair.
func TestJumps(t *testing.T) {
	const bit, cond = 1 << 13, 1 << 18 // words of reach
	type way struct {
		near, far string // one %d or none for the distance
		reach     int
		emit      func(a *Asm, l Label)
	}
	ways := []way{
		{"b .%+d", "", 1 << 25, func(a *Asm, l Label) { a.B(l) }},
		{"bl .%+d", "", 1 << 25, func(a *Asm, l Label) { a.BL(l) }},
		{"b.hi .%+d", "b.ls .+8; b .%+d", cond, func(a *Asm, l Label) { a.BCond(HI, l) }},
		{"cbz w3, .%+d", "cbnz w3, .+8; b .%+d", cond, func(a *Asm, l Label) { a.Cbz(W, R3, l) }},
		{"cbnz x30, .%+d", "cbz x30, .+8; b .%+d", cond, func(a *Asm, l Label) { a.Cbnz(X, R30, l) }},
		{"tbz w9, #7, .%+d", "tbnz w9, #7, .+8; b .%+d", bit, func(a *Asm, l Label) { a.Tbz(R9, 7, l) }},
		{"tbnz x9, #47, .%+d", "tbz x9, #47, .+8; b .%+d", bit, func(a *Asm, l Label) { a.Tbnz(R9, 47, l) }},
		{"adr x11, .%+d", "", cond, func(a *Asm, l Label) { a.Adr(R11, l) }},
	}
	var lines []string
	var ours [][]byte
	for _, w := range ways {
		for _, d := range []int{-w.reach - 1, -w.reach, -100, -1, 0, 1, 2, 100, w.reach - 1, w.reach, w.reach + 5} {
			if w.far == "" && (d < -w.reach || d >= w.reach) || d > cond+9 || d < -cond-9 {
				continue
			}
			var a Asm
			l := a.NewLabel()
			at := max(0, -d)
			if d <= 0 {
				a.Bind(l)
			}
			for range at {
				a.Nop()
			}
			w.emit(&a, l)
			for range d - 1 {
				a.Nop()
			}
			if d > 0 {
				a.Bind(l)
			}
			require.NoError(t, a.Resolve())
			text, k := fmt.Sprintf(w.near, 4*d), 1
			if d < -w.reach || d >= w.reach {
				text, k = fmt.Sprintf(w.far, 4*d), 2
				if d < 0 {
					text = fmt.Sprintf(w.far, 4*d-4)
				}
			}
			require.Equal(t, at+max(d, 1)+k-1, len(a.Code), text)
			lines, ours = append(lines, text), append(ours, a.Bytes()[4*at:4*(at+k)])
		}
	}
	for i, theirs := range assemble(t, lines) {
		require.Equal(t, theirs, ours[i], lines[i])
	}
}

// TestManyFarJumps follows every jump of random code in which many do not reach.
func TestManyFarJumps(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for round := range 5 {
		var a Asm
		labels := make([]Label, 3000)
		for i := range labels {
			labels[i] = a.NewLabel()
		}
		type jump struct{ from, to, kind int }
		var jumps []jump
		for i, l := range labels {
			a.Bind(l)
			a.Word(uint32(i)) // says which label this is; no instruction that is used here
			for range r.IntN(8) {
				j := jump{i, r.IntN(len(labels)), r.IntN(3)}
				jumps = append(jumps, j)
				a.Word(1 << 16) // a jump follows
				switch j.kind {
				case 0:
					a.Tbz(R1, uint8(j.to&63), labels[j.to])
				case 1:
					a.BCond(LT, labels[j.to])
				case 2:
					a.B(labels[j.to])
				}
			}
			if round > 2 {
				for range 120 {
					a.Nop()
				}
			}
		}
		require.NoError(t, a.Resolve())
		k, far := 0, 0
		for at, w := range a.Code {
			if w < uint32(len(labels)) {
				require.Equal(t, 4*at, a.Offset(labels[w]))
				continue
			}
			if w != 1<<16 {
				continue
			}
			to, taken, pair := follow(a.Code, at+1)
			require.EqualValues(t, jumps[k].to, a.Code[to], "jump %d", k)
			require.Equal(t, [...]string{"bit is 0", "lt", "always"}[jumps[k].kind], taken)
			if pair {
				far++
			}
			k++
		}
		require.Equal(t, len(jumps), k)
		require.Greater(t, far, 100)
		require.Less(t, far, len(jumps)/2)
	}
}

// follow returns where a jump leads, when, and whether that took two instructions.
func follow(code []uint32, at int) (to int, taken string, pair bool) {
	signed := func(w uint32, lo, n int) int { return int(int32(w<<(32-lo-n)) >> (32 - n)) }
	w := code[at]
	switch {
	case w>>26 == 5:
		return at + signed(w, 0, 26), "always", false
	case w>>24 == 0x54:
		if to, taken = at+signed(w, 5, 19), "lt"; w&31 == uint32(GE) {
			taken = "ge"
		}
	case w>>24&0x7e == 0x36:
		if to, taken = at+signed(w, 5, 14), "bit is 0"; w>>24&1 == 1 {
			taken = "bit is 1"
		}
	}
	if to == at+2 && code[at+1]>>26 == 5 && (taken == "ge" || taken == "bit is 1") {
		to, _, _ = follow(code, at+1)
		return to, map[string]string{"ge": "lt", "bit is 1": "bit is 0"}[taken], true
	}
	return to, taken, false
}

// TestFarAdr: ADRP and ADD make the address when the code lies at a whole page.
func TestFarAdr(t *testing.T) {
	for _, d := range []int{1 << 18, 1<<18 + 1023, 1<<19 + 77, -1<<18 - 1, -1<<18 - 4001} {
		var a Asm
		l := a.NewLabel()
		if d < 0 {
			a.Bind(l)
		}
		for range 5 + max(0, -d) {
			a.Nop()
		}
		at := len(a.Code)
		a.Adr(R7, l)
		for range max(0, d-1) {
			a.Nop()
		}
		if d > 0 {
			a.Bind(l)
		}
		require.NoError(t, a.Resolve())
		adrp, add := a.Code[at], a.Code[at+1]
		require.EqualValues(t, 0x90000007, adrp&0x9f00001f)
		require.EqualValues(t, 0x910000e7, add&0xffc003ff)
		pages := int(int32(adrp>>5<<2&0x1ffffc|adrp>>29&3) << 11 >> 11)
		require.Equal(t, a.Offset(l), 4*at&^4095+pages*4096+int(add>>10&0xfff), "%d", d)
	}
}

func TestUnboundLabels(t *testing.T) {
	var a Asm
	a.NewLabel()
	l := a.NewLabel()
	require.Equal(t, -1, a.Offset(l))
	require.NoError(t, a.Resolve(), "nothing jumps there")
	a.B(l)
	a.BCond(NE, l)
	require.EqualError(t, a.Resolve(), "arm64: 2 jumps go to labels that are not bound, label 1 first")
	a.Bind(l)
	require.True(t, a.Bound(l))
	require.NoError(t, a.Resolve())
	require.PanicsWithValue(t, "arm64: a label bound twice", func() { a.Bind(l) })
}
