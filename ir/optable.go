package ir

import (
	"fmt"
	mathbits "math/bits"

	"etch/ir/bits"
)

// CountWidth is the width of a number that counts 0..n.
func CountWidth(n int) int { return max(1, mathbits.Len(uint(n))) }

// table is the only definition of the ops. Tests cover every row.
var table = [NumOps]Info{
	Invalid: {Name: "invalid", width: func(*Module, *Node, []ID) string { return "invalid node" }},
	Const:   {Name: "const", Leaf: true, width: constWidth},
	Input:   {Name: "input", Leaf: true, width: anyWidth},
	Reg:     {Name: "reg", Leaf: true, width: anyWidth},
	MemOut:  {Name: "memout", Leaf: true, width: memWidth},
	InstOut: {Name: "out", Leaf: true, width: anyWidth},
	NetOut:  {Name: "net", Leaf: true, width: anyWidth},
	MemRead: {Name: "memread", MinArgs: 1, MaxArgs: 1, width: memWidth},

	Wire: {Name: "wire", MinArgs: 1, MaxArgs: 1, width: sameAsAll,
		eval: func(_ *Module, _ *Node, x []bits.Value) bits.Value { return x[0] }},
	Not: {Name: "not", MinArgs: 1, MaxArgs: 1, width: sameAsAll,
		eval: func(_ *Module, _ *Node, x []bits.Value) bits.Value { return x[0].Not() }},
	And: {Name: "and", MinArgs: 2, MaxArgs: -1, Commute: true, width: sameAsAll, eval: fold(bits.Value.And)},
	Or:  {Name: "or", MinArgs: 2, MaxArgs: -1, Commute: true, width: sameAsAll, eval: fold(bits.Value.Or)},
	Xor: {Name: "xor", MinArgs: 2, MaxArgs: -1, Commute: true, width: sameAsAll, eval: fold(bits.Value.Xor)},
	Add: {Name: "add", MinArgs: 2, MaxArgs: 2, Commute: true, width: sameAsAll, eval: fold(bits.Value.Add)},
	Sub: {Name: "sub", MinArgs: 2, MaxArgs: 2, width: sameAsAll, eval: fold(bits.Value.Sub)},
	Mul: {Name: "mul", MinArgs: 2, MaxArgs: 2, Commute: true, width: productWidth,
		eval: func(_ *Module, n *Node, x []bits.Value) bits.Value { return x[0].Mul(x[1], int(n.Width)) }},
	MulS: {Name: "muls", MinArgs: 2, MaxArgs: 2, Commute: true, width: productWidth,
		eval: func(_ *Module, n *Node, x []bits.Value) bits.Value { return x[0].MulS(x[1], int(n.Width)) }},
	Div:  {Name: "div", MinArgs: 2, MaxArgs: 2, width: sameAsAll, eval: fold(bits.Value.Div)},
	DivS: {Name: "divs", MinArgs: 2, MaxArgs: 2, width: sameAsAll, eval: fold(bits.Value.DivS)},
	Rem:  {Name: "rem", MinArgs: 2, MaxArgs: 2, width: sameAsAll, eval: fold(bits.Value.Rem)},
	RemS: {Name: "rems", MinArgs: 2, MaxArgs: 2, width: sameAsAll, eval: fold(bits.Value.RemS)},
	Eq: {Name: "eq", MinArgs: 2, MaxArgs: 2, Commute: true, width: compareWidth,
		eval: truth(func(x []bits.Value) bool { return x[0].Equal(x[1]) })},
	Lt: {Name: "lt", MinArgs: 2, MaxArgs: 2, width: compareWidth,
		eval: truth(func(x []bits.Value) bool { return x[0].Cmp(x[1]) < 0 })},
	LtS: {Name: "lts", MinArgs: 2, MaxArgs: 2, width: compareWidth,
		eval: truth(func(x []bits.Value) bool { return x[0].CmpS(x[1]) < 0 })},
	Shl:  {Name: "shl", MinArgs: 2, MaxArgs: 2, width: sameAsFirst, eval: fold(bits.Value.ShlBy)},
	Shr:  {Name: "shr", MinArgs: 2, MaxArgs: 2, width: sameAsFirst, eval: fold(bits.Value.ShrBy)},
	ShrS: {Name: "shrs", MinArgs: 2, MaxArgs: 2, width: sameAsFirst, eval: fold(bits.Value.ShrSBy)},
	Mux: {Name: "mux", MinArgs: 3, MaxArgs: 3, width: muxWidth,
		eval: func(_ *Module, _ *Node, x []bits.Value) bits.Value {
			if x[0].IsZero() {
				return x[2]
			}
			return x[1]
		}},
	Case: {Name: "case", MinArgs: 2, MaxArgs: -1, width: caseWidth, eval: evalCase},
	Slice: {Name: "slice", MinArgs: 1, MaxArgs: 1, width: sliceWidth,
		eval: func(_ *Module, n *Node, x []bits.Value) bits.Value { return x[0].Slice(int(n.Aux), int(n.Width)) }},
	Cat: {Name: "cat", MinArgs: 1, MaxArgs: -1, width: catWidth,
		eval: func(_ *Module, _ *Node, x []bits.Value) bits.Value { return bits.Concat(x...) }},
	ZExt: {Name: "zext", MinArgs: 1, MaxArgs: 1, width: extWidth,
		eval: func(_ *Module, n *Node, x []bits.Value) bits.Value { return x[0].ZExt(int(n.Width)) }},
	SExt: {Name: "sext", MinArgs: 1, MaxArgs: 1, width: extWidth,
		eval: func(_ *Module, n *Node, x []bits.Value) bits.Value { return x[0].SExt(int(n.Width)) }},
	RedAnd: {Name: "redand", MinArgs: 1, MaxArgs: 1, width: oneBit,
		eval: truth(func(x []bits.Value) bool { return x[0].IsOnes() })},
	RedOr: {Name: "redor", MinArgs: 1, MaxArgs: 1, width: oneBit,
		eval: truth(func(x []bits.Value) bool { return !x[0].IsZero() })},
	RedXor: {Name: "redxor", MinArgs: 1, MaxArgs: 1, width: oneBit,
		eval: truth(func(x []bits.Value) bool { return x[0].PopCount()%2 == 1 })},
	PopCount: {Name: "popcount", MinArgs: 1, MaxArgs: 1, width: countWidth,
		eval: func(_ *Module, n *Node, x []bits.Value) bits.Value {
			return bits.New(int(n.Width), uint64(x[0].PopCount()))
		}},
	Lut: {Name: "lut", MinArgs: 1, MaxArgs: MaxLut, width: lutWidth, eval: evalLut},
}

// MaxLut is the largest number of inputs of a Lut.
const MaxLut = 16

// fold evaluates an op of two or more arguments from the left.
func fold(f func(x, y bits.Value) bits.Value) func(*Module, *Node, []bits.Value) bits.Value {
	return func(_ *Module, _ *Node, x []bits.Value) bits.Value {
		z := x[0]
		for _, y := range x[1:] {
			z = f(z, y)
		}
		return z
	}
}

// truth evaluates an op with a result of one bit.
func truth(f func(x []bits.Value) bool) func(*Module, *Node, []bits.Value) bits.Value {
	return func(_ *Module, _ *Node, x []bits.Value) bits.Value {
		if f(x) {
			return bits.New(1, 1)
		}
		return bits.New(1, 0)
	}
}

func evalCase(m *Module, n *Node, x []bits.Value) bits.Value {
	for i, k := range m.keys[n.Aux] {
		if x[0].Equal(k) {
			return x[2+i]
		}
	}
	return x[1]
}

func evalLut(m *Module, n *Node, x []bits.Value) bits.Value {
	at := 0
	for i, b := range x {
		at |= int(b.Uint64()) << i
	}
	return bits.New(1, m.consts[n.Aux].Bit(at))
}

// Width rules. Each describes the violation, "" if there is none.

func anyWidth(*Module, *Node, []ID) string { return "" }

func constWidth(m *Module, n *Node, _ []ID) string {
	if w := m.consts[n.Aux].Width(); w != int(n.Width) {
		return fmt.Sprintf("constant of %d bits in a node of %d", w, n.Width)
	}
	return ""
}

func memWidth(m *Module, n *Node, _ []ID) string {
	if w := m.Mems[n.Aux].Width; w != int(n.Width) {
		return fmt.Sprintf("memory %s has %d bits", m.Mems[n.Aux].Name, w)
	}
	return ""
}

func sameAsAll(m *Module, n *Node, args []ID) string {
	for _, a := range args {
		if m.Width(a) != int(n.Width) {
			return fmt.Sprintf("argument %%%d has %d bits", a, m.Width(a))
		}
	}
	return ""
}

func sameAsFirst(m *Module, n *Node, args []ID) string { return sameAsAll(m, n, args[:1]) }

func productWidth(m *Module, n *Node, args []ID) string {
	if sum := m.Width(args[0]) + m.Width(args[1]); int(n.Width) > sum {
		return fmt.Sprintf("a product of %d bits at most", sum)
	}
	return ""
}

func oneBit(_ *Module, n *Node, _ []ID) string {
	if n.Width != 1 {
		return "the result is one bit"
	}
	return ""
}

func compareWidth(m *Module, n *Node, args []ID) string {
	if x, y := m.Width(args[0]), m.Width(args[1]); x != y {
		return fmt.Sprintf("compares %d bits with %d", x, y)
	}
	return oneBit(m, n, args)
}

func muxWidth(m *Module, n *Node, args []ID) string {
	if w := m.Width(args[0]); w != 1 {
		return fmt.Sprintf("the condition has %d bits", w)
	}
	return sameAsAll(m, n, args[1:])
}

// caseWidth wants a key per value, in strictly rising order: back ends search and print
// them so.
func caseWidth(m *Module, n *Node, args []ID) string {
	keys := m.keys[n.Aux]
	if len(keys) != len(args)-2 {
		return fmt.Sprintf("%d keys for %d values", len(keys), len(args)-2)
	}
	for i, k := range keys {
		if k.Width() != m.Width(args[0]) {
			return fmt.Sprintf("key %v for a selector of %d bits", k, m.Width(args[0]))
		}
		if i > 0 && keys[i-1].Cmp(k) >= 0 {
			return "keys are not in rising order"
		}
	}
	return sameAsAll(m, n, args[1:])
}

func sliceWidth(m *Module, n *Node, args []ID) string {
	if w := m.Width(args[0]); n.Aux < 0 || int(n.Aux)+int(n.Width) > w {
		return fmt.Sprintf("bits %d..%d of %d", n.Aux+n.Width-1, n.Aux, w)
	}
	return ""
}

func catWidth(m *Module, n *Node, args []ID) string {
	sum := 0
	for _, a := range args {
		sum += m.Width(a)
	}
	if sum != int(n.Width) {
		return fmt.Sprintf("the arguments have %d bits together", sum)
	}
	return ""
}

func extWidth(m *Module, n *Node, args []ID) string {
	if w := m.Width(args[0]); w > int(n.Width) {
		return fmt.Sprintf("extends %d bits", w)
	}
	return ""
}

func countWidth(m *Module, n *Node, args []ID) string {
	if want := CountWidth(m.Width(args[0])); want != int(n.Width) {
		return fmt.Sprintf("a count of %d bits has %d", m.Width(args[0]), want)
	}
	return ""
}

func lutWidth(m *Module, n *Node, args []ID) string {
	for _, a := range args {
		if m.Width(a) != 1 {
			return fmt.Sprintf("argument %%%d has %d bits", a, m.Width(a))
		}
	}
	if t := m.consts[n.Aux].Width(); t != 1<<len(args) {
		return fmt.Sprintf("a table of %d bits for %d inputs", t, len(args))
	}
	return oneBit(m, n, args)
}
