package sim_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/vcd"
	"etch/testbench/randcircuit"
)

// stamped notes what is printed, and when the simulator says that it is.
type stamped struct {
	s     *sim.Sim
	text  strings.Builder
	lines int
}

func (w *stamped) Write(b []byte) (int, error) {
	if w.s != nil {
		fmt.Fprintf(&w.text, "%d at %d: ", w.s.Cycles(), w.s.Time())
		if w.lines++; w.lines%64 == 0 { // one may look, but it may be a later cycle
			w.s.GetBits(w.s.Top()[len(w.s.Top())-1-w.lines/64%4%len(w.s.Top())])
		}
	}
	w.text.Write(b)
	w.text.WriteByte('\n')
	return len(b), nil
}

// plantPrints gives the modules of a design print statements of any values, under any
// conditions, and some that always print; asserts, now and then.
func plantPrints(d *ir.Design, r *rand.Rand, each int, asserts bool) {
	for _, m := range d.Modules {
		if m.Extern != nil {
			continue
		}
		var clocks, conds, all []ir.ID
		for id := ir.ID(1); int(id) < m.Len(); id++ {
			switch kind := m.TypeOf(m.Node(id).Type).Kind; {
			case kind == ir.Clock && m.Op(id) == ir.Input:
				clocks = append(clocks, id)
			case kind == ir.Clock || m.Op(id) == ir.Const:
			default:
				all = append(all, id)
				if m.Width(id) == 1 {
					conds = append(conds, id)
				}
			}
		}
		if len(clocks) == 0 || len(conds) == 0 {
			continue
		}
		pick := func(ids []ir.ID) ir.ID { return ids[r.IntN(len(ids))] }
		for k := range each {
			st := ir.Stmt{Kind: ir.Print, Name: fmt.Sprintf("p%d", k), Clk: pick(clocks)}
			if r.IntN(8) > 0 {
				st.En = pick(conds)
			}
			switch {
			case asserts && k == 0:
				st.Kind, st.Cond = ir.Assert, pick(conds)
			case asserts && k == 1:
				st.Kind, st.Code = ir.Stop, r.IntN(2)
			case k == 2:
				st.Kind, st.Cond = ir.Cover, pick(conds)
			}
			for range r.IntN(4) * truth(st.Kind != ir.Stop && st.Kind != ir.Cover) {
				st.Args = append(st.Args, pick(all))
				st.Format += " %" + string("dxb"[r.IntN(3)])
			}
			m.Stmts = append(m.Stmts, st)
		}
	}
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// said runs a design and returns all that its statements say.
func said(t *testing.T, d *ir.Design, seed uint64, steps []int, opts ...sim.Option) string {
	t.Helper()
	w := &stamped{}
	s, err := sim.New(d, append(opts, sim.WithSeed(seed), sim.WithOutput(w))...)
	require.NoError(t, err)
	defer s.Close()
	w.s = s
	s.OnFailure(func(f sim.Failure) {
		fmt.Fprintln(w, f)
		fmt.Fprint(w, s.GetBits(s.Top()[len(s.Top())-1])) // one may look at the simulator
	})
	s.OnStop(func(f sim.Stop) { fmt.Fprintln(w, f) })
	s.Reset()
	r := rand.New(rand.NewPCG(seed, 3))
	for _, n := range steps {
		for _, p := range s.Top() {
			if p.IsInput() && !p.IsClock() {
				words := []uint64{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
				require.NoError(t, s.SetBits(p, bits.FromWords(p.Width(), words[:min(4, (p.Width()+63)/64)])))
			}
		}
		s.Step(n)
	}
	require.NoError(t, s.Err())
	fmt.Fprint(w, s.Coverage())
	return w.text.String()
}

// closing closes the simulator when it has been written to a few times.
type closing struct {
	s     *sim.Sim
	lines int
}

func (w *closing) Write(b []byte) (int, error) {
	if w.lines++; w.lines == 400 {
		return len(b), w.s.Close()
	}
	return len(b), nil
}

// TestPrintThatCloses: who is written to may close the simulator, which goes on
// without machine code and prints all the same.
func TestPrintThatCloses(t *testing.T) {
	for _, waves := range []bool{false, true} {
		w := &closing{}
		s, err := sim.New(talkative(true, true), sim.WithEngine(sim.Native), sim.WithOutput(w))
		require.NoError(t, err)
		w.s = s
		if waves {
			require.NoError(t, s.Trace(vcd.New(io.Discard)))
		}
		s.Step(3000)
		require.Equal(t, sim.Interpreter, s.Engine())
		require.EqualValues(t, 3000, s.Cycles())
		require.Equal(t, 4*(128*(3000/256)+min(128, 3000%256)), w.lines)
	}
}

// TestPrintsOfMachineCode: what machine code prints is, word by word and in its
// order, what the interpreter prints, however many cycles a call has.
func TestPrintsOfMachineCode(t *testing.T) {
	n := uint64(15)
	if testing.Short() {
		n = 6
	}
	talk := uint64(0)
	for seed := range n {
		var d *ir.Design
		switch seed % 3 {
		case 0:
			d = randcircuit.Control(seed)
		case 1:
			d = randcircuit.Classes(seed, 120, 2+int(seed%4))
		default:
			d = randcircuit.Design(seed, randcircuit.Config{Nodes: 80, Modules: 3, State: true, Falls: seed%4 == 2})
		}
		r := rand.New(rand.NewPCG(seed, 2))
		plantPrints(d, r, 3+r.IntN(6), seed%2 == 1)
		require.NoError(t, ir.Verify(d), "seed %d", seed)
		steps := []int{1, 2, 40, 1, 300, 3}
		want := said(t, d, seed, steps, sim.WithEngine(sim.Interpreter))
		if strings.Count(want, "\n") > 100 {
			talk++
		}
		for _, opts := range [][]sim.Option{
			{sim.WithEngine(sim.Native)}, {sim.WithEngine(sim.Native), sim.WithoutSpecialisation()}, {sim.WithEngine(sim.Lockstep)},
		} {
			if got := said(t, d, seed, steps, opts...); got != want {
				at := 0
				for at < min(len(got), len(want)) && got[at] == want[at] {
					at++
				}
				require.Failf(t, "differs", "seed %d, byte %d: got …%.200q, want …%.200q", seed, at, got[max(0, at-60):], want[max(0, at-60):])
			}
		}
	}
	require.Greater(t, 2*talk, n, "few designs print: the test tries nothing")
}
