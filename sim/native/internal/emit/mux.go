package emit

import "etch/sim/net"

// bitMux is a one-bit mux with a constant arm, as one logic operation on the select and the other
// arm.
type bitMux struct {
	op    net.Op // And or Or
	not   bool   // of the inverted select
	other net.ID
}

// bitMuxOf decodes a mux, and reports whether it is a bitMux.
func (s *source) bitMuxOf(nd *net.Node) (m bitMux, ok bool) {
	if nd.W != 1 || s.c.Fold[nd.A] {
		return m, false
	}

	// s ? 1 : c is s | c, and so on.
	b, constB := s.n.IsConst(nd.B)
	c, constC := s.n.IsConst(nd.C)
	switch {
	case constB && b == 1:
		return bitMux{net.Or, false, nd.C}, true
	case constC && c == 0:
		return bitMux{net.And, false, nd.B}, true
	case constB && b == 0:
		return bitMux{net.And, true, nd.C}, true
	case constC && c == 1:
		return bitMux{net.Or, true, nd.B}, true
	}
	return m, false
}
