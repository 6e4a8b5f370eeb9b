package hw

import (
	"etch/ir"
)

// target is something that can be Set.
type target struct {
	kind  targetKind
	id    ir.ID // its Wire or Reg node
	gate  ir.ID // register: its clock enable, None for none
	inst  int32 // instance input: the instance
	port  int32 // output, instance input: the port
	cur   value // its value at this point of the current block
	log   int32 // serial of the block that has saved the outer state
	setIn int32 // serial of the block that set it last, 0 for none
	setAt ir.Pos
	part  bool  // that set was conditional
	depth int32 // of the block it was made in

	pieces []piece // its values by part, instead of cur, once parts of it are set
}

type targetKind uint8

const (
	regTarget targetKind = iota
	wireTarget
	outTarget
	instTarget
	portTarget // a field of a memory port
)

// value is the content of a target: a node, and the conditions under which nothing was set.
type value struct {
	id   ir.ID // None: nothing at all
	hole *hole
	pos  ir.Pos // where it was given; 0 if id is a choice with a position per arm
}

// hole is a list of conditions that together describe a path on which a target is not set.
type hole struct {
	cond ir.ID
	is   string // the value of cond at which there is none
	next *hole
}

// frame is a block of statements under one condition.
type frame struct {
	parent  *frame
	serial  int32
	depth   int32
	cond    func() ir.ID // its own condition; nil at the top
	all     ir.ID        // the conjunction with those around it, None until asked for
	undo    []undo       // the targets that the block sets; not kept at the top
	pending *Chain
}

// undo is the state of a target outside the block.
type undo struct {
	at    int32
	saved target
}

// setting is a target with the value that a block gives it.
type setting struct {
	at     int32
	v      value
	pos    ir.Pos
	pieces []piece // instead of v, those that the block sets
}

// targetList is the targets of a module, in chunks that never move, so that pointers into
// it stay valid.
type targetList struct {
	pieces [][]target
	n      int32
}

const pieceSize = 512

func (l *targetList) add(t target) {
	if l.n%pieceSize == 0 {
		l.pieces = append(l.pieces, make([]target, pieceSize))
	}
	l.pieces[l.n/pieceSize][l.n%pieceSize] = t
	l.n++
}

func (l *targetList) at(i int32) *target { return &l.pieces[i/pieceSize][i%pieceSize] }

// addTarget makes a node settable.
func (b *body) addTarget(t target) lvalue {
	t.depth = b.frame.depth
	b.targets.add(t)
	return lvalue(b.targets.n)
}

// push opens a block.
func (b *body) push(cond func() ir.ID) *frame {
	b.serials++
	f := &frame{parent: b.frame, serial: b.serials, cond: cond}
	if f.parent != nil {
		f.depth = f.parent.depth + 1
	}
	b.frame = f
	return f
}

// pop closes the block and returns its settings. The targets get back the state they had
// outside.
func (b *body) pop() []setting {
	b.flush()
	f := b.frame

	// The settings go out, and the targets return to their state outside.
	out := make([]setting, len(f.undo))
	for i, u := range f.undo {
		t := b.targets.at(u.at)
		out[i] = setting{u.at, t.cur, t.setAt, mine(t.pieces, f.serial)}
		*t = u.saved
	}

	b.frame = f.parent
	return out
}

// put gives a target a value in the current block. The first put in a block saves the state
// outside.
func (b *body) put(at int32, v value, pos ir.Pos, part bool) {
	t, f := b.targets.at(at), b.frame
	if t.log != f.serial && f.parent != nil {
		f.undo = append(f.undo, undo{at, *t})
		t.log = f.serial
	}
	t.cur, t.setIn, t.setAt, t.part, t.pieces = v, f.serial, pos, part, nil
}

// enable is the conjunction of all conditions around the current block; None at the top.
func (b *body) enable() ir.ID { return b.frame.enable(b) }

func (f *frame) enable(b *body) ir.ID {
	if f.cond == nil {
		return ir.None
	}
	if f.all == ir.None {
		// Conjunctions are built from the outermost block without one inwards, so that
		// inner blocks share those of the outer ones. The loop stands for a recursion over
		// nesting depth.
		var around []*frame
		g := f
		for ; g.cond != nil && g.all == ir.None; g = g.parent {
			around = append(around, g)
		}
		for all := g.all; len(around) > 0; around = around[:len(around)-1] {
			g = around[len(around)-1]
			g.all = b.and(all, g.cond())
			all = g.all
		}
	}
	return f.all
}
