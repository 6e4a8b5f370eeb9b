package cover

import (
	"slices"

	"etch/ir"
	"etch/ir/bits"
)

// states adds the points of state machines, which are registers of enumerations: each state, and each
// transition between two states that the netlist has, at an edge outside of reset.
func (in *instrumenter) states(c *counters, own extent) {
	m := c.m
	for i := range own.regs {
		r := m.Regs[i]
		t := m.TypeOf(m.Node(r.Node).Type)
		if t.Kind != ir.EnumKind || r.Kind == ir.Latch || r.Next == ir.None {
			continue
		}
		in.machine(c, r, t.Enum)
	}
}

// machine adds the points of a state machine. A register whose next value never follows from its
// present one, as a delayed copy of a state, is none.
func (in *instrumenter) machine(c *counters, r ir.Register, e *ir.Enum) {
	m := c.m
	name, pos, width := m.NameOf(r.Node), m.Node(r.Node).Pos, m.Width(r.Node)

	// Partial evaluation under each code says where the register may go from there.
	next := make([]targets, len(e.Codes))
	follows := false // some next value does
	for i, code := range e.Codes {
		next[i] = (&successors{m: m, reg: r.Node, code: bits.New(width, code)}).of(r.Next)
		follows = follows || !next[i].any
	}
	if !follows {
		return
	}

	// A reset is no transition.
	run := ir.None
	if r.Rst != ir.None {
		run = c.not(r.Rst)
	}

	// To stay is no transition either.
	for from, code := range e.Codes {
		here := c.equal(r.Node, bits.New(width, code))
		in.add(c, State, pos, name+"."+e.Names[from], c.of(r.Clk, here))
		for to, code := range e.Codes {
			if v := bits.New(width, code); to != from && (next[from].any || slices.ContainsFunc(next[from].list, v.Equal)) {
				cond := c.both(run, c.both(here, c.equal(r.Next, v)))
				in.add(c, Transition, pos, name+"."+e.Names[from]+" → "+e.Names[to], c.of(r.Clk, cond))
			}
		}
	}
}

// targets are the values that a register may take.
type targets struct {
	list []bits.Value
	any  bool // any value at all
}

// successors finds the values that the next state may have while the register has a code, by partial
// evaluation: a node that depends on the code alone has a known value, and a multiplexer with an unknown selector
// may take each of its arms.
type successors struct {
	m     *ir.Module
	reg   ir.ID
	code  bits.Value
	known map[ir.ID]*bits.Value // nil: not known
	seen  map[ir.ID]bool
}

// of collects the values of a node.
func (s *successors) of(id ir.ID) (t targets) {
	s.known, s.seen = map[ir.ID]*bits.Value{}, map[ir.ID]bool{}
	s.collect(id, &t)
	return t
}

func (s *successors) collect(id ir.ID, t *targets) {
	if s.seen[id] {
		return
	}
	s.seen[id] = true

	if v := s.value(id); v != nil {
		t.list = append(t.list, *v)
		return
	}

	// The leaves of a tree of multiplexers, of which known selectors leave one arm.
	m := s.m
	switch args := m.Args(id); m.Op(id) {
	case ir.Wire:
		s.collect(args[0], t)
	case ir.Mux, ir.Case:
		if arm := s.arm(id); arm >= 0 {
			s.collect(args[1+arm], t)
			return
		}
		for _, x := range args[1:] {
			s.collect(x, t)
		}
	default:
		t.any = true
	}
}

// arm is the arm that a multiplexer takes, −1 if that is not known.
func (s *successors) arm(id ir.ID) int {
	v := s.value(s.m.Args(id)[0])
	switch {
	case v == nil:
		return -1
	case s.m.Op(id) == ir.Mux && v.IsZero():
		return 1
	case s.m.Op(id) == ir.Mux:
		return 0
	}

	// Arm 0 is the default: an absent key has index −1.
	return 1 + slices.IndexFunc(s.m.KeysOf(id), v.Equal)
}

// value is the value of a node, nil if it is not known.
func (s *successors) value(id ir.ID) *bits.Value {
	if v, ok := s.known[id]; ok {
		return v
	}
	v := s.evaluate(id)
	s.known[id] = v
	return v
}

// evaluate is value without memory. Of And and Or one operand may decide.
func (s *successors) evaluate(id ir.ID) *bits.Value {
	m := s.m
	if id == s.reg {
		return &s.code
	}

	args := m.Args(id)
	switch op := m.Op(id); op {
	case ir.Const:
		v := m.ConstOf(id)
		return &v
	case ir.Wire:
		return s.value(args[0])
	case ir.Not:
		if x := s.value(args[0]); x != nil {
			v := x.Not()
			return &v
		}
	case ir.Eq:
		// Neither operand of a comparison decides it alone.
		x, y := s.value(args[0]), s.value(args[1])
		if x != nil && y != nil {
			v := bits.FromBools([]bool{x.Equal(*y)})
			return &v
		}
	case ir.And, ir.Or:
		x, y := s.value(args[0]), s.value(args[1])

		// 0 decides And, ones decide Or, whatever the other is.
		for _, z := range []*bits.Value{x, y} {
			if z != nil && (op == ir.And && z.IsZero() || op == ir.Or && z.IsOnes()) {
				return z
			}
		}

		if x != nil && y != nil {
			v := x.And(*y)
			if op == ir.Or {
				v = x.Or(*y)
			}
			return &v
		}
	case ir.Mux, ir.Case:
		if arm := s.arm(id); arm >= 0 {
			return s.value(args[1+arm])
		}
	}
	return nil
}
