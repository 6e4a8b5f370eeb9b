package cover

import (
	"etch/ir"
	"etch/ir/bits"
	"etch/ir/disjoint"
)

// Kinds are the kinds of coverage.
type Kinds struct {
	Branches bool // counts of lines: everything but the toggles
	Toggles  bool // which bits of registers and ports rose and fell

	settled map[signal]bool       // need no watch: all their bits have risen and fallen
	begin   map[signal]bits.Value // at the first edge, of some signals that have one value in all instances
	usual   []bool                // by counter: its condition holds at most edges; nil if that is not known
	bare    bool                  // conditions only, without the registers that count them
	early   bool                  // short runs are sampled too, in tests
}

// All asks for branches and for toggles.
var All = Kinds{Branches: true, Toggles: true}

// Instrumented is a design with counters, and the meaning of each.
type Instrumented struct {
	// Design is a copy of the design with counters, which are registers. It has the inputs of
	// the design.
	Design *ir.Design

	top       string // the name of the top
	points    []point
	counters  []tally
	toggles   []toggle
	instances map[*ir.Module][]*instance
	one       bool // every edge of every clock is a cycle: the design has one clock, and none derived
}

// tally is a counter: a register of a module. Others may count for it, see [counters.share].
type tally struct {
	mod     *ir.Module
	every   bool    // it counts every cycle, and there is no register
	reg     ir.ID   // None: another one counts for it
	seen    []ir.ID // registers whose sum reg adds at the next edge; none: it counts at once
	inverse int     // the number of reg's conditions if it counts the edges at which they do not hold, else 0

	counter
}

// point is a number that is the sum of some counters less that of others.
type point struct {
	kind  Kind
	mod   *ir.Module
	pos   ir.Pos
	name  string // of a state, a transition, a cover statement
	plus  []int  // by number among the design's counters
	minus []int
}

// New adds counters to a copy of a design. Modules without a clock get one from above. A design
// without a clock has no counters, and neither has a module without an instance.
func New(d *ir.Design, kinds Kinds) *Instrumented {
	c := d.Clone()
	in := &instrumenter{Instrumented: Instrumented{Design: c, top: d.Top.Name}, clocks: map[*ir.Module]ir.ID{}, users: map[*ir.Module][]use{}}

	// The instances by module: a module gets a clock through all of them.
	for _, m := range c.Modules {
		for i := range m.Insts {
			in.users[m.Insts[i].Mod] = append(in.users[m.Insts[i].Mod], use{m, i})
		}
	}

	// Without a clock at the top nothing can count.
	if in.clockInput(c.Top) == ir.None {
		return &in.Instrumented
	}

	in.one = oneClock(c)
	in.findInstances()

	var all []*watches
	for _, m := range c.Modules {
		if in.instances[m] == nil || m.Extern != nil && !m.Extern.Model {
			continue
		}

		// The sizes of the module's tables are taken before any counter is added.
		k := &counters{logic: newLogic(m), instrumented: &in.Instrumented, clk: in.clock(m), numbers: map[counter]int{}, usual: kinds.usual, counter: len(in.counters), point: len(in.points)}
		own := extent{nodes: m.Len(), ports: len(m.Ports), regs: len(m.Regs), stmts: len(m.Stmts)}
		if kinds.Branches {
			in.module(k, own, kinds.bare)
		}
		if kinds.Toggles {
			all = append(all, &watches{counters: k, extent: own, begun: map[ir.ID]ir.ID{}, of: map[ir.ID]int{}})
		}
	}

	// The watches come when all modules are known: a port shares that of the signal that drives it, which
	// may be in another module.
	in.watch(all, kinds)
	return &in.Instrumented
}

// instrumenter is the state of New.
type instrumenter struct {
	Instrumented
	users  map[*ir.Module][]use // the instances of a module
	clocks map[*ir.Module]ir.ID
}

// use is an instance in the module that has it, which may have several [instance]s itself.
type use struct {
	in *ir.Module
	at int
}

// clockInput is a clock input of a module, None if it has none.
func (in *instrumenter) clockInput(m *ir.Module) ir.ID {
	for _, p := range m.Ports {
		if p.Dir == ir.In && m.TypeOf(p.Type).Kind == ir.Clock {
			return p.Node
		}
	}
	return ir.None
}

// clock is the clock of a module: its first clock input, or a new one that all its instances are
// given.
func (in *instrumenter) clock(m *ir.Module) ir.ID {
	if id, ok := in.clocks[m]; ok {
		return id
	}

	// Before the instances are given it, so that a module is asked once.
	id := in.clockInput(m)
	if id == ir.None {
		id = m.AddInput("etch_cover_clock", 1, m.AddType(ir.Type{Kind: ir.Clock}), 0)
	}
	in.clocks[m] = id

	// A user without a clock gets one in the same way, up to the top.
	for _, u := range in.users[m] {
		inst := &u.in.Insts[u.at]
		if len(inst.Conns) < len(m.Ports) {
			from := in.clock(u.in)
			inst = &u.in.Insts[u.at]
			inst.Conns = append(inst.Conns, from)
			if inst.SetAt != nil {
				inst.SetAt = append(inst.SetAt, 0)
			}
		}
	}
	return id
}

// module adds the counters of a module, if bare without registers.
func (in *instrumenter) module(c *counters, own extent, bare bool) {
	in.branches(c, own)
	in.given(c, own)
	in.statements(c, own)
	in.states(c, own)
	if !bare {
		c.share()
	}
}

// extent is the sizes of a module's tables before counters are added.
type extent struct{ nodes, ports, regs, stmts int }

// add appends a point.
func (in *instrumenter) add(c *counters, kind Kind, pos ir.Pos, name string, plus ...int) *point {
	in.points = append(in.points, point{kind: kind, mod: c.m, pos: pos, name: name, plus: plus})
	return &in.points[len(in.points)-1]
}

// oneClock reports whether all that is clocked has the top's only clock itself.
func oneClock(d *ir.Design) bool {
	clocks := 0
	for _, p := range d.Top.Ports {
		if p.Dir == ir.In && d.Top.TypeOf(p.Type).Kind == ir.Clock {
			clocks++
		}
	}

	// A clock that is neither an input nor a wire is made inside the design.
	for _, m := range d.Modules {
		for id := ir.ID(1); int(id) < m.Len(); id++ {
			if m.TypeOf(m.Node(id).Type).Kind == ir.Clock && m.Op(id) != ir.Input && m.Op(id) != ir.Wire {
				return false
			}
		}
	}
	return clocks == 1
}

// counters are the registers that count in a module, one for each condition. In a register, unlike
// in a cover statement, the counters of like instances are counted side by side by the engine.
type counters struct {
	*logic
	instrumented *Instrumented
	clk          ir.ID
	numbers      map[counter]int
	usual        []bool                 // by counter of the design: its condition holds at most edges; nil: not known
	related      disjoint.Forest[ir.ID] // nodes with logic in common, by which together divides

	counter, point int // the module's first of the design
}

// counter is a condition at the edges of a clock.
type counter struct{ clk, cond ir.ID }

// counterBits is the width of a counter, which wraps around.
const counterBits = 32

// of is the counter of a condition; None is every edge.
func (c *counters) of(clk, cond ir.ID) int {
	// With one clock, the number of cycles is the count of every edge.
	every := cond == ir.None && c.instrumented.one
	if cond == ir.None {
		cond = c.one()
	}

	key := counter{clk, cond}
	k, ok := c.numbers[key]
	if !ok {
		k = len(c.instrumented.counters)
		c.numbers[key] = k
		c.instrumented.counters = append(c.instrumented.counters, tally{mod: c.m, every: every, counter: key})
	}
	return k
}

// state adds a register that begins as 0.
func (c *counters) state(name string, width int, clk ir.ID) ir.ID {
	id := c.m.AddReg(name, width, ir.TypeID(ir.UInt), clk, 0)
	c.m.Regs[len(c.m.Regs)-1].Init = c.m.Const(bits.Zero(width), 0)
	return id
}

// next sets the next value of an added register.
func (c *counters) next(reg, id ir.ID) { c.m.Regs[c.m.Node(reg).Aux].Next = id }
