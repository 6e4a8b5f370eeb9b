package native

import (
	"math/bits"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"etch/sim/choose"
	"etch/sim/native/internal/emit"
	"etch/sim/net"
)

// vectorNet is a restingNet with vectors of registers that are written and read by indices, in
// all shapes that net.Vectors knows, and in some that it must leave alone. size is the number of
// state words.
func vectorNet(r *rand.Rand) (n *net.Net, size int) {
	n = restingNet(r)
	at := len(n.Regs) + 20
	g := &growth{r: r, n: n, regs: 1}
	for i := range n.Regs {
		g.all = append(g.all, n.Leaf(i))
	}
	bit := func() net.ID { return n.Slice(g.pick(), uint8(0), 1) }
	for range 1 + r.IntN(3) {
		count, fields := 3+r.IntN(8), 1+r.IntN(3)
		iw := uint8(bits.Len(uint(count - 1)))
		if r.IntN(4) == 0 {
			iw++
		}
		first := len(n.Regs)
		for range count {
			for f := range fields {
				n.Regs = append(n.Regs, net.Reg{Slot: int32(at), W: uint8(5 + 13*f), Q: net.None, Next: net.None})
				at++
			}
		}
		elem := func(k, f int) net.ID { return n.Leaf(first + k*fields + f) }
		is := func(index net.ID, k int) net.ID { return n.Eq(index, n.Const(uint64(k))) }
		index := func() net.ID {
			if r.IntN(2) == 0 {
				return n.Cat(g.narrow(iw-1), g.narrow(1), 1)
			}
			return g.narrow(iw)
		}

		// Look-ups of all registers, of some, and with another value behind the last.
		look := func(f int) net.ID {
			i, x := index(), g.pick()
			from := r.IntN(2) * r.IntN(count)
			if r.IntN(3) == 0 {
				x = elem(count-1, f)
			}
			for k := count - 1; k >= from; k-- {
				x = n.Mux(is(i, k), elem(k, f), x)
			}
			return x
		}
		for range 1 + r.IntN(4) {
			g.all = append(g.all, look(r.IntN(fields)))
		}
		if r.IntN(2) == 0 {
			g.all = append(g.all, n.Xor(elem(r.IntN(count), r.IntN(fields)), g.pick()))
		}
		for range r.IntN(10) {
			g.node()
		}

		// Writes: one or two indices, conditions around them and inside, sometimes a value for all.
		i, j, a, b, c := index(), index(), bit(), bit(), bit()
		kind := r.IntN(7)
		for f := range fields {
			w := n.Regs[first+f].W
			x, y := n.Slice(g.pick(), 0, w), n.Slice(g.pick(), 0, w)
			if r.IntN(3) == 0 {
				x = n.Slice(look(r.IntN(fields)), 0, w)
			}
			for k := range count {
				q := elem(k, f)
				v := n.Mux(n.And(a, is(i, k)), x, q)
				switch kind {
				case 1:
					v = n.Mux(a, n.Mux(is(i, k), x, q), q)
				case 2:
					v = n.Mux(n.And(b, is(j, k)), y, v)
				case 3:
					v = n.Mux(c, n.Mux(n.And(b, is(j, k)), n.Mux(a, y, x), v), n.Mux(is(j, k), x, q))
				case 4: // holds within an index: no memory
					v = n.Mux(is(j, k), n.Mux(b, y, q), v)
				case 5:
					v = n.Mux(is(j, k), n.Mux(b, y, q), q)
				case 6: // a value for all: no memory, but look-ups are
					v = n.Mux(c, y, v)
				}
				n.Regs[first+k*fields+f].Next = v
			}
		}
	}
	return n.Compact(), at
}

// A net with memories in place of vectors does what the net did.
func TestVectorsKeepMeaning(t *testing.T) {
	seeds := uint64(2000)
	if testing.Short() {
		seeds = 300
	}
	memories, writes := 0, 0
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 31))
		n, size := vectorNet(r)
		m := n.Vectors(&choose.Standard().Net.Vectors)
		require.NoError(t, m.Verify())
		memories += len(m.Mems) - len(n.Mems)
		writes += len(m.Writes) - len(n.Writes)
		want := make([]uint64, size)
		for _, q := range n.Regs {
			want[q.Slot] = r.Uint64() & net.Mask(q.W)
		}
		got := append([]uint64(nil), want...)
		for range 40 {
			step(n, want)
			step(m, got)
			require.Equal(t, want, got, "seed %d\n%v\n%v", seed, n, m)
		}
	}
	require.Greater(t, writes, int(seeds), "memories that are written")
	require.Greater(t, memories, 2*int(seeds), "memories")
}

// Code of parts over vectors does what the semantics say, also while others write to the vectors'
// words between calls.
func TestPartsOfVectors(t *testing.T) {
	host := hostOfParts(t)
	seeds := uint64(400)
	if testing.Short() {
		seeds = 80
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 37))
		n, size := vectorNet(r)
		m := n.Vectors(&choose.Standard().Net.Vectors).Enables().Prepared()
		want := make([]uint64, size)
		for _, q := range n.Regs {
			want[q.Slot] = r.Uint64() & net.Mask(q.W)
		}
		a := m.NewActivity(64)
		for range 1 + r.IntN(66) {
			if r.IntN(10) == 0 {
				a.Gap()
			}
			a.Take(stateWords{m, want})
			step(n, want)
		}
		p := a.Partition([]float64{1, 10, 40, 400}[r.IntN(4)], &choose.Standard().Net.Parts)
		code, act, err := compileActive(p, host, emit.FirstScratch, 1<<16, choose.Standard())
		require.NoError(t, err)
		g := &Gated{pol: choose.Standard(), n: n, f: host, room: 1 << 16, on: true, gates: &gates{Code: code, raise: act.raise, renew: act.renew, note: act.note, flagged: act.flagged}}
		var shared []uint32
		if r.IntN(2) == 0 {
			for _, q := range n.Regs {
				shared = append(shared, uint32(q.Slot))
			}
			act.share(shared)
		}
		got := make([]uint64, g.room+size)[g.room:]
		copy(got, want)
		for call := range 60 {
			k := uint64(1 + r.IntN(20))
			done := k - g.call(unsafe.Pointer(&got[0]), k, true)
			for range done {
				step(n, want)
			}
			require.Equal(t, want, got, "seed %d, call %d\n%v\n%v", seed, call, m, p.Parts)
			for range 2 * min(1, len(shared)) {
				q := &n.Regs[r.IntN(len(n.Regs))]
				v := r.Uint64() & net.Mask(q.W)
				want[q.Slot], got[q.Slot] = v, v
			}
		}
		code.Close()
	}
}

// A part that reads registers by an index and writes them too reads the values before the cycle.
func TestPartReadsViewBeforeWrites(t *testing.T) {
	const count = 4
	n := net.New()
	for i := range count + 2 {
		n.Regs = append(n.Regs, net.Reg{Slot: int32(i), W: 16, Q: net.None, Next: net.None})
	}
	clock, x := n.Leaf(0), n.Const(0)
	n.Regs[0].Next = n.Add(clock, n.Const(1), 16)
	for k := range count {
		q := n.Leaf(1 + k)
		x = n.Mux(n.Eq(n.Slice(clock, 0, 2), n.Const(uint64(k))), q, x)
		n.Regs[1+k].Next = n.Add(q, n.Xor(clock, n.Const(uint64(5*k+3))), 16)
	}
	n.Regs[count+1].Next = n.Xor(x, n.Const(1))
	m := n.Vectors(&choose.Standard().Net.Vectors).Enables().Prepared()
	require.NotEmpty(t, m.Mems)
	code, act, want := partsOf(t, n, m, len(n.Regs), 400)
	require.Len(t, act.r.Parts, 1)
	got := make([]uint64, partsRoom+len(want))[partsRoom:]
	copy(got, want)
	act.raise(unsafe.Pointer(&got[0]))
	for range 20 {
		code.Run(unsafe.Pointer(&got[0]), 1)
		step(n, want)
		require.Equal(t, want, got)
	}
}
