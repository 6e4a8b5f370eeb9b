package choose

import (
	"encoding/binary"
	"slices"

	"etch/sim/net"
)

// Survey chooses the control states of a net that deserve a body, from states that it is shown.
// It serves callers that compile bodies themselves; Engine samples states in its own way.
type Survey struct {
	pol              *Policy
	n                *net.Net
	control, address []bool
	reader           *Reader
	past             History

	plan *Plan
	fork forker
	made map[string]*Fork // by tuple of the plan: the body made for it
	news int              // states seen since bodies were made
}

// Body is a cycle specialised to known register values.
type Body struct {
	Values []int64 // by register: the assumed value, or negative
	*Fork
}

// Fork is a cycle, and for both values of a condition the cycle specialised to it.
type Fork struct {
	Net     *net.Net
	Words   []Word // of memories, assumed by Net
	On      net.ID // a bit of Net, or net.None without fork
	Yes, No *Fork  // the cycle where it is 1, and 0
}

// Word is the word of a memory at an address.
type Word struct {
	Mem         int32
	Addr, Value uint64
}

// NewSurvey returns a survey of n by a policy, or nil if n has no control state or is too large.
func NewSurvey(n *net.Net, pol *Policy) *Survey {
	s := &Survey{pol: pol, n: n, control: ControlRegisters(n, pol), address: AddressRegisters(n, pol), reader: NewReader(n, pol)}
	if !slices.Contains(s.control, true) && !slices.Contains(s.address, true) || len(n.Regs) > s.pol.MostRegs || len(n.N) > s.pol.MostNodes {
		return nil
	}
	return s
}

// Follow makes s decide by a policy, from now on.
func (s *Survey) Follow(pol *Policy) { s.pol = pol }

// See adds a state: regs, the values of all registers, which it keeps; load, which reads a word
// of a memory; and weight, the number of cycles that the state stands for.
func (s *Survey) See(regs []uint64, load func(mem int32, addr uint64) uint64, weight float64) {
	s.past.Snaps = append(s.past.Snaps, regs)
	s.past.Reads = append(s.past.Reads, s.reader.find(load, regs, nil))
	s.past.Weight = append(s.past.Weight, weight)
	s.news++

	// The history is bounded, by count and by bytes: every other snapshot goes.
	if len(s.past.Snaps) > s.pol.MostSnaps(len(regs), s.reader) {
		s.past.Thin()
	}
}

// States returns the number of states kept.
func (s *Survey) States() int { return len(s.past.Snaps) }

// Scale rescales the weights so that all states together stand for cycles cycles.
func (s *Survey) Scale(cycles float64) {
	t := s.past.Total()
	for i := range s.past.Weight {
		s.past.Weight[i] *= cycles / t
	}
}

// Plan returns the registers that tell bodies apart, and the bodies, most frequent states first.
// It returns none if they would not be enough faster.
func (s *Survey) Plan() (deciding []int32, bodies []Body) {
	if len(s.past.Snaps) == 0 {
		return nil, nil
	}

	volatile := make([]bool, len(s.n.Regs))
	p := MakePlan(s.n, s.control, s.address, volatile, s.past, s.reader, Price{s.pol.Survey.Body, s.past.Total()}, s.pol, false)
	if !p.Worth {
		return nil, nil
	}

	s.fork.Forks = Forks{Pol: s.pol, Dec: p.Dec, Ratio: s.pol.Survey.ForkRatio, mem: p.Mem}
	s.plan, s.made, s.news = p, map[string]*Fork{}, 0
	for _, t := range p.Tuples {
		if !slices.ContainsFunc(p.Dec, func(r int32) bool { return t.Values[r] < 0 }) { // partial bodies are for states too rare to matter here
			bodies = s.body(bodies, t.Values)
		}
	}
	return p.Dec, bodies
}

// More returns bodies of the last plan for states seen since: states that fit the plan and have
// no body, or one that assumes words that have changed.
func (s *Survey) More() (bodies []Body) {
	p := s.plan

	// Thin may have dropped some of the new states.
	from := max(0, len(s.past.Snaps)-s.news)

	s.reader.see(s.fork.mem, s.past.Reads[from:])
	for _, snap := range s.past.Snaps[from:] {
		if p.Agrees(snap) {
			bodies = s.body(bodies, p.Values(snap, len(p.Dec)))
		}
	}
	s.news = 0
	return bodies
}

// body appends the body for a tuple, unless a valid one exists.
func (s *Survey) body(bodies []Body, values []int64) []Body {
	p := s.plan

	var key []byte
	for _, r := range p.Dec {
		key = binary.LittleEndian.AppendUint64(key, uint64(values[r]))
	}
	if f := s.made[string(key)]; f != nil && f.holds(s.fork.mem) {
		return bodies
	}

	f := s.fork.cycle(p.Net, Assumption(values), net.None, 0, 0)
	s.made[string(key)] = f
	return append(bodies, Body{values, f})
}

// holds reports whether all memory words that f assumes have been stable so far.
func (f *Fork) holds(c *contents) bool {
	for _, w := range f.Words {
		if c.bad[place{w.Mem, w.Addr}] {
			return false
		}
	}
	return f.On < 0 || f.Yes.holds(c) && f.No.holds(c)
}

// forker makes forks. It reuses one propagation per depth.
type forker struct {
	Forks
	props []*net.Prop // by depth
}

// cycle returns the cycle of n under as with node on forced to v; net.None forces nothing.
func (g *forker) cycle(n *net.Net, as net.Assume, on net.ID, v uint64, depth int) *Fork {
	for len(g.props) <= depth {
		g.props = append(g.props, &net.Prop{})
	}
	p := g.props[depth]
	p.Bind(n)
	if on >= 0 {
		p.Force(on, v)
	}
	p.Run(as)

	f := &Fork{On: net.None}
	for _, c := range AssumeReads(p, n, as, g.mem, g.Pol) {
		f.Words = append(f.Words, Word{c.Mem, c.Addr, c.Want})
	}
	f.Net = p.Extract(as)

	// The propagation serves the next fork of this depth.
	p.Forget()

	if depth < g.Pol.Survey.ForkReach {
		g.split(f, depth)
	}
	return f
}

// split forks a cycle by the condition that says most about the next state, unless that is known
// already.
func (g *forker) split(f *Fork, depth int) {
	free := net.NewAssume(len(f.Net.Regs))
	p := g.props[depth]
	p.Bind(f.Net)
	p.Run(free)

	if g.unresolved(p, f.Net) == 0 {
		return
	}
	if f.On = g.Condition(p, f.Net); f.On >= 0 {
		f.Yes = g.cycle(f.Net, free, f.On, 1, depth+1)
		f.No = g.cycle(f.Net, free, f.On, 0, depth+1)
	}
}
