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
	Words   int      `help:"words of memory, 32 bits each" range:"16..2^24, a power of two"`
	Program []uint32 `help:"the first words of memory: instructions"`
}

type CorePorts struct {
	Out    stream.Stream[hw.UInt] `dir:"out"` // words stored at OutAddress; the core waits for Ready
	Halted hw.Bit                 `dir:"out"` // after ECALL, EBREAK or an illegal instruction
	PC     hw.UInt                `dir:"out"` // of the instruction being executed
}

func (c Core) Validate() error {
	if len(c.Program) > c.Words {
		return fmt.Errorf("Program has %d words, memory %d", len(c.Program), c.Words)
	}
	return nil
}

func (c Core) Ports() CorePorts {
	return CorePorts{Out: stream.Of(hw.Unsigned(32)), PC: hw.Unsigned(32)}
}

type phase string

const (
	boot phase = "boot" // fetch the first instruction
	exec phase = "exec" // an instruction has been fetched
	wait phase = "wait" // a loaded word has arrived
	halt phase = "halt" // for good
)

// datapath holds the signals that execute an instruction.
type datapath struct {
	state hw.Enum[phase]
	pc    hw.UInt // of the instruction
	after hw.UInt // of the one behind it
	next  hw.UInt // of the one to execute next
	inst  hw.UInt
	class hw.Enum[Class]
	write hw.Bit  // the instruction has a result
	y     hw.UInt // second register
	addr  hw.UInt // the ALU's result
	toOut hw.Bit  // it is OutAddress

	ram   *hw.Memory[hw.UInt]
	fetch *hw.ReadPort[hw.UInt]
	read  *hw.ReadPort[hw.UInt]
	regs  regfile.RegFilePorts
}

// Build describes the logic that does not depend on the phase; sequence has the phases.
func (c Core) Build(m *hw.Module, p CorePorts) {
	words := make([]uint64, len(c.Program))
	for i, w := range c.Program {
		words[i] = uint64(w)
	}

	// Program and data share the RAM, each with a read port of its own.
	ram := hw.Mem(m, "ram", c.Words, hw.Unsigned(32), hw.Contents(words...))
	d := &datapath{
		state: hw.Reg(m, "state", hw.EnumOf(boot, exec, wait, halt), hw.Val(boot)),
		pc:    hw.Reg(m, "pc", hw.Unsigned(32), hw.U(0)),
		ram:   ram, fetch: ram.ReadPort(m, "fetch", hw.Old), read: ram.ReadPort(m, "read", hw.Old),
	}
	d.inst = d.fetch.Data
	c.execute(m, d)

	// An instruction that stores to Out repeats until the word is taken.
	p.Out.Send(d.state.Is(exec).And(d.class.Is(Store), d.toOut), d.y)
	p.PC.Set(d.pc)
	p.Halted.Set(d.state.Is(halt))
	c.sequence(m, d, p.Out.Valid.AndNot(p.Out.Ready).Named("stall"))

	stream.Check(m, "out", p.Out)
	m.Assert(d.pc.Bit(0).Not(), "an instruction at the odd address %x", d.pc)
	halted := hw.Past(m, p.Halted)
	m.Assert(halted.Implies(p.Halted.And(hw.Stable(m, d.pc))), "the processor went on from its halt")
	m.Assert(d.state.Is(wait).Implies(hw.Past(m, d.state.Is(exec)).And(hw.Stable(m, d.pc))), "the data of a load that did not begin")
}

// execute decodes the instruction, reads registers, computes, and finds where to
// go on.
func (c Core) execute(m *hw.Module, d *datapath) {
	dec := hw.Inst(m, "decoder", Decoder{}, DecoderPorts{Inst: d.inst})
	ctrl := dec.Ctrl
	hw.Unused(m, ctrl.Imm) // dec.Imm is the number itself

	d.class, d.write = ctrl.Class, ctrl.WriteRd
	d.regs = hw.Inst(m, "registers", regfile.RegFile{Regs: 32, Width: 32})
	d.regs.Read[0].Addr.Set(d.inst.Range(19, 15))
	d.regs.Read[1].Addr.Set(d.inst.Range(24, 20))
	x := d.regs.Read[0].Data
	d.y = d.regs.Read[1].Data

	alu := hw.Inst(m, "alu", ALU{}, ALUPorts{
		Op: ctrl.ALU,
		X:  hw.Mux(ctrl.FromPC, d.pc, x),
		Y:  hw.Mux(ctrl.FromImm, dec.Imm, d.y),
	})
	d.addr = alu.Out
	d.toOut = d.addr.Eq(hw.U(uint32(OutAddress))).Named("to_out")

	// The next address is the following one, unless a jump or a taken branch computes another. A
	// jump clears bit 0, as the standard says.
	d.after = d.pc.Add(hw.U(4)).Named("pc_after")
	d.next = hw.Wire(m, "pc_next", hw.Like(d.pc), d.after)
	branch := d.class.Is(Branch).And(taken(d.funct3(), x, d.y)).Named("branch")
	d.next.SetIf(d.class.Is(Jump), alu.Out.Range(31, 1).PadLow(1)).
		ElseWhen(branch, func() { d.next.Set(alu.Out) })
}

func (d *datapath) funct3() hw.UInt { return d.inst.Range(14, 12) }

// word is the place of a byte address in memory.
func (c Core) word(addr hw.UInt) hw.UInt {
	return addr.Range(hw.AddressOf(c.Words).Width()+1, 2)
}

// sequence goes through the phases; an instruction that waits at Out repeats. Before
// the first edge in reset the phase may be any: neither memory is written in reset.
func (c Core) sequence(m *hw.Module, d *datapath, stall hw.Bit) {
	// The writes are off by default and take the fields of the instruction all the same.
	run := m.Domain().Rst.Bit().Not().Named("run")
	w := d.regs.Write
	w.En.Set(hw.Low)
	w.Addr.Set(d.inst.Range(11, 7))
	w.Data.Set(hw.Mux(d.class.Is(Jump), d.after, d.addr))

	for s := range d.state.Cases() {
		switch s {
		case boot:
			d.fetch.Read(c.word(d.pc))
			d.state.Goto(exec)
		case exec:
			d.state.GotoIf(d.class.Is(System, Illegal), halt).
				ElseWhen(d.class.Is(Load), func() {
					d.read.Read(c.word(d.addr))
					d.state.Goto(wait)
				}).
				ElseWhen(stall.Not(), func() {
					w.En.Set(d.write.And(run))
					m.When(d.class.Is(Store).AndNot(d.toOut).And(run), func() {
						data, lanes := storeLanes(d.funct3(), d.addr, d.y)
						d.ram.WriteMask(c.word(d.addr), data, lanes)
					})
					d.pc.Set(d.next)
					d.fetch.Read(c.word(d.next))
				})
		case wait:
			w.En.Set(run)
			w.Data.Set(loaded(d.funct3(), d.addr, d.read.Data))
			d.pc.Set(d.after)
			d.fetch.Read(c.word(d.after))
			d.state.Goto(exec)
		case halt:
		}
	}
}

// taken is the condition of a branch.
func taken(funct3, x, y hw.UInt) hw.Bit {
	// Bit 2 of funct3 compares by order, bit 1 without signs, bit 0 negates.
	less := hw.Mux(funct3.Bit(1), x.Lt(y), x.AsSigned().Lt(y.AsSigned()))
	return hw.Mux(funct3.Bit(2), less, x.Eq(y)).Xor(funct3.Bit(0))
}

// storeLanes is the word to write and the bytes of it that a store changes.
func storeLanes(funct3, addr, y hw.UInt) (data, lanes hw.UInt) {
	// The low bits of the address choose the first byte of the word.
	at := addr.Trunc(2)
	data = y.ShlBy(at.PadLow(3))
	lanes = hw.Choose(funct3.Trunc(2), hw.Ones(4), map[int]hw.UInt{0: hw.U(1), 1: hw.U(3)}).ShlBy(at)
	return data, lanes
}

// loaded shifts the addressed byte or halfword of word down and extends it to 32 bits; funct3's
// highest bit says unsigned.
func loaded(funct3, addr, word hw.UInt) hw.UInt {
	x := word.ShrBy(addr.Trunc(2).PadLow(3))
	part := func(width int) hw.UInt {
		low := x.Trunc(width)
		return hw.Mux(funct3.Bit(2), low.Extend(32), low.SignExtend(32))
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
