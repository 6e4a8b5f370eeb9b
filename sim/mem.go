package sim

import (
	"fmt"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim/internal/program"
)

// Mem is a handle of a memory. The zero value is none, and panics when used.
type Mem struct {
	s   *Sim
	mem int32
}

// info returns the memory in the program, and in its module. It panics for the zero Mem.
func (m Mem) info() (*program.Memory, *ir.Memory) {
	if m.s == nil {
		panic("sim: the zero Mem is no memory")
	}
	at := &m.s.m.P.Mems[m.mem]
	return at, &m.s.m.P.Mod(at.Inst).Mems[at.At]
}

// Name returns the full name, as Signal.Name does.
func (m Mem) Name() string {
	at, mem := m.info()
	return program.Join(m.s.m.P.Path(at.Inst), mem.Name)
}

// Index returns the number of the memory among all memories of the simulator, parents first.
func (m Mem) Index() int { return int(m.mem) }

// Depth returns the number of words.
func (m Mem) Depth() int { _, mem := m.info(); return mem.Depth }

// Width returns the bits of a word.
func (m Mem) Width() int { _, mem := m.info(); return mem.Width }

// Type returns the display type of a word.
func (m Mem) Type() ir.Type {
	at, mem := m.info()
	return m.s.m.P.Mod(at.Inst).TypeOf(mem.Type)
}

// Read returns the word at addr, or 0 beyond the last word, as in hardware.
func (m Mem) Read(addr int) bits.Value {
	at, _ := m.info()
	if addr < 0 || addr >= at.Depth {
		return bits.Zero(at.Width)
	}
	return m.s.m.ReadMem(m.mem, addr)
}

// Write changes the word at addr between steps. Errors: there is no such word; v has another
// width; large memories exceed [WithMemoryLimit].
func (m Mem) Write(addr int, v bits.Value) error {
	at, _ := m.info()
	if addr < 0 || addr >= at.Depth {
		return fmt.Errorf("sim: memory %s has no word %d: its depth is %d", m.Name(), addr, at.Depth)
	}
	if v.Width() != at.Width {
		return fmt.Errorf("sim: %v is not of %d bits as words of memory %s are", v, at.Width, m.Name())
	}

	if m.s.recording != nil {
		m.s.recording.write(m.mem, addr, v)
	}

	return m.s.m.WriteMem(m.mem, addr, v)
}
