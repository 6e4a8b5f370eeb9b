package rv32i

import (
	"fmt"

	"etch/designs/examples/regfile"
	"etch/hw"
	"etch/hw/stream"
)

// OutAddress is where a store goes to the Out port.
const OutAddress = 0x80000000

// Core is the processor with its memory.
type Core struct {
	Words   int      // of memory, a power of two from 16
	Program []uint32 // first words of memory
}

// CorePorts are the ports of [Core].
type CorePorts struct {
	Out    stream.Stream[hw.UInt] // words stored at OutAddress; the core waits for Ready
	Halted hw.Bit                 // after ECALL, EBREAK or an illegal instruction
	PC     hw.UInt                // of the instruction being executed
}

// Validate checks the parameters.
func (c Core) Validate() error {
	if c.Words < 16 || c.Words > 1<<24 || c.Words&(c.Words-1) != 0 {
		return fmt.Errorf("Words = %d, want a power of two from 16 to %d", c.Words, 1<<24)
	}
	if len(c.Program) > c.Words {
		return fmt.Errorf("Program has %d words, memory %d", len(c.Program), c.Words)
	}
	return nil
}

// Ports gives the shapes and directions.
func (c Core) Ports() CorePorts {
	return CorePorts{
		Out:    hw.Out(stream.Of(hw.Unsigned(32))),
		Halted: hw.Out(hw.Bit{}),
		PC:     hw.Out(hw.Unsigned(32)),
	}
}

type phase string

const (
	boot phase = "boot" // fetch the first instruction
	exec phase = "exec" // an instruction has been fetched
	wait phase = "wait" // a loaded word has arrived
	halt phase = "halt" // for good
)

// Build describes the body.
func (c Core) Build(m *hw.Module, p CorePorts) {
	state := hw.Reg(m, "state", hw.EnumOf(boot, exec, wait, halt), hw.Val(boot))
	pc := hw.Reg(m, "pc", hw.Unsigned(32), hw.U(0))

	words := make([]uint64, len(c.Program))
	for i, w := range c.Program {
		words[i] = uint64(w)
	}
	ram := hw.Mem(m, "ram", c.Words, hw.Unsigned(32), hw.Contents(words...))
	fetch := ram.ReadPort(m, "fetch", hw.Old)
	read := ram.ReadPort(m, "read", hw.Old)
	word := func(addr hw.UInt) hw.UInt { return addr.Range(hw.AddressOf(c.Words).Width()+1, 2) }

	inst := fetch.Data
	d := hw.Inst(m, "decoder", Decoder{}, DecoderPorts{Inst: inst})
	rs := hw.Inst(m, "registers", regfile.RegFile{Regs: 32, Width: 32})
	rs.Read[0].Addr.Set(inst.Range(19, 15))
	rs.Read[1].Addr.Set(inst.Range(24, 20))
	x, y := rs.Read[0].Data, rs.Read[1].Data

	alu := hw.Inst(m, "alu", ALU{}, ALUPorts{
		Op: d.Ctrl.ALU,
		X:  hw.Mux(d.Ctrl.FromPC, pc, x),
		Y:  hw.Mux(d.Ctrl.FromImm, d.Imm, y),
	})

	class, funct3 := d.Ctrl.Class, inst.Range(14, 12)
	after := pc.Add(hw.U(4)).Named("pc_after")
	next := hw.Wire(m, "pc_next", hw.Like(pc), after)
	m.When(class.Is(Jump), func() { next.Set(hw.Cat(alu.Out.Range(31, 1), hw.U(0).Extend(1))) }).
		ElseWhen(class.Is(Branch).And(taken(funct3, x, y)), func() { next.Set(alu.Out) })

	// Stores: a word to Out, or bytes of a word to memory.
	addr := alu.Out
	toOut := addr.Eq(hw.U(OutAddress))
	p.Out.Send(state.Is(exec).And(class.Is(Store), toOut), y)
	stall := p.Out.Valid.AndNot(p.Out.Ready).Named("stall")

	w := rs.Write
	w.En.Set(hw.B(false))
	w.Addr.Set(inst.Range(11, 7))
	w.Data.Set(hw.Mux(class.Is(Jump), after, alu.Out))

	p.PC.Set(pc)
	p.Halted.Set(state.Is(halt))
	for s := range state.Cases() {
		switch s {
		case boot:
			fetch.Read(word(pc))
			state.Goto(exec)
		case exec:
			m.When(class.Is(System, Illegal), func() { state.Goto(halt) }).
				ElseWhen(class.Is(Load), func() {
					read.Read(word(addr))
					state.Goto(wait)
				}).
				ElseWhen(stall.Not(), func() {
					w.En.Set(d.Ctrl.WriteRd)
					m.When(class.Is(Store).AndNot(toOut), func() {
						data, lanes := storeLanes(funct3, addr, y)
						ram.WriteMask(word(addr), data, lanes)
					})
					pc.Set(next)
					fetch.Read(word(next))
				})
		case wait:
			w.En.Set(hw.B(true))
			w.Data.Set(loaded(funct3, addr, read.Data))
			pc.Set(after)
			fetch.Read(word(after))
			state.Goto(exec)
		case halt:
		}
	}
}

// taken is the condition of a branch.
func taken(funct3, x, y hw.UInt) hw.Bit {
	less := hw.Mux(funct3.Bit(1), x.Lt(y), x.AsSigned().Lt(y.AsSigned()))
	return hw.Mux(funct3.Bit(2), less, x.Eq(y)).Xor(funct3.Bit(0))
}

// storeLanes is the word to write and the bytes of it that a store changes.
func storeLanes(funct3, addr, y hw.UInt) (data, lanes hw.UInt) {
	at := addr.Trunc(2)
	data = y.ShlBy(hw.Cat(at, hw.U(0).Extend(3)))
	lanes = hw.Choose(funct3.Trunc(2), hw.U(15).Extend(4), map[int]hw.UInt{0: hw.U(1), 1: hw.U(3)}).ShlBy(at)
	return data, lanes
}

// loaded is the value of a load from the word that holds it.
func loaded(funct3, addr, word hw.UInt) hw.UInt {
	x := word.ShrBy(hw.Cat(addr.Trunc(2), hw.U(0).Extend(3)))
	part := func(width int) hw.UInt {
		low := x.Trunc(width)
		return hw.Mux(funct3.Bit(2), low.Extend(32), low.AsSigned().Extend(32).AsUnsigned())
	}
	return hw.Choose(funct3.Trunc(2), x, map[int]hw.UInt{0: part(8), 1: part(16)})
}

// Idle is a program that counts to a million, halts and puts out the count.
var Idle = []uint32{
	0x000f4537, // lui   a0, 0xf4
	0x24050513, // addi  a0, a0, 0x240
	0x00000593, // li    a1, 0
	0x00158593, // addi  a1, a1, 1
	0xfea59ee3, // bne   a1, a0, -4
	0x80000637, // lui   a2, 0x80000
	0x00b62023, // sw    a1, 0(a2)
	0x00000073, // ecall
}
