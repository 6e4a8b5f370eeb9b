package vector_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/sim/native/vector"
)

// Slots, rows and what bodies test are reached wherever they are: at every
// distance that instructions have a form for, and on both sides of its end.
func TestFar(t *testing.T) {
	const last = 1<<19 + 40 // 16 MB of vectors of 32 bytes
	far := []int32{0, 1, 31, 32, 62, 63, 64, 65, 2045, 2046, 2047, 2048, 2077, 2078, 2079, 2080, 2081, 4095, 4096, 4127, 4128, 9999, 1<<19 - 1, 1 << 19, 1<<19 + 31, last - 1}
	for _, arch := range []vector.Arch{vector.AVX2, vector.AVX512, vector.NEON} {
		if !runs(arch) {
			continue
		}
		words := arch.Words()
		for seed := range uint64(6) {
			r := rand.New(rand.NewPCG(seed, 7))
			c := vector.NewCode()
			c.Scratch(int(far[r.IntN(len(far)-1)])) // constants and what is spilled lie behind
			one := c.Const(1, 16)
			var all []vector.Value
			for k := range 200 {
				switch k % 50 {
				case 20:
					all = append(all, c.Read(accesses[r.IntN(len(accesses))](), values(r, all, 5))...)
				case 40:
					c.Skip(c.Do(vector.Eq16, 0, all[r.IntN(len(all))], one)) // hardly ever
					c.Store(c.Emit(vector.Xor, 0, one, c.At(far[r.IntN(len(far))]), vector.None), last)
					c.EndSkip()
					all = append(all, c.Emit(vector.Xor, 0, c.At(last-1), c.At(1<<19), vector.None))
				}
				a, b := c.At(far[r.IntN(len(far))]), c.Row(far[r.IntN(len(far))])
				all = append(all, c.Do(vector.Add16, 0, a, one), c.Do([]vector.Op{vector.Sub16, vector.MulHi16, vector.Pack32}[r.IntN(3)], 0, b, a))
			}
			for _, v := range all {
				if r.IntN(2) == 0 {
					c.Store(v, far[r.IntN(len(far))])
				} else {
					c.StoreRow(v, far[r.IntN(len(far))], vector.None)
				}
			}
			c.Settle()
			p := c.Allocate(5)
			code, err := p.Assemble(arch)
			require.NoError(t, err)
			state, mems, scratch := aligned((last+1)*words), aligned(last*words), aligned(p.Scratch*words)
			for _, k := range far {
				for i := range words {
					state[int(k)*words+i], mems[int(k)*words+i] = r.Uint64(), r.Uint64()
				}
			}
			p.Fill(scratch, words)
			state2, mems2, scratch2 := clone(state), clone(mems), clone(scratch)
			m := vector.Machine{Words: words}
			require.Zero(t, m.Run(p, state, scratch, mems, 2, false))
			require.Zero(t, call(t, code, state2, scratch2, mems2, 2))
			for _, k := range far {
				name := fmt.Sprintf("seed %d, vector %d", seed, k)
				at := int(k) * words
				require.Equal(t, state[at:at+words], state2[at:at+words], name)
				require.Equal(t, mems[at:at+words], mems2[at:at+words], name)
			}
		}
	}
}
