package code

import (
	"errors"
	"maps"
	"slices"

	"etch/sim/native/vector"
	"etch/sim/net"
)

// errNoWords is the error for what word form cannot do: divisions, upper halves of products,
// arithmetic shifts of 64-bit elements, and bodies in another form.
var errNoWords = errors.New("lanes: operations that have no word form")

// worder turns a net into code on words. A value of at most 16 bits is one vector of 16-bit
// elements, of at most 32 bits two vectors of 32-bit elements, a wider one four vectors of
// 64-bit elements. The order of instances follows from interleaving: each block of 128 bits of a
// narrower vector has its low half in one vector and its high half in the next. A one-bit value
// is a mask: elements of 16 ones or zeros.
type worder struct {
	n     *net.Net
	l     *Layout
	t     Target
	c     *vector.Code
	memo  map[form][]vector.Value // values made so far
	masc  map[form][]vector.Value // one-bit values made so far, as masks
	width map[net.ID]int          // by one-bit value: bits of its natural elements
	uses  []int32                 // by node
	order []int                   // words that change, in order; nil: not sorted yet
	conds map[net.ID]net.ID       // by read: its condition
	due   []bool                  // by word: a constant next value is not stored
	fail  bool
}

// form is a node in elements of a given width.
type form struct {
	id net.ID
	es int
}

// elementOf is the element width for values of w bits.
func elementOf(w uint8) int {
	switch {
	case w <= 16:
		return 16
	case w <= 32:
		return 32
	}
	return 64
}

// vectors is the number of vectors of a value of w bits in word form.
func vectors(w uint8) int { return elementOf(w) / 16 }

// compileWords makes the code of a net in word form.
func compileWords(n *net.Net, l *Layout, t Target) (*vector.Code, error) {
	// Code of single cycles first: it tells whether several at once pay.
	single := newWorder(n, l, t, vector.NewCode())
	single.cycle()
	if single.fail {
		return nil, errNoWords
	}

	several, quiet := several(n, single, t)
	if several == nil {
		single.c.Settle()
		return single.c, nil
	}

	// Both: several cycles behind a test, then the single cycle.
	c := vector.NewCode()
	newWorder(several, l, t, c).quietly(quiet)
	again := newWorder(n, l, t, c)
	again.order = single.order
	again.cycle()
	c.Settle()
	return c, nil
}

func newWorder(n *net.Net, l *Layout, t Target, c *vector.Code) *worder {
	return &worder{n: n, l: l, t: t, c: c, uses: n.Uses(), conds: readConds(n), memo: map[form][]vector.Value{}, masc: map[form][]vector.Value{}, width: map[net.ID]int{}}
}

// inOrder is wordsInOrder of the net, sorted once.
func (w *worder) inOrder() []int {
	if w.order == nil {
		w.order = wordsInOrder(w.n, w.l.pol)
	}
	return w.order
}

// cycle makes the instructions of a cycle: stop, plain words, writes, then the skipped blocks.
func (w *worder) cycle() {
	// Instances that are not in use must not stop the group.
	if w.n.Stop >= 0 {
		w.c.Stop(w.do(vector.And, 0, w.truth(w.n.Stop, 16), []vector.Value{w.c.At(w.l.active)})[0])
	}

	plain, held := w.split(w.inOrder())
	for _, r := range plain {
		// A body writes constants of control registers only when it is left.
		if _, known := w.n.IsConst(w.n.Regs[r].Next); known && w.due != nil && w.due[r] {
			continue
		}
		w.store(r, w.state(w.n.Regs[r].Next, w.n.Regs[r].W))
	}

	w.beforeHolds(held)
	w.writes()
	w.holds(held)
}

// state is a value in the form of a state word of width bits.
func (w *worder) state(id net.ID, width uint8) []vector.Value {
	switch own := elementOf(w.n.Width(id)); {
	case width > 1:
	case w.n.Width(id) == 1:
		return w.mask(id, 16)
	default: // the last word of a wide memory is read as wide as the others
		return w.widened(w.lowest(w.value(id, own), own), own, 16)
	}

	v := w.value(id, elementOf(width))
	if w.n.Width(id) > width {
		v = w.cut(v, width, elementOf(width))
	}
	return v
}

// store stores the vectors of word r, or its bits in the sliced state.
func (w *worder) store(r int, v []vector.Value) {
	if w.l.bit != nil && w.l.bit[r] {
		w.c.StoreBits(v[0], w.l.Reg[r])
		return
	}
	for k, x := range v {
		w.c.Store(x, w.l.Reg[r]+int32(k))
	}
}

// heldWords is state words that take a new value under one condition only. They are skipped
// together when no instance meets it, if they are many enough.
type heldWords struct {
	sel  net.ID
	regs []int
	size int
}

// split separates plain words from held ones, grouped by condition.
func (w *worder) split(regs []int) (plain []int, held []*heldWords) {
	of, group := map[net.ID]*heldWords{}, map[int]net.ID{}
	// Group the words by their conditions.
	for _, r := range regs {
		if nd := &w.n.N[w.n.Regs[r].Next]; w.holding(nd, r) {
			group[r] = nd.A
			h := of[nd.A]
			if h == nil {
				h = &heldWords{sel: nd.A}
				of[nd.A] = h
				held = append(held, h)
			}
			h.regs = append(h.regs, r)
			h.size += vectors(w.n.Regs[r].W)
		}
	}

	// Keep groups that are large enough and independent of others.
	keep := held[:0]
	for _, h := range held {
		if h.size >= w.l.pol.LeastHeld && !w.crosses(h, group) {
			keep = append(keep, h)
		} else {
			of[h.sel] = nil
		}
	}

	for _, r := range regs {
		if sel, ok := group[r]; !ok || of[sel] == nil {
			plain = append(plain, r)
		}
	}
	return plain, keep
}

// crosses reports whether the block of h may read a word that the block of another group has
// overwritten before. Most values are computed ahead of all blocks (beforeHolds). But a block reads a
// word itself if that word, a slice or a sign extension of it is the condition or a new value: it may
// make slices again in other elements, and the extension of a bit is the bit's own mask.
func (w *worder) crosses(h *heldWords, group map[int]net.ID) bool {
	other := func(x net.ID) bool {
		for w.n.N[x].Op == net.Slice || w.n.N[x].Op == net.SExt {
			x = w.n.N[x].A
		}
		nd := &w.n.N[x]
		if nd.Op != net.Leaf {
			return false
		}
		sel, ok := group[int(nd.Imm)]
		return ok && sel != h.sel
	}
	return other(h.sel) || slices.ContainsFunc(h.regs, func(r int) bool { return other(w.n.N[w.n.Regs[r].Next].B) })
}

// holding reports whether a node selects between a new value and word r itself.
func (w *worder) holding(nd *net.Node, r int) bool {
	return nd.Op == net.Mux && nd.C == w.n.Regs[r].Q && w.n.Width(nd.A) == 1
}

// beforeHolds computes the values that blocks use but must not skip, and memory reads, which
// must come before writes.
func (w *worder) beforeHolds(held []*heldWords) {
	for _, h := range held {
		w.truth(h.sel, 16)
		for _, r := range h.regs {
			w.outside(w.n.N[w.n.Regs[r].Next].B)
		}
	}
}

// holds makes the held words, each group in a block that is skipped unless an instance meets its
// condition. Nothing follows the blocks.
func (w *worder) holds(held []*heldWords) {
	for _, h := range held {
		// Values made inside a block do not exist outside of it.
		memo, masc := maps.Clone(w.memo), maps.Clone(w.masc)
		w.c.Skip(w.truth(h.sel, 16)[0])
		for _, r := range h.regs {
			es := elementOf(w.n.Regs[r].W)
			old := w.state(w.n.Regs[r].Q, w.n.Regs[r].W)
			now := w.state(w.n.N[w.n.Regs[r].Next].B, w.n.Regs[r].W)
			mask := w.truth(h.sel, es)
			for k := range now {
				w.c.Store(w.c.Emit(vector.Choose8, 0, old[k], now[k], mask[k]), w.l.Reg[r]+int32(k))
			}
		}
		w.c.EndSkip()
		w.memo, w.masc = memo, masc // drop the values made in the block
	}
}

// outside computes a value before a block, in the forms that the block may use.
func (w *worder) outside(id net.ID) {
	if w.n.Width(id) == 1 {
		w.mask(id, 16)
		return
	}
	w.value(id, elementOf(w.n.Width(id)))
}

// do applies an op vector by vector.
func (w *worder) do(op vector.Op, imm int, args ...[]vector.Value) []vector.Value {
	out := make([]vector.Value, len(args[0]))
	for k := range out {
		var x [3]vector.Value
		for i, a := range args {
			x[i] = a[k]
		}
		out[k] = w.c.Do(op, uint8(imm), x[:len(args)]...)
	}
	return out
}

// constant is v in all elements.
func (w *worder) constant(v uint64, es int) []vector.Value {
	out := make([]vector.Value, es/16)
	for k := range out {
		out[k] = w.c.Const(v&(1<<es-1), es)
	}
	return out
}

// cut is a value mod 2^width.
func (w *worder) cut(v []vector.Value, width uint8, es int) []vector.Value {
	if int(width) >= es {
		return v
	}
	return w.do(vector.And, 0, v, w.constant(1<<width-1, es))
}

// sized selects the op for elements of es bits.
func sized(es int, op16, op32, op64 vector.Op) vector.Op {
	switch es {
	case 16:
		return op16
	case 32:
		return op32
	}
	return op64
}

func (w *worder) shl(v []vector.Value, n, es int) []vector.Value {
	if n == 0 {
		return v
	}
	return w.do(sized(es, vector.Shl16, vector.Shl32, vector.Shl64), n, v)
}

func (w *worder) shr(v []vector.Value, n, es int) []vector.Value {
	if n == 0 {
		return v
	}
	return w.do(sized(es, vector.Shr16, vector.Shr32, vector.Shr64), n, v)
}
