package verilog

import "etch/ir"

// reach marks the live nodes and lists them, arguments first. Everything with a name is
// printed, so it is a root.
func (p *view) reach() {
	for id := ir.ID(1); int(id) < p.m.Len(); id++ {
		if p.is(id, named) {
			p.walk(id)
		}
	}

	// So is everything to which a table of the module refers.
	ir.EachRef(p.m, func(ref *ir.ID) { p.walk(*ref) })
}

// walk lists root after everything it depends on: a depth-first search with an explicit
// stack. An entry ^id marks a node whose operands are done.
func (p *view) walk(root ir.ID) {
	if p.is(root, live) {
		return
	}
	stack := append(p.stack[:0], root)
	for len(stack) > 0 {
		top := stack[len(stack)-1]
		if top < 0 {
			stack = stack[:len(stack)-1]
			p.order = append(p.order, ^top)
			continue
		}
		if p.is(top, live) {
			stack = stack[:len(stack)-1]
			continue
		}

		// Met first: its operands go on top of it, the first one topmost.
		p.marks[top] |= live
		stack[len(stack)-1] = ^top
		args := p.m.Args(top)
		for i := len(args) - 1; i >= 0; i-- {
			if !p.is(args[i], live) {
				stack = append(stack, args[i])
			}
		}
	}
	p.stack = stack
}

// countRaw counts the uses of nodes by nodes and tables, after simplification.
func (p *view) countRaw() {
	use := func(id ir.ID) {
		if id = p.v(id); p.fanout[id] < 255 {
			p.fanout[id]++
		}
	}

	// A node with a text of its own uses its operands, a named copy its source.
	for _, id := range p.order {
		switch {
		case p.is(id, folded):
		case p.to[id] == id:
			for _, a := range p.m.Args(id) {
				use(a)
			}
		case p.is(id, named):
			use(p.to[id])
		}
	}
	ir.EachRef(p.m, func(ref *ir.ID) { use(*ref) })
}

// findBig marks the values whose text is a case of many arms, which reads better as an
// always block than as a chain of ?:. A multiplexer above such a value joins its block.
func (p *choices) findBig() {
	for _, id := range p.order {
		if p.is(id, folded) || p.to[id] != id {
			continue
		}
		switch p.m.Op(id) {
		case ir.Case:
			// The default is an arm of its own.
			if len(p.m.KeysOf(id)) >= manyArms-1 {
				p.marks[id] |= big
			}
		case ir.Mux:
			args := p.m.Args(id)
			if p.chainLength(id) >= manyArms-1 || p.inTree(args[1]) && p.is(p.v(args[1]), big) || p.inTree(args[2]) && p.is(p.v(args[2]), big) {
				p.marks[id] |= big
			}
		}
	}
}

// manyArms is the number of arms from which a case is printed as an always block.
const manyArms = 4

// chainLength counts the comparisons of one selector at the top of a tree of multiplexers,
// up to manyArms.
func (p *choices) chainLength(id ir.ID) int {
	sel := ir.None
	for n := 0; ; n++ {
		s, _, ok := p.test(p.m.Args(id)[0])
		if !ok || sel != ir.None && s != sel || n == manyArms {
			return n
		}
		sel = s

		// The chain goes on in the value for a false comparison.
		next := p.m.Args(id)[2]
		if !p.inTree(next) || p.m.Op(p.v(next)) != ir.Mux {
			return n + 1
		}
		id = p.v(next)
	}
}
