package syntax

import "etch/ir/bits"

// Arena holds the trees of one module. Reset makes all of them invalid and their memory free
// for the next module. The zero Arena is ready for use.
type Arena struct {
	exprs  pool[Expr]
	args   pool[*Expr]
	values pool[bits.Value]
	stmts  pool[Stmt]
}

// Reset gives back all trees.
func (a *Arena) Reset() {
	a.exprs.reset()
	a.args.reset()
	a.values.reset()
	a.stmts.reset()
}

// New is an expression of a form with operands; the caller sets its other fields.
func (a *Arena) New(kind Kind, args ...*Expr) *Expr {
	e := &a.exprs.list(1)[:1][0]
	*e = Expr{Kind: kind}
	if len(args) > 0 {
		e.Args = append(a.args.list(len(args)), args...)
	}
	return e
}

// Copy is a tree of its own with the form of e.
func (a *Arena) Copy(e *Expr) *Expr {
	c := a.New(e.Kind, e.Args...)

	// All fields but the list of operands, which the copy has for itself.
	args := c.Args
	*c = *e
	c.Args = args
	for i, x := range args {
		args[i] = a.Copy(x)
	}
	return c
}

// Stmts is a list of n assignments, to be filled.
func (a *Arena) Stmts(n int) []Stmt {
	l := a.stmts.list(n)[:n]
	clear(l)
	return l
}

// chunk is the number of elements in a piece of a pool.
const chunk = 256

// pool hands out lists from pieces of memory, which never move: trees point into them.
type pool[T any] struct {
	pieces   [][]T
	at, used int // the piece that is being filled, and its elements in use
}

func (p *pool[T]) reset() { p.at, p.used = 0, 0 }

// list is an empty list for n elements. It lies within one piece: the end of a piece that is
// too short for it is lost.
func (p *pool[T]) list(n int) []T {
	// Pieces of an earlier module are used again, in order.
	for p.at < len(p.pieces) && p.used+n > len(p.pieces[p.at]) {
		p.at, p.used = p.at+1, 0
	}
	if p.at == len(p.pieces) {
		p.pieces = append(p.pieces, make([]T, max(n, chunk)))
	}

	// The capacity ends with the list, so that appending to it cannot reach the next one.
	l := p.pieces[p.at][p.used : p.used : p.used+n]
	p.used += n
	return l
}
