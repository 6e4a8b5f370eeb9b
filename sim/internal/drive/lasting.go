package drive

import (
	"etch/sim/native"
	"etch/sim/net"
)

// Code that lasts keeps values beside the state between calls. They stay valid while only inputs
// change, and while events of other clocks run that do not disturb it.

// effects is the state that an event of machine code reads and writes.
type effects struct {
	regs  map[uint32]bool // slots written
	wrote map[uint32]bool // memories written, by their places
	reads map[uint32]bool // memories read
}

// effectsOf lists registers and memories. A journal is left out, since no other code reads it.
func effectsOf(n *net.Net) effects {
	// A register whose next value is its own (Next < 0) is not written.
	e := effects{map[uint32]bool{}, map[uint32]bool{}, map[uint32]bool{}}
	for i := range n.Regs {
		if n.Regs[i].Next >= 0 {
			e.regs[uint32(n.Regs[i].Slot)] = true
		}
	}

	// The journal is read by no other code.
	for i := range n.Writes {
		if m := &n.Mems[n.Writes[i].Mem]; !m.Journal {
			e.wrote[m.At] = true
		}
	}
	for i := range n.N {
		if n.N[i].Op == net.Read {
			e.reads[n.Mems[n.N[i].Imm].At] = true
		}
	}
	return e
}

// common lists the registers that events with effects e and o both write. memory reports whether
// e writes a memory that o reads or writes.
func (e *effects) common(o *effects) (slots []uint32, memory bool) {
	for slot := range e.regs {
		if o.regs[slot] {
			slots = append(slots, slot)
		}
	}
	for m := range e.wrote {
		memory = memory || o.wrote[m] || o.reads[m]
	}
	return slots, memory
}

// freeScratch is the lowest number of scratch words that no clock set has.
func (s *Stepper) freeScratch() int {
	// Numbers of closed code are free again.
	taken := map[int]bool{}
	for _, b := range s.compiled {
		taken[b.own] = true
	}
	k := 1
	for taken[k] {
		k++
	}
	return k
}

// lasts reports whether the code keeps values between calls.
func (b *compiled) lasts() bool {
	l, ok := b.run.(native.Lasting)
	return ok && l.Lasts()
}

// disturb ends the validity of values that other code keeps, because b has run. Registers that b
// alone writes are no reason: the other code looks at them. From the first time on it looks at
// those that both write too.
func (s *Stepper) disturb(b *compiled) {
	// Running code is not given back, so a single one is b. This is all that most designs need, and
	// a walk through a map takes longer than an event of a small one.
	if len(s.compiled) <= 1 {
		return
	}

	// Only code that holds values of this Stepper's state are concerned.
	for _, o := range s.compiled {
		if o == b || o.of != s {
			continue
		}
		to, ok := o.beside[b]

		// At the first encounter the other code learns of the registers that both write. The values
		// that it keeps are void this once.
		if !ok {
			to.slots, to.memory = b.effects.common(&o.effects)
			if o.beside == nil {
				o.beside = map[*compiled]beside{}
			}
			o.beside[b] = to
			o.run.(native.Lasting).Share(to.slots)
			o.of = nil
		}

		// Code cannot tell which words of a memory have changed, so these values are void every
		// time.
		if to.memory {
			o.of = nil
		}
	}
}

// beside is the relation of one clock set's code to that of another whose events disturb it.
type beside struct {
	slots  []uint32 // registers that both write
	memory bool     // the other one writes a memory that this one reads or writes
}

// finish ends a run of calls of b.
func (s *Stepper) finish(b *compiled, c *caller) {
	s.disturb(b)

	if !b.lasts() {
		c.giveBack()
		b.of = nil
		return
	}

	// The mark lets the next call see whether others have changed the state in between.
	b.of, b.mark = s, s.moved
	if !c.again { // a writer of prints has changed the state
		b.of = nil
	}
}
