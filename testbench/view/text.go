package view

import (
	"fmt"
	"math/big"
	"strings"

	"etch/ir"
	"etch/ir/bits"
)

// valueText is a value in its signal's own notation: an enumeration's name, a signed number, a
// number with fraction, a decimal of up to 16 bits, else hexadecimal.
func valueText(t ir.Type, v bits.Value) string {
	// The type decides; a code without a name falls through to plain numbers.
	switch t.Kind {
	case ir.EnumKind, ir.Float:
		if text := t.TextOf(v); text != "?" {
			return text
		}
	case ir.SInt:
		return v.SignedBig().String()
	case ir.Fixed:
		if t.Frac >= 0 {
			// A binary fraction of Frac bits has exactly Frac decimal places, so this is exact; zeros at
			// the end say nothing.
			one := new(big.Int).Lsh(big.NewInt(1), uint(t.Frac))
			text := new(big.Rat).SetFrac(v.SignedBig(), one).FloatString(t.Frac)
			if strings.Contains(text, ".") {
				text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
			}
			return text
		}
		return v.SignedBig().String() + "·2^" + fmt.Sprint(-t.Frac)
	}

	// Wide values are mostly addresses and data, which one reads in hexadecimal.
	if v.Width() <= 16 {
		return v.Big().String()
	}
	return "0x" + v.Big().Text(16)
}

// named reports whether a node is a thing of its own in the schematic: it has a name, or is state,
// a port or an output of an instance.
func named(m *ir.Module, id ir.ID) bool {
	switch m.Op(id) {
	case ir.Input, ir.Reg, ir.MemOut, ir.InstOut, ir.NetOut:
		return true
	}
	return m.NameOf(id) != ""
}

// nameOf is the name of a named node: an instance's output is instance.port.
func nameOf(m *ir.Module, id ir.ID) string {
	n := m.Node(id)
	if n.Op == ir.InstOut {
		inst := &m.Insts[n.Aux]
		return inst.Name + "." + inst.Mod.Ports[n.Aux2].Name
	}
	if name := m.NameOf(id); name != "" {
		return name
	}

	// State and ports without a name have one by their place.
	switch n.Op {
	case ir.Input:
		return m.Ports[n.Aux].Name
	case ir.MemOut:
		return m.Mems[n.Aux].Name + "." + m.Mems[n.Aux].Reads[n.Aux2].Name
	}
	return fmt.Sprintf("%%%d", id)
}

// infix are the operations that stand between their arguments.
var infix = map[ir.Op]string{
	ir.And: "&", ir.Or: "|", ir.Xor: "^", ir.Add: "+", ir.Sub: "-", ir.Mul: "*", ir.MulS: "*", ir.Div: "/", ir.DivS: "/",
	ir.Rem: "%", ir.RemS: "%", ir.Eq: "==", ir.Lt: "<", ir.LtS: "<", ir.Shl: "<<", ir.Shr: ">>", ir.ShrS: ">>>",
}

// Bounds of an expression's text: operations within each other, and characters.
const (
	mostNested = 6
	mostText   = 150
)

// exprText is the expression of a node over named things, cut to mostText characters. A named node
// itself gives its own operation, not its name.
func exprText(m *ir.Module, id ir.ID) string {
	text := []rune(unbracket(operation(m, id, mostNested)))
	if len(text) > mostText {
		return string(text[:mostText-1]) + "…"
	}
	return string(text)
}

// unbracket drops the brackets around a whole operation.
func unbracket(text string) string {
	if len(text) < 2 || text[0] != '(' || text[len(text)-1] != ')' {
		return text
	}

	// A bracket that closes before the end shows two operations side by side, as in (a) + (b).
	depth := 0
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 && i < len(text)-1 {
				return text
			}
		}
	}
	return text[1 : len(text)-1]
}

// operand is a node inside an expression: the name of a named one, else its operation.
func operand(m *ir.Module, id ir.ID, depth int) string {
	if named(m, id) {
		return nameOf(m, id)
	}
	return operation(m, id, depth)
}

// operation is what a node computes; depth is the number of operations that may stand in it.
func operation(m *ir.Module, id ir.ID, depth int) string {
	n := m.Node(id)
	if n.Op == ir.Const {
		return valueText(m.TypeOf(n.Type), m.ConstOf(id))
	}
	if depth == 0 {
		return "…"
	}

	args := m.Args(id)
	arg := func(i int) string { return operand(m, args[i], depth-1) }

	// The forms of their own.
	switch n.Op {
	case ir.Input, ir.Reg, ir.MemOut, ir.InstOut, ir.NetOut:
		return nameOf(m, id)
	case ir.Wire:
		return arg(0)
	case ir.ZExt, ir.SExt:
		return arg(0)
	case ir.Not:
		if a := m.Node(args[0]); a.Op == ir.Eq && !named(m, args[0]) {
			eq := m.Args(args[0])
			return "(" + operand(m, eq[0], depth-1) + " != " + constLike(m, eq[1], eq[0], depth-1) + ")"
		}
		return "!" + arg(0)
	case ir.Eq:
		return "(" + arg(0) + " == " + constLike(m, args[1], args[0], depth-1) + ")"
	case ir.Mux:
		return "(" + arg(0) + " ? " + arg(1) + " : " + arg(2) + ")"
	case ir.Slice:
		if n.Width == 1 {
			return fmt.Sprintf("%s[%d]", arg(0), n.Aux)
		}
		return fmt.Sprintf("%s[%d:%d]", arg(0), n.Aux+n.Width-1, n.Aux)
	case ir.MemRead:
		return m.Mems[n.Aux].Name + "[" + arg(0) + "]"
	case ir.Case:
		return caseText(m, id, depth)
	}

	// The others: between the arguments, or as a function.
	list := make([]string, len(args))
	for i := range args {
		list[i] = arg(i)
	}
	if sign, ok := infix[n.Op]; ok {
		return "(" + strings.Join(list, " "+sign+" ") + ")"
	}

	if n.Op == ir.Cat {
		return "{" + strings.Join(list, ", ") + "}"
	}
	return n.Op.String() + "(" + strings.Join(list, ", ") + ")"
}

// constLike is an operand that, if it is a constant, has the notation of the node beside it.
func constLike(m *ir.Module, id, like ir.ID, depth int) string {
	if m.Op(id) == ir.Const {
		return valueText(m.TypeOf(m.Node(like).Type), m.ConstOf(id))
	}
	return operand(m, id, depth)
}

// caseText is a choice by the value of a selector: "state: {idle → 3, data → timer, else 0}".
func caseText(m *ir.Module, id ir.ID, depth int) string {
	args := m.Args(id)
	t := m.TypeOf(m.Node(args[0]).Type)
	var b strings.Builder
	fmt.Fprintf(&b, "%s: {", operand(m, args[0], depth-1))
	for i, key := range m.KeysOf(id) {
		if b.Len() > 4*mostText {
			break
		}
		fmt.Fprintf(&b, "%s → %s, ", valueText(t, key), unbracket(operand(m, args[i+2], depth-1)))
	}
	fmt.Fprintf(&b, "else %s}", unbracket(operand(m, args[1], depth-1)))
	return b.String()
}
