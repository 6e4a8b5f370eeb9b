package native

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"etch/sim/choose"
	"etch/sim/native/cpu"
	"etch/sim/native/internal/emit"
	"etch/sim/net"

	"github.com/stretchr/testify/require"
)

// stateWords is a state for evaluations.
type stateWords struct {
	n *net.Net
	v []uint64
}

func (w stateWords) Reg(r int) uint64                { return w.v[w.n.Regs[r].Slot] }
func (w stateWords) Mem(m int32, addr uint64) uint64 { return *word(w.n, m, addr, w.v) }

// hostOfParts is the processor's features. It skips the test where there is no code of parts.
func hostOfParts(t *testing.T) cpu.Features {
	t.Helper()
	host := cpu.Host()
	if !Supported(host) {
		t.Skip("no native engine on this machine")
	}
	if _, ok := emit.Here.Writer(host).(emit.ActiveWriter); !ok {
		t.Skip("no parts on this architecture")
	}
	return host
}

// partsOf is code of n in parts of at most some cost, and the state behind the samples that it comes
// from. m is n prepared; the first state is all zeros.
func partsOf(t *testing.T, n, m *net.Net, words int, largest float64) (*Code, *active, []uint64) {
	t.Helper()
	host, state := hostOfParts(t), make([]uint64, words)
	a := m.NewActivity(64)
	for range 60 {
		a.Take(stateWords{m, state})
		step(n, state)
	}
	code, act, err := compileActive(a.Partition(largest, &choose.Standard().Net.Parts), host, emit.FirstScratch, partsRoom, choose.Standard())
	require.NoError(t, err)
	t.Cleanup(func() { code.Close() })
	return code, act, state
}

// partsRoom is the scratch words of partsOf.
const partsRoom = 1 << 10

// Code of a partition does what the semantics say while somebody writes to the state between
// calls, whatever the samples were that the parts come from, and whatever their size.
func TestPartsAgreeWithSemantics(t *testing.T) {
	host := hostOfParts(t)
	seeds := uint64(400)
	if testing.Short() {
		seeds = 60
	}
	parts, rests, busy, enables := 0, 0, 0, 0
	for seed := range 2 * seeds {
		r := rand.New(rand.NewPCG(seed, 13))
		whole := restingNet
		if seed >= seeds {
			whole = bitNet
		}
		n := whole(r).Enables().Prepared()
		size := len(n.Regs) + 20
		want := make([]uint64, size)
		shake := func() {
			for _, q := range n.Regs[1:] {
				want[q.Slot] = r.Uint64() & net.Mask(q.W)
			}
		}
		shake()
		for i := range 16 {
			want[len(n.Regs)+i] = uint64(r.Uint32())
		}
		a := n.NewActivity(64)
		for range 1 + r.IntN(66) {
			if r.IntN(10) == 0 {
				a.Gap()
			}
			a.Take(stateWords{n, want})
			step(n, want)
		}
		costs := choose.Standard().Net.Parts
		if r.IntN(2) == 0 { // parts as of a large core
			costs.Learned, costs.Crowded, costs.Busy = -1, 0, 0.5
		}
		p := a.Partition([]float64{1, 10, 40, 400}[r.IntN(4)], &costs)
		for i := range p.Parts {
			if p.Parts[i].Busy {
				busy++
			}
			if p.Parts[i].Enable >= 0 {
				enables++
			}
		}
		p.Crowd = float64(r.IntN(3)) / 2 // code as of a large core
		code, act, err := compileActive(p, host, emit.FirstScratch, 1<<16, choose.Standard())
		if err != nil {
			t.Fatal(err)
		}
		g := &Gated{pol: choose.Standard(), n: n, f: host, room: 1 << 16, on: true, gates: &gates{Code: code, raise: act.raise, renew: act.renew, note: act.note, flagged: act.flagged}}
		parts += len(p.Parts)
		block := make([]uint64, g.room+size)
		got := block[g.room:]
		for call := range 60 {
			if call%7 == 0 {
				shake()
			}
			copy(got, want)
			for left := 1 + r.IntN(40); left > 0; {
				k := 1 + r.IntN(left)
				stayed := int(g.call(unsafe.Pointer(&got[0]), uint64(k), true))
				for range k - stayed {
					if n.Stop >= 0 && settled(n, want)[n.Stop] != 0 {
						t.Fatalf("seed %d: did not stop", seed)
					}
					step(n, want)
				}
				for i := range want {
					if got[i] != want[i] {
						t.Fatalf("seed %d, call %d, word %d: %#x, want %#x\n%v\n%v", seed, call, i, got[i], want[i], n, p.Parts)
					}
				}
				rests += len(p.Parts) - act.flagged(unsafe.Pointer(&got[0]))
				if left -= k; stayed > 0 {
					if n.Stop < 0 || settled(n, want)[n.Stop] == 0 {
						t.Fatalf("seed %d: stopped for nothing", seed)
					}
					break
				}
			}
			g.fresh = false
		}
		code.Close()
	}
	if rests < 20*parts {
		t.Fatalf("%d parts of %d nets rested %d times", parts, 2*seeds, rests)
	}
	require.Greater(t, busy, int(seeds)/4, "parts that run in every cycle")
	require.Greater(t, enables, int(seeds), "parts with enables")
	t.Logf("%d parts of %d nets rested %d times; %d run in every cycle, %d have enables", parts, 2*seeds, rests, busy, enables)
}
