package nets

import (
	"math/bits"

	"etch/sim/internal/program"
	"etch/sim/net"
)

// row reduces an address to the bits that the depth needs. ok says whether it is a row of the
// memory; None if it always is.
func (b *Builder) row(m *program.Memory, addr []net.ID) (row, ok net.ID) {
	n := b.N
	ok = net.None

	// The row needs a check only if the address can exceed the depth.
	low := addr[0]
	if net.Mask(n.Width(low)) >= uint64(m.Depth) {
		ok = n.Make(net.Lt, 1, low, n.Const(uint64(m.Depth)), net.None, 0)
	}

	// Upper words of a wide address must be 0.
	for _, x := range addr[1:] {
		zero := n.IsZero(x)
		if ok < 0 {
			ok = zero
		} else {
			ok = n.And(ok, zero)
		}
	}

	if m.Depth == 1 {
		return n.Const(0), ok
	}
	return n.Slice(low, 0, uint8(bits.Len(uint(m.Depth-1)))), ok
}

// place is the index of word k of a row.
func (b *Builder) place(m *program.Memory, row net.ID, k int) net.ID {
	if m.Words == 1 {
		return row
	}
	return b.N.Add(b.N.Make(net.Mul, 40, row, b.N.Const(uint64(m.Words)), net.None, 0), b.N.Const(uint64(k)), 40)
}

// read makes the words of a row; 0 beyond the end.
func (b *Builder) read(mem int32, addr []net.ID) []net.ID {
	m := &b.p.Mems[mem]
	row, ok := b.row(m, addr)
	z := make([]net.ID, m.Words)
	for k := range z {
		z[k] = b.N.Read(mem, b.place(m, row, k))
		// The memory's padding reads as 0 anyway, so a narrow address needs no mux.
		if ok >= 0 && program.Pow2(m.Depth) < 1<<min(40, int(b.N.Width(addr[0]))) || len(addr) > 1 {
			z[k] = b.N.Mux(ok, z[k], b.N.Const(0))
		}
	}
	return z
}
