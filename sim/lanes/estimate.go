package lanes

import "etch/sim/net"

// Forms returns the forms that are worth compiling n in: one, or both when it
// takes a compilation to tell which is cheaper.
func Forms(n *net.Net) []Form {
	sliced, words := 0.0, 0.0
	for i := range n.N {
		s, w := estimate(n, &n.N[i])
		sliced, words = sliced+s/256, words+w/16
	}
	for i := range n.Regs {
		if r := &n.Regs[i]; r.Next >= 0 {
			sliced, words = sliced+2*float64(r.W)/256, words+2*float64(vectors(r.W))/16
		}
	}
	for range n.Writes {
		sliced, words = sliced+3000.0/256, words+5
	}
	switch {
	case words > 2.5*sliced:
		return []Form{Sliced}
	case sliced > 2.5*words:
		return []Form{Words}
	}
	return []Form{Words, Sliced}
}

// lutGates is about the gates of a table by its operands.
var lutGates = [7]float64{0, 0, 1, 2, 6, 12, 24}

// estimate is about how many instructions a node takes in sliced form, for a
// vector of bits, and in word form, for a vector of elements of 16 bits.
func estimate(n *net.Net, nd *net.Node) (sliced, words float64) {
	var wa, wb uint8
	if !nd.Op.IsLeaf() && nd.Op != net.Lut {
		wa = n.Width(nd.A)
		if nd.B >= 0 {
			wb = n.Width(nd.B)
		}
	}
	w, v := float64(nd.W), float64(vectors(nd.W))
	va := float64(max(vectors(max(1, wa)), vectors(max(1, wb))))
	area := float64(wa) * float64(wb)
	switch nd.Op {
	case net.Const, net.Leaf:
		return 0, 0
	case net.Not:
		return 0, v
	case net.Slice, net.Cat, net.SExt:
		return 0, 2 + va
	case net.And, net.Or, net.Xor:
		return w, v
	case net.Mux:
		return 3 * w, v
	case net.Add, net.Sub:
		return 5 * w, 2 * v
	case net.Eq, net.Ne:
		return 2 * float64(max(wa, wb)), 2*va + 1
	case net.Lt, net.Le, net.LtS, net.LeS:
		return 5 * float64(max(wa, wb)), 3*va + 1
	case net.Shl, net.Shr, net.ShrS:
		return 3 * w * float64(min(6, wb)), 3 * va
	case net.Mul:
		return 6 * min(area, w*w/2), 3 * v
	case net.MulHi, net.Div, net.Rem, net.DivS, net.RemS:
		return 8 * area, 1e9
	case net.Pop:
		return 5 * float64(wa), 14 * va
	case net.Parity:
		return float64(wa), 8 * va
	case net.Lut:
		g := lutGates[nd.B]
		return g, g
	}
	return 1700, 70 // a read
}
