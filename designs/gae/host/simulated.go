package host

import (
	"context"

	"etch/designs/gae"
	"etch/designs/gae/model"
	"etch/hw"
	"etch/sim"
	"etch/testbench/axi"
)

// Simulated is an accelerator in cycle-accurate simulation, reached through its
// host port and its streams.
type Simulated struct {
	*Driver
	Sim     *sim.Sim
	bus     *axi.Master
	streams *simStreams
}

// Simulate builds an accelerator and resets it. Close it when it is done with.
func Simulate(s model.System) (*Simulated, error) {
	d, _, err := hw.Build(gae.Accelerator{System: s})
	if err != nil {
		return nil, err
	}
	run, err := sim.New(d)
	if err != nil {
		return nil, err
	}

	run.Reset()
	bus, err := axi.NewMaster(run, "s_axi")
	if err != nil {
		return nil, err
	}
	streams, err := newSimStreams(run)
	if err != nil {
		return nil, err
	}
	return &Simulated{Driver: NewStreaming(bus, streams, s), Sim: run, bus: bus, streams: streams}, nil
}

// Cycles is the number of cycles that host port and streams have taken so far.
func (s *Simulated) Cycles() uint64 { return s.bus.Cycles() + s.streams.cycles }

// Until has every transfer fail once ctx is done.
func (s *Simulated) Until(ctx context.Context) { s.streams.ctx = ctx }

// Close frees the simulator.
func (s *Simulated) Close() error { return s.Sim.Close() }

// NewEstimator is an estimator with this accelerator.
func (s *Simulated) NewEstimator() *Estimator {
	e := NewEstimator(s, s.system)
	e.Transfer = s.Cycles
	return e
}
