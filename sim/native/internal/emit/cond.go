package emit

import "etch/sim/net"

// cond is a condition that the flags fulfil after a comparison.
type cond uint8

const (
	equal cond = iota
	notEqual
	below // unsigned, like the next three
	atMost
	above
	atLeast
	belowSigned
	atMostSigned
	numConds
)

var condOf = [net.NumOps]cond{net.Eq: equal, net.Ne: notEqual, net.Lt: below, net.Le: atMost, net.LtS: belowSigned, net.LeS: atMostSigned}

// comparison gives the condition and the operands of an unsigned comparison. A constant goes to
// the right, where it can be an immediate; the condition is mirrored.
func (s *source) comparison(nd *net.Node) (cc cond, a, b net.ID) {
	cc, a, b = condOf[nd.Op], nd.A, nd.B
	if _, ok := s.n.IsConst(a); !ok {
		return cc, a, b
	}
	switch cc {
	case below:
		cc = above
	case atMost:
		cc = atLeast
	}
	return cc, b, a
}
