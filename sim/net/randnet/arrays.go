// Package randnet makes random nets for tests of compilers.
//
// The package imports sim/net and the standard library.
package randnet

import (
	"math/rand/v2"

	"etch/sim/net"
)

// arrays makes nets of equal elements: some registers each, with next values by
// one random expression over the element, its neighbours and shared registers.
type arrays struct {
	r     *rand.Rand
	n     *net.Net
	count int     // elements
	row   int     // elements in a row
	first []int   // by register of an element: the first of all elements'
	width []uint8 // of each
	other []int   // registers that belong to no element
	pool  [][]net.ID
}

// fit is x in at most w bits.
func (a *arrays) fit(x net.ID, w uint8) net.ID { return a.n.Slice(x, 0, w) }

// leaf returns one kind of operand for every element.
func (a *arrays) leaf() []net.ID {
	n, r := a.n, a.r
	z := make([]net.ID, a.count)
	k := r.IntN(len(a.first))
	q := func(i int) net.ID { return n.Leaf(a.first[k] + i) }

	// An element above or below is a row away.
	off := []int{0, 0, -1, 1, -a.row, a.row}[r.IntN(6)]
	if r.IntN(4) > 0 && off > 0 {
		off = -off
	}

	// Beyond the edge of the array an element reads a constant, itself or a shared value.
	edge := r.IntN(3)
	common := a.shared()
	value := r.Uint64() & net.Mask(a.width[k])
	kind := r.IntN(12)
	for i := range z {
		at := i + off
		switch {
		case kind == 0:
			z[i] = common
		case kind == 1:
			z[i] = n.Const(value)
		case kind == 2:
			z[i] = n.Const(r.Uint64() & net.Mask(a.width[k]))
		case at >= 0 && at < a.count && (off == 0 || off*off > 1 || at/a.row == i/a.row):
			z[i] = q(at)
		case edge == 0:
			z[i] = n.Const(value)
		case edge == 1:
			z[i] = q(i)
		default:
			z[i] = a.fit(a.shared(), a.width[k])
		}
	}
	return z
}

// shared is a value of no element.
func (a *arrays) shared() net.ID {
	x := a.n.Leaf(a.other[a.r.IntN(len(a.other))])
	if w := a.n.Width(x); a.r.IntN(2) == 0 || w > 32 {
		lo := uint8(a.r.IntN(int(w)))
		x = a.n.Slice(x, lo, min(32, uint8(1+a.r.IntN(int(w-lo)))))
	}
	return x
}

var arrayOps = []net.Op{net.Not, net.And, net.Or, net.Xor, net.Add, net.Add, net.Sub, net.Mul, net.Mul, net.Eq, net.Ne, net.Lt, net.Le, net.LtS, net.LeS,
	net.Shl, net.Shr, net.ShrS, net.Mux, net.Mux, net.Slice, net.Cat, net.SExt, net.Parity, net.Div, product, product}

// product is of signed factors of few bits.
const product = net.NumOps

// apply makes one operation of every element.
func (a *arrays) apply() []net.ID {
	n, r := a.n, a.r
	pick := func() []net.ID {
		if len(a.pool) == 0 || r.IntN(3) == 0 {
			return a.leaf()
		}
		return a.pool[len(a.pool)-1-r.IntN(min(6, len(a.pool)))]
	}

	// Widths are those of the widest element, so that all elements get equal operations.
	x, y, s := pick(), pick(), pick()
	op := arrayOps[r.IntN(len(arrayOps))]
	var wx, wy uint8
	for i := range x {
		wx, wy = max(wx, n.Width(x[i])), max(wy, n.Width(y[i]))
	}
	w, sw := uint8(1+r.IntN(32)), max(wx, wy)
	lo := uint8(r.IntN(int(wx)))
	cut := 1 + uint8(r.IntN(int(wx-lo)))
	wide := r.IntN(20) == 0 // more than a lane has
	factor, grown := uint8(2+r.IntN(17)), uint8(18+r.IntN(15))
	z := make([]net.ID, a.count)
	for i := range z {
		u, v := x[i], y[i]
		switch op {
		case net.Not:
			z[i] = n.Not(u, max(w, wx))
		case net.Add, net.Sub, net.Mul, net.Shl, net.Div:
			ww := max(w, wx, wy)
			if wide {
				ww = 40
			}
			z[i] = n.Make(op, ww, u, v, net.None, 0)
		case product:
			u, v = n.SExt(a.fit(u, factor), factor, grown), n.SExt(a.fit(v, factor), factor, grown)
			z[i] = n.Make(net.Mul, min(w, grown), u, v, net.None, 0)
		case net.LtS, net.LeS:
			z[i] = n.Make(op, 1, u, v, net.None, uint64(sw))
		case net.ShrS:
			z[i] = n.Make(op, sw, u, v, net.None, uint64(sw))
		case net.Mux:
			z[i] = n.Mux(n.Slice(s[i], 0, 1), u, v)
		case net.Slice:
			z[i] = n.Slice(u, lo, cut)
		case net.Cat:
			if wx+wy > 32 {
				z[i] = n.Xor(u, v)
			} else {
				z[i] = n.Cat(u, v, wy)
			}
		case net.SExt:
			z[i] = n.SExt(u, wx, max(w, wx))
		case net.Parity:
			z[i] = n.Make(op, 1, u, net.None, net.None, 0)
		default:
			z[i] = n.Make(op, 1, u, v, net.None, 0)
		}

		// A result of 33 to 40 bits is cut to 32 in one case of two, a wider one always.
		if n.Width(z[i]) > 32 && r.IntN(2) == 0 || n.Width(z[i]) > 40 {
			z[i] = a.fit(z[i], 32)
		}
	}
	return z
}

// Arrays makes a random net of equal elements: up to 207 elements of up to four registers each,
// whose next values are one random expression over the element, its neighbours and some registers
// of no element; a memory of four words behind the registers; and, in one net of four, a condition
// that stops it when the low five bits of the first register without element are 3.
func Arrays(r *rand.Rand) *net.Net {
	n := net.New()
	a := &arrays{r: r, n: n, row: 1 + r.IntN(24), count: 8 + r.IntN(200)}
	n.Mems = []net.Mem{{At: uint32(a.registers()), Words: 4, Depth: 4, W: 64}}

	// Values of every element; then next values, of which some elements may have none.
	for range r.IntN(8 + 40*r.IntN(2)*r.IntN(2)) {
		a.pool = append(a.pool, a.apply())
	}

	// One condition for all elements.
	enable := a.n.Slice(a.shared(), 0, 1)
	for k, first := range a.first {
		z := a.leaf()
		if r.IntN(4) > 0 && len(a.pool) > 0 {
			z = a.pool[r.IntN(len(a.pool))]
		}
		hold, reset := r.IntN(3), r.IntN(4)
		value := r.Uint64() & net.Mask(a.width[k])
		skip := r.IntN(6)
		for i := range z {
			x := a.fit(z[i], a.width[k])
			if hold == 0 {
				x = n.Mux(enable, x, n.Leaf(first+i))
			}
			if reset == 0 {
				x = n.Mux(n.Leaf(a.other[0]), n.Const(value), x)
			}
			if skip > 0 || i%7 != 2 {
				n.Regs[first+i].Next = x
			}
		}
	}
	for _, g := range a.other { // a register of no element reads elements
		k := r.IntN(len(a.first))
		x := n.Add(n.Leaf(a.first[k]+r.IntN(a.count)), n.Leaf(g), 64)
		x = n.Xor(x, n.Make(net.Mul, 64, n.Leaf(a.first[k]+r.IntN(a.count)), n.Leaf(a.other[0]), net.None, 0))
		x = n.Add(x, n.Make(net.Lt, 1, n.Leaf(a.first[k]), x, net.None, 0), 64)
		n.Regs[g].Next = a.fit(x, n.Regs[g].W)
	}

	// One write, of a word at an address and with a mask from registers.
	k := r.IntN(len(a.first))
	n.Writes = append(n.Writes, net.Write{Mem: 0, En: net.None, Addr: n.Slice(n.Leaf(a.other[0]), 0, 2),
		Data: n.Leaf(a.other[1]), Mask: n.Leaf(a.first[k] + r.IntN(a.count))})
	if r.IntN(4) == 0 {
		n.Stop = n.Eq(a.fit(n.Leaf(a.other[0]), 5), n.Const(3))
	}
	return n.Compact()
}

// registers makes registers of no element, then those of the elements, each kind in neighbouring
// slots. It returns the first slot behind them.
func (a *arrays) registers() (slot int32) {
	n, r := a.n, a.r
	add := func(w uint8) int {
		n.Regs = append(n.Regs, net.Reg{Slot: slot, W: w, Q: net.None, Next: net.None})
		slot++
		return len(n.Regs) - 1
	}

	// An empty slot lies between them in half of the nets.
	for range 2 + r.IntN(4) {
		a.other = append(a.other, add(uint8(1+r.IntN(64))))
	}
	slot += int32(r.IntN(2))
	for range 1 + r.IntN(4) {
		w := uint8(1 + r.IntN(32))
		if r.IntN(2) == 0 {
			w = []uint8{1, 8, 16, 32}[r.IntN(4)]
		}
		a.first = append(a.first, add(w))
		a.width = append(a.width, w)
		for range a.count - 1 {
			add(w)
		}
	}
	return slot
}
