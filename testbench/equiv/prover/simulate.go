package prover

import (
	"math/rand/v2"

	"etch/passes/aig"
)

// effort is the number of nodes that the random runs evaluate, approximately.
const effort = 40e6

// random runs the system 64 times at a time. It returns a trace if something bad happens, and
// otherwise the classes of nodes that were equal throughout. Free values are in no class, since
// a step knows them only through the latches.
func (w *work) random() (*aig.Trace, *classes) {
	g := w.Graph
	steps := max(64, min(4096, int(effort)/g.Len()))
	length := 1 // of a run
	if len(w.Latches) > 0 {
		length = max(16, min(256, steps/8))
	}
	if w.limits.Bounded {
		length = min(length, w.limits.Depth)
	}
	r := &runs{w: w, v: make([]uint64, g.Len()), signature: make([]uint64, g.Len())}
	for done, seed := 0, uint64(0); done < steps; seed++ {
		if t := r.run(seed, length); t != nil {
			return t, nil
		}
		done += length
		if w.late() {
			break
		}
	}
	if r.seen < 256 { // the constraints leave next to nothing: use any values
		free := &runs{w: w, v: r.v, signature: r.signature, lawless: true}
		for seed := range uint64(64) {
			free.run(seed, 1)
		}
		r.phase = free.phase
	}
	for n := 1; n < len(r.signature); n++ {
		// Nodes of the start alone are no part of later steps.
		if !w.step[n] && r.signature[n] != r.signature[0] {
			r.signature[n] = ^r.signature[n]
		}
	}
	return nil, group(r.signature, r.phase, w.Free)
}

// runs is random runs with a signature of every node.
type runs struct {
	w         *work
	v         []uint64
	signature []uint64
	phase     []bool
	seen      int  // steps of single runs in which the constraints held
	lawless   bool // constraints do not count
}

// run makes 64 runs of a length and returns a trace of the first bad literal.
func (r *runs) run(seed uint64, length int) *aig.Trace {
	w, v := r.w, r.v
	rng := rand.New(rand.NewPCG(seed, 0xa16))
	alive := r.start(rng)
	free := make([]uint64, len(w.Free))
	for i, l := range w.Free {
		free[i] = v[l.Node()]
	}
	state := make([]uint64, len(w.Latches))
	for i, l := range w.Latches {
		state[i] = aig.Value(v, l.Init)
	}

	// Step by step; a run ends for good when a constraint fails in it.
	var inputs [][]uint64
	for range length {
		step := r.inputs(rng)
		inputs = append(inputs, step)
		for i, l := range w.Latches {
			v[l.Q.Node()] = state[i]
		}
		w.Graph.Simulate(v)
		if !r.lawless {
			for _, l := range w.Constraints {
				alive &= aig.Value(v, l)
			}
		}
		if alive == 0 {
			return nil
		}
		for i, l := range w.Bad {
			// The trace is that of the first run in which the literal is high.
			if hit := aig.Value(v, l) & alive; hit != 0 && !r.lawless {
				return traceOf(i, hit&-hit, free, inputs)
			}
		}
		r.note(alive)
		for i, l := range w.Latches {
			state[i] = aig.Value(v, l.Next)
		}
	}
	return nil
}

// start draws the free values and returns the runs that may start with them, as a mask.
func (r *runs) start(rng *rand.Rand) uint64 {
	for _, l := range r.w.Free {
		r.v[l.Node()] = rng.Uint64()
	}
	r.w.Graph.Simulate(r.v)
	alive := ^uint64(0)
	for _, l := range r.w.Start {
		alive &= aig.Value(r.v, l)
	}
	if r.lawless {
		return ^uint64(0)
	}
	return alive
}

// inputs draws the inputs of a step.
func (r *runs) inputs(rng *rand.Rand) []uint64 {
	step := make([]uint64, len(r.w.Inputs))
	for i := range step {
		step[i] = rng.Uint64()
	}

	// Rare inputs are mostly low, or a reset would hide everything else.
	for _, i := range r.w.Rare {
		step[i] = random(rng, true)
	}
	for i, l := range r.w.Inputs {
		r.v[l.Node()] = step[i]
	}
	return step
}

// note mixes the values of this step into the signatures. The phase of a node is its first
// value, so inverse nodes get equal signatures.
func (r *runs) note(alive uint64) {
	if r.phase == nil {
		r.phase = make([]bool, len(r.v))
		for n, x := range r.v {
			r.phase[n] = x&(alive&-alive) != 0
		}
	}
	for m := alive; m != 0; m &= m - 1 {
		r.seen++
	}
	for n, x := range r.v {
		if r.phase[n] {
			x = ^x
		}

		// The product mixes low bits upwards, the shift high bits downwards.
		s := (r.signature[n] ^ x&alive) * 0x9e3779b97f4a7c15
		r.signature[n] = s ^ s>>29
	}
}

// traceOf returns one of the 64 runs as a trace.
func traceOf(bad int, run uint64, free []uint64, inputs [][]uint64) *aig.Trace {
	bools := func(words []uint64) []bool {
		list := make([]bool, len(words))
		for i, x := range words {
			list[i] = x&run != 0
		}
		return list
	}
	t := &aig.Trace{Bad: bad, Free: bools(free)}
	for _, step := range inputs {
		t.Inputs = append(t.Inputs, bools(step))
	}
	return t
}
