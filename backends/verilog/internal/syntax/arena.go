package syntax

// Arena holds the trees of one block. Reset makes all of them invalid and their memory free
// for the next block. The zero Arena is ready for use.
type Arena struct {
	Off   bool // make nothing
	none  Expr
	exprs [][]Expr // pieces of chunk expressions
	piece int      // that is being filled
	used  int      // of its expressions
	args  pool[*Expr]
	stmts pool[Stmt]
}

const chunk = 128

// Reset gives back all trees.
func (a *Arena) Reset() { a.piece, a.used, a.args.used, a.stmts.used = 0, 0, 0, 0 }

// New is an expression of a form with operands; the caller sets its other fields. An arena
// that is Off makes none: it returns an operand without a form, whose fields mean nothing.
func (a *Arena) New(kind Kind, args ...*Expr) *Expr {
	if a.Off {
		return &a.none
	}

	// Trees point to expressions, so a full piece stays and the next one begins.
	if a.used == chunk {
		a.piece, a.used = a.piece+1, 0
	}

	if a.piece == len(a.exprs) {
		a.exprs = append(a.exprs, make([]Expr, chunk))
	}
	at := &a.exprs[a.piece][a.used]
	a.used++
	*at = Expr{Kind: kind}
	if len(args) > 0 {
		at.Args = append(a.args.list(len(args)), args...)
	}
	return at
}

// Stmts is a list of n assignments, to be filled.
func (a *Arena) Stmts(n int) []Stmt {
	l := a.stmts.list(n)[:n]

	// An arena that is off gives the list back at once: its contents do not matter.
	clear(l)
	if a.Off {
		a.stmts.used -= n
	}
	return l
}

// pool hands out lists from one piece of memory. If it is used up, the lists so far keep it
// and a larger one takes its place.
type pool[T any] struct {
	all  []T
	used int
}

// list is an empty list for n elements.
func (p *pool[T]) list(n int) []T {
	// The old piece stays with the lists that point into it.
	if p.used+n > len(p.all) {
		p.all, p.used = make([]T, max(2*len(p.all), 4*n, chunk)), 0
	}

	// The capacity ends with the list, so that appending to it cannot reach the next one.
	l := p.all[p.used : p.used : p.used+n]
	p.used += n
	return l
}
