package aig

// Lit is a node of a graph, or its inverse: twice the node's number, plus one for
// the inverse.
type Lit uint32

// The constants: node 0 is false.
const (
	False Lit = 0
	True  Lit = 1
)

// MakeLit is node n, inverted or not.
func MakeLit(n int, inverted bool) Lit {
	l := Lit(n) << 1
	if inverted {
		l++
	}
	return l
}

// Not is the inverse of l.
func (l Lit) Not() Lit { return l ^ 1 }

// NotIf is l, inverted when c holds.
func (l Lit) NotIf(c bool) Lit {
	if c {
		return l ^ 1
	}
	return l
}

// Node is the number of l's node.
func (l Lit) Node() int { return int(l >> 1) }

// Inverted reports whether l is the inverse of its node.
func (l Lit) Inverted() bool { return l&1 == 1 }

// IsConst reports whether l is False or True.
func (l Lit) IsConst() bool { return l < 2 }

// Const is True or False.
func Const(v bool) Lit {
	if v {
		return True
	}
	return False
}
