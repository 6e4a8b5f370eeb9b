package why

import (
	"cmp"
	"fmt"
	"slices"

	"etch/ir"
	"etch/ir/bits"
)

// probe is a value that can be read at any cycle: of a node, or of the word of a memory.
type probe struct {
	at    ref
	mem   int
	addr  int    // of a word, from 1
	label string // for a node without a name
}

// wordKey stands for the nodes of memories in keys: no node has such a number.
func wordKey(mem int) ir.ID { return ir.ID(-1 - mem) }

// key is the key of the probe's cause.
func (p probe) key(cycle uint64) key { return key{at: p.at, cycle: cycle, addr: p.addr} }

// kind is the kind of the probe's cause, as far as it shows.
func (p probe) kind() Kind {
	if p.addr > 0 {
		return Word
	}
	switch p.at.inst.mod.Op(p.at.id) {
	case ir.Reg, ir.MemOut:
		return State
	case ir.Input:
		return Input
	case ir.InstOut, ir.NetOut:
		return Box
	}
	return Value
}

func (p probe) name() string {
	if p.addr > 0 {
		return fmt.Sprintf("%s[%d]", p.at.inst.scope.Mems()[p.mem].Name(), p.addr-1)
	}
	return cmp.Or(p.at.name(), p.label)
}

func (p probe) show(v bits.Value) string {
	if p.addr > 0 {
		m := p.at.inst.mod
		return Show(m.TypeOf(m.Mems[p.mem].Type), v)
	}
	return p.at.show(v)
}

func (p probe) line() ir.Location {
	if p.addr > 0 {
		return p.at.inst.mod.Src.At(p.at.inst.mod.Mems[p.mem].Pos)
	}
	return p.at.line()
}

// wordOf is the word that a MemRead node reads.
func (e *Explainer) wordOf(r ref) *probe {
	m := r.inst.mod
	return e.wordAt(r.inst, int(m.Node(r.id).Aux), e.value(ref{r.inst, m.Args(r.id)[0]}))
}

// wordAt is the word of a memory at an address; past the end it has the address of the last word
// and one, and is always 0.
func (e *Explainer) wordAt(in *instance, mem int, addr bits.Value) *probe {
	at := in.mod.Mems[mem].Depth
	if addr.Len() <= 62 {
		at = min(at, int(addr.Uint64()))
	}
	return &probe{at: ref{in, wordKey(mem)}, mem: mem, addr: at + 1}
}

// read is the value of a probe at the present cycle.
func (e *Explainer) read(p probe) bits.Value {
	if p.addr == 0 {
		return e.value(p.at)
	}
	m := p.at.inst.scope.Mems()[p.mem]
	if p.addr > m.Depth() {
		return bits.New(m.Width(), 0)
	}
	return m.Read(p.addr - 1)
}

// Windows of cycles that are replayed to find a change: the first one, and the longest; and the
// cycles that are looked at in all for an explanation of some rows.
const (
	firstSpan = 16
	mostSpan  = 1 << 12
	reach     = 1 << 13
)

// stay is cycles over which state has one value, which it took at from, or had before if from is
// only as far as was looked.
type stay struct {
	from, to uint64
	open     bool
}

// ages returns, by probe, the cycle from which on it has had its value at a cycle; the cycle
// itself for values that are no state. Replay goes forwards only, so windows before the cycle are
// replayed, each longer than the last, until every probe has changed in one.
func (e *Explainer) ages(probes []probe, cycle uint64) ([]uint64, error) {
	ages := make([]uint64, len(probes))
	var open []search
	for i, p := range probes {
		ages[i] = cycle
		if k := p.kind(); k != State && k != Word {
			continue
		}
		p.label = ""
		if from, ok := e.stays(p, cycle); ok {
			ages[i] = from
		} else {
			open = append(open, search{i: i, p: p})
		}
	}

	// Without a change, the age is the first cycle that was looked at.
	first := e.first
	if !e.whole && cycle-first > reach {
		first = cycle - reach
	}
	found := func(x *search, from uint64) {
		ages[x.i] = from
		e.known[x.p] = append(e.known[x.p], stay{from, cycle, from == first && first > e.first})
	}
	for hi, span := cycle, uint64(firstSpan); len(open) > 0 && hi > first; span = min(4*span, mostSpan) {
		lo := hi - min(span, hi-first)
		if err := e.scan(open, lo, hi); err != nil {
			return nil, err
		}
		open = slices.DeleteFunc(open, func(x search) bool {
			if x.changed > 0 {
				found(&x, x.changed)
			}
			return x.changed > 0
		})
		hi = lo
	}
	for i := range open {
		found(&open[i], first)
	}
	return ages, nil
}

// stays returns the begin of known cycles without a change that a cycle is among.
func (e *Explainer) stays(p probe, cycle uint64) (from uint64, ok bool) {
	for _, s := range e.known[p] {
		if s.from <= cycle && cycle <= s.to && (!s.open || cycle-s.from >= reach) {
			return s.from, true
		}
	}
	return 0, false
}

// search is a probe whose last change is looked for.
type search struct {
	i       int
	p       probe
	before  bits.Value
	changed uint64 // the last cycle of a change, 0 for none
}

// scan replays the cycles from lo to hi and notes the last change of each probe.
func (e *Explainer) scan(open []search, lo, hi uint64) error {
	e.cycle = ^uint64(0)
	for at := lo; at <= hi; at++ {
		if err := e.run.Go(at); err != nil {
			return err
		}
		for i := range open {
			x := &open[i]
			v := e.raw(x.p)
			if at > lo && !v.Equal(x.before) {
				x.changed = at
			}
			x.before = v
		}
	}
	return nil
}

// isStart reports whether nothing is known of state before a cycle.
func (e *Explainer) isStart(c *Cause) bool {
	return c.Since == e.first || !e.whole && c.Cycle-c.Since >= reach
}

// raw is the value of a state probe where the run stands.
func (e *Explainer) raw(p probe) bits.Value {
	if p.addr > 0 {
		return e.read(p)
	}
	return e.sim.GetBits(e.signal(p.at))
}

// state finds the causes of a register's value, or of the data of a synchronous read: the edge at
// which it took the value, and the conditions that have kept it.
func (e *Explainer) state(c *Cause) error {
	e.slice[key{at: c.at, cycle: c.Cycle}] = true
	m := c.at.inst.mod
	n := m.Node(c.at.id)
	if n.Op == ir.MemOut {
		return e.readPort(c, &m.Mems[n.Aux].Reads[n.Aux2], int(n.Aux))
	}
	r := &m.Regs[n.Aux]

	// An asynchronous reset, and an open latch, act at once.
	if r.Async && r.Rst != ir.None {
		if err := e.move(c.Cycle); err != nil {
			return err
		}
		if rst := (ref{c.at.inst, r.Rst}); !e.value(rst).IsZero() {
			return e.reset(c, r, c.Cycle)
		}
	}
	if m.IsLatch(r) {
		if e.isStart(c) {
			c.Kind = Start
			return nil
		}
		return e.reset(c, r, c.Since)
	}

	// A register may have taken the same value again at the last edge.
	at, err := e.lastTaken(c, r)
	if err != nil || c.Kind == Start {
		return err
	}
	took, err := e.taken(c, r, at)
	if err != nil || !took {
		return err
	}
	return e.kept(c, r)
}

// lastTaken returns the cycle before the edge at which a register took its value: the edge of
// the last change, or the last edge of all if it did not keep the value there but took it again.
// For a whole slice it looks at every edge between.
func (e *Explainer) lastTaken(c *Cause, r *ir.Register) (uint64, error) {
	for at := c.Cycle; at > c.Since; at-- {
		if err := e.move(at - 1); err != nil {
			return 0, err
		}
		if !e.holds(c.at, r) {
			c.Since = at
			break
		}
		if !e.whole {
			break
		}
	}
	if e.isStart(c) {
		c.Kind = Start
		return 0, e.kept(c, r)
	}
	return c.Since - 1, e.move(c.Since - 1)
}

// holds reports whether a register keeps its value at the edge behind the present cycle: whether
// the arms that are taken lead to the register itself.
func (e *Explainer) holds(at ref, r *ir.Register) bool {
	in, m := at.inst, at.inst.mod
	if r.Rst != ir.None && !e.value(ref{in, r.Rst}).IsZero() {
		return false
	}
	// Follow the arms that are taken now.
	given := false // by the innermost arm
	for x := r.Next; ; {
		y := e.driver(ref{in, x})
		if y == at {
			return !given
		}
		if y.inst != in {
			return false
		}
		x = y.id
		args := m.Args(x)
		switch m.Op(x) {
		case ir.Wire:
			x = args[0]
		case ir.Mux:
			arm := 0
			if e.value(ref{in, args[0]}).IsZero() {
				arm = 1
			}
			x, given = args[1+arm], isGiven(m, y.id, arm)
		case ir.Case:
			arm := caseArm(m, y.id, e.value(ref{in, args[0]}))
			x, given = args[1+arm], isGiven(m, y.id, arm)
		default:
			return false
		}
	}
}

// isGiven reports whether an arm of a multiplexer has the line of a statement of its own.
func isGiven(m *ir.Module, mux ir.ID, arm int) bool {
	pos := m.ArmPos(mux)
	return pos != nil && pos[arm] != 0
}

// fold joins state that has come to its value by equal steps, of which only the last is told: a
// counter counts, a value moves through registers that one line made, a sum through a row of
// elements. Each step took its value at one line, under conditions at equal lines, from state
// that is declared at one line.
func (e *Explainer) fold(c *Cause) error {
	step := c
	for range mostSteps {
		before := step.follows()
		if before == nil || before.queued || e.isStart(before) {
			return nil
		}
		// Its causes are found in a copy: it may turn out to be no equal step.
		sure := *before
		if err := e.state(&sure); err != nil {
			return err
		}
		if sure.Kind != State || sure.At != c.At || sure.follows() == nil || !slices.Equal(sure.lines(), step.lines()) {
			return nil
		}
		c.Why = slices.DeleteFunc(slices.Clone(c.Why), func(k *Cause) bool { return k == step.follows() })
		if before.at == c.at && c.Through == 0 {
			c.From, c.FromTill = before.Value, before.Since
		} else {
			c.From = ""
			c.Through++
		}
		before.queued = true
		c.Why = append(c.Why, sure.follows())
		step = &sure
	}
	return nil
}

// mostSteps is the number of equal steps that are joined: a counter may have made millions.
const mostSteps = 64

// follows is the state among the causes of state that is declared at the same line: itself,
// earlier, or its neighbour.
func (c *Cause) follows() *Cause {
	for _, k := range c.Why {
		if k.Kind == State && k.addr == 0 && k.at.inst.mod == c.at.inst.mod && k.at.line() == c.at.line() {
			return k
		}
	}
	return nil
}

// lines are the lines of the conditions of a cause.
func (c *Cause) lines() (all []ir.Location) {
	for _, k := range c.Why {
		if k.Kind == Condition && !k.keeps {
			all = append(all, k.At)
		}
	}
	return all
}

// taken finds the causes at the edge by which a register took its value. took is false if the
// register has another value than the edge gave it: the test has set it.
func (e *Explainer) taken(c *Cause, r *ir.Register, at uint64) (took bool, err error) {
	in := c.at.inst
	if r.Rst != ir.None && !r.Async && !e.value(ref{in, r.Rst}).IsZero() {
		return true, e.reset(c, r, at)
	}
	if c.at.show(e.value(ref{in, r.Next})) != c.Value {
		if r.Rst != ir.None && r.Async { // the reset came between
			return true, e.reset(c, r, c.Since)
		}
		c.Kind = Input
		return false, nil
	}
	c.At = c.at.line()
	if r.SetAt != 0 {
		c.At = in.mod.Src.At(r.SetAt)
	}
	return true, e.walk(c, ref{in, r.Next}, at, false)
}

// reset finds the causes of a reset at a cycle.
func (e *Explainer) reset(c *Cause, r *ir.Register, at uint64) error {
	c.Kind = Reset
	in := c.at.inst
	if in.mod.IsLatch(r) {
		c.Kind = State
		if err := e.walk(c, ref{in, r.Reset}, at, false); err != nil {
			return err
		}
	} else if l := in.mod.Src.At(in.mod.Node(r.Reset).Pos); l.Line > 0 {
		c.At = l
	} else {
		c.At = c.at.line()
	}
	list, err := e.causesOf([]probe{{at: e.driver(ref{in, r.Rst})}}, at)
	if err != nil {
		return err
	}
	c.Why = append(c.Why, list...)
	return nil
}

// kept adds the conditions by which a register kept its value at the last edge.
func (e *Explainer) kept(c *Cause, r *ir.Register) error {
	if c.Cycle == c.Since || c.at.inst.mod.IsLatch(r) {
		return nil
	}
	last := c.Cycle - 1
	if e.whole { // every edge counts
		last = c.Since
	}
	for at := c.Cycle - 1; at >= last; at-- {
		if err := e.walk(c, ref{c.at.inst, r.Next}, at, true); err != nil || at == 0 {
			return err
		}
	}
	return nil
}

// readPort finds the causes of the data of a synchronous read.
func (e *Explainer) readPort(c *Cause, p *ir.ReadPort, mem int) error {
	in := c.at.inst
	c.At = in.mod.Src.At(p.Pos)

	// The last edge at which it was enabled, if that may be told from the last one.
	at := c.Since
	if c.Cycle > c.Since {
		if err := e.move(c.Cycle - 1); err != nil {
			return err
		}
		if p.En == ir.None || !e.value(ref{in, p.En}).IsZero() {
			at = c.Cycle
		} else if err := e.keptBy(c, ref{in, p.En}); err != nil {
			return err
		}
	}
	if c.Since = at; e.isStart(c) {
		c.Kind = Start
		return nil
	}
	at--
	if err := e.move(at); err != nil {
		return err
	}

	// With new data, the word is that behind the edge.
	name := c.at.name()
	probes := []probe{{at: e.driver(ref{in, p.Addr}), label: name + ", address"}}
	if p.En != ir.None {
		probes = append(probes, probe{at: e.driver(ref{in, p.En}), label: name + ", enable"})
	}
	word := e.wordAt(in, mem, e.value(ref{in, p.Addr}))
	list, err := e.causesOf(probes, at)
	if err != nil {
		return err
	}
	if p.Under == ir.New {
		at++
	}
	words, err := e.causesOf([]probe{*word}, at)
	if err != nil {
		return err
	}
	c.Why = append(append(c.Why, words...), list...)
	return nil
}

// wordCause finds the write that stored the word of a memory.
func (e *Explainer) wordCause(c *Cause) error {
	in, mem := c.at.inst, int(-1-c.at.id)
	if c.addr > in.mod.Mems[mem].Depth {
		return nil // past the end: 0 without a reason
	}
	if err := e.notWritten(c, mem); err != nil {
		return err
	}
	if e.isStart(c) {
		c.Kind = Start
		return nil
	}
	at := c.Since - 1
	if err := e.move(at); err != nil {
		return err
	}

	// The last port that is enabled and has the address wins.
	for i := len(in.mod.Mems[mem].Writes) - 1; i >= 0; i-- {
		w := &in.mod.Mems[mem].Writes[i]
		if w.En != ir.None && e.value(ref{in, w.En}).IsZero() {
			continue
		}
		if a := e.value(ref{in, w.Addr}); a.Len() > 62 || int(a.Uint64()) != c.addr-1 {
			continue
		}
		c.At = in.mod.Src.At(w.Pos)
		name := in.scope.Mems()[mem].Name() + " written"
		probes := []probe{{at: e.driver(ref{in, w.Data}), label: name + ", data"}, {at: e.driver(ref{in, w.Addr}), label: name + ", address"}}
		if w.En != ir.None {
			probes = append(probes, probe{at: e.driver(ref{in, w.En}), label: name + ", enable"})
		}
		if w.Mask != ir.None {
			probes = append(probes, probe{at: e.driver(ref{in, w.Mask}), label: name + ", mask"})
		}
		list, err := e.causesOf(probes, at)
		c.Why = append(c.Why, list...)
		return err
	}
	c.Kind = Input // the test has set it
	return nil
}

// keptBy adds a condition of 0 at the last edge, by which state kept its value.
func (e *Explainer) keptBy(c *Cause, enable ref) error {
	w := &walker{e: e, c: c, cycle: c.Cycle - 1, kept: true, rank: c.Cycle - 1}
	w.condition(enable, enable.line())
	return w.finish()
}

// notWritten adds the conditions by which a word was not written since: at the last edge, or for a
// whole slice at all of them.
func (e *Explainer) notWritten(c *Cause, mem int) error {
	in := c.at.inst
	for at := c.Cycle; at > c.Since; at-- {
		if err := e.move(at - 1); err != nil {
			return err
		}
		// Of each port, its enable if that was low, else its other address.
		w := &walker{e: e, c: c, cycle: at - 1, kept: true, rank: c.Since}
		if e.isStart(c) {
			w.rank = at - 1
		}
		for i := range in.mod.Mems[mem].Writes {
			p := &in.mod.Mems[mem].Writes[i]
			x := p.Addr
			if p.En != ir.None && e.value(ref{in, p.En}).IsZero() {
				x = p.En
			}
			w.condition(ref{in, x}, in.mod.Src.At(p.Pos))
		}
		if err := w.finish(); err != nil || !e.whole {
			return err
		}
	}
	return nil
}
