package lanes

import (
	"fmt"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
)

// Mem is a handle of a memory in all lanes.
type Mem struct {
	l   *Lanes
	mem sim.Mem
}

// Name returns the full name, as sim.Signal.Name does.
func (m Mem) Name() string { return m.mem.Name() }

// Depth returns the number of words.
func (m Mem) Depth() int { return m.mem.Depth() }

// Width returns the bits of a word.
func (m Mem) Width() int { return m.mem.Width() }

// Type returns the display type of a word.
func (m Mem) Type() ir.Type { return m.mem.Type() }

// Mem returns the memory with a full name, like Sim.Mem.
func (l *Lanes) Mem(path string) (Mem, error) {
	m, err := l.one.Mem(path)
	return Mem{l, m}, err
}

// Read returns the word at addr in one lane, or 0 beyond the last word.
func (m Mem) Read(lane, addr int) bits.Value {
	depth := m.Depth() // of the zero Mem, a panic that says so
	m.l.check(lane)
	if addr < 0 || addr >= depth {
		return bits.Zero(m.Width())
	}
	return m.l.engine.readMem(m.mem.Index(), addr, lane)
}

// Write changes the word at addr in one lane between steps. Errors: there is no such word; v has
// another width.
func (m Mem) Write(lane, addr int, v bits.Value) error {
	depth := m.Depth()
	m.l.check(lane)
	if addr < 0 || addr >= depth {
		return fmt.Errorf("sim: memory %s has no word %d: its depth is %d", m.Name(), addr, depth)
	}
	if v.Width() != m.Width() {
		return fmt.Errorf("sim: %v is not of %d bits as words of memory %s are", v, m.Width(), m.Name())
	}

	return m.l.engine.writeMem(m.mem.Index(), addr, lane, v)
}
