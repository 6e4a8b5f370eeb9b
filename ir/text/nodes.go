package text

import (
	"github.com/alecthomas/participle/v2/lexer"

	"etch/ir"
	"etch/ir/bits"
)

// node adds the node of a line.
func (b *body) node(l *nodeLine) error {
	label := b.label(l.ID)

	// A label may have been used before, but has one line.
	if b.nodeOf[label] != ir.None {
		return b.fail(l.ID, "a second node %s", l.ID.Value)
	}

	op := ir.OpByName(l.Op.Value)
	if op == ir.Invalid {
		return b.fail(l.Op, "there is no op %s", l.Op.Value)
	}

	n := ir.Node{Op: op}
	width, typ, err := b.shape(&l.Shape)
	if err != nil {
		return err
	}
	n.Width, n.Type = int32(width), typ
	if n.Pos, err = b.position(l.At); err != nil {
		return err
	}

	if len(l.Arms) > 0 && op != ir.Case {
		return b.fail(l.Op, "%s has no arms in braces", op)
	}

	// Operands may be labels without a line yet.
	id, err := b.add(n, l)
	if err != nil {
		return err
	}
	b.nodeOf[label] = id
	if l.Name.Type != 0 {
		b.m.SetName(id, b.name(l.Name))
	}
	return b.nodeTail(id, l)
}

// nodeTail reads the positions of a node's values, and its path in a bundle.
func (b *body) nodeTail(id ir.ID, l *nodeLine) error {
	if l.Tail == nil {
		return nil
	}
	if l.Tail.Path.Type != 0 {
		b.m.SetPath(id, b.name(l.Tail.Path))
	}

	// Only some ops choose between values.
	arms := b.m.Arms(id)
	if arms == 0 && len(l.Tail.Set) > 0 {
		return b.fail(l.Tail.Set[0], "%s has no values to choose from", b.m.Op(id))
	}

	pos, err := b.positions(l.Tail.Set, arms)
	if pos != nil {
		b.m.SetArmPos(id, pos...)
	}
	return err
}

// add adds a node with its operands. Most ops take nodes only; the others have a form of
// their own.
func (b *body) add(n ir.Node, l *nodeLine) (ir.ID, error) {
	ops := l.Operands

	// Leaves refer to tables that are complete at the end of the module only.
	switch n.Op {
	case ir.Input, ir.MemOut, ir.InstOut:
		return b.leaf(n, l.Op, ops), nil
	case ir.MemRead:
		// The address comes last, behind the reference to the memory.
		if len(ops) < 2 || ops[len(ops)-1].Type != tokNode {
			return 0, b.fail(l.Op, "expected memread MEMORY %%address")
		}
		name, addr := ops[:len(ops)-1], ops[len(ops)-1]
		return b.leaf(n, l.Op, name, b.label(addr)), nil
	case ir.Const, ir.Lut:
		if len(ops) == 0 || ops[0].Type != tokValue {
			return 0, b.fail(l.Op, "expected a value after %s", n.Op)
		}
		v, err := b.value(ops[0])
		if err != nil {
			return 0, err
		}
		args, err := b.args(n.Op, l.Op, ops[1:])
		if err != nil {
			return 0, err
		}
		return b.table(n, v, args), nil
	// The lowest bit is a field of the node, not an argument.
	case ir.Slice:
		if len(ops) != 3 || ops[1].Value != "at" || ops[2].Type != tokInt {
			return 0, b.fail(l.Op, "expected slice %%x at LOW")
		}
		low, err := b.number(ops[2], "a lowest bit", 0, bits.MaxWidth)
		if err != nil {
			return 0, err
		}
		n.Aux, ops = int32(low), ops[:1]
	case ir.Case:
		return b.cases(n, l)
	}

	args, err := b.args(n.Op, l.Op, ops)
	if err != nil {
		return 0, err
	}
	return b.m.Add(n, args...), nil
}

// leaf adds a node that refers to an entry of a table, to be found after the module is
// read.
func (b *body) leaf(n ir.Node, op lexer.Token, names []lexer.Token, args ...ir.ID) ir.ID {
	id := b.m.Add(n, args...)
	b.leaves = append(b.leaves, leaf{id, names, op})
	return id
}

// table adds a Const or a Lut through the module's constructors, which set the index of the
// value. They also set width and type, which are put back.
func (b *body) table(n ir.Node, v bits.Value, args []ir.ID) ir.ID {
	var id ir.ID
	if n.Op == ir.Const {
		id = b.m.Const(v, n.Pos)
	} else {
		id = b.m.AddLut(v, n.Pos, args...)
	}

	// The constructor has set the plain type.
	at := b.m.Node(id)
	at.Width, at.Type = n.Width, n.Type
	return id
}

// args reads the arguments of a node; the op table gives their number.
func (b *body) args(op ir.Op, at lexer.Token, ops []lexer.Token) ([]ir.ID, error) {
	// The labels first,
	info := op.Info()
	args := make([]ir.ID, len(ops))
	for i, t := range ops {
		if t.Type != tokNode {
			return nil, b.fail(t, "expected a node as argument of %s, not %s", op, t.Value)
		}
		args[i] = b.label(t)
	}

	// then their number.
	switch n := len(args); {
	case info.MaxArgs == info.MinArgs && n != info.MinArgs:
		return nil, b.fail(at, "%s takes %d arguments, not %d", op, info.MinArgs, n)
	case n < info.MinArgs:
		return nil, b.fail(at, "%s takes at least %d arguments, not %d", op, info.MinArgs, n)
	case info.MaxArgs >= 0 && n > info.MaxArgs:
		return nil, b.fail(at, "%s takes at most %d arguments, not %d", op, info.MaxArgs, n)
	}
	return args, nil
}

// cases reads "case %sel { KEY: %v, else: %d }".
func (b *body) cases(n ir.Node, l *nodeLine) (ir.ID, error) {
	if len(l.Operands) != 1 || l.Operands[0].Type != tokNode || len(l.Arms) == 0 {
		return 0, b.fail(l.Op, "expected case %%selector { KEY: %%value, …, else: %%default }")
	}

	// Selector and default come first among the arguments, then the values in order of
	// their keys.
	args := []ir.ID{b.label(l.Operands[0]), ir.None}
	keys := make([]bits.Value, 0, len(l.Arms)-1)
	for i, a := range l.Arms {
		// A key stands exactly on the arms before the last.
		if (a.Key.Type == tokValue) == (i == len(l.Arms)-1) {
			return 0, b.fail(a.Key, "else is the last arm, and no other")
		}
		if a.Key.Type != tokValue {
			args[1] = b.label(a.Node)
			continue
		}
		k, err := b.value(a.Key)
		if err != nil {
			return 0, err
		}
		keys, args = append(keys, k), append(args, b.label(a.Node))
	}

	// The constructor sets the width; the type is the line's.
	id := b.m.AddCase(int(n.Width), n.Pos, keys, args...)
	b.m.Node(id).Type = n.Type
	return id, nil
}
