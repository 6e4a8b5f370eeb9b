package host

import (
	"errors"
	"fmt"
	"math"
	"slices"

	learner "etch/designs/learner/model"
	"etch/designs/rl"
	"etch/hw/axi"
)

// Bus reads and writes 32-bit words by byte address.
type Bus interface {
	Write(address uint64, data uint32) error
	Read(address uint64) (uint32, error)
}

// Waiter is a bus that can let time pass: a driver that knows how long something takes
// asks for it instead of polling all the time.
type Waiter interface{ Wait(cycles int) }

// Settings are the settings of the replay memory; [Default] are the system's after reset.
type Settings struct {
	Alpha, Beta, Epsilon float64 // 0 to 1
	Plain                bool    // draws without strata
	Tau                  int64   // of soft targets, U1.16: 0 to 65536, which is 1
}

// Default are the settings after reset.
func Default() Settings { return Settings{Alpha: 0.6, Beta: 0.4, Epsilon: 0.01} }

// Counters count since the last ClearCounters, modulo 2^32.
type Counters struct {
	Steps, Inserted, Stale, Lost uint32
	Draw, Learn, Update, Act     uint32 // cycles
}

// driver drives the registers of a system, whatever its learner. It keeps the first error and does
// nothing after it; the next Step returns it.
type driver struct {
	bus       Bus
	at        map[string]uint64 // addresses
	err       error
	step, act int            // cycles to wait before the first look
	insertion int            // of an insert that takes long, else 0
	number    learner.Number // activations
	elements  int            // of the register of weights
	state     []int64        // the observation in the circuit, nil: not known
	values    []int64
}

// newDriver is a driver for answers of so many codes.
func newDriver(bus Bus, regs axi.Map, step, act, insertion int, number learner.Number, answers int, nets ...layout) driver {
	d := driver{bus: bus, at: map[string]uint64{}, step: step, act: act, insertion: insertion, number: number, values: make([]int64, answers)}
	for _, x := range nets {
		d.elements = max(d.elements, x.elements())
	}

	// A register is a word of 32 bits, in the order of the map.
	for i, r := range regs {
		d.at[r.Name] = uint64(4 * i)
	}
	return d
}

// insertion is the number of cycles of an insert, if it takes so long that a driver has to
// wait for it, else 0.
func insertion(m rl.Memory, cycles int) int {
	if m.Horizon < 2 {
		return 0
	}
	return cycles
}

func (d *driver) write(name string, v uint32) {
	if d.err == nil {
		d.err = d.bus.Write(d.at[name], v)
	}
}

func (d *driver) read(name string) (v uint32) {
	if d.err == nil {
		v, d.err = d.bus.Read(d.at[name])
	}
	return v
}

// code writes a raw activation.
func (d *driver) code(name string, v int64) { d.write(name, uint32(d.number.Code(v))) }

// Set writes the settings. The error is the first of all accesses so far.
func (d *driver) Set(s Settings) error {
	// Exponents and ε have 16 fraction bits.
	fixed := func(x float64) uint32 { return uint32(math.Round(x * (1 << 16))) }
	d.write("alpha", fixed(s.Alpha))
	d.write("beta", fixed(s.Beta))
	d.write("epsilon", fixed(s.Epsilon))

	plain := uint32(0)
	if s.Plain {
		plain = 1
	}
	d.write("plain", plain)
	d.write("tau", uint32(s.Tau))
	return d.err
}

// Seed gives the draws' generator a state; 0 has no effect.
func (d *driver) Seed(state uint64) error {
	d.write("seed_high", uint32(state>>32))
	d.write("seed", uint32(state))
	return d.err
}

// Clear forgets all transitions.
func (d *driver) Clear() error {
	d.write("clear", 1)
	return d.err
}

// Counters reads one counter after the other. The error is the first of all accesses so far.
func (d *driver) Counters() (c Counters, err error) {
	c = Counters{
		d.read("steps"), d.read("inserted"), d.read("stale"), d.read("lost"),
		d.read("cycles_draw"), d.read("cycles_learn"), d.read("cycles_update"), d.read("cycles_act"),
	}
	return c, d.err
}

// Saturated reads how many values did not fit their formats since the reset, modulo 2^32. It
// is an error of a learner that does not count them.
func (d *driver) Saturated() (n learner.Saturations, err error) {
	if _, counted := d.at["saturated_weight"]; !counted {
		return n, errors.New("the learner does not count its saturations; learner.count makes it")
	}
	n.Weight, n.Activation, n.Gradient = uint64(d.read("saturated_weight")), uint64(d.read("saturated_activation")), uint64(d.read("saturated_gradient"))
	return n, d.err
}

// ClearCounters sets the counters to 0.
func (d *driver) ClearCounters() error {
	d.write("clear_counters", 1)
	return d.err
}

// wait lets the cycles pass that something takes, then looks until the system is free.
func (d *driver) wait(cycles int) (status uint32) {
	if w, ok := d.bus.(Waiter); ok && d.err == nil {
		w.Wait(cycles)
	}

	for range maxLooks {
		if status = d.read("status"); d.err != nil || status&rl.StatusBusy == 0 {
			return status
		}
	}
	d.err = fmt.Errorf("the system is still busy after %d looks at its status", maxLooks)
	return status
}

// maxLooks at the status end a wait: many steps of the slowest learner.
const maxLooks = 1 << 24

// see writes the present observation, if it is another than the circuit has.
func (d *driver) see(x []int64) {
	if !slices.Equal(d.state, x) {
		d.observe("state", x)
		d.state = slices.Clone(x)
	}
}

// ask has the circuit act.
func (d *driver) ask(observation []int64) {
	d.see(observation)
	d.write("act", 1)
	d.wait(d.act)
}

// answer reads the answer to act.
func (d *driver) answer() []int64 {
	for i := range d.values {
		d.write("select", uint32(i))
		d.values[i] = d.number.Decode(uint64(d.read("value")))
	}
	return d.values
}

// Err is the first error, which stays.
func (d *driver) Err() error { return d.err }

// Forget has the driver write the next observation whatever the last one was.
func (d *driver) Forget() { d.state = nil }

// observe writes codes in order to one register.
func (d *driver) observe(name string, x []int64) {
	for _, v := range x {
		d.code(name, v)
	}
}

// insert stores a transition whose action is written already.
func (d *driver) insert(t *learner.Transition) {
	// The circuit makes the next observation the present one, so the driver knows it.
	d.code("reward", t.Reward)
	d.write("discount", uint32(t.Discount))
	d.observe("next", t.Next)
	d.write("insert", 1)
	d.state = slices.Clone(t.Next)

	if d.insertion > 0 {
		d.wait(d.insertion)
	}
}

// End says that an episode is over. Where transitions are joined to returns of several
// steps, transitions that wait for more are stored; otherwise nothing happens.
func (d *driver) End() error {
	if d.insertion > 0 {
		d.write("end", 1)
		d.wait(d.insertion)
	}
	return d.err
}

// steps makes gradient steps; with synchronise the target becomes the online network at
// the end of the first.
func (d *driver) steps(n int, synchronise bool) error {
	if n < 1 || n >= 1<<16 {
		return fmt.Errorf("%d steps at once; 1 to %d", n, 1<<16-1)
	}

	// The request to synchronise is kept by the circuit until the step's end.
	if synchronise {
		d.write("synchronise", 1)
	}
	d.write("step", uint32(n))
	status := d.wait(n * d.step)

	// A draw from nothing gives the steps up; a lost command is a mistake of this driver.
	lost := d.read("lost")
	switch {
	case d.err != nil:
		return d.err
	case status&rl.StatusEmpty != 0:
		d.err = errors.New("a draw from an empty memory")
	case lost != 0:
		d.err = fmt.Errorf("%d commands came at the wrong time", lost)
	}
	return d.err
}

// place names a word of weights.
func (d *driver) place(layer, word, part int) {
	d.write("layer", uint32(layer))
	d.write("word", uint32(word))
	d.write("part", uint32(part))
}
