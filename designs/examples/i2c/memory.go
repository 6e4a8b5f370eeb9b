package i2c

import "etch/hw"

// Device is the address of word 0 of a [Memory].
const Device = 0b100_0000

// Memory is a memory of bytes on the bus, each with an address of its own: Device,
// Device+1 and so on. It works by the clock of the bus alone, whatever its speed.
type Memory struct {
	Words int `help:"bytes" range:"2..64"`
}

type MemoryPorts struct{ Bus }

func (c Memory) Ports() MemoryPorts { return MemoryPorts{pads()} }

type turn string

const (
	waiting  turn = "waiting"  // for a start
	called   turn = "called"   // an address is coming
	here     turn = "here"     // the address is ours: acknowledge it
	taking   turn = "taking"   // a byte is coming
	taken    turn = "taken"    // acknowledge the byte
	speaking turn = "speaking" // send a byte
)

func (c Memory) Build(m *hw.Module, p MemoryPorts) {
	sda, scl := watch(m, "sda_in", p.SDA), watch(m, "scl_in", p.SCL)
	words := hw.Mem(m, "words", c.Words, hw.Unsigned(8), hw.Cleared())

	state := hw.Reg(m, "state", hw.EnumOf(waiting, called, here, taking, taken, speaking), hw.Val(waiting))
	shift := hw.Reg(m, "shift", hw.Unsigned(8), hw.U(0))
	count := hw.Reg(m, "count", hw.Unsigned(4), hw.U(0)) // bits of this byte so far
	word := hw.Reg(m, "word", hw.AddressOf(c.Words), hw.U(0))
	read := hw.Reg(m, "read", hw.Bit{}, hw.B(false))
	low := hw.Reg(m, "sda_low", hw.Bit{}, hw.B(false))
	p.SDA.DriveLow(low)

	// A byte is whole when the clock falls after its last bit. Then whoever takes it
	// has the wire for one bit.
	whole := scl.Fall.And(count.Is(8)).Named("whole")
	m.When(scl.Rise, func() {
		shift.Set(hw.Cat(shift.Trunc(7), sda.High.UInt()))
		count.Set(count.Inc())
	})

	// Modulo 2^7: an address below Device is beyond the largest memory.
	at := shift.Range(7, 1).Sub(hw.U(Device)).Named("at")

	for s := range state.Cases() {
		switch s {
		case waiting:
			low.Set(hw.B(false))
		case called:
			m.When(whole, func() {
				word.Set(at.Trunc(word.Width()))
				read.Set(shift.Bit(0))
				state.Goto(waiting)
				m.When(at.Lt(hw.U(c.Words)), func() {
					low.Set(hw.B(true))
					state.Goto(here)
				})
			})
		case here:
			m.When(scl.Fall, func() {
				count.Set(hw.U(0))
				m.When(read, func() {
					shift.Set(words.Read(word))
					low.Set(words.Read(word).Bit(7).Not())
					state.Goto(speaking)
				}).Else(func() {
					low.Set(hw.B(false))
					state.Goto(taking)
				})
			})
		case taking:
			m.When(whole, func() {
				words.Write(word, shift)
				low.Set(hw.B(true))
				state.Goto(taken)
			})
		case taken:
			m.When(scl.Fall, func() {
				low.Set(hw.B(false))
				state.Goto(waiting)
			})
		case speaking: // the bits that went come back at the bottom of shift
			m.When(scl.Fall, func() { low.Set(shift.Bit(7).Not()) })
			m.When(whole, func() {
				low.Set(hw.B(false))
				state.Goto(waiting)
			})
		}
	}

	// A start or stop comes before anything else.
	m.When(scl.High.And(sda.Fall), func() {
		count.Set(hw.U(0))
		state.Goto(called)
	})
	m.When(scl.High.And(sda.Rise), func() {
		low.Set(hw.B(false))
		state.Goto(waiting)
	})
}
