package replay_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"etch/designs/catalog"
	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/replay"
	"etch/sim/replay/runfile"
	"etch/testbench/randcircuit"

	"github.com/stretchr/testify/require"
)

// TestRandomRuns does random things to random circuits and keeps every node of every instance at
// every cycle. Replays, one from memory and one from a file, must have the same at random cycles.
func TestRandomRuns(t *testing.T) {
	n := 1000
	if testing.Short() {
		n = 40
	}
	for seed := range uint64(n) {
		d := randcircuit.Design(seed, randcircuit.Config{
			Nodes: 40, Modules: int(seed % 4), State: true, Stmts: true, Extern: seed%3 == 0, Control: seed%4 == 1,
			Falls: seed%5 == 0, Latches: seed%7 == 0, Calm: true, Pads: seed%6 == 1, Split: seed%2 == 0})
		s, err := sim.New(d, sim.WithSeed(seed), sim.WithOutput(nil))
		require.NoError(t, err)
		walk := newWalk(s, seed, 60)
		if seed%3 == 1 {
			walk.limit = 400 // the begin is dropped
		}
		walk.run(t)
		require.NoError(t, walk.check(d), "seed %d", seed)
	}
}

// TestDesigns does so with the examples and accelerators of the catalog, at every cycle, forwards and
// backwards.
func TestDesigns(t *testing.T) {
	some := 0
	for _, entry := range catalog.Designs() {
		d, err := entry.Build(nil)
		require.NoError(t, err)
		nodes := 0
		for _, m := range d.Modules {
			nodes += m.Len()
		}
		if nodes > mostNodes || testing.Short() && nodes > mostNodes/4 {
			continue
		}
		some++
		t.Run(entry.Name, func(t *testing.T) {
			s, err := sim.New(d, sim.WithSeed(1), sim.WithOutput(nil))
			require.NoError(t, err)
			defer s.Close()
			walk := newWalk(s, uint64(len(entry.Name)), 40)
			walk.every = true
			walk.run(t)
			require.NoError(t, walk.check(d))
		})
	}
	require.Greater(t, some, 10)
}

// mostNodes bounds the designs whose nodes are all compared, at every cycle.
const mostNodes = 4000

// TestModels does so with black boxes that Go Models run, which the replay does not have.
func TestModels(t *testing.T) {
	n, some := 200, 0
	if testing.Short() {
		n = 24
	}
	for seed := range uint64(n) {
		d := randcircuit.Design(seed, randcircuit.Config{Nodes: 40, Modules: 3, State: true, Extern: true})
		opts := []sim.Option{sim.WithSeed(seed), sim.WithOutput(nil)}
		boxes := 0
		for _, m := range d.Modules {
			if m.Extern != nil {
				opts = append(opts, sim.WithModel(m.Name, func() sim.Model { return &hashed{m: m, state: 1} }))
				boxes++
			}
		}
		s, err := sim.New(d, opts...)
		if err != nil || boxes == 0 {
			continue // a Model's outputs depend on all inputs, which may be a loop
		}
		some++
		walk := newWalk(s, seed, 40)
		walk.byHand = true
		walk.run(t)
		require.NoError(t, walk.check(d), "seed %d", seed)
	}
	require.Greater(t, some, n/8, "circuits with black boxes")
}

// hashed is a Model whose outputs are a hash of its inputs and of a state.
type hashed struct {
	m     *ir.Module
	state uint64
}

func (h *hashed) Eval(in, out []bits.Value) {
	sum := h.state
	for _, v := range in {
		sum = (sum ^ v.Uint64()) * 0x9e3779b97f4a7c15
	}
	i := 0
	for _, p := range h.m.Ports {
		if p.Dir != ir.In {
			sum ^= sum >> 29
			out[i] = bits.FromInt(min(p.Width, 64), int64(sum)>>max(0, 64-p.Width)).ZExt(p.Width)
			i++
		}
	}
}

func (h *hashed) Tick(_ int, in []bits.Value) {
	for _, v := range in {
		h.state = (h.state ^ v.Uint64()) * 0xd1342543de82ef95
	}
}

// walk does random things to a simulator.
type walk struct {
	s      *sim.Sim
	rng    *rand.Rand
	steps  int
	limit  int
	byHand bool // no Run
	every  bool // all cycles are compared
	rec    *sim.Recording
	nodes  []sim.Signal
	values map[uint64][]uint64 // by cycle, as seen last before the next edge
}

func newWalk(s *sim.Sim, seed uint64, steps int) *walk {
	return &walk{s: s, rng: rand.New(rand.NewPCG(seed, 21)), steps: steps, limit: 1 << 20, nodes: nodesOf(s), values: map[uint64][]uint64{}}
}

// nodesOf lists every node of every instance.
func nodesOf(s *sim.Sim) (all []sim.Signal) {
	var visit func(c sim.Scope)
	visit = func(c sim.Scope) {
		for id := ir.ID(1); int(id) < c.Module().Len(); id++ {
			if sig, err := s.NodeOf(c.Path(), id); err == nil {
				all = append(all, sig)
			}
		}
		for _, child := range c.Children() {
			visit(child)
		}
	}
	visit(s.Root())
	return all
}

// state is the values of nodes and of the first words of all memories, as words.
func state(s *sim.Sim, nodes []sim.Signal) (words []uint64) {
	for _, sig := range nodes {
		words = s.AppendWords(words, sig)
	}
	eachWord(s.Root(), func(m sim.Mem, a int) {
		to := make([]uint64, bits.WordCount(m.Width()))
		m.Read(a).CopyTo(to)
		words = append(words, to...)
	})
	return words
}

// eachWord calls f for the first words of the memories of an instance and below.
func eachWord(c sim.Scope, f func(m sim.Mem, a int)) {
	for _, m := range c.Mems() {
		for a := range min(m.Depth(), 40) {
			f(m, a)
		}
	}
	for _, child := range c.Children() {
		eachWord(child, f)
	}
}

// run does the things, and looks before every edge.
func (w *walk) run(t *testing.T) {
	s, rng := w.s, w.rng
	w.rec = s.Record(w.limit)
	var clocks, inputs []sim.Signal
	for _, p := range s.Top() {
		if p.IsClock() {
			clocks = append(clocks, p)
		} else if p.IsInput() {
			inputs = append(inputs, p)
		}
	}
	for range w.steps {
		for range rng.IntN(4) {
			if len(inputs) > 0 {
				in := inputs[rng.IntN(len(inputs))]
				require.NoError(t, s.SetBits(in, randcircuit.Value(rng, in.Width())))
			}
		}
		if sig := w.nodes[rng.IntN(len(w.nodes))]; sig.IsState() && rng.IntN(2) == 0 {
			require.NoError(t, s.Poke(sig, randcircuit.Value(rng, sig.Width())))
		}
		if mems := s.Root().Mems(); len(mems) > 0 && rng.IntN(8) == 0 {
			m := mems[rng.IntN(len(mems))]
			require.NoError(t, m.Write(rng.IntN(m.Depth()), randcircuit.Value(rng, m.Width())))
		}
		if rng.IntN(3) == 0 {
			s.GetBits(w.nodes[rng.IntN(len(w.nodes))]) // a look between sets
			continue
		}
		w.values[s.Cycles()] = state(s, w.nodes)
		switch k := rng.IntN(6); {
		case k == 0:
			s.Step(rng.IntN(5))
		case k <= 2 && len(clocks) > 0:
			s.Tick(clocks[rng.IntN(len(clocks))], 1)
		case k == 3 && len(clocks) > 0 && !w.byHand:
			require.NoError(t, s.SetPeriod(clocks[rng.IntN(len(clocks))], 1+rng.Uint64N(9), rng.Uint64N(9)))
			s.Advance(rng.Uint64N(30))
		default:
			s.Step(1)
		}
	}
	w.values[s.Cycles()] = state(s, w.nodes)
}

// check compares replays with what was seen.
func (w *walk) check(d *ir.Design) error {
	memory, err := replay.Of(w.rec)
	if err != nil {
		return err
	}
	var file bytes.Buffer
	if err := replay.Write(&file, d, w.rec); err != nil {
		return err
	}
	read, err := runfile.Read(file.Bytes(), "test.run")
	if err != nil {
		return err
	}
	for kind, r := range map[string]*replay.Run{"memory": memory, "file": read} {
		nodes := nodesOf(r.Sim())
		first, last := r.Cycles()
		if last != w.s.Cycles() {
			return fmt.Errorf("the run in %s ends at cycle %d of %d", kind, last, w.s.Cycles())
		}
		for _, cycle := range w.cycles(first, last) {
			if err := r.Go(cycle); err != nil {
				return fmt.Errorf("%s, cycle %d: %w", kind, cycle, err)
			}
			if want, seen := w.values[cycle]; seen && r.Cycle() == cycle {
				if got := state(r.Sim(), nodes); !slices.Equal(got, want) {
					return fmt.Errorf("%s, cycle %d: %s", kind, cycle, difference(r.Sim(), nodes, got, want))
				}
			}
		}
	}
	return nil
}

// cycles are the cycles to go to: some at random, or all, forwards and backwards.
func (w *walk) cycles(first, last uint64) (list []uint64) {
	if !w.every {
		for range 25 {
			list = append(list, first+w.rng.Uint64N(last-first+1))
		}
		return list
	}
	for cycle := first; cycle <= last; cycle++ {
		list = append(list, cycle)
	}
	return append(list, backwards(list)...)
}

// backwards is a list from its end.
func backwards(list []uint64) []uint64 {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
}

// difference names the first value in which two states differ.
func difference(s *sim.Sim, nodes []sim.Signal, got, want []uint64) string {
	at, found := 0, ""
	look := func(name string, width int) {
		n := bits.WordCount(width)
		if found == "" && !slices.Equal(got[at:at+n], want[at:at+n]) {
			found = fmt.Sprintf("replay has %s %x, the simulator had %x", name, got[at:at+n], want[at:at+n])
		}
		at += n
	}
	if len(got) != len(want) {
		return fmt.Sprintf("replay has %d words, the simulator had %d", len(got), len(want))
	}
	for _, sig := range nodes {
		look(sig.Name(), sig.Width())
	}
	eachWord(s.Root(), func(m sim.Mem, a int) { look(fmt.Sprintf("%s[%d]", m.Name(), a), m.Width()) })
	return found
}

// TestChunks replays a recording of many chunks, whose older half has been dropped too.
func TestChunks(t *testing.T) {
	d := randcircuit.Design(11, randcircuit.Config{Nodes: 30, Modules: 1, State: true})
	for _, limit := range []int{1 << 30, 1 << 21} {
		s, err := sim.New(d, sim.WithOutput(nil))
		require.NoError(t, err)
		w := newWalk(s, 11, 0)
		w.limit = limit
		w.run(t)
		for s.Recorded().Bytes() < 3<<19 || limit < 1<<30 && s.Cycles() < 100_000 {
			for _, in := range s.Top() {
				if in.IsInput() {
					require.NoError(t, s.SetBits(in, randcircuit.Value(w.rng, in.Width())))
				}
			}
			if s.Cycles()%1000 == 7 {
				w.values[s.Cycles()] = state(s, w.nodes)
			}
			s.Step(1)
		}
		seen := 0
		r, err := replay.Of(w.rec)
		require.NoError(t, err)
		first, last := r.Cycles()
		nodes := nodesOf(r.Sim())
		for cycle := last / 1000 * 1000; cycle > first+1000; cycle -= 1000 {
			at := cycle - 1000 + 7
			if want, ok := w.values[at]; ok && at > first {
				require.NoError(t, r.Go(at))
				require.Equal(t, want, state(r.Sim(), nodes), "cycle %d", at)
				seen++
			}
		}
		require.Greater(t, seen, 3)
		require.Equal(t, limit < 1<<30, first > 0)
		require.NoError(t, w.check(d))
	}
}
