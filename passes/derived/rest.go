package derived

import "etch/ir"

// truth is what is known of a bit while all clocks are low.
type truth uint8

const (
	no truth = iota
	yes
	held // one of both, whatever inputs do
	wild // inputs may change it
)

// maxLooks bounds a look at the logic of a clock: beyond it nothing is known.
const maxLooks = 20000

// resting looks at bits while clocks are low, and an asynchronous reset, if given,
// is high.
type resting struct {
	r     *resolver
	rst   ir.ID
	known map[nodeBit]truth
	looks int
}

type nodeBit struct {
	id ir.ID
	i  int
}

// rests is what is known of a clock.
func (r *resolver) rests(clk, rst ir.ID) truth {
	s := &resting{r: r, rst: rst, known: map[nodeBit]truth{}}
	return s.bit(clk, 0)
}

func (s *resting) bit(id ir.ID, i int) truth {
	key := nodeBit{id, i}
	if t, ok := s.known[key]; ok {
		return t
	}
	if s.looks++; s.looks > maxLooks {
		return wild
	}
	s.known[key] = wild // in a loop of latches
	t := s.look(id, i)
	s.known[key] = t
	return t
}

func (s *resting) look(id ir.ID, i int) truth {
	m := s.r.m
	if v, ok := s.r.constant(id); ok {
		return truthOf(v.Bit(i) == 1)
	}
	args := m.Args(id)
	switch n := m.Node(id); n.Op {
	case ir.Input:
		if isClock(m, id) {
			return no
		}
		return wild
	case ir.Reg:
		return s.register(&m.Regs[n.Aux], i)
	case ir.Wire:
		return s.bit(args[0], i)
	case ir.Slice:
		return s.bit(args[0], i+int(n.Aux))
	case ir.Cat:
		for k := len(args) - 1; k >= 0; k-- {
			if n := m.Width(args[k]); i >= n {
				i -= n
			} else {
				return s.bit(args[k], i)
			}
		}
	case ir.Not:
		return [...]truth{yes, no, held, wild}[s.bit(args[0], i)]
	case ir.And, ir.Or, ir.Xor:
		t := s.bit(args[0], i)
		for _, a := range args[1:] {
			t = gate(n.Op, t, s.bit(a, i))
		}
		return t
	case ir.Mux:
		one, zero := s.bit(args[1], i), s.bit(args[2], i)
		switch sel := s.bit(args[0], 0); {
		case sel == yes:
			return one
		case sel == no:
			return zero
		case one == zero && one < held:
			return one
		default:
			return max(sel, one, zero)
		}
	case ir.MemOut:
		return held
	case ir.InstOut, ir.MemRead:
		return wild
	}
	for _, a := range args {
		for j := range m.Width(a) {
			if s.bit(a, j) == wild {
				return wild
			}
		}
	}
	return held
}

func (s *resting) register(g *ir.Register, i int) truth {
	m := s.r.m
	if m.IsLatch(g) {
		switch s.bit(g.Rst, 0) {
		case no:
			return held
		case yes:
			return s.bit(g.Reset, i)
		}
		return wild
	}
	if s.rst != ir.None && g.Async && m.SameBit(g.Rst, s.rst) {
		return truthOf(m.ConstOf(g.Reset).Bit(i) == 1)
	}
	return held
}

func truthOf(one bool) truth {
	if one {
		return yes
	}
	return no
}

func gate(op ir.Op, x, y truth) truth {
	switch {
	case op == ir.And && (x == no || y == no):
		return no
	case op == ir.Or && (x == yes || y == yes):
		return yes
	case x >= held || y >= held:
		if op != ir.Xor && min(x, y) < held { // with 1 an and is the other one, and so on
			return max(x, y)
		}
		return max(x, y, held)
	case op == ir.Xor:
		return truthOf(x != y)
	}
	return x // both are the same
}

// checkResets refuses a clock that may rise when an asynchronous reset comes from
// an input, unless that resets what it moves too.
func (r *resolver) checkResets(e *made) bool {
	m := r.m
	seen := map[ir.ID]bool{e.clk: true}
	for todo := []ir.ID{e.clk}; len(todo) > 0; {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if n := m.Node(id); n.Op == ir.Reg && m.Regs[n.Aux].Async && !m.IsLatch(&m.Regs[n.Aux]) {
			rst := m.Regs[n.Aux].Rst
			if e.reg != ir.None {
				if g := &m.Regs[m.Node(e.reg).Aux]; g.Async && m.SameBit(g.Rst, rst) {
					continue
				}
			}
			if r.fromInputs(rst) && r.rests(e.clk, rst) != no {
				r.fail(e.pos, nil, "the clock of %s may rise when the asynchronous reset of %s comes, which does not reset it", e.what, m.NameOf(id))
				return false
			}
			continue
		}
		for _, a := range (ir.Paths{}).AppendFanin(nil, m, id) {
			if !seen[a] {
				seen[a] = true
				todo = append(todo, a)
			}
		}
	}
	return true
}

// fromInputs reports whether a node follows from inputs within the cycle.
func (r *resolver) fromInputs(id ir.ID) bool {
	seen := map[ir.ID]bool{id: true}
	for todo := []ir.ID{id}; len(todo) > 0; {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if op := r.m.Op(id); op == ir.Input || op == ir.InstOut {
			return true
		}
		for _, a := range (ir.Paths{}).AppendFanin(nil, r.m, id) {
			if !seen[a] {
				seen[a] = true
				todo = append(todo, a)
			}
		}
	}
	return false
}
