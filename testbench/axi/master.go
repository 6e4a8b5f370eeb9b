// Package axi drives the AXI4-Lite port of a simulated design, as a processor would.
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
	s      *sim.Sim
	step   func()
	cycles uint64
	stuck  access // the one that was not answered, of no verb while all were

	awaddr, wdata, wstrb, araddr sim.Signal
	awprot, arprot               sim.Signal // stay 0
	bresp, rdata, rresp          sim.Signal
	aw, w, b, ar, r              channel
}

// access names an access in errors.
type access struct {
	verb    string // write to, read of
	address uint64
}

func (a access) String() string { return fmt.Sprintf("%s %#x", a.verb, a.address) }

// channel is the handshake of a channel.
type channel struct{ valid, ready sim.Signal }

// NewMaster takes over the bus whose signals are called prefix_awaddr and so on.
func NewMaster(s *sim.Sim, prefix string) (*Master, error) {
	m := &Master{s: s, step: func() { s.Step(1) }}

	// All signals of AXI4-Lite must be there, also those that the Master leaves at 0.
	for _, x := range []struct {
		name string
		to   *sim.Signal
	}{
		{"awaddr", &m.awaddr}, {"awprot", &m.awprot}, {"awvalid", &m.aw.valid}, {"awready", &m.aw.ready},
		{"wdata", &m.wdata}, {"wstrb", &m.wstrb}, {"wvalid", &m.w.valid}, {"wready", &m.w.ready},
		{"bresp", &m.bresp}, {"bvalid", &m.b.valid}, {"bready", &m.b.ready},
		{"araddr", &m.araddr}, {"arprot", &m.arprot}, {"arvalid", &m.ar.valid}, {"arready", &m.ar.ready},
		{"rdata", &m.rdata}, {"rresp", &m.rresp}, {"rvalid", &m.r.valid}, {"rready", &m.r.ready},
	} {
		var err error
		if *x.to, err = s.Signal(prefix + "_" + x.name); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// StepBy makes each cycle of the bus a call of step, for designs of several clocks.
func (m *Master) StepBy(step func()) { m.step = step }

// Cycles returns the number of cycles of all accesses together.
func (m *Master) Cycles() uint64 { return m.cycles }

// Write stores a word at a byte address. Errors: the slave refused it, or did not answer within
// Limit cycles. AXI forbids withdrawing an offer, so that the offers of an access without an answer
// stay, and later accesses are errors at once: the simulation must start again, with a new Master.
func (m *Master) Write(address uint64, data uint32) error {
	a := access{"write to", address}
	if err := m.free(a); err != nil {
		return err
	}

	// A strobe of 15 writes all four bytes.
	err := errors.Join(m.s.Set(m.awaddr, address), m.s.Set(m.wdata, uint64(data)), m.s.Set(m.wstrb, 15))
	if err != nil {
		return err
	}

	// Address and data are offered together, as a slave may wait for one before it takes the other.
	_, err = m.perform(a, m.b, m.bresp, m.aw, m.w)
	return err
}

// Read loads a word from a byte address. Errors: as of Write.
func (m *Master) Read(address uint64) (data uint32, err error) {
	a := access{"read of", address}
	if err := m.free(a); err != nil {
		return 0, err
	}
	if err := m.s.Set(m.araddr, address); err != nil {
		return 0, err
	}
	return m.perform(a, m.r, m.rresp, m.ar)
}

// free reports whether an access may begin: an address must not change under a standing offer.
func (m *Master) free(a access) error {
	if m.stuck.verb != "" {
		return fmt.Errorf("%v: the %v was not answered: the bus is stuck", a, m.stuck)
	}
	return nil
}

// perform is exchange with errors that name the access, and remembers one that is not answered.
func (m *Master) perform(a access, answer channel, response sim.Signal, offered ...channel) (uint32, error) {
	data, err := m.exchange(answer, response, offered...)
	if errors.Is(err, errNoAnswer) {
		m.stuck = a
	}
	if err != nil {
		return 0, fmt.Errorf("%v: %w", a, err)
	}
	return data, nil
}

var errNoAnswer = fmt.Errorf("no answer in %d cycles", Limit)

// exchange offers on some channels and waits for the answer on another; data is the value of rdata
// at that moment.
func (m *Master) exchange(answer channel, response sim.Signal, offered ...channel) (data uint32, err error) {
	for _, c := range offered {
		err = errors.Join(err, m.s.Set(c.valid, 1))
	}

	if err = errors.Join(err, m.s.Set(answer.ready, 1)); err != nil {
		return 0, err
	}

	for range Limit {
		// Channels taken in this cycle move to the front of offered, and are withdrawn after the
		// edge.
		taken := 0 // channels at the front of offered
		for i, c := range offered {
			if m.s.Get(c.ready) != 0 {
				offered[taken], offered[i] = c, offered[taken]
				taken++
			}
		}

		// The answer is read before the edge that takes it.
		done, code := m.s.Get(answer.valid) != 0, m.s.Get(response)
		if done {
			data = uint32(m.s.Get(m.rdata))
		}

		m.step()
		m.cycles++

		// A handshake ends with the edge: an offer that stayed would be a second access.
		for _, c := range offered[:taken] {
			err = errors.Join(err, m.s.Set(c.valid, 0))
		}
		if offered = offered[taken:]; !done && err == nil {
			continue
		}

		// 0 is OKAY; any other response is an error.
		if code != 0 {
			err = errors.Join(err, fmt.Errorf("the slave answers %d", code))
		}
		return data, errors.Join(err, m.s.Set(answer.ready, 0))
	}
	return 0, errNoAnswer
}
