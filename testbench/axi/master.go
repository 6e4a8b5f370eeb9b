// Package axi drives the AXI4-Lite port of a design that is being simulated, as a
// processor would.
//
//	host, err := axi.NewMaster(s, "s_axi") // s is a *sim.Sim
//	err = host.Write(0x10, 7)
//	v, err := host.Read(0x14)
//
// It imports sim only, so that programs can use it as well as tests.
package axi

import (
	"errors"
	"fmt"

	"etch/sim"
)

// Limit is the number of cycles that an access may take.
const Limit = 1 << 20

// Master makes one access at a time.
type Master struct {
	s       *sim.Sim
	step    func()
	cycles  uint64
	signals map[string]sim.Signal
}

// The signals of the bus, inputs of the slave first.
var (
	inputs  = []string{"awaddr", "awprot", "awvalid", "wdata", "wstrb", "wvalid", "bready", "araddr", "arprot", "arvalid", "rready"}
	outputs = []string{"awready", "wready", "bresp", "bvalid", "arready", "rdata", "rresp", "rvalid"}
)

// NewMaster takes over the bus whose signals are called prefix_awaddr and so on.
func NewMaster(s *sim.Sim, prefix string) (*Master, error) {
	m := &Master{s: s, signals: map[string]sim.Signal{}}
	m.step = func() { s.Step(1) }
	for _, name := range append(append([]string(nil), inputs...), outputs...) {
		sig, err := s.Signal(prefix + "_" + name)
		if err != nil {
			return nil, err
		}
		m.signals[name] = sig
	}
	return m, nil
}

// StepBy has each cycle of the bus made by step, for designs of several clocks.
func (m *Master) StepBy(step func()) { m.step = step }

// Cycles is the number of cycles that all accesses together took.
func (m *Master) Cycles() uint64 { return m.cycles }

func (m *Master) set(name string, v uint64) error { return m.s.Set(m.signals[name], v) }

func (m *Master) get(name string) uint64 { return m.s.Get(m.signals[name]) }

// Write stores a word at a byte address. The error says that the slave refused it,
// or did not answer within Limit cycles.
func (m *Master) Write(address uint64, data uint32) error {
	if err := m.set("awaddr", address); err != nil {
		return err
	}
	if err := errors.Join(m.set("wdata", uint64(data)), m.set("wstrb", 15)); err != nil {
		return err
	}
	_, err := m.access([]string{"aw", "w"}, "b")
	if err != nil {
		return fmt.Errorf("write to %#x: %w", address, err)
	}
	return nil
}

// Read loads a word from a byte address.
func (m *Master) Read(address uint64) (data uint32, err error) {
	if err := m.set("araddr", address); err != nil {
		return 0, err
	}
	data, err = m.access([]string{"ar"}, "r")
	if err != nil {
		return 0, fmt.Errorf("read of %#x: %w", address, err)
	}
	return data, nil
}

// access offers on some channels and waits for the answer on another.
func (m *Master) access(offered []string, answer string) (data uint32, err error) {
	for _, channel := range offered {
		err = errors.Join(err, m.set(channel+"valid", 1))
	}
	if err = errors.Join(err, m.set(answer+"ready", 1)); err != nil {
		return 0, err
	}
	for range Limit {
		var taken, left []string
		for _, channel := range offered {
			if m.get(channel+"ready") != 0 {
				taken = append(taken, channel)
			} else {
				left = append(left, channel)
			}
		}
		done, code := m.get(answer+"valid") != 0, m.get(answer+"resp")
		if done && answer == "r" {
			data = uint32(m.get("rdata"))
		}
		m.step()
		m.cycles++
		for _, channel := range taken {
			err = errors.Join(err, m.set(channel+"valid", 0))
		}
		if offered = left; !done && err == nil {
			continue
		}
		if code != 0 {
			err = errors.Join(err, fmt.Errorf("the slave answers %d", code))
		}
		return data, errors.Join(err, m.set(answer+"ready", 0))
	}
	return 0, fmt.Errorf("no answer in %d cycles", Limit)
}
