package lower

import (
	"sort"
	"strconv"
	"strings"

	"etch/backends/firrtl/syntax"
	"etch/ir"
)

// called is a use of an intrinsic: its parameters and arguments, and the type of its result
// if it has one. An intmodule is called with its inputs as arguments.
type called struct {
	name   string
	label  string
	params []syntax.Param
	exprs  []syntax.Expr // nil for an intmodule
	args   []int32
	t      *typ
}

// param is the value of a parameter without its quotes.
func (c *called) param(name string) (string, bool) {
	for _, p := range c.params {
		if p.Name == name {
			return strings.TrimSuffix(strings.TrimPrefix(p.Value, `"`), `"`), true
		}
	}
	return "", false
}

// number is a parameter that is a number of at least 0. ok is false if it is absent or
// something else.
func (c *called) number(name string) (n int32, ok bool) {
	text, ok := c.param(name)
	v, err := strconv.ParseInt(text, 10, 32)
	return int32(v), ok && err == nil && v >= 0
}

// intrinsicForm is an implemented intrinsic: the number of its arguments and the function
// that returns its result, leaf by leaf.
type intrinsicForm struct {
	least, most int
	do          func(m *module, c *called) []int32
}

// anyNumber as the upper bound allows any number of arguments.
const anyNumber = 1 << 30

// intrinsics holds the implemented intrinsics by name. Some, for debuggers, stand for no
// hardware.
var intrinsics map[string]intrinsicForm

func init() {
	nothing := func(*module, *called) []int32 { return nil }
	intrinsics = map[string]intrinsicForm{
		"circt_clock_gate": {2, 3, (*module).clockGate},
		"circt_clock_inv":  {1, 1, (*module).clockInv},
		"circt_mux2cell":   {3, 3, func(m *module, c *called) []int32 { return []int32{m.choose(c.args[0], c.args[1], c.args[2])} }},
		"circt_mux4cell":   {5, 5, (*module).mux4},
		"circt_isX":        {1, 1, func(m *module, _ *called) []int32 { return []int32{m.lit(1, 0)} }},
		"circt_sizeof":     {1, 1, (*module).sizeOf},

		// A simulation without plusargs.
		"circt_plusargs_test":  {0, 0, func(m *module, _ *called) []int32 { return []int32{m.lit(1, 0)} }},
		"circt_plusargs_value": {0, 0, (*module).plusargsValue},

		"circt_has_been_reset": {2, 2, (*module).hasBeenReset},

		"circt_ltl_and":         {2, anyNumber, fold(propAnd)},
		"circt_ltl_or":          {2, anyNumber, fold(propOr)},
		"circt_ltl_not":         {1, 1, func(m *module, c *called) []int32 { return []int32{m.property(propNot, c.args[0], 0, 0)} }},
		"circt_ltl_implication": {2, 2, func(m *module, c *called) []int32 { return []int32{m.property(propImplies, c.args[0], c.args[1], 0)} }},
		"circt_ltl_concat":      {2, anyNumber, fold(propConcat)},
		"circt_ltl_delay":       {1, 1, (*module).delay},
		"circt_ltl_repeat":      {1, 1, (*module).repeat},
		"circt_ltl_clock":       {2, 2, func(m *module, c *called) []int32 { return []int32{m.property(propClock, c.args[0], c.args[1], 0)} }},

		"circt_verif_assert": {1, 2, verif(ir.Assert)},
		"circt_verif_assume": {1, 2, verif(ir.Assume)},
		"circt_verif_cover":  {1, 2, verif(ir.Cover)},

		"circt_chisel_assert":      {3, anyNumber, chisel(ir.Assert)},
		"circt_chisel_ifelsefatal": {3, anyNumber, chisel(ir.Assert)},
		"circt_chisel_assume":      {3, anyNumber, chisel(ir.Assume)},
		"circt_chisel_cover":       {3, anyNumber, chisel(ir.Cover)},

		"circt_dbg_variable":     {0, anyNumber, nothing},
		"circt_debug_typeinfo":   {0, anyNumber, nothing},
		"circt_debug_enumdef":    {0, anyNumber, nothing},
		"circt_debug_moduleinfo": {0, anyNumber, nothing},
		"circt_fpga_probe":       {0, anyNumber, nothing},
		"circt_view":             {0, anyNumber, nothing},
	}
}

// notRead reports an unknown intrinsic and lists the implemented ones.
func (m *module) notRead(name string) {
	var known []string
	for n := range intrinsics {
		known = append(known, n)
	}
	sort.Strings(known)
	m.fail("intrinsic %s is not read; these are: %s", clip(name), strings.Join(known, ", "))
}

// form looks up an intrinsic and checks the number of arguments. Older files write
// circt.isX for circt_isX.
func (m *module) form(c *called, args int) (intrinsicForm, bool) {
	c.name = strings.ReplaceAll(c.name, ".", "_")
	f, ok := intrinsics[c.name]
	switch {
	case !ok:
		m.notRead(c.name)
	case args < f.least || args > f.most:
		m.fail("intrinsic %s with %d arguments", c.name, args)
		ok = false
	}
	return f, ok
}

// intrinsic evaluates an intrinsic, as an expression or a statement.
func (m *module) intrinsic(row *syntax.ExprRow, label syntax.Name) place {
	c := &called{name: m.l.name(syntax.Name(row.A)), label: m.l.name(label), params: m.l.c.Params[row.D], exprs: m.l.c.Args[row.C : row.C+row.N], t: noTyp}
	if row.B != 0 {
		c.t = m.l.typeOf(syntax.Type(row.B))
	}
	f, ok := m.form(c, len(c.exprs))
	if !ok {
		return place{t: noTyp}
	}
	// The intrinsics of a format evaluate their arguments themselves.
	if f.most < anyNumber || strings.HasPrefix(c.name, "circt_ltl_") {
		for _, e := range c.exprs {
			c.args = append(c.args, m.ground(e))
		}
	}

	// Make the results a place of the type that the call declares.
	values := f.do(m, c)
	if c.t == noTyp {
		return place{t: noTyp}
	}
	if len(values) != int(c.t.leaves) {
		m.fail("intrinsic %s gives %d values, its type has %d", c.name, len(values), c.t.leaves)
		return place{t: noTyp}
	}
	m.list = append(m.list, values...)
	return place{t: c.t, base: int32(len(m.list) - len(values)), list: true}
}

// intmodule makes the body of an intmodule: a call with the inputs as arguments and the
// outputs as results.
func (m *module) intmodule() {
	m.line, m.pos = m.src.Line, m.start()
	c := &called{name: orElse(m.src.DefName, m.l.name(m.src.Name)), params: m.src.Params, t: &typ{form: syntax.Bundle}}

	var outs []int32
	for i := range m.flat {
		p := &m.flat[i]
		leaf := m.nodes[p.node].a
		if !p.output {
			c.args = append(c.args, m.leaves[leaf].node)
			continue
		}
		outs = append(outs, leaf)
		c.t.fields = append(c.t.fields, field{t: p.t, at: c.t.leaves})
		c.t.leaves++
	}

	// These take a format's arguments, which ports cannot pass.
	if strings.HasPrefix(c.name, "circt_chisel_") || strings.HasPrefix(c.name, "circt.chisel_") {
		m.notRead(c.name)
		return
	}
	f, ok := m.form(c, len(c.args))
	if !ok {
		return
	}

	values := f.do(m, c)
	if len(values) != len(outs) {
		m.fail("intrinsic %s gives %d values, intmodule %s has %d outputs", c.name, len(values), m.l.name(m.src.Name), len(outs))
		return
	}

	// The results drive the outputs in their order.
	for i, leaf := range outs {
		m.feed(leaf, values[i])
		m.set(leaf, values[i])
	}
}

// clockGate is the clock while the enable is high. A latch holds the enable while the clock
// is high, so that the gated clock has no glitches. An optional third argument enables the
// clock for a test.
func (m *module) clockGate(c *called) []int32 {
	if m.nodes[c.args[0]].kind != kClock {
		m.fail("a %v where a Clock is wanted", m.nodes[c.args[0]].kind)
		return []int32{c.args[0]}
	}

	// The test enable opens the clock as well.
	enable := c.args[1]
	if len(c.args) > 2 {
		enable = m.or(c.args[2], enable)
	}

	// Latch while the clock is low.
	level := m.prim(syntax.AsUInt, kUInt, 1, c.args[0], 0)
	held := m.add(node{op: opLatch, width: 1, a: m.not(level), b: enable})
	m.setName(held, "enable_held")
	return []int32{m.prim(syntax.AsClock, kClock, 1, m.and(level, held), 0)}
}

func (m *module) clockInv(c *called) []int32 {
	if m.nodes[c.args[0]].kind != kClock {
		m.fail("a %v where a Clock is wanted", m.nodes[c.args[0]].kind)
		return c.args
	}
	return []int32{m.prim(syntax.Not, kClock, 1, c.args[0], 0)}
}

// mux4 selects one of four arguments, which are listed from 3 down to 0.
func (m *module) mux4(c *called) []int32 {
	a := c.args
	bit := func(i int32) int32 {
		return m.add(node{op: opPrim, prim: syntax.Bits, width: 1, a: m.padTo(a[0], 2), c: i, d: i})
	}
	return []int32{m.choose(bit(1), m.choose(bit(0), a[1], a[2]), m.choose(bit(0), a[3], a[4]))}
}

// padTo zero- or sign-extends a value to at least width bits.
func (m *module) padTo(n, width int32) int32 {
	if m.nodes[n].width == width {
		return n
	}
	w := m.l.primWidth(syntax.Pad, m.nodes[n].kind, m.nodes[n].width, 0, width, 0)
	return m.add(node{op: opPrim, prim: syntax.Pad, kind: m.nodes[n].kind, width: w, a: n, c: width})
}

func (m *module) sizeOf(c *called) []int32 {
	w := m.nodes[c.args[0]].width
	if w < 0 {
		m.fail("intrinsic circt_sizeof of a value whose width is inferred")
	}
	return []int32{m.lit(32, uint64(max(w, 0)))}
}

func (m *module) plusargsValue(c *called) []int32 {
	if c.t.leaves != 2 || c.t.form != syntax.Bundle {
		m.fail("intrinsic circt_plusargs_value gives found and result")
		return nil
	}
	result := c.t.fields[1].t
	if result.kind != kUInt || result.width < 0 {
		m.fail("intrinsic circt_plusargs_value with a result that is no UInt of known width")
	}
	return []int32{m.lit(1, 0), m.lit(max(result.width, 0), 0)}
}

// hasBeenReset is high once a reset has been asserted and released: a register that powers up as 0
// and is set to 1 by the reset, while the reset is low.
func (m *module) hasBeenReset(c *called) []int32 {
	clock, reset := c.args[0], c.args[1]
	if k := m.nodes[reset].kind; m.nodes[clock].kind != kClock || k != kUInt && k != kReset && k != kAsync {
		m.fail("intrinsic circt_has_been_reset of a %v and a %v: a clock and a reset are wanted", m.nodes[clock].kind, k)
		return []int32{m.bit(0)}
	}

	// The register's own reset sets it to 1.
	seen := m.hidden("has_been_reset", clock)
	r := &m.regs[seen]
	r.fromZero, r.reset, r.init = true, reset, m.lit(1, 1)
	node := m.leaves[r.leaf].node
	return []int32{m.and(node, m.not(m.prim(syntax.AsUInt, kUInt, 1, reset, 0)))}
}

// hidden adds a one-bit register that keeps its value, and returns its index in m.regs.
func (m *module) hidden(name string, clock int32) int {
	at := m.newLeaf(lfReg, name, kUInt, 1, int32(len(m.regs)))
	m.leaves[at].val = m.leaves[at].node
	m.regs = append(m.regs, register{leaf: at, clock: clock})
	return len(m.regs) - 1
}
