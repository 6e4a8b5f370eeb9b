package emit

import "etch/sim/net"

// pair is a look-up of two inputs expressed as an operation.
type pair struct {
	op   net.Op // And, Or or Xor
	a, b net.ID
	notA bool // a is inverted first; only with And
	not  bool // the result is inverted
}

// pairOf decodes the table of a look-up of two inputs, both of which matter.
func pairOf(table uint64, args []net.ID) pair {
	// Tables with an inverted result first, then the five that remain.
	p := pair{op: net.And, a: args[0], b: args[1]}
	switch table {
	case 0x7, 0x1, 0x9, 0xb, 0xd:
		p.not, table = true, ^table&0xf
	}

	switch table {
	case 0x8: // a & b
	case 0xe: // a | b
		p.op = net.Or
	case 0x6: // a ^ b
		p.op = net.Xor
	case 0x4: // ^a & b
		p.notA = true
	case 0x2: // a & ^b
		p.a, p.b, p.notA = p.b, p.a, true
	default:
		panic("native: a table with an input that does not count")
	}
	return p
}
