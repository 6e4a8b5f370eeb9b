// Package host is the software side of the GAE accelerator: it loads vectors, runs
// a drain and fetches results through the registers of the host port.
//
//	d := host.New(bus, system)
//	place, ok, err := d.Push(vector) // its steps in time order; ok: there was room
//	cycles, err := d.Drain()
//	results, err := d.Fetch(place, len(vector))
//
// A bus is a real one or, in simulation, testbench/axi's Master.
package host

import (
	"fmt"

	"etch/designs/gae/model"
)

// Bus reads and writes 32-bit words by byte address.
type Bus interface {
	Write(address uint64, data uint32) error
	Read(address uint64) (uint32, error)
}

// Streams moves steps and results beside the registers, at up to one a cycle.
type Streams interface {
	// Send moves steps to the statistics, or to the vector that has begun.
	Send(steps []model.Sample, measure bool) error
	// Receive takes n results.
	Receive(n int) ([]model.Stored, error)
}

// Driver drives one accelerator.
type Driver struct {
	bus     Bus
	streams Streams // nil: all goes by registers
	system  model.System
	err     error
}

// New is a driver for an accelerator of this system, just reset. Steps and results
// go through registers, three to five accesses each.
func New(bus Bus, system model.System) *Driver { return &Driver{bus: bus, system: system} }

// NewStreaming is [New] with steps and results by streams.
func NewStreaming(bus Bus, streams Streams, system model.System) *Driver {
	return &Driver{bus: bus, streams: streams, system: system}
}

// write and read note the first error and do nothing after it.
func (d *Driver) write(r model.Register, v int64) {
	if d.err == nil {
		d.err = d.bus.Write(4*uint64(r), uint32(v))
	}
}

func (d *Driver) read(r model.Register) (v uint32) {
	if d.err == nil {
		v, d.err = d.bus.Read(4 * uint64(r))
	}
	return v
}

// done returns the first error since the last call.
func (d *Driver) done() error {
	err := d.err
	d.err = nil
	return err
}

// Load sets how samples are loaded.
func (d *Driver) Load(l model.Loading) error {
	// A norm is three registers in a row.
	for _, n := range []struct {
		at   model.Register
		norm model.Norm
	}{{model.RewardMean, l.Reward}, {model.ValueMean, l.Value}} {
		d.write(n.at, n.norm.Mean)
		d.write(n.at+1, n.norm.Mantissa)
		d.write(n.at+2, int64(n.norm.Shift))
	}
	d.write(model.DataShift, int64(l.Shift))
	return d.done()
}

// Set sets how stored steps are restored and results stored; the shift is that of
// Load.
func (d *Driver) Set(s model.Settings) error {
	d.write(model.RewardScale, s.RewardScale)
	d.write(model.RewardOffset, s.RewardOffset)
	d.write(model.ValueScale, s.ValueScale)
	d.write(model.ValueOffset, s.ValueOffset)
	d.write(model.DataShift, int64(s.Shift))
	d.write(model.AdvantageStep, int64(s.AdvantageStep))
	d.write(model.ReturnStep, int64(s.ReturnStep))
	return d.done()
}

// Settings reads how stored steps are restored and results stored.
func (d *Driver) Settings() (model.Loading, model.Settings, error) {
	// Signed registers come as 32 bits, sign-extended.
	signed := func(r model.Register) int64 { return int64(int32(d.read(r))) }
	norm := func(r model.Register) model.Norm {
		return model.Norm{Mean: signed(r), Mantissa: signed(r + 1), Shift: int(signed(r + 2))}
	}
	shift := int(d.read(model.DataShift))
	l := model.Loading{Reward: norm(model.RewardMean), Value: norm(model.ValueMean), Shift: shift}
	s := model.Settings{
		RewardScale: signed(model.RewardScale), RewardOffset: signed(model.RewardOffset),
		ValueScale: signed(model.ValueScale), ValueOffset: signed(model.ValueOffset),
		Shift: shift, AdvantageStep: int(d.read(model.AdvantageStep)), ReturnStep: int(d.read(model.ReturnStep)),
	}
	return l, s, d.done()
}

// Measure adds steps to the statistics.
func (d *Driver) Measure(steps []model.Sample) error {
	if d.streams != nil {
		return d.streams.Send(steps, true)
	}
	for _, x := range steps {
		d.write(model.RewardIn, x.Reward)
		d.write(model.ValueIn, x.Value)
		d.write(model.Measure, 0)
	}
	return d.done()
}

// Settle has the accelerator set means and scales by its statistics.
func (d *Driver) Settle() error {
	d.write(model.Settle, 0)
	return d.done()
}

// Clear clears the parts that the bits name.
func (d *Driver) Clear(bits int64) error {
	d.write(model.Clear, bits)
	return d.done()
}

// Push loads a vector, its steps in time order; the last one becomes a cut. ok is
// false where no row has room: drain first.
func (d *Driver) Push(vector []model.Sample) (p model.Place, ok bool, err error) {
	// The circuit chooses the row; the host learns it from the status.
	d.write(model.Begin, int64(len(vector)))
	switch status := d.read(model.Status); {
	case d.err == nil && status&model.OutOfSequence != 0:
		return p, false, fmt.Errorf("a vector was begun before the one before had all its steps; Clear(model.ClearCounters) gives that up")
	case d.err != nil || status&model.Fits == 0:
		return p, false, d.done()
	}

	p = model.Place{Row: int(d.read(model.RowOut)), Base: int(d.read(model.BaseOut))}

	// Steps go by the stream where there is one,
	if d.streams != nil {
		if err := d.done(); err != nil {
			return p, true, err
		}
		return p, true, d.streams.Send(vector, false)
	}

	// else by registers, whose values stay until the command that uses them.
	for _, x := range vector {
		d.write(model.RewardIn, x.Reward)
		d.write(model.ValueIn, x.Value)

		// Bit 0 of the command terminates, bit 1 cuts.
		flags := int64(0)
		if x.Cut && !x.Term {
			d.write(model.BootIn, x.Boot)
		}
		if x.Term {
			flags |= 1
		}
		if x.Cut {
			flags |= 2
		}
		d.write(model.PushStep, flags)
	}
	return p, true, d.done()
}

// Drain runs all that was loaded and returns the cycles from start to done.
func (d *Driver) Drain() (cycles int, err error) {
	// The host may not wait for an interrupt: it polls, which in simulation also makes the
	// clock go on.
	d.write(model.Start, 0)
	for d.err == nil {
		switch status := d.read(model.Status); {
		case status&model.BootOverflow != 0:
			d.err = fmt.Errorf("a row had more truncated vectors than the %d bootstrap values that its stack holds", d.system.Stack)
		case status&model.OutOfSequence != 0:
			d.err = fmt.Errorf("steps were pushed out of sequence")
		case status&model.Done != 0:
			return int(d.read(model.Cycles)), d.done()
		}
	}
	return 0, d.done()
}

// Fetch reads n results from a place on, in units of the settings' steps.
func (d *Driver) Fetch(p model.Place, n int) ([]model.Stored, error) {
	// By the stream a result takes one cycle; by registers two reads and a write.
	place := int64(p.Row)<<16 | int64(p.Base)
	if d.streams != nil && n > 0 {
		d.write(model.SendCount, int64(n))
		d.write(model.Send, place)
		if err := d.done(); err != nil {
			return nil, err
		}
		return d.streams.Receive(n)
	}

	out := make([]model.Stored, n)
	for i := range out {
		d.write(model.Fetch, place+int64(i))
		out[i].Advantage = int64(int32(d.read(model.AdvantageOut)))
		out[i].Return = int64(int32(d.read(model.ReturnOut)))
	}
	return out, d.done()
}

// Counters are the saturated numbers since the last Clear.
func (d *Driver) Counters() (l model.LoadClips, c model.Clips, err error) {
	for _, x := range []struct {
		at model.Register
		to *int
	}{
		{model.ClippedReward, &l.Reward}, {model.ClippedValue, &l.Value}, {model.ClippedBoot, &l.Boot},
		{model.ClippedData, &c.Value}, {model.ClippedDelta, &c.Delta}, {model.ClippedAdvantage, &c.Advantage},
		{model.ClippedReturn, &c.Return}, {model.ClippedStoredAdvantage, &c.StoredAdvantage}, {model.ClippedStoredReturn, &c.StoredReturn},
	} {
		*x.to = int(d.read(x.at))
	}
	return l, c, d.done()
}
