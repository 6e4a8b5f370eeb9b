package bench

import (
	"etch/designs/examples/rv32i"
	"etch/hw"
)

// RV32I is the processor of examples/rv32i with an endless program: sorting,
// CRC, sieve, multiplication.
type RV32I struct{}

func (RV32I) Ports() Ports { return ports() }

// Build describes the body: whatever the core puts out is taken at once.
func (RV32I) Build(m *hw.Module, p Ports) {
	core := hw.Inst(m, "core", core(m))
	core.Out.Ready.Set(hw.High)
	fold(m, p, seen(core))
}

// core is the processor with the program.
func core(m *hw.Module) rv32i.Core {
	words, err := program()
	if err != nil {
		m.Errorf("param", "program.asm: %v", err)
	}
	return rv32i.Core{Words: memoryWords, Program: words}
}

// seen is the observation of a core in a cycle: its address and its output.
func seen(core rv32i.CorePorts) hw.UInt {
	out := hw.Mux(core.Out.Fire(), core.Out.Data, hw.U(0))
	return hw.Cat(core.PC, out)
}
