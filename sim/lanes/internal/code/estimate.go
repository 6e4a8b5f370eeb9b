package code

import (
	"etch/sim/choose"
	"etch/sim/net"
)

// Layouts returns the layouts worth compiling n in: the form that seems cheaper, both if the
// estimates are close, and mixed form if it promises to beat both. tables are those of
// NewLayout.
func Layouts(n *net.Net, tables [][]uint64, pol *choose.LaneCode) []*Layout {
	d := newDivision(n, nil, pol)
	sliced, words := d.total[Sliced], d.total[Words]

	// The mixed form comes first, and alone where it is far cheaper.
	var all []*Layout

	if d.found && d.cost < pol.MixedBelow*min(sliced, words) {
		all = append(all, newMixedLayout(n, tables, d, pol))
	}
	if d.found && d.cost < pol.MixedAlone*min(sliced, words) {
		return all
	}

	if sliced < pol.Nearly*words {
		all = append(all, NewLayout(n, tables, Sliced, pol))
	}
	if words < pol.Nearly*sliced {
		all = append(all, NewLayout(n, tables, Words, pol))
	}
	return all
}

// noWords is the cost of operations without code in word form.
const noWords = 1e9

// lutGates estimates the gates of a table, by its number of operands.
var lutGates = [7]float64{0, 0, 1, 2, 6, 12, 24}

// estimate is the estimated instructions of a node: in sliced form per vector of bits, in word
// form per vector of 16-bit elements.
func estimate(n *net.Net, nd *net.Node) (sliced, words float64) {
	// The estimates follow the code that node and worder generate; see blast.go and words*.go.
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

	if !nd.Op.HasWords() {
		return 8 * area, noWords
	}
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
	case net.ShrS:
		if max(nd.W, wa, wb, uint8(nd.Imm)) > 32 {
			return 3 * w * float64(min(6, wb)), noWords
		}
		return 3 * w * float64(min(6, wb)), 3 * va
	case net.Shl, net.Shr:
		return 3 * w * float64(min(6, wb)), 3 * va
	case net.Mul:
		return 6 * min(area, w*w/2), 3 * v
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
