package fuzz

import (
	"context"
	"time"

	"etch/ir"
	"etch/ir/bits"
	"etch/passes"
	"etch/sim"
)

// Shrink makes a case smaller as long as a judge says the same kind of thing of
// it, at most for the given time: fewer steps, no hierarchy, fewer outputs,
// statements, ports, registers and operations, narrower values, smaller numbers.
// If the case does not fail again, it comes back as it is. Only this judge is
// asked; but where a faster one reads the same text and sees the same mistake, that
// one goes first.
func Shrink(ctx context.Context, w *workshop, j *Judge, c *Case, v Verdict, limit time.Duration) (*Case, error) {
	if fast := find(j.faster); fast != nil && fast.Ready() == nil {
		first, err := fast.look(ctx, w, []*Case{c})
		if err == nil && first[0].Kind == v.Kind {
			small, err := shrink(ctx, w, fast, c, first[0], limit)
			if err != nil {
				return nil, err
			}
			if again, err := j.look(ctx, w, []*Case{small}); err == nil && again[0].same(v) {
				c = small
			}
		}
	}
	return shrink(ctx, w, j, c, v, limit)
}

func shrink(ctx context.Context, w *workshop, j *Judge, c *Case, v Verdict, limit time.Duration) (*Case, error) {
	s := &shrinker{ctx: ctx, w: w, j: j, want: v, best: c, until: time.Now().Add(limit)}
	s.larger = true
	if !s.try(c.again(c.Design, c.Stim)) && s.err == nil {
		return c, nil
	}
	s.larger = false
	for s.more() {
		before := s.best
		s.steps()
		s.shape()
		s.edits(tableEdits)
		s.edits(nodeEdits)
		s.narrow()
		if s.best == before {
			break
		}
	}
	s.values()
	return s.best, s.err
}

// shrinker holds the smallest failing case so far.
type shrinker struct {
	ctx    context.Context
	w      *workshop
	j      *Judge
	want   Verdict
	best   *Case
	until  time.Time
	larger bool // a candidate may be larger than the best one
	err    error
}

// mostCandidates is how many candidates a judge with a tool looks at in one go.
const mostCandidates = 64

func (s *shrinker) more() bool {
	return s.err == nil && s.ctx.Err() == nil && time.Now().Before(s.until)
}

// again is a case with another design or stimulus and the rest of c.
func (c *Case) again(d *ir.Design, st *Stimulus) *Case {
	return &Case{Name: c.Name, Design: d, Stim: st.fit(d.Top)}
}

// fit makes the values of a stimulus as wide as the inputs are, and leaves out
// inputs that there are not.
func (st *Stimulus) fit(top *ir.Module) *Stimulus {
	out := &Stimulus{Seed: st.Seed, Long: st.Long}
	bind := st.bind(top)
	for i, port := range bind.inputs {
		if port >= 0 {
			out.Inputs = append(out.Inputs, st.Inputs[i])
		}
	}
	for i, port := range bind.clocks {
		if port >= 0 {
			out.Clocks = append(out.Clocks, st.Clocks[i])
		}
	}
	for _, step := range st.Steps {
		var fresh Step
		at := 0
		for i, port := range bind.clocks {
			if port >= 0 {
				fresh.Rise |= step.Rise >> i & 1 << at
				at++
			}
		}
		for i, port := range bind.inputs {
			if port >= 0 {
				fresh.In = append(fresh.In, fitted(step.In[i], top.Ports[port].Width))
			}
		}
		out.Steps = append(out.Steps, fresh)
	}
	return out
}

// weight is what shrinking makes less.
func (c *Case) weight() int {
	sum := 0
	for _, m := range c.Design.Modules {
		sum += 20 + 2*len(m.Ports)
		for id := ir.ID(1); int(id) < m.Len(); id++ {
			w := m.Width(id)
			switch m.Op(id) {
			case ir.Input:
				sum += 8 + w
			case ir.Const:
				sum += 4 + min(w, m.ConstOf(id).PopCount())
			default:
				sum += 20 + w + 8*len(m.Args(id))
			}
		}
		for i := range m.Regs {
			g := &m.Regs[i]
			sum += 20 + 4*present(g.Rst) + 4*present(g.Init)
			if g.Async {
				sum++
			}
		}
		for i := range m.Mems {
			mem := &m.Mems[i]
			sum += 40 + mem.Depth + 2*len(mem.Init) + 10*len(mem.Reads) + len(mem.Style)
			if mem.Init != nil {
				sum++
			}
			for j := range mem.Reads {
				sum += 4*present(mem.Reads[j].En) + int(mem.Reads[j].Under)
			}
			for j := range mem.Writes {
				sum += 20 + 4*present(mem.Writes[j].En) + 4*present(mem.Writes[j].Mask)
			}
		}
		for i := range m.Stmts {
			st := &m.Stmts[i]
			sum += 20 + 4*present(st.En) + 10*len(st.Args) + len(st.Format)
		}
		sum += 20 * len(m.Insts)
	}
	for _, st := range c.Stim.Steps {
		sum += 10
		for _, v := range st.In {
			sum += min(4, v.PopCount())
		}
	}
	return sum + c.Stim.Long/10
}

func present(id ir.ID) int {
	if id == ir.None {
		return 0
	}
	return 1
}

// try looks for the first candidate that still fails and is smaller, and makes it
// the best.
func (s *shrinker) try(candidates ...*Case) bool {
	for len(candidates) > 0 && s.more() {
		n := min(len(candidates), s.atOnce())
		at, ok := s.fails(candidates[:n])
		for i, bad := range ok {
			if bad {
				s.best = at[i]
				return true
			}
		}
		candidates = candidates[n:]
	}
	return false
}

// atOnce is how many candidates the judge is asked about in one go: one where that
// costs nothing, and where a tool refuses what it is given, as it then says little
// of the others.
func (s *shrinker) atOnce() int {
	if len(s.j.Tools) == 0 || s.want.Kind == Refused {
		return 1
	}
	return min(mostCandidates, s.j.Batch)
}

// fails asks the judge about candidates, of which invalid ones are left out.
func (s *shrinker) fails(candidates []*Case) (asked []*Case, bad []bool) {
	weight := s.best.weight()
	for _, c := range candidates {
		if c != nil && (s.larger || c.weight() < weight) && valid(c) {
			asked = append(asked, c)
		}
	}
	if len(asked) == 0 {
		return nil, nil
	}
	verdicts, err := s.j.look(s.ctx, s.w, asked)
	if err != nil {
		if s.ctx.Err() == nil {
			s.err = err
		}
		return nil, nil
	}
	for _, v := range verdicts {
		bad = append(bad, v.same(s.want))
	}
	return asked, bad
}

// valid reports whether a case can be judged at all.
func valid(c *Case) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	return ir.Verify(c.Design) == nil && c.Reference(fromZero).Err == nil
}

// steps leaves out steps, many at first.
func (s *shrinker) steps() {
	if s.best.Stim.Long > 0 {
		without := *s.best.Stim
		without.Long = 0
		half := *s.best.Stim
		half.Long /= 2
		for s.more() && s.try(s.best.again(s.best.Design, &without), s.best.again(s.best.Design, &half)) && s.best.Stim.Long > 100 {
			half.Long /= 2
		}
	}
	for n := len(s.best.Stim.Steps) / 2; n > 0 && s.more(); n /= 2 {
		for s.more() {
			var list []*Case
			all := s.best.Stim.Steps
			for at := len(all); at > 0; at -= n {
				st := *s.best.Stim
				st.Steps = append(append([]Step(nil), all[:max(0, at-n)]...), all[at:]...)
				list = append(list, s.best.again(s.best.Design, &st))
			}
			if !s.try(list...) {
				break
			}
		}
	}
}

// shape takes the hierarchy, what is dead, and names and types away.
func (s *shrinker) shape() {
	flat := passes.Clone(s.best.Design)
	if c, err := passes.Flatten(flat); err == nil && c[passes.Flattened] > 0 {
		s.larger = true // instances of one module become several copies
		s.try(s.best.again(flat, s.best.Stim))
		s.larger = false
	}
	s.try(s.remade(s.best, nil, nil, false))
	s.try(s.remade(s.best, nil, nil, true))
}

// remade is a case after some edits; nil if they cannot be made.
func (s *shrinker) remade(base *Case, edits []edit, width func(int) int, plain bool) (c *Case) {
	defer func() {
		if recover() != nil { // an edit made something that cannot be
			c = nil
		}
	}()
	r := &remaker{d: base.Design, edits: map[edit]bool{}, width: width, plain: plain}
	inputs := false
	for _, e := range edits {
		r.edits[e] = true
		inputs = inputs || e.kind == toInput
	}
	d := r.remake()
	st := base.Stim
	if inputs {
		st = st.with(r, base)
	}
	return base.again(d, st)
}

// with adds inputs that stand for nodes, with the values that those had just
// before the edges.
func (st *Stimulus) with(r *remaker, c *Case) *Stimulus {
	out := *st
	out.Inputs = append([]string(nil), st.Inputs...)
	out.Steps = append([]Step(nil), st.Steps...)
	for id := ir.ID(1); int(id) < c.Design.Top.Len(); id++ {
		name, ok := r.added[id]
		if !ok {
			continue
		}
		out.Inputs = append(out.Inputs, name)
		for i, v := range c.values(id) {
			out.Steps[i].In = append(append([]bits.Value(nil), out.Steps[i].In...), v)
		}
	}
	return &out
}

// values are those of a node of the top just before each edge.
func (c *Case) values(id ir.ID) []bits.Value {
	if c.nodes == nil {
		c.nodes = make([][]bits.Value, c.Design.Top.Len())
		watch(c.Design, c.Stim, func(s *sim.Sim) {
			for id := ir.ID(1); int(id) < c.Design.Top.Len(); id++ {
				c.nodes[id] = append(c.nodes[id], s.GetBits(s.Node(id)))
			}
		}, c.options(fromZero, sim.Interpreter)...)
	}
	return c.nodes[id]
}

// edits makes edits of a list on top of each other, each that works; then the
// list is made anew for what came of it, until none works.
func (s *shrinker) edits(list func(d *ir.Design) []edit) {
	for s.more() {
		base, kept := s.best, []edit(nil)
		all := list(base.Design)
		group := s.atOnce()
		kept = s.chunks(base, all)
		for at := 0; at < len(all) && s.more(); {
			n := min(group, len(all)-at)
			kept = s.group(base, kept, all[at:at+n])
			at += n
		}
		if len(kept) == 0 {
			return
		}
	}
}

// leastChunk is the least number of edits that are tried together first.
const leastChunk = 12

// chunks tries edits of a list many at a time: halves, quarters and so on. It
// returns those that work.
func (s *shrinker) chunks(base *Case, all []edit) (kept []edit) {
	for size := len(all) / 2; size >= leastChunk && s.more(); size /= 2 {
		for at := 0; at < len(all) && s.more(); {
			var cases []*Case
			var lists [][]edit
			for ; at < len(all) && len(cases) < s.atOnce(); at += size {
				edits := append(kept[:len(kept):len(kept)], all[at:min(at+size, len(all))]...)
				cases, lists = append(cases, s.remade(base, edits, nil, false)), append(lists, edits)
			}
			if s.try(cases...) {
				for i, c := range cases {
					if c == s.best {
						kept = lists[i]
					}
				}
			}
		}
	}
	return kept
}

// group tries each edit of a group on top of those kept, then those that work
// together, or the first half of them, and so on. It returns what is kept now.
func (s *shrinker) group(base *Case, kept, group []edit) []edit {
	with := func(more ...edit) (*Case, []edit) {
		edits := append(kept[:len(kept):len(kept)], more...)
		return s.remade(base, edits, nil, false), edits
	}
	var cases []*Case
	var of []edit
	for _, e := range group {
		if c, _ := with(e); c != nil {
			cases, of = append(cases, c), append(of, e)
		}
	}
	asked, bad := s.fails(cases)
	var work []edit
	for i, c := range cases {
		for k := range asked {
			if asked[k] == c && bad[k] {
				work = append(work, of[i])
			}
		}
	}
	cases = cases[:0]
	var lists [][]edit
	for n := len(work); n > 0; n /= 2 {
		c, edits := with(work[:n]...)
		cases, lists = append(cases, c), append(lists, edits)
	}
	if s.try(cases...) {
		for i, c := range cases {
			if c == s.best {
				return lists[i]
			}
		}
	}
	return kept
}

// narrow makes all values of one width narrower.
func (s *shrinker) narrow() {
	for again := true; again && s.more(); {
		again = false
		for _, w := range widths(s.best.Design) {
			var list []*Case
			seen := map[int]bool{w: true}
			for _, to := range []int{1, 2, 3, 4, 7, 8, w / 4, w / 2, w - 1} {
				if to > 0 && to < w && !seen[to] {
					seen[to] = true
					list = append(list, s.remade(s.best, nil, func(have int) int {
						if have == w {
							return to
						}
						return have
					}, false))
				}
			}
			if s.try(list...) {
				again = true
				break
			}
		}
	}
}

// values makes numbers of the stimulus 0, an input at a time and then one by one.
func (s *shrinker) values() {
	change := func(keep func(input, step int) bool) *Case {
		st := *s.best.Stim
		st.Steps = append([]Step(nil), st.Steps...)
		for n := range st.Steps {
			st.Steps[n].In = append([]bits.Value(nil), st.Steps[n].In...)
			for i, v := range st.Steps[n].In {
				if !keep(i, n) {
					st.Steps[n].In[i] = bits.Zero(v.Width())
				}
			}
		}
		return s.best.again(s.best.Design, &st)
	}
	var list []*Case
	for i := range s.best.Stim.Inputs {
		list = append(list, change(func(input, _ int) bool { return input != i }))
	}
	for i := range s.best.Stim.Inputs {
		for n := range s.best.Stim.Steps {
			list = append(list, change(func(input, step int) bool { return input != i || step != n }))
		}
	}
	if s.try(list...) {
		s.values()
	}
}
