package native

import (
	"slices"
	"unsafe"

	"etch/sim/native/internal/emit"
	"etch/sim/native/internal/schedule"
)

// chain writes a machine's bodies and the dispatch between them.
type chain struct {
	likely struct { // tables of likeliest, reused
		values []int64
		weight []float64
	}
	*emit.Cycles
	m       *machine
	dec     []int32
	values  []int64      // by body × deciding register: the assumed value, or -1 if the body assumes none
	knows   []int        // by body: how many deciding registers it assumes; they are the first ones
	special []emit.Label // by body
	general emit.Label
	top     emit.Label
	owed    owed
	buf     []int32

	// Only of many machines:
	many        bool
	stub        []emit.Label // by body: code that keeps the body for the next cycle
	stubGeneral emit.Label
	stubTop     emit.Label
	inside      bool // the cycle is over: the next body is kept for later instead of jumped to
}

// emit makes the machine code of the general body and all special bodies of each machine:
//
//	top:      the guards hold? clear the flag; jump to the body for this state
//	body k:   one cycle; count; a guard broken? jump to general, else to the next body
//	general:  count a miss; keep the state sometimes; one cycle; count; jump to the top
//
// A body that does not assume all deciding registers counts misses and keeps states like the
// general body, because its states may deserve better bodies.
func (e *Engine) emit() error {
	text, starts, sums, err := e.text()
	if err != nil {
		return err
	}
	code, err := newCode(text, int(e.limit), len(e.flat.N))
	if err != nil {
		return err
	}

	// The old code goes only when the new code exists: a refusal by the system leaves an engine
	// that runs.
	if e.code != nil {
		e.code.Close()
	}
	e.code, e.starts, e.owed = code, starts, sums
	return nil
}

// text is the code that emit makes executable, by machine the offset of its dispatch, and the
// additions that the code leaves to its caller.
func (e *Engine) text() (text []byte, starts []int, sums owed, err error) {
	w := emit.NewCycles(e.t.Writer(e.o.Features))
	var chains []*chain
	if e.top == nil {
		// The bodies of one machine follow each other directly.
		c := newChain(e.machines[0], w)
		c.Enter()
		c.bodies()
		chains = append(chains, c)
	} else {
		chains = e.turns(w)
	}
	w.Define(w.Exit)
	w.Leave()
	text, err = w.Text()

	// Offsets are known only after the text: labels get their places there.
	for _, c := range chains {
		starts = append(starts, w.OffsetOf(c.top))
	}
	return text, starts, chains[0].owed, err
}

// turns writes the code of many machines. A cycle begins with the common part, and then jumps to
// the next body of the first machine. Each chain ends in stubs, which keep the machine's next body
// and jump to that of the next machine; the last one jumps to done.
func (e *Engine) turns(w *emit.Cycles) (chains []*chain) {
	cycle := e.enter(w)
	e.done = w.Declare()
	for _, m := range e.machines {
		c := newChain(m, w)
		c.bodies()
		c.stubs()
		chains = append(chains, c)
	}
	w.Define(e.done)
	w.Count(true, cycle)
	return chains
}

// enter writes the beginning of a call and of each cycle, up to the first machine, and returns
// the label of the cycle.
func (e *Engine) enter(w *emit.Cycles) (cycle emit.Label) {
	if e.class != nil {
		w.EnterClass(e.class)
	} else {
		w.Enter()
	}
	cycle = w.Declare()
	w.Entry(cycle)
	if e.class == nil {
		w.Body(e.top)
		w.GoOn(emit.FirstPrivate)
		return cycle
	}

	// The common part of a class is of the whole state; then each instance has its own base.
	w.Whole()
	w.Body(e.top)
	w.First(e.class)
	return cycle
}

// stubs writes the targets of bodies whose cycle is over: each keeps the machine's next body.
func (c *chain) stubs() {
	for k, l := range c.stub {
		c.Define(l)
		c.keep(c.special[k])
	}
	c.Define(c.stubGeneral)
	c.keep(c.general)
	c.Define(c.stubTop)
	c.keep(c.top)
}

// keep writes the end of a machine's cycle: keep l as its next body, go on with the next machine.
func (c *chain) keep(l emit.Label) {
	e, turn := c.m.in, c.m.turn
	if e.class != nil {
		c.KeepNext(e.class, l, e.done)
		return
	}
	c.KeepIn(emit.FirstPrivate+int32(turn), l)
	if turn+1 < len(e.machines) {
		c.GoOn(emit.FirstPrivate + int32(turn) + 1)
	} else {
		c.Jump(e.done)
	}
}

// restart makes every machine dispatch anew in the next cycle.
func (e *Engine) restart(base unsafe.Pointer) {
	code := uint64(e.code.mem.Addr())
	switch {
	case e.top == nil: // a call of one machine begins with the dispatch
	case e.class != nil:
		for i := range e.class.Count {
			*(*uint64)(unsafe.Add(base, 8*(int(e.class.Next)+i*int(e.class.Stride)))) = code + uint64(e.starts[0])
		}
	default:
		for i, at := range e.starts {
			*(*uint64)(unsafe.Add(base, -8*(emit.FirstPrivate+i+1))) = code + uint64(at)
		}
	}
}

func newChain(m *machine, w *emit.Cycles) *chain {
	c := &chain{Cycles: w, m: m, many: m.in.top != nil}

	// Without a plan there are only the general body and the dispatch to it.
	if m.plan != nil {
		c.dec = m.plan.Dec
	}

	leaves := 0
	for _, b := range m.bodies {
		c.special = append(c.special, c.Declare())
		leaves += b.root.leaves()
	}
	c.owed.counts = make([]uint64, leaves) // in one piece, whose address is in the code

	// The deciding registers in rows, -1 where a body assumes nothing.
	for _, b := range m.bodies {
		k := 0
		for _, r := range c.dec {
			c.values = append(c.values, b.values[r])
			if b.values[r] >= 0 {
				k++
			}
		}
		c.knows = append(c.knows, k)
	}

	// Of many machines, the end of a body does not jump to the next body of the same machine: a
	// stub keeps that body's address, and the next machine runs first.
	c.general, c.top = c.Declare(), c.Declare()
	if c.many {
		c.stubGeneral, c.stubTop = c.Declare(), c.Declare()
		for range m.bodies {
			c.stub = append(c.stub, c.Declare())
		}
	}
	return c
}

// bodies writes the dispatch, the special bodies, and the general body.
func (c *chain) bodies() {
	m := c.m

	// The dispatch runs before a machine's cycle and jumps to bodies directly. In a class or team
	// the bodies' ends jump to stubs instead.
	c.Entry(c.top)
	c.dispatchTop()
	c.inside = c.many
	keep := &emit.Ring{Words: m.seenWords, Lo: m.lo, Hi: m.hi, Entry: m.entry, Entries: m.entries, Class: m.in.class != nil}

	// A body first checks the memory words that it assumes.
	for k, b := range m.bodies {
		c.AlignEntry()
		c.Entry(c.special[k])
		for i := range b.checks {
			c.UnlessWord(&b.checks[i], m.n.Mems[b.checks[i].Mem].Shared, c.general)
		}

		// States of a body that does not assume everything may deserve a better body.
		if c.knows[k] < len(c.dec) {
			c.Increment(&m.seenWords[emit.MissesAt])
			c.KeepState(keep)
		}
		c.specialTree(b, b.root)
	}

	// The counters of misses and of general cycles drive the reviews (machine.ran).
	c.AlignEntry()
	c.Entry(c.general)
	c.Increment(&m.seenWords[emit.MissesAt])
	c.Increment(&m.seenWords[emit.GeneralAt])
	c.KeepState(keep)
	c.generalTree(m.general)
}

// to is the target of a jump to body k; the general body if k is negative.
func (c *chain) to(k int32) emit.Label {
	if k < 0 {
		return c.toGeneral()
	}
	if c.inside {
		return c.stub[k]
	}
	return c.special[k]
}

// toGeneral is the target of a jump to the general body.
func (c *chain) toGeneral() emit.Label {
	if c.inside {
		return c.stubGeneral
	}
	return c.general
}

// dispatchTop finds the body for a state of which nothing is known: first the guards, then the
// deciding registers.
func (c *chain) dispatchTop() {
	if len(c.special) == 0 {
		c.Jump(c.general)
		return
	}

	// One broken guard excludes all special bodies.
	for r, v := range c.m.plan.Guards {
		if v >= 0 {
			c.Unless(&c.m.n.Regs[r], v, c.general)
		}
	}

	// From here on the flag means: a guard was written with another value.
	c.ClearFlag()
	c.next(nil, nil)
}

// specialTree writes the code of a special body, whose conditions are the inner nodes of its
// tree.
func (c *chain) specialTree(b *special, t *tree) {
	t.c.Guards, t.c.FlagUsed = c.m.plan.Guards, false

	// The condition's code falls through into the yes side; the side exit leads to the no side.
	if t.yes != nil {
		side := c.condition(t.c)
		c.specialTree(b, t.yes)
		c.Define(side)
		c.specialTree(b, t.no)
		return
	}

	// If the call ends here, the flag does not matter: the next call dispatches from the top.
	c.Body(t.c)
	if t.adds != nil {
		c.Increment(&c.owed.counts[c.owed.leaf(t.adds)])
	}
	if !c.many {
		c.Count(false, c.Exit)
	}

	// Only bodies that may break a guard pay for the test of the flag.
	if t.c.FlagUsed {
		c.Flagged(c.broken())
	}
	c.next(t.next, b.values)
}

// broken is the target after a guard was written with another value. One machine runs the general
// body, whose end dispatches from the top; of many machines, this one dispatches in its next cycle.
// Only the dispatch tests the guards again.
func (c *chain) broken() emit.Label {
	if c.many {
		return c.stubTop
	}
	return c.general
}

// condition writes the code that tests a condition, and returns the side exit taken if it does
// not hold.
func (c *chain) condition(code *schedule.Code) (side emit.Label) {
	side = c.Declare()
	c.Side = side
	c.Body(code)
	return side
}

// generalTree writes the code of the body for all states.
func (c *chain) generalTree(t *tree) {
	// The general body assumes nothing, so its writes break no guard.
	t.c.Guards = nil

	if t.yes != nil {
		side := c.condition(t.c)
		c.generalTree(t.yes)
		c.Define(side)
		c.generalTree(t.no)
		return
	}

	// The state after a general cycle is unknown: dispatch from the top.
	c.Body(t.c)
	if c.many {
		c.Jump(c.stubTop)
		return
	}
	c.Count(false, c.Exit)
	c.Jump(c.top)
}

// next jumps to the body for the next cycle. known gives the deciding registers' values where
// the present body determines them; of is the present body's assumption.
func (c *chain) next(known, of []int64) {
	// The value of a deciding register after this cycle: from the body's code, or from its
	// assumption if the register holds its value.
	value := func(r int32) int64 {
		switch {
		case known == nil:
			return anyValue
		case known[r] == holds:
			return of[r]
		}
		return known[r]
	}

	// Candidates are the bodies that no known value excludes.
	c.buf = c.buf[:0]

	d := len(c.dec)
	for k := range c.special {
		ok := true
		for i, r := range c.dec {
			if v, w := value(r), c.values[k*d+i]; v >= 0 && w >= 0 && v != w {
				ok = false
				break
			}
		}
		if ok {
			c.buf = append(c.buf, int32(k))
		}
	}

	// The other deciding registers are tested, in the plan's order.
	var tests []int32
	for i, r := range c.dec {
		if value(r) < 0 {
			tests = append(tests, int32(i))
		}
	}
	c.choose(c.buf[:len(c.buf):len(c.buf)], tests, -1)
}

// choose writes a decision tree over the registers of tests, in their order, until one body of
// the set is left. The likeliest value is tested first. Among bodies without further tests the
// one with most assumptions becomes the fallback; fall is the fallback so far, -1 for the
// general body.
func (c *chain) choose(set, tests []int32, fall int32) {
	// Split off the bodies that do not assume the tested register. Sets are sections of one
	// shared buffer.
	d := len(c.dec)
	lo := len(c.buf)
	for _, k := range set {
		if len(tests) > 0 && c.values[int(k)*d+int(tests[0])] >= 0 {
			c.buf = append(c.buf, k)
		} else if fall < 0 || c.knows[k] > c.knows[fall] {
			fall = k
		}
	}
	if set = c.buf[lo:len(c.buf):len(c.buf)]; len(set) == 0 {
		c.Jump(c.to(fall))
		return
	}

	if c.halve(set, tests, fall) {
		return
	}

	// One value at a time: the bodies that assume it, then the rest.
	i, r := int(tests[0]), c.dec[tests[0]]
	for tried := 0; ; tried++ {
		v := c.likeliest(set, i)
		if tried == 1 && c.m.n.Regs[r].W == 1 { // the other value of a bit needs no test
			c.choose(set, tests[1:], fall)
			return
		}

		lo := len(c.buf)
		for _, k := range set {
			if c.values[int(k)*d+i] == v {
				c.buf = append(c.buf, k)
			}
		}
		mid := len(c.buf)
		for _, k := range set {
			if c.values[int(k)*d+i] != v {
				c.buf = append(c.buf, k)
			}
		}

		is, not := c.buf[lo:mid:mid], c.buf[mid:len(c.buf):len(c.buf)]
		if len(not) == 0 {
			c.Unless(&c.m.n.Regs[r], v, c.to(fall))
			c.choose(is, tests[1:], fall)
			return
		}
		skip := c.Declare()
		c.Unless(&c.m.n.Regs[r], v, skip)
		c.choose(is, tests[1:], fall)
		c.Define(skip)
		set = not
	}
}

// halve splits a register's values by one comparison if there are more than ManyValues, and
// reports whether it did.
func (c *chain) halve(set, tests []int32, fall int32) bool {
	i, d := int(tests[0]), len(c.dec)

	// The distinct values that the set assumes, in order.
	var values []int64
	for _, k := range set {
		values = append(values, c.values[int(k)*d+i])
	}
	slices.Sort(values)
	values = slices.Compact(values)
	if len(values) <= c.m.pol.ManyValues {
		return false
	}

	// Compare with the median.
	mid := values[len(values)/2]
	lo := len(c.buf)
	for _, k := range set {
		if c.values[int(k)*d+i] < mid {
			c.buf = append(c.buf, k)
		}
	}
	split := len(c.buf)
	for _, k := range set {
		if c.values[int(k)*d+i] >= mid {
			c.buf = append(c.buf, k)
		}
	}

	below, above := c.buf[lo:split:split], c.buf[split:len(c.buf):len(c.buf)]
	skip := c.Declare()
	c.AtLeast(&c.m.n.Regs[c.dec[i]], mid, skip)
	c.choose(below, tests, fall)
	c.Define(skip)
	c.choose(above, tests, fall)
	return true
}

// likeliest is the value of deciding register i with the highest total weight in the set.
func (c *chain) likeliest(set []int32, i int) int64 {
	// Tables of one size suffice: halve leaves at most ManyValues values.
	if c.likely.values == nil {
		c.likely.values, c.likely.weight = make([]int64, c.m.pol.ManyValues), make([]float64, c.m.pol.ManyValues)
	}
	values, weight := c.likely.values, c.likely.weight

	n, d := 0, len(c.dec)
	for _, k := range set {
		v := c.values[int(k)*d+i]
		at := slices.Index(values[:n], v)
		if at < 0 {
			if n == len(values) {
				continue
			}
			at = n
			values[n], weight[n] = v, 0
			n++
		}
		weight[at] += c.m.bodies[k].weight
	}

	// The first of equal weights wins, so that equal runs give equal code.
	best := 0
	for at := range n {
		if weight[at] > weight[best] {
			best = at
		}
	}
	return values[best]
}
