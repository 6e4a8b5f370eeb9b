// Package regfile shows a memory with several ports and ports in an array.
package regfile

import "etch/hw"

// RegFile has two read ports and one write port; register 0 reads as zero, and so
// do the others until they are written.
type RegFile struct {
	Regs   int  `help:"registers" range:"2..65536"`
	Width  int  `help:"bits of a register" range:"1..2^20"`
	Bypass bool `help:"a read of the register being written sees the new value"`
}

// Read is a read port as its user sees it.
type Read struct {
	Addr hw.UInt
	Data hw.UInt
}

type RegFilePorts struct {
	Read  [2]Read
	Write struct {
		En   hw.Bit
		Addr hw.UInt
		Data hw.UInt
	}
}

func (r RegFile) Ports() (p RegFilePorts) {
	addr, data := hw.AddressOf(r.Regs), hw.Unsigned(r.Width)
	for i := range p.Read {
		p.Read[i] = Read{Addr: hw.In(addr), Data: hw.Out(data)}
	}
	p.Write.En = hw.In(hw.Bit{})
	p.Write.Addr = hw.In(addr)
	p.Write.Data = hw.In(data)
	return p
}

func (r RegFile) Build(m *hw.Module, p RegFilePorts) {
	mem := hw.Mem(m, "mem", r.Regs, hw.Unsigned(r.Width), hw.Cleared())

	// A read is asynchronous and sees the word before this cycle's write, unless the write is
	// passed by. Register 0 reads as zero.
	w := p.Write
	m.When(w.En, func() { mem.Write(w.Addr, w.Data) })

	for _, read := range p.Read {
		data := mem.Read(read.Addr)
		if r.Bypass {
			data = hw.Mux(w.En.And(w.Addr.Eq(read.Addr)), w.Data, data)
		}
		read.Data.Set(hw.Mux(read.Addr.Is(0), hw.U(0), data))
		r.check(m.NoReset(), p, read)
	}
}

// check says that a read finds the word written at the edge before it, and zero in
// register 0.
func (r RegFile) check(m *hw.Module, p RegFilePorts, read Read) {
	w := p.Write
	fresh := hw.Past(m, w.En).And(read.Addr.Eq(hw.Past(m, w.Addr)), read.Addr.Any())
	if r.Bypass { // a newer word goes before it
		fresh = fresh.AndNot(w.En.And(w.Addr.Eq(read.Addr)))
	}
	if r.Regs&(r.Regs-1) != 0 {
		fresh = fresh.And(read.Addr.Lt(hw.U(r.Regs)))
	}
	m.Assert(fresh.Implies(read.Data.Eq(hw.Past(m, w.Data))), "register %d is not the word just written", read.Addr)
	m.Assert(read.Addr.Any().Or(read.Data.Any().Not()), "register 0 is not zero")
}
