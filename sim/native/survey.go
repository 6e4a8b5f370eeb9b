package native

import (
	"encoding/binary"
	"slices"

	"etch/sim/net"
)

// Survey chooses the control states of a net that are worth a body of their own,
// from states that it is shown. It is for those who make the code of bodies
// themselves; Engine has its own way to see states.
type Survey struct {
	n                *net.Net
	control, address []bool
	reader           *reader
	past             history

	plan *plan
	fork forker
	made map[string]*Fork // by tuple of the plan, what there is a body for
	news int              // states since bodies were made
}

// Body is a cycle in which registers have values that are known.
type Body struct {
	Values []int64 // by register: the value that is assumed, or less than 0
	*Fork
}

// Fork is a cycle, and where it goes on in two ways, what it is in either case.
type Fork struct {
	Net     *net.Net
	Words   []Word // of memories, which Net assumes
	On      net.ID // a bit of Net, net.None if there are no two ways
	Yes, No *Fork  // the cycle where it is 1, and 0
}

// Word is what a memory holds at an address.
type Word struct {
	Mem         int32
	Addr, Value uint64
}

// NewSurvey returns a survey of n, nil when n has no control state or is too large.
func NewSurvey(n *net.Net) *Survey {
	s := &Survey{n: n, control: controlRegisters(n), address: addressRegisters(n), reader: newReader(n)}
	if !slices.Contains(s.control, true) && !slices.Contains(s.address, true) || len(n.Regs) > maxAdaptRegs || len(n.N) > maxAdaptNodes {
		return nil
	}
	return s
}

// See adds a state: the values of all registers, which it keeps, and load, which
// gives the word at an address of a memory. weight is how many cycles it stands for.
func (s *Survey) See(regs []uint64, load func(mem int32, addr uint64) uint64, weight float64) {
	s.past.snaps = append(s.past.snaps, regs)
	s.past.reads = append(s.past.reads, s.reader.find(load, regs, nil))
	s.past.weight = append(s.past.weight, weight)
	s.news++
	if len(s.past.snaps) > maxPast {
		s.past.thin()
	}
}

// Scale has the states so far stand for cycles cycles together.
func (s *Survey) Scale(cycles float64) {
	t := s.past.total()
	for i := range s.past.weight {
		s.past.weight[i] *= cycles / t
	}
}

// surveyBody is what a body costs to be made, in cycles without it: next to nothing, as
// lanes leave all bodies when one of them meets a state that has none.
const surveyBody = 1

// Plan returns the registers that tell bodies apart, and the bodies, those seen
// most often first; none when they would not be enough faster.
func (s *Survey) Plan() (deciding []int32, bodies []Body) {
	if len(s.past.snaps) == 0 {
		return nil, nil
	}
	volatile := make([]bool, len(s.n.Regs))
	p := makePlan(s.n, s.control, s.address, volatile, s.past, s.reader, price{surveyBody, s.past.total()}, false)
	if !p.worth {
		return nil, nil
	}
	s.fork.forks = forks{dec: p.dec, ratio: forkRatio, mem: p.mem}
	s.plan, s.made, s.news = p, map[string]*Fork{}, 0
	for _, t := range p.tuples {
		if !slices.ContainsFunc(p.dec, func(r int32) bool { return t.values[r] < 0 }) { // else for states that are too rare
			bodies = s.body(bodies, t.values)
		}
	}
	return p.dec, bodies
}

// More returns bodies of the last plan for states that it has been shown since, those
// that fit the plan and have none, or one that assumes words that have changed.
func (s *Survey) More() (bodies []Body) {
	p := s.plan
	from := max(0, len(s.past.snaps)-s.news)
	s.reader.see(s.fork.mem, s.past.reads[from:])
	for _, snap := range s.past.snaps[from:] {
		if p.agrees(snap) {
			bodies = s.body(bodies, p.values(snap, len(p.dec)))
		}
	}
	s.news = 0
	return bodies
}

// body adds the body for a tuple, if there is none yet that may be right.
func (s *Survey) body(bodies []Body, values []int64) []Body {
	p := s.plan
	var key []byte
	for _, r := range p.dec {
		key = binary.LittleEndian.AppendUint64(key, uint64(values[r]))
	}
	if f := s.made[string(key)]; f != nil && f.holds(s.fork.mem) {
		return bodies
	}
	f := s.fork.cycle(p.net, assumption(values), net.None, 0, 0)
	s.made[string(key)] = f
	return append(bodies, Body{values, f})
}

// holds reports whether no word of memory that f assumes has been seen to change.
func (f *Fork) holds(c *contents) bool {
	for _, w := range f.Words {
		if c.bad[place{w.Mem, w.Addr}] {
			return false
		}
	}
	return f.On < 0 || f.Yes.holds(c) && f.No.holds(c)
}

// How bodies fork.
const (
	forkReach = 2    // conditions one after the other
	forkRatio = 0.95 // of the cost: a next state that is known saves reads of memories instance by instance
)

// forker makes forks.
type forker struct {
	forks
	props [forkReach + 1]net.Prop // by depth
}

// cycle returns the cycle of n under as, in which on is v.
func (g *forker) cycle(n *net.Net, as net.Assume, on net.ID, v uint64, depth int) *Fork {
	p := &g.props[depth]
	p.Bind(n)
	if on >= 0 {
		p.Force(on, v)
	}
	p.Run(as)
	f := &Fork{On: net.None}
	for _, c := range assumeReads(p, n, as, g.mem) {
		f.Words = append(f.Words, Word{c.mem, c.addr, c.want})
	}
	f.Net = p.Extract(as)
	p.Forget()
	if depth < forkReach {
		g.split(f, depth)
	}
	return f
}

// split has a cycle fork by the condition that says most about the next state, if
// that is not known.
func (g *forker) split(f *Fork, depth int) {
	free := net.NewAssume(len(f.Net.Regs))
	p := &g.props[depth]
	p.Bind(f.Net)
	p.Run(free)
	if g.unresolved(p, f.Net) == 0 {
		return
	}
	if f.On = g.condition(p, f.Net); f.On >= 0 {
		f.Yes = g.cycle(f.Net, free, f.On, 1, depth+1)
		f.No = g.cycle(f.Net, free, f.On, 0, depth+1)
	}
}
