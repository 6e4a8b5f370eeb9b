package host

import (
	"context"
	"errors"
	"fmt"

	"etch/designs/gae/model"
	"etch/sim"
	"etch/testbench/axi"
)

// simStreams are the streams of an accelerator in simulation.
type simStreams struct {
	s      *sim.Sim
	cycles uint64          // of all transfers
	ctx    context.Context // ends a transfer, unless nil

	valid, ready, measure    sim.Signal // of steps
	reward, value, boot      sim.Signal
	term, cut                sim.Signal
	outValid, outReady, last sim.Signal // of results
	advantage, returned      sim.Signal
}

func newSimStreams(s *sim.Sim) (*simStreams, error) {
	x := &simStreams{s: s}
	for _, sig := range []struct {
		name string
		to   *sim.Signal
	}{
		{"steps_valid", &x.valid}, {"steps_ready", &x.ready}, {"steps_data_measure", &x.measure},
		{"steps_data_reward", &x.reward}, {"steps_data_value", &x.value}, {"steps_data_boot", &x.boot},
		{"steps_data_term", &x.term}, {"steps_data_cut", &x.cut},
		{"results_valid", &x.outValid}, {"results_ready", &x.outReady}, {"results_data_last", &x.last},
		{"results_data_advantage", &x.advantage}, {"results_data_return", &x.returned},
	} {
		var err error
		if *sig.to, err = s.Signal(sig.name); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// step makes a cycle.
func (x *simStreams) step() {
	x.s.Step(1)
	x.cycles++
}

// Send implements [Streams].
func (x *simStreams) Send(steps []model.Sample, measure bool) error {
	bit := func(b bool) uint64 {
		if b {
			return 1
		}
		return 0
	}

	// A sample stands until the circuit takes it.
	for _, sample := range steps {
		err := errors.Join(x.s.Set(x.valid, 1), x.s.Set(x.measure, bit(measure)),
			x.s.SetInt(x.reward, sample.Reward), x.s.SetInt(x.value, sample.Value), x.s.SetInt(x.boot, sample.Boot),
			x.s.Set(x.term, bit(sample.Term)), x.s.Set(x.cut, bit(sample.Cut)))
		if err != nil {
			return err
		}
		if err := x.wait(x.ready, func() {}); err != nil {
			return fmt.Errorf("stream of steps: %w", err)
		}
	}
	return x.s.Set(x.valid, 0)
}

// Receive implements [Streams].
func (x *simStreams) Receive(n int) ([]model.Stored, error) {
	out := make([]model.Stored, n)
	if err := x.s.Set(x.outReady, 1); err != nil {
		return nil, err
	}

	// The circuit marks the last result that it was asked for. A mark in another place shows that
	// the two sides count differently.
	for i := range out {
		last := false
		err := x.wait(x.outValid, func() {
			out[i].Advantage, out[i].Return = x.s.GetInt(x.advantage), x.s.GetInt(x.returned)
			last = x.s.Get(x.last) != 0
		})
		switch {
		case err != nil:
			return nil, fmt.Errorf("stream of results: %w", err)
		case last != (i == n-1):
			return nil, fmt.Errorf("stream of results: of %d, number %d is marked last: %v", n, i+1, last)
		}
	}
	return out, x.s.Set(x.outReady, 0)
}

// wait makes cycles until the handshake's other side is high, and there is called before
// that cycle ends, which is the last.
func (x *simStreams) wait(other sim.Signal, there func()) error {
	if x.ctx != nil && x.ctx.Err() != nil {
		return x.ctx.Err()
	}

	// Handshake and data are read before the clock edge.
	for range axi.Limit {
		moves := x.s.Get(other) != 0
		if moves {
			there()
		}
		x.step()
		if moves {
			return nil
		}
	}
	return fmt.Errorf("nothing moves in %d cycles", axi.Limit)
}
