// Package host is the software side of a replay memory.
package host

import (
	"fmt"

	"etch/designs/replay"
	"etch/designs/replay/model"
	"etch/hw"
	"etch/ir"
	"etch/sim"
)

// Tree is a [replay.Tree] in cycle-accurate simulation.
type Tree struct {
	Sim *sim.Sim

	valid, ready                         sim.Signal
	kind, index, generation, priority    sim.Signal
	stratum, strata, target              sim.Signal
	seeding, seed                        sim.Signal
	done                                 sim.Signal
	outIndex, outGeneration, outPriority sim.Signal
	sum, unfilled, stale, empty, beyond  sim.Signal
	count, max, filledSum                sim.Signal
	offered                              bool
}

// Simulate builds a tree and resets it. Close it when it is done with.
func Simulate(t replay.Tree, opts ...sim.Option) (*Tree, error) {
	d, _, err := hw.Build(t)
	if err != nil {
		return nil, err
	}
	return SimulateDesign(d, opts...)
}

// SimulateDesign is [Simulate] for a netlist with the ports of a [replay.Tree].
func SimulateDesign(d *ir.Design, opts ...sim.Option) (*Tree, error) {
	s, err := sim.New(d, opts...)
	if err != nil {
		return nil, err
	}
	t := &Tree{Sim: s}

	// The ports by name: the design may come from the generator or from its emitted Verilog, read
	// back.
	for name, to := range map[string]*sim.Signal{
		"op_valid": &t.valid, "op_ready": &t.ready, "op_data_kind": &t.kind, "op_data_index": &t.index,
		"op_data_generation": &t.generation, "op_data_priority": &t.priority, "op_data_stratum": &t.stratum,
		"op_data_strata": &t.strata, "op_data_target": &t.target, "seed_valid": &t.seeding, "seed_data": &t.seed,
		"result_valid": &t.done, "result_index": &t.outIndex, "result_generation": &t.outGeneration,
		"result_priority": &t.outPriority, "result_sum": &t.sum, "result_unfilled": &t.unfilled,
		"result_stale": &t.stale, "result_empty": &t.empty, "result_out_of_range": &t.beyond,
		"filling_count": &t.count, "filling_max": &t.max, "filling_sum": &t.filledSum,
	} {
		if *to, err = s.Signal(name); err != nil {
			return nil, err
		}
	}

	s.Reset()
	return t, nil
}

// Cycle offers an operation, or none, makes a cycle and reports whether the operation
// was taken, and the response that came before the clock's edge, if one did. Fields
// that the operation does not read are driven with anything.
func (t *Tree) Cycle(op *model.Operation) (taken bool, r model.Response, came bool) {
	if op != nil {
		t.offer(op)
	} else if t.offered {
		t.Sim.Set(t.valid, 0)
		t.offered = false
	}
	get := func(sig sim.Signal) bool { return t.Sim.Get(sig) != 0 }

	// The result of this cycle is there before the edge.
	if came = get(t.done); came {
		r = model.Response{
			Index: int(t.Sim.Get(t.outIndex)), Generation: uint8(t.Sim.Get(t.outGeneration)), Priority: t.Sim.Get(t.outPriority),
			Sum: t.Sim.Get(t.sum), Unfilled: get(t.unfilled), Stale: get(t.stale), Empty: get(t.empty), OutOfRange: get(t.beyond),
		}
	}

	taken = op != nil && get(t.ready)
	t.Sim.Step(1)
	return taken, r, came
}

func (t *Tree) offer(op *model.Operation) {
	s := t.Sim

	// valid stays high from one offer to the next.
	if !t.offered {
		s.Set(t.valid, 1)
		t.offered = true
	}

	s.Set(t.kind, uint64(op.Kind))
	switch op.Kind {
	case model.Insert:
		s.Set(t.priority, op.Priority)
	case model.Update:
		s.Set(t.index, uint64(op.Index))
		s.Set(t.generation, uint64(op.Generation))
		s.Set(t.priority, op.Priority)
	case model.Sample:
		s.Set(t.stratum, uint64(op.Stratum))
		s.Set(t.strata, uint64(op.Strata))
	case model.Find:
		s.Set(t.target, op.Target)
	}
}

// Seed gives the generator a state, in a cycle of its own.
func (t *Tree) Seed(state uint64) {
	t.Sim.Set(t.seeding, 1)
	t.Sim.Set(t.seed, state)
	t.Cycle(nil)
	t.Sim.Set(t.seeding, 0)
}

// Close frees the simulator.
func (t *Tree) Close() error { return t.Sim.Close() }

// drain is the number of cycles without a response after which [Tree.Run] gives up:
// more than the slowest form takes for an operation.
const drain = 10_000

// Run has a tree do operations as fast as it takes them, and gives each response to
// got, with the place of its operation. It returns the cycles from the first offer to
// the last response.
func (t *Tree) Run(ops []model.Operation, got func(i int, r model.Response) error) (cycles uint64, err error) {
	start, next, idle := t.Sim.Cycles(), 0, 0

	// An operation is offered in each cycle; a response belongs to the oldest operation without
	// one.
	for done := 0; done < len(ops); {
		var op *model.Operation
		if next < len(ops) {
			op = &ops[next]
		}
		taken, r, came := t.Cycle(op)
		if taken {
			next++
		}
		if idle++; came {
			if err := got(done, r); err != nil {
				return 0, err
			}
			done, idle = done+1, 0
			continue
		}

		if idle > drain {
			return 0, fmt.Errorf("no response to operation %d in %d cycles", done, drain)
		}
	}
	return t.Sim.Cycles() - start, nil
}
