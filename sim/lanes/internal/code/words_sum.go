package code

import (
	"slices"

	"etch/sim/native/vector"
	"etch/sim/net"
)

// sumOfProducts makes a 32-bit sum with at least two products of signed 16-bit numbers among its
// terms. The factors of two products are interleaved, so that one instruction computes both
// products and their sum. It returns nil for other sums.
func (w *worder) sumOfProducts(nd *net.Node, es int) []vector.Value {
	if es != 32 || nd.W != 32 {
		return nil
	}

	var terms, products []net.ID
	w.terms(nd, &terms, 0)
	for _, x := range terms {
		if w.isProduct16(x) {
			products = append(products, x)
		}
	}

	if len(products) < 2 {
		return nil
	}

	// An odd product out is an ordinary term.
	products = products[:len(products)&^1]

	// Other terms first, then the products in pairs.
	var sum []vector.Value
	add := func(v []vector.Value) {
		if sum == nil {
			sum = v
		} else {
			sum = w.do(vector.Add32, 0, sum, v)
		}
	}
	for _, x := range terms {
		if !slices.Contains(products, x) {
			add(w.value(x, 32))
		}
	}

	for k := 0; k < len(products); k += 2 {
		add(w.twoProducts(&w.n.N[products[k]], &w.n.N[products[k+1]]))
	}
	return sum
}

// maxTerms is the depth to which a sum is split.
const maxTerms = 64

// terms lists the terms of a sum mod 2^32, innermost first. Inner sums with another user are
// terms.
func (w *worder) terms(nd *net.Node, to *[]net.ID, depth int) {
	for _, x := range [2]net.ID{nd.A, nd.B} {
		if in := &w.n.N[x]; in.Op == net.Add && in.W == 32 && w.uses[x] == 1 && depth < maxTerms {
			w.terms(in, to, depth+1)
		} else {
			*to = append(*to, x)
		}
	}
}

// isProduct16 reports whether a node is a product of signed 16-bit numbers with a single user.
func (w *worder) isProduct16(id net.ID) bool {
	nd := &w.n.N[id]
	return nd.Op == net.Mul && nd.W == 32 && w.uses[id] == 1 && w.isSigned16(nd.A) && w.isSigned16(nd.B)
}

// isSigned16 reports whether signed16 succeeds for the node.
func (w *worder) isSigned16(id net.ID) bool {
	nd := &w.n.N[id]
	if c, ok := w.n.IsConst(id); ok {
		return int64(int16(c)) == int64(int32(c)) && c>>32 == 0
	}
	return nd.W < 16 || nd.Op == net.SExt && nd.Imm <= 16 && nd.W == 32
}

// twoProducts is the sum of two products.
func (w *worder) twoProducts(p, q *net.Node) []vector.Value {
	a, _ := w.signed16(p.A)
	b, _ := w.signed16(p.B)
	c, _ := w.signed16(q.A)
	d, _ := w.signed16(q.B)

	// Interleaving puts the factors of both products side by side, which MulAdd16 multiplies and
	// adds.
	out := make([]vector.Value, 2)
	for k, op := range [2]vector.Op{vector.Low16, vector.High16} {
		out[k] = w.c.Do(vector.MulAdd16, 0, w.c.Do(op, 0, a, c), w.c.Do(op, 0, b, d))
	}
	return out
}
