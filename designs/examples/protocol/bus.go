package protocol

import (
	"fmt"

	"etch/hw"
)

// Access is the request of a master to the bus, and the answer. A request stays as it
// is until it is done.
type Access struct {
	Valid hw.Bit
	Write hw.Bit
	Addr  hw.UInt
	Data  hw.UInt // to write
	Done  hw.Bit  // high for one cycle
	Read  hw.UInt // with Done
}

// AccessOf is the shape of accesses to a memory of so many words.
func AccessOf(words int) Access {
	return Access{
		Addr: hw.AddressOf(words), Data: hw.Unsigned(32),
		Done: hw.Flip(hw.Bit{}), Read: hw.Flip(hw.Unsigned(32)),
	}
}

// Bus gives a memory to one master at a time: of those that ask, the one with the lowest number; a
// master that has waited for Patience cycles goes before the others. On a free bus Done comes
// Latency + 2 cycles after Valid.
type Bus struct {
	Words    int      `help:"words of memory, 32 bits each" range:"2..65536"`
	Masters  int      `help:"masters" range:"1..16"`
	Latency  int      `help:"cycles of an access beyond the first" range:"0..255"`
	Patience int      `help:"cycles that a master waits before it goes first" range:"1..255"`
	Contents []uint64 `help:"the first words of memory" range:"0..4294967295"`
}

type BusPorts struct {
	Master hw.Vec[Access] `dir:"in"`
}

func (b Bus) Validate() error {
	if len(b.Contents) > b.Words {
		return fmt.Errorf("Contents has %d words, memory %d", len(b.Contents), b.Words)
	}
	return nil
}

func (b Bus) Ports() BusPorts {
	return BusPorts{Master: hw.VecOf(b.Masters, AccessOf(b.Words))}
}

type busPhase string

const (
	free   busPhase = "free"
	busy   busPhase = "busy"
	answer busPhase = "answer"
)

func (b Bus) Build(m *hw.Module, p BusPorts) {
	state := hw.Reg(m, "state", hw.EnumOf(free, busy, answer), hw.Val(free))
	owner := hw.Reg(m, "owner", hw.AddressOf(b.Masters), hw.U(0))
	timer := hw.Reg(m, "timer", hw.UpTo(b.Latency), hw.U(0))
	memory := hw.Mem(m, "memory", b.Words, hw.Unsigned(32), hw.Contents(b.Contents...))
	read := memory.ReadPort(m, "read", hw.Old)

	// One list per field of the requests, so that the owner's can be chosen by index.
	asked := make(hw.Vec[hw.Bit], b.Masters)
	writes := make(hw.Vec[hw.Bit], b.Masters)
	addrs, datas := make(hw.Vec[hw.UInt], b.Masters), make(hw.Vec[hw.UInt], b.Masters)
	for i, a := range p.Master {
		asked[i], writes[i], addrs[i], datas[i] = a.Valid, a.Write, a.Addr, a.Data
		a.Done.Set(state.Is(answer).And(owner.Is(i)))
		a.Read.Set(read.Data)
	}

	addr := addrs.At(owner).Named("addr")
	next := b.next(m, state.Is(answer), owner, asked)

	// An access takes Latency + 1 cycles in busy, then one in answer, in which Done is high.
	for s := range state.Cases() {
		switch s {
		case free:
			timer.Set(hw.U(b.Latency))
			m.When(hw.AnyOf(asked...), func() {
				owner.Set(next)
				state.Goto(busy)
			})
		case busy:
			timer.Set(timer.Dec())
			m.When(timer.Is(0), func() {
				m.When(writes.At(owner), func() { memory.Write(addr, datas.At(owner)) }).
					Else(func() { read.Read(addr) })
				state.Goto(answer)
			})
		case answer:
			state.Goto(free)
		}
	}

	// Done of all masters as one number, of which at most one bit may be set.
	var done hw.UInt
	for _, a := range p.Master {
		bit := a.Done.UInt()
		if done.Width() > 0 {
			bit = hw.Cat(bit, done)
		}
		done = bit
	}
	m.Assert(done.And(done.Dec()).Any().Not(), "several accesses are done at once: %b", done)
	m.Assert(done.Any().Eq(hw.Fell(m, state.Is(busy))), "an access is done that had no turn, or had its turn and is not done")
	m.Assert(state.Is(busy).Implies(timer.Le(hw.U(b.Latency))), "the access takes %d cycles more", timer)
}

// check says that an access stands, as it is, until it is done.
func (a Access) check(m *hw.Module) {
	now := hw.Cat(a.Valid.UInt(), a.Write.UInt(), a.Addr, a.Data)
	m.Assert(hw.Past(m, a.Valid.AndNot(a.Done)).Implies(hw.Stable(m, now)), "an access changed before it was done")
}

// next is the master that comes next: the lowest one that has lost patience, else the lowest one
// that asks. done is high when the owner has been served.
func (b Bus) next(m *hw.Module, done hw.Bit, owner hw.UInt, asked []hw.Bit) hw.UInt {
	next := hw.Wire(m, "next", hw.Like(owner), hw.U(0))
	impatient := make([]hw.Bit, b.Masters)

	// waited counts the cycles of waiting, up to Patience; it restarts when the master is served or
	// asks for nothing.
	for i, asks := range asked {
		waited := hw.Reg(m, hw.Name("waited", i), hw.UpTo(b.Patience), hw.U(0))
		impatient[i] = waited.Is(b.Patience)
		waited.SetIf(asks.Not().Or(done.And(owner.Is(i))), hw.U(0)).
			ElseWhen(impatient[i].Not(), func() { waited.Set(waited.Inc()) })
	}

	for _, wants := range [][]hw.Bit{asked, impatient} { // the last Set wins
		for i := b.Masters - 1; i >= 0; i-- {
			next.SetIf(wants[i], hw.U(i))
		}
	}
	return next
}
