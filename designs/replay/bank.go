package replay

import (
	"etch/hw"
	"etch/hw/pipe"
)

// bank is a memory that each operation of the pipeline may read and write. An operation reads the
// memory as all operations before it have left it, even while their writes are on their way.
//
// An operation gives its address at stage `at`, has the element at stage at + Read, and in the
// same cycle stores the element's new value. An operation d cycles behind reads the old element if
// d ≤ Read. Then it gets the new element from a register that holds the element stored last: for d
// = 1 at its last stage, for d = 2 on the way there. The result of a read whose element is written
// at the same edge (d = Read) is therefore of no importance.
type bank[T any] struct {
	element T       // at stage at + Read
	store   func(T) // stores the element's new value; to be called once
}

// reading is a read of another sort.
type reading struct {
	now     hw.Bit
	address hw.UInt
}

// bankOf makes a bank of depth elements. An operation whose write is high at stage at +
// Read writes. In cycles in which other is high, the element there is read instead; no
// operation that writes may be on its way then.
func bankOf[T any](m *hw.Module, c Pipelined, flaw flaw, name string, depth int, shape T, at int, address pipe.Value[hw.UInt], write pipe.Value[hw.Bit], other ...reading) bank[T] {
	mem := hw.Mem(m, name, depth, shape, hw.Style("block"))
	last := at + c.Read
	next := hw.Wire(m, name+"_next", shape)
	stored := hw.Delay(m, name+"_stored", next, 1)

	// Addresses are compared a cycle before the element is replaced.
	behind := func(d int) hw.Bit {
		if d == c.Read && c.flaw == flaw {
			return hw.Low
		}
		same := write.At(last).And(address.At(last).Eq(address.At(last - d)))
		return hw.Delay(m, hw.Name(name+"_behind", d), same, 1)
	}
	read := address.At(at)
	for _, o := range other {
		read = hw.Mux(o.now, o.address, read)
	}
	element := mem.SyncRead("read", read, hw.Undefined)
	if c.Read == 2 {
		element = hw.Delay(m, name+"_patched", hw.Mux(behind(2), stored, element), 1)
	}
	element = hw.Mux(behind(1), stored, element)

	m.When(write.At(last), func() { mem.Write(address.At(last), next) })
	return bank[T]{element, func(x T) { hw.Set(next, x) }}
}
