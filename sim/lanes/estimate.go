package lanes

import "etch/sim/net"

// Layouts returns the layouts that are worth compiling n in: of the form that seems
// cheaper, of both where it takes a compilation to tell, and of mixed form where that
// promises to be cheaper than either. tables are those of NewLayout.
func Layouts(n *net.Net, tables [][]uint64) []*Layout {
	d := newDivision(n, nil)
	sliced, words := d.total[Sliced], d.total[Words]
	var all []*Layout
	if d.found && d.cost < mixedBelow*min(sliced, words) {
		all = append(all, newMixedLayout(n, tables, d))
	}
	if d.found && d.cost < mixedAlone*min(sliced, words) {
		return all
	}
	if sliced < nearly*words {
		all = append(all, NewLayout(n, tables, Sliced))
	}
	if words < nearly*sliced {
		all = append(all, NewLayout(n, tables, Words))
	}
	return all
}

// What is compiled, by the estimates.
const (
	nearly     = 2.5  // times what the other form takes at most, to try a form
	mixedBelow = 0.7  // of the better form, to try mixed form
	mixedAlone = 0.35 // of the better form, to try nothing else
)

// writeSliced is about how many instructions a write takes in sliced form.
const writeSliced = 3000.0

// noWords is about how many instructions what cannot be done in word form takes.
const noWords = 1e9

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
	case net.ShrS:
		if max(nd.W, wa, wb, uint8(nd.Imm)) > 32 {
			return 3 * w * float64(min(6, wb)), noWords
		}
		return 3 * w * float64(min(6, wb)), 3 * va
	case net.Shl, net.Shr:
		return 3 * w * float64(min(6, wb)), 3 * va
	case net.Mul:
		return 6 * min(area, w*w/2), 3 * v
	case net.MulHi, net.Div, net.Rem, net.DivS, net.RemS:
		return 8 * area, noWords
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
