package equiv

import (
	"fmt"
	"io"

	"etch/ir"
	"etch/ir/bits"
	"etch/passes"
	"etch/passes/aig"
	"etch/sim"
	"etch/sim/dump"
)

// replay runs a trace on the simulator.
type replay struct {
	p      *problem
	t      *aig.Trace
	d      *ir.Design // the design that runs: the problem's, flat if it has black boxes
	s      *sim.Sim
	box    []bits.Value // by input of the circuit: present outputs of black boxes
	failed []sim.Failure
	clocks []sim.Signal
	plan   plan
	began  uint64   // time at which the trace began
	v      []uint64 // values of the system's leaves that have one value for a run
}

// run replays a trace, checks that it ends as the prover says, and describes it. An error means
// that the simulator does not agree: a mistake in etch.
func (p *problem) run(t *aig.Trace) (*Counterexample, error) {
	r := &replay{p: p, t: t, d: p.design, box: make([]bits.Value, len(p.circuit.Inputs)), v: make([]uint64, p.sys.Graph.Len())}
	for i, l := range p.sys.Free {
		r.v[l.Node()] = high(t.Free[i])
	}
	if len(p.models) > 0 {
		p.sys.Graph.Simulate(r.v) // starts of kept words follow from their addresses
	}
	if err := r.begin(); err != nil {
		return nil, err
	}
	var file dump.Writer
	if p.o.dump != "" {
		var err error
		if file, err = dump.Create(p.o.dump); err != nil {
			return nil, err
		}
		if err := r.s.Trace(file); err != nil {
			return nil, err
		}
	}
	c, err := r.cycles()

	// The file is closed after a failed run as well.
	if file != nil {
		if e := file.Close(); err == nil {
			err = e
		}
	}
	return c, err
}

// high returns a bool as a number.
func high(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// value returns the value of a word of the system's graph, given the values of its leaves.
func value(v []uint64, w aig.Word) bits.Value {
	x := bits.Zero(len(w))
	for i, l := range w {
		if aig.Value(v, l)&1 == 1 {
			x = x.SetBit(i, 1)
		}
	}
	return x
}

// begin makes the simulator. Black boxes get models whose outputs come from the trace; for that
// each instance has a module of its own.
func (r *replay) begin() error {
	// The interpreter is the reference for all engines.
	opts := []sim.Option{sim.WithEngine(sim.Interpreter), sim.WithOutput(io.Discard)}
	boxes := false
	for _, in := range r.p.circuit.Inputs {
		boxes = boxes || in.Box != ""
	}
	if boxes {
		for i, in := range r.p.circuit.Inputs {
			r.box[i] = bits.Zero(len(in.Bits))
		}
		r.d = r.d.Clone()
		if _, err := passes.Flatten(r.d); err != nil {
			return err
		}
		opts = append(opts, r.models()...)
	}

	s, err := sim.New(r.d, opts...)
	if err != nil {
		return err
	}
	r.s = s
	s.OnFailure(func(f sim.Failure) { r.failed = append(r.failed, f) })
	for _, c := range r.p.circuit.Clocks {
		sig, err := s.Signal(c.Name)
		if err != nil {
			return err
		}
		r.clocks = append(r.clocks, sig)
	}
	return nil
}

// models gives each black box of the flat design a module of its own and a model.
func (r *replay) models() (opts []sim.Option) {
	top := r.d.Top

	// The flat design has the boxes and the top only.
	r.d.Modules = nil
	for i := range top.Insts {
		inst := &top.Insts[i]
		own := *inst.Mod
		own.Name = fmt.Sprintf("box_%d", i)
		inst.Mod = &own
		r.d.Modules = append(r.d.Modules, &own)
		play := &player{}
		for j, in := range r.p.circuit.Inputs {
			if in.Box == inst.Name {
				play.outs = append(play.outs, &r.box[j])
			}
		}
		opts = append(opts, sim.WithModel(own.Name, func() sim.Model { return play }))
	}
	r.d.Modules = append(r.d.Modules, top)
	return opts
}

// player is the model of a black box whose outputs are set from outside. They depend on no
// input.
type player struct{ outs []*bits.Value }

// Eval returns the present outputs.
func (p *player) Eval(_, out []bits.Value) {
	for i, v := range p.outs {
		out[i] = *v
	}
}

// Tick does nothing.
func (p *player) Tick(int, []bits.Value) {}

// Depends says that no output depends on an input.
func (p *player) Depends(_, _ int) bool { return false }

// cycles runs the reset and the trace, and examines the last cycle.
func (r *replay) cycles() (*Counterexample, error) {
	first := true

	// The state of power-up is set after the first inputs: an asynchronous reset would change it
	// before.
	step := func(inputs []aig.Word, v []uint64) error {
		for i, in := range r.p.circuit.Inputs {
			if err := r.set(i, in, value(v, inputs[i])); err != nil {
				return err
			}
		}
		if first {
			first = false
			return r.powerUp()
		}
		return nil
	}

	for _, inputs := range r.p.resets {
		if err := step(inputs, r.v); err != nil {
			return nil, err
		}
		r.s.TickAll(r.clocks...)
	}

	c := &Counterexample{Cycle: len(r.t.Inputs) - 1, Edges: r.p.circuit.Falls(), Resets: len(r.p.resets), bad: r.p.bads[r.t.Bad]}
	w, err := r.wave()
	if err != nil {
		return nil, err
	}

	steps := r.timetable()
	r.began = r.s.Time()
	for at := range r.t.Inputs {
		if err := step(r.p.inputs, steps[at]); err != nil {
			return nil, err
		}
		if at == len(r.t.Inputs)-1 {
			if err := r.look(c); err != nil {
				return nil, err
			}
		}

		// Failures of earlier edges do not count.
		r.failed = r.failed[:0]
		r.edges(at)
	}

	// Describe the run.
	if w != nil {
		c.Wave = w.String()
	}

	if c.bad.out != nil {
		c.Apart = r.p.apart()
	}
	return c, r.confirm(c)
}

// set sets an input of the top or an output of a black box.
func (r *replay) set(i int, in aig.Signal, v bits.Value) error {
	if in.Box != "" {
		r.box[i] = v
		return nil
	}
	sig, err := r.s.Signal(in.Name)
	if err != nil {
		return err
	}
	return r.s.SetBits(sig, v)
}
