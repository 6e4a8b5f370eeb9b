package host

import (
	"math"

	"etch/designs/replay"
	"etch/hw/axi"
)

// Bus reads and writes 32-bit words by byte address: a real one or, in simulation,
// testbench/axi's Master.
type Bus interface {
	Write(address uint64, data uint32) error
	Read(address uint64) (uint32, error)
}

// Driver drives the registers of a [replay.Accelerator]; transitions, updates and
// batches go by its streams.
type Driver struct {
	bus  Bus
	regs axi.Map
	err  error
}

// New is a driver for an accelerator with these parameters.
func New(bus Bus, a replay.Accelerator) *Driver { return &Driver{bus: bus, regs: a.Registers()} }

// Settings are those of [replay.Settings] as numbers.
type Settings struct {
	Alpha, Beta, Epsilon float64
	Least                uint32 // in LSBs; 0: the least of each batch
	MinFill              int
	Ratio, Tolerance     float64 // draws per insert, and draws; 0: no limit
}

// Counters count since the last ClearCounters, modulo 2^32.
type Counters struct{ Inserted, Sampled, Stale, Unfilled, Empty, Refused uint32 }

// write and read note the first error and do nothing after it.
func (d *Driver) write(name string, v uint32) {
	if d.err == nil {
		d.err = d.bus.Write(d.regs.Address(name), v)
	}
}

func (d *Driver) read(name string) (v uint32) {
	if d.err == nil {
		v, d.err = d.bus.Read(d.regs.Address(name))
	}
	return v
}

// done returns the first error since the last call.
func (d *Driver) done() error {
	err := d.err
	d.err = nil
	return err
}

// Set writes the settings. The error is the first of all writes.
func (d *Driver) Set(s Settings) error {
	// Exponents, ε, ratio and tolerance have 16 fraction bits.
	fixed := func(x float64) uint32 { return uint32(math.Round(x * (1 << 16))) }
	d.write("alpha", fixed(s.Alpha))
	d.write("beta", fixed(s.Beta))
	d.write("epsilon", fixed(s.Epsilon))
	d.write("least", s.Least)
	d.write("min_fill", uint32(s.MinFill))
	d.write("ratio", fixed(s.Ratio))
	d.write("tolerance", fixed(s.Tolerance))
	return d.done()
}

// Clear forgets all transitions.
func (d *Driver) Clear() error {
	d.write("clear", 1)
	return d.done()
}

// ClearCounters sets the counters to 0.
func (d *Driver) ClearCounters() error {
	d.write("clear_counters", 1)
	return d.done()
}

// Seed gives the generator a state; 0 has no effect.
func (d *Driver) Seed(state uint64) error {
	// The write of the low word sets the whole state.
	d.write("seed_high", uint32(state>>32))
	d.write("seed", uint32(state))
	return d.done()
}

// Filling is the number of filled slots, and the sum and the largest of priorities in
// LSBs.
func (d *Driver) Filling() (count int, sum, largest uint64, err error) {
	count = int(d.read("count"))
	sum = uint64(d.read("sum")) | uint64(d.read("sum_high"))<<32
	largest = uint64(d.read("max"))
	return count, sum, largest, d.done()
}

// Counters reads one counter after the other, so counts of a busy memory may differ by an
// operation.
func (d *Driver) Counters() (c Counters, err error) {
	c = Counters{d.read("inserted"), d.read("sampled"), d.read("stale"), d.read("unfilled"), d.read("empty"), d.read("refused")}
	return c, d.done()
}
