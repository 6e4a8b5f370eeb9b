package why_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/catalog"
	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/replay"
	"etch/sim/why"
)

// mutation is a fault of a single line.
type mutation struct {
	kind string
	at   ir.Location
	make func()
}

// TestSeededFaults makes faults of one line in ten designs, runs each beside the right design until
// an output differs, and asks why that output has its value. The line must be in the whole slice
// always. It is among the first ten rows for 17 of the first 20 faults, two a design, and for 80 of
// all 100: in large designs some are farther away.
func TestSeededFaults(t *testing.T) {
	const few = 2 // faults a design
	perDesign := 10
	if testing.Short() {
		perDesign = few
	}
	near, all, nearOfFew := 0, 0, 0
	kinds := map[string]int{}
	for _, name := range []string{"counter", "arbiter", "fifo", "crossing", "uart", "regfile", "protocol", "rv32i", "systolic", "gae_row"} {
		here, hereNear := 0, 0
		for seed := uint64(0); seed < 400 && here < perDesign; seed++ {
			right, wrong := built(t, name), built(t, name)
			list := mutations(wrong)
			r := rand.New(rand.NewPCG(seed, 17))
			m := list[r.IntN(len(list))]
			m.make()
			if ir.Verify(wrong) != nil {
				continue // it has closed a loop
			}
			run, port, cycle := firstDifference(t, right, wrong, seed)
			if run == nil {
				continue // nobody sees it in this run
			}

			e := why.New(run)
			sig, err := run.Sim().Signal(port)
			require.NoError(t, err)
			_, err = e.Explain(sig, cycle, 10)
			require.NoError(t, err)
			short := e.Text()
			isNear := hasLine(e.Rows(), m.at)
			_, err = e.Explain(sig, cycle, 0)
			require.NoError(t, err)
			if !hasLine(e.Rows(), m.at) {
				t.Errorf("%s, seed %d: %s at %s is not in the slice of %s@%d:\n%s", name, seed, m.kind, m.at, port, cycle, e.Text())
			}
			here++
			kinds[m.kind]++
			if isNear {
				hereNear++
				if here <= few {
					nearOfFew++
				}
			} else {
				t.Logf("%s, seed %d: %s at %s is not among the first rows of %s@%d:\n%s", name, seed, m.kind, m.at, port, cycle, short)
			}
		}
		require.GreaterOrEqual(t, here, 2, name)
		t.Logf("%-9s %d of %d faults among the first ten rows", name, hereNear, here)
		near, all = near+hereNear, all+here
	}
	t.Logf("all: %d of %d; by kind %v", near, all, kinds)
	require.GreaterOrEqual(t, nearOfFew, 17)
	require.GreaterOrEqual(t, 100*near, 80*all)
}

func built(t *testing.T, name string) *ir.Design {
	t.Helper()
	for _, d := range catalog.Designs() {
		if d.Name == name {
			n, err := d.Build(nil)
			require.NoError(t, err)
			return n
		}
	}
	t.Fatalf("no design %s", name)
	return nil
}

// mutations lists the faults of one line that a design may have.
func mutations(d *ir.Design) (list []mutation) {
	for _, m := range d.Modules {
		add := func(kind string, pos ir.Pos, f func()) {
			if l := m.Src.At(pos); l.Line > 0 {
				list = append(list, mutation{kind, l, f})
			}
		}
		for id := ir.ID(1); int(id) < m.Len(); id++ {
			n := m.Node(id)
			args := m.Args(id)
			put := func(k int, x ir.ID) {
				all := append([]ir.ID(nil), args...)
				all[k] = x
				m.SetArgs(id, m.Op(id), all...)
			}
			inverse := func(x ir.ID) ir.ID {
				return m.Add(ir.Node{Op: ir.Not, Width: int32(m.Width(x)), Pos: m.Node(x).Pos}, x)
			}
			switch n.Op {
			case ir.Mux:
				add("a condition negated", n.Pos, func() { put(0, inverse(args[0])) })
				add("a wrong arm", m.ArmLine(id, 0), func() { put(1, args[2]) })
				if m.Op(args[1]) != ir.Mux && m.Op(args[1]) != ir.Case {
					add("a wrong source", m.ArmLine(id, 0), func() { put(1, inverse(args[1])) })
				}
			case ir.Eq:
				if w := m.Width(args[1]); m.Op(args[1]) == ir.Const && w > 1 && w <= 32 {
					add("off by one", n.Pos, func() { put(1, m.Const(bits.New(w, (m.ConstOf(args[1]).Uint64()+1)&(1<<w-1)), n.Pos)) })
				}
			case ir.MemRead:
				if w := m.Width(args[0]); w > 0 && w <= 32 {
					add("off by one", n.Pos, func() {
						put(0, m.Add(ir.Node{Op: ir.Add, Width: int32(w), Pos: n.Pos}, args[0], m.Const(bits.New(w, 1), n.Pos)))
					})
				}
			}
		}
		for i := range m.Regs {
			r := &m.Regs[i]
			if r.Rst != ir.None && m.Op(r.Reset) == ir.Const && m.Width(r.Node) > 0 {
				pos := m.Node(r.Reset).Pos
				if pos == 0 {
					pos = m.Node(r.Node).Pos
				}
				add("a wrong reset value", pos, func() {
					v := m.ConstOf(r.Reset)
					words := make([]uint64, bits.WordCount(v.Width()))
					v.CopyTo(words)
					words[0] ^= 1
					r.Reset = m.Const(bits.FromWords(v.Width(), words), pos)
				})
			}
		}
	}
	return list
}

// firstDifference runs both designs with equal random inputs until an output differs.
func firstDifference(t *testing.T, right, wrong *ir.Design, seed uint64) (run *replay.Run, port string, cycle uint64) {
	t.Helper()
	a, err := sim.New(right, sim.WithOutput(nil))
	require.NoError(t, err)
	defer a.Close()
	b, err := sim.New(wrong, sim.WithOutput(nil))
	if err != nil {
		return nil, "", 0
	}
	defer b.Close()
	b.Record(1 << 22)
	r := rand.New(rand.NewPCG(seed, 23))
	for k := range 300 {
		for i, p := range a.Top() {
			if !p.IsInput() || p.IsClock() {
				continue
			}
			kind := p.Type().Kind
			v := bits.FromWords(p.Width(), wordsOf(r, p.Width()))
			switch {
			case kind == ir.Reset || kind == ir.AsyncReset:
				v = bits.New(1, uint64(1-min(1, k/2)))
			case r.IntN(3) > 0 && k > 0:
				continue
			}
			require.NoError(t, a.SetBits(p, v))
			require.NoError(t, b.SetBits(b.Top()[i], v))
		}
		for i, p := range a.Top() {
			if !p.IsInput() && k > 2 && !a.GetBits(p).Equal(b.GetBits(b.Top()[i])) {
				run, err := replay.Of(b.Recorded())
				require.NoError(t, err)
				return run, p.Base(), b.Cycles()
			}
		}
		a.Step(1)
		b.Step(1)
	}
	return nil, "", 0
}

// bitsOf is a random value of a signal.
func bitsOf(r *rand.Rand, sig sim.Signal) bits.Value {
	return bits.FromWords(sig.Width(), wordsOf(r, sig.Width()))
}

func wordsOf(r *rand.Rand, width int) []uint64 {
	w := make([]uint64, bits.WordCount(width))
	for i := range w {
		w[i] = r.Uint64()
	}
	bits.MaskWords(w, width)
	return w
}

// hasLine reports whether a row is at a line.
func hasLine(rows []*why.Cause, at ir.Location) bool {
	for _, c := range rows {
		if c.At == at || slices.Contains(c.Also, at) {
			return true
		}
	}
	return false
}
