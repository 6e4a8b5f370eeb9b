package lower

import (
	"etch/backends/firrtl/syntax"
	"etch/ir"
)

// Properties over time (circt_ltl_…). A property of fixed length is a condition on values
// of earlier cycles. It is checked in the cycle of its last value, on registers that hold
// the earlier ones. A property over values of one cycle is an ordinary value.

// propForm is the operator of a property.
type propForm uint8

const (
	propAnd propForm = iota
	propOr
	propNot
	propImplies // b begins in the cycle in which a ends
	propConcat  // the same; both hold
	propDelay   // a begins n cycles later
	propClock   // a, at the edges of clock b
)

// property is a node of op opProperty.
type property struct {
	form propForm
	a, b int32
	n    int32
	span
}

// span is the number of cycles from a property's start to its end (length) and to the last
// value that it looks at (last).
type span struct {
	length, last int32
	loose        bool // the length varies, or there is a clock inside
}

// maxDelay bounds the cycles that a property may look back.
const maxDelay = 1 << 12

// property combines two properties or values. Combinations within one cycle stay plain
// values.
func (m *module) property(f propForm, a, b, n int32) int32 {
	// Within a cycle the operators are those of logic, and need no history.
	_, pa := m.props[a]
	_, pb := m.props[b]
	if plain := !pa && !pb; plain {
		switch f {
		case propAnd, propConcat:
			return m.prim(syntax.And, kUInt, 1, a, b)
		case propOr:
			return m.prim(syntax.Or, kUInt, 1, a, b)
		case propNot:
			return m.not(a)
		case propImplies:
			return m.prim(syntax.Or, kUInt, 1, m.not(a), b)
		}
	}

	if m.props == nil {
		m.props = map[int32]property{}
	}

	// The node has no value: check makes one at the statement.
	p := m.add(node{op: opProperty, width: 1})
	m.props[p] = property{f, a, b, n, m.spanOf(f, m.props[a].span, m.props[b].span, n)}
	return p
}

// fold applies an operator from left to right to all arguments.
func fold(f propForm) func(*module, *called) []int32 {
	return func(m *module, c *called) []int32 {
		all := c.args[0]
		for _, a := range c.args[1:] {
			all = m.property(f, all, a, 0)
		}
		return []int32{all}
	}
}

// delay is circt_ltl_delay of a fixed number of cycles (length 0).
func (m *module) delay(c *called) []int32 {
	// A length of 0 makes the delay fixed.
	n, ok := c.number("delay")
	length, given := c.number("length")
	if !ok || n > maxDelay || !given || length != 0 {
		m.fail("intrinsic circt_ltl_delay whose length is not fixed, or of more than %d cycles, is not read", maxDelay)
		return []int32{c.args[0]}
	}
	if n == 0 {
		return []int32{c.args[0]}
	}
	return []int32{m.property(propDelay, c.args[0], 0, n)}
}

// repeat is circt_ltl_repeat with a fixed count, as a chain of concatenations one cycle
// apart.
func (m *module) repeat(c *called) []int32 {
	n, ok := c.number("base")
	more, given := c.number("more")
	if !ok || n < 1 || n > maxDelay || !given || more != 0 {
		// The count must be one number, not a range.
		m.fail("intrinsic circt_ltl_repeat of a number that is not fixed, or of more than %d, is not read", maxDelay)
		return []int32{c.args[0]}
	}
	all := c.args[0]
	for range n - 1 {
		all = m.property(propConcat, all, m.property(propDelay, c.args[0], 0, 1), 0)
	}
	return []int32{all}
}

// spanOf is the span of a property, given the spans of its parts. A value has span 0.
func (m *module) spanOf(f propForm, a, b span, n int32) span {
	const most = 1 << 20 // beyond maxDelay; keeps sums from overflowing
	switch f {
	case propNot:
		return a
	case propClock:
		a.loose = true
		return a
	case propDelay:
		return span{min(a.length+n, most), min(a.last+n, most), a.loose}
	case propAnd, propOr:
		return span{a.length, max(a.last, b.last), a.loose || b.loose || a.length != b.length}
	}
	// The second begins where the first ends.
	return span{min(a.length+b.length, most), min(max(a.last, a.length+b.last), most), a.loose || b.loose}
}

// check is the current value of a property that began back cycles ago. Results are shared
// (m.checks).
func (m *module) check(n, back, clock int32) int32 {
	if _, is := m.props[n]; !is {
		return m.past(n, back, clock)
	}
	key := [3]int32{clock, n, back}
	at, ok := m.checks[key]
	if !ok {
		at = m.checkParts(m.props[n], back, clock)
		if m.checks == nil {
			m.checks = map[[3]int32]int32{}
		}
		m.checks[key] = at
	}
	return at
}

// checkParts evaluates a property's parts at the cycles they begin in.
func (m *module) checkParts(p property, back, clock int32) int32 {
	// The later part is fewer cycles back, by the length of the first.
	la := m.props[p.a].length
	a := func() int32 { return m.check(p.a, back, clock) }
	switch p.form {
	case propAnd:
		return m.and(a(), m.check(p.b, back, clock))
	case propOr:
		return m.or(a(), m.check(p.b, back, clock))
	case propNot:
		return m.not(a())
	case propImplies:
		return m.or(m.not(a()), m.check(p.b, back-la, clock))
	case propConcat:
		return m.and(a(), m.check(p.b, back-la, clock))
	case propDelay:
		return m.check(p.a, back-p.n, clock)
	}
	return a()
}

// past is a value from some cycles ago: a chain of registers, shared between properties.
func (m *module) past(n, cycles, clock int32) int32 {
	if cycles == 0 {
		return n
	}
	key := [3]int32{clock, n, cycles}
	if at, ok := m.pasts[key]; ok {
		return at
	}

	// The chain is one register longer than that of one cycle less.
	before := m.past(n, cycles-1, clock)
	r := m.hidden("past", clock)
	m.regs[r].fromZero = true
	lf := &m.leaves[m.regs[r].leaf]
	lf.val = before
	if m.pasts == nil {
		m.pasts = map[[3]int32]int32{}
	}
	m.pasts[key] = lf.node
	return lf.node
}

// verif makes a statement of a property with a clock and an optional enable. The enable
// must be high in all cycles that the property looks at.
func verif(kind ir.StmtKind) func(*module, *called) []int32 {
	return func(m *module, c *called) []int32 {
		n, clock := c.args[0], int32(0)
		for p, is := m.props[n]; is && p.form == propClock; p, is = m.props[n] {
			n, clock = p.a, p.b
		}

		last := m.props[n].last
		switch {
		case clock == 0:
			m.fail("%s of a property without a clock is not read: circt_ltl_clock gives it one", c.name)
			return nil
		case m.nodes[clock].kind != kClock:
			m.fail("a %v where a Clock is wanted", m.nodes[clock].kind)
			return nil
		case m.props[n].loose:
			m.fail("%s of a property whose parts have several lengths, or clocks inside, is not read", c.name)
			return nil
		case last > maxDelay:
			m.fail("%s of a property of more than %d cycles is not read", c.name, maxDelay)
			return nil
		}

		// The enable in this cycle and the earlier ones.
		enable := m.path()
		if len(c.args) > 1 {
			enable = m.and(enable, c.args[1])
		}
		on := m.and(m.bit(1), enable)
		for k := int32(1); k <= last; k++ {
			on = m.and(on, m.past(enable, k, clock))
		}
		if last > 0 { // the registers power up as 0; do not check before they are filled
			on = m.and(on, m.past(m.bit(1), last, clock))
		}

		name, _ := c.param("label")
		m.cmds = append(m.cmds, command{kind: kind, name: orElse(c.label, orElse(name, kind.String())), clk: clock, en: on, cond: m.check(n, last, clock), pos: m.pos})
		return nil
	}
}

// chisel makes a statement of an intrinsic that Chisel emits. Its arguments are clock,
// condition, enable, and those of the format.
func chisel(kind ir.StmtKind) func(*module, *called) []int32 {
	return func(m *module, c *called) []int32 {
		name, _ := c.param("label")
		s := command{kind: kind, name: orElse(c.label, orElse(name, kind.String())), pos: m.pos, clk: m.clock(c.exprs[0]),
			cond: m.condition(c.exprs[1])}
		s.en = m.and(m.path(), m.condition(c.exprs[2]))
		if text, ok := c.param("format"); ok && kind != ir.Cover {
			m.format(&s, syntax.Unescape(text), c.exprs[3:])
		}
		m.cmds = append(m.cmds, s)
		return nil
	}
}
