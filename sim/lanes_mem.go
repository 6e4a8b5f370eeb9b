package sim

import (
	"fmt"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim/internal/program"
)

// LaneMem is a handle of a memory in all lanes.
type LaneMem struct {
	l   *Lanes
	mem Mem
}

// Name returns the full name, as Signal.Name does.
func (m LaneMem) Name() string { return m.mem.Name() }

// Depth returns the number of words.
func (m LaneMem) Depth() int { return m.mem.Depth() }

// Width returns the bits of a word.
func (m LaneMem) Width() int { return m.mem.Width() }

// Type returns the display type of a word.
func (m LaneMem) Type() ir.Type { return m.mem.Type() }

func (m LaneMem) info() (*program.Memory, *ir.Memory) { return m.mem.info() }

// Mem returns the memory with a full name, like Sim.Mem.
func (l *Lanes) Mem(path string) (LaneMem, error) {
	m, err := l.one.Mem(path)
	return LaneMem{l, m}, err
}

// Read returns the word at addr in one lane, or 0 beyond the last word.
func (m LaneMem) Read(lane, addr int) bits.Value {
	at, _ := m.info()
	m.l.check(lane)
	if addr < 0 || addr >= at.Depth {
		return bits.Zero(at.Width)
	}
	return m.l.engine.readMem(int(m.mem.mem), addr, lane)
}

// Write changes the word at addr in one lane between steps. Errors: there is no such word; v has
// another width.
func (m LaneMem) Write(lane, addr int, v bits.Value) error {
	m.l.check(lane)
	at, _ := m.info()
	if addr < 0 || addr >= at.Depth {
		return fmt.Errorf("sim: memory %s has no word %d: its depth is %d", m.Name(), addr, at.Depth)
	}
	if v.Width() != at.Width {
		return fmt.Errorf("sim: %v is not of %d bits as words of memory %s are", v, at.Width, m.Name())
	}

	return m.l.engine.writeMem(int(m.mem.mem), addr, lane, v)
}
