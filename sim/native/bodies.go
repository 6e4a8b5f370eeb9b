package native

import (
	"slices"
	"unsafe"

	"etch/sim/native/amd64"
)

// chain writes an Engine's bodies and the jumps between them.
type chain struct {
	*x86
	e       *Engine
	dec     []int32
	values  []int64 // by body, then deciding register
	body    []amd64.Label
	general amd64.Label
	top     amd64.Label
	exit    amd64.Label
	buf     []int32

	// of a class
	cycle, done amd64.Label
	stub        []amd64.Label // by body: keep it for the next cycle
	stubGeneral amd64.Label
	stubTop     amd64.Label
	inside      bool // a cycle is over: what comes next is kept, not jumped to
}

// emit makes the machine code of the general body and all special ones:
//
//	top:      the guards hold? clear the flag; jump to the body for this state
//	body k:   one cycle; count; a guard broken? jump to the next body
//	general:  keep the state sometimes; one cycle; count; jump to the top
func (e *Engine) emit() error {
	c := &chain{x86: newX86(e.f), e: e}
	if e.plan != nil {
		c.dec = e.plan.dec
	}
	for range e.bodies {
		c.body = append(c.body, c.NewLabel())
	}
	for _, b := range e.bodies {
		for _, r := range c.dec {
			c.values = append(c.values, b.values[r])
		}
	}
	c.general, c.top, c.exit = c.NewLabel(), c.NewLabel(), c.NewLabel()
	c.n = e.n
	if e.class != nil {
		c.stubGeneral, c.stubTop, c.done = c.NewLabel(), c.NewLabel(), c.NewLabel()
		for range e.bodies {
			c.stub = append(c.stub, c.NewLabel())
		}
		c.enterClass()
	} else {
		c.enter()
	}
	c.Bind(c.top)
	c.dispatchTop()
	c.inside = e.class != nil
	for k, b := range e.bodies {
		c.Align(32)
		c.Bind(c.body[k])
		c.checkWords(b.checks)
		c.specialTree(b, b.root)
	}
	c.Align(32)
	c.Bind(c.general)
	if len(e.bodies) > 0 {
		c.keepState()
	}
	c.generalTree(e.general)
	if e.class != nil {
		for k := range c.stub {
			c.Bind(c.stub[k])
			c.keep(c.body[k])
		}
		c.Bind(c.stubGeneral)
		c.keep(c.general)
		c.Bind(c.stubTop)
		c.keep(c.top)
		c.endClass()
		e.topAt = c.Offset(c.top)
	}
	c.Bind(c.exit)
	c.leave()
	code, err := c.finish(int(e.g.limit), len(e.n.N))
	if err != nil {
		return err
	}
	if e.code != nil {
		e.code.Close()
	}
	e.code = code
	return nil
}

// to is where a jump to body k leads.
func (c *chain) to(k int32) amd64.Label {
	if c.inside {
		return c.stub[k]
	}
	return c.body[k]
}

// toGeneral is where a jump to the general body leads.
func (c *chain) toGeneral() amd64.Label {
	if c.inside {
		return c.stubGeneral
	}
	return c.general
}

// dispatchTop finds the body for a state that nothing is known of.
func (c *chain) dispatchTop() {
	if len(c.body) == 0 {
		c.Jmp(c.general)
		return
	}
	c.at = -1
	for r, v := range c.e.plan.guards {
		if v >= 0 {
			c.compareState(int32(r), v)
			c.Jcc(amd64.NE, c.general)
		}
	}
	c.MovMI(amd64.S64, c.scratch(stores, flagWord), 0)
	c.next(nil, nil)
}

// compareState compares a register in the state with a value.
func (c *chain) compareState(r int32, v int64) {
	c.n = c.e.n
	m := c.slot(stateR, int(r))
	s := size(c.n.Regs[r].W)
	if s == amd64.S64 && v != int64(int32(v)) {
		c.MovRI(tmpA, uint64(v))
		c.MR(amd64.CMP, s, m, tmpA)
		return
	}
	c.MI(amd64.CMP, s, m, int32(uint32(v)))
}

// checkWords leaves to the general body when an assumed word is another one.
func (c *chain) checkWords(checks []check) {
	for _, k := range checks {
		base := c.from.mem[loads]
		if c.e.n.Mems[k.mem].Shared {
			base = c.from.scratch[loads]
		}
		m, s := amd64.At(base, 8*k.at), size(k.w)
		if s == amd64.S64 && k.want != uint64(int64(int32(k.want))) {
			c.MovRI(tmpA, k.want)
			c.MR(amd64.CMP, s, m, tmpA)
		} else {
			c.MI(amd64.CMP, s, m, int32(uint32(k.want)))
		}
		c.Jcc(amd64.NE, c.general)
	}
}

// specialTree writes the code of a special body.
func (c *chain) specialTree(b *special, t *tree) {
	t.c.guards, t.c.flag, t.c.flagUsed = c.e.plan.guards, flagWord, false
	c.x86.body(t.c)
	if t.yes != nil {
		side := c.side()
		c.specialTree(b, t.yes)
		c.Patch(side, len(c.Code))
		c.specialTree(b, t.no)
		return
	}
	if c.e.class == nil {
		c.DecM(amd64.S64, c.scratch(stores, cyclesWord))
		c.Jcc(amd64.E, c.exit)
	}
	if t.c.flagUsed {
		c.MI(amd64.CMP, amd64.S64, c.scratch(loads, flagWord), 0)
		c.Jcc(amd64.NE, c.broken())
	}
	c.next(t.next, b.values)
}

// broken is where a body goes that has written a guard with another value: what
// comes next looks at the guards again.
func (c *chain) broken() amd64.Label {
	if c.e.class != nil {
		return c.stubTop
	}
	return c.general
}

// side is the jump of the condition that has just been written.
func (c *chain) side() int {
	at := c.sides[len(c.sides)-1]
	c.sides = c.sides[:len(c.sides)-1]
	return at
}

// generalTree writes the code of the body for all states.
func (c *chain) generalTree(t *tree) {
	t.c.guards = nil
	c.x86.body(t.c)
	if t.yes != nil {
		side := c.side()
		c.generalTree(t.yes)
		c.Patch(side, len(c.Code))
		c.generalTree(t.no)
		return
	}
	c.MovRI(tmpA, uint64(uintptr(unsafe.Pointer(&c.e.seenWords[missesAt]))))
	c.IncM(amd64.S64, amd64.At(tmpA, 0))
	if c.e.class != nil {
		c.Jmp(c.stubTop)
		return
	}
	c.DecM(amd64.S64, c.scratch(stores, cyclesWord))
	c.Jcc(amd64.E, c.exit)
	c.Jmp(c.top)
}

// keepState copies the registers to the ring, of some misses, while there is room.
func (c *chain) keepState() {
	e := c.e
	c.MovRI(tmpC, uint64(uintptr(unsafe.Pointer(unsafe.SliceData(e.seenWords)))))
	c.TestMI(amd64.S32, amd64.At(tmpC, 8*missesAt), saveEvery-1)
	skip := c.JccRel32(amd64.NE)
	c.MovRM(amd64.S64, tmpA, amd64.At(tmpC, 8*ringAt))
	c.RI(amd64.CMP, amd64.S64, tmpA, int32(e.entries))
	full := c.JccRel32(amd64.AE)
	c.IncM(amd64.S64, amd64.At(tmpC, 8*ringAt))
	c.ImulRRI(amd64.S64, tmpA, tmpA, int32(8*e.entry))
	c.Lea(amd64.S64, amd64.RDI, amd64.AtIndex(tmpC, tmpA, 1, 8*ringFirst))
	c.Lea(amd64.S64, amd64.RSI, amd64.At(stateR, 8*int32(e.lo)))
	c.MovRI(amd64.RCX, uint64(e.hi-e.lo))
	c.RepMovsq()
	if e.class != nil { // where the instance's memories are
		c.MovRR(amd64.S64, tmpA, instMem)
		c.RR(amd64.SUB, amd64.S64, tmpA, wholeBase)
		c.MovMR(amd64.S64, amd64.At(amd64.RDI, 0), tmpA)
	}
	c.Patch(skip, len(c.Code))
	c.Patch(full, len(c.Code))
}

// next jumps to the body for the next cycle, whose deciding registers are as
// known says where that is a value; of is what the present body assumes.
func (c *chain) next(known, of []int64) {
	value := func(r int32) int64 {
		switch {
		case known == nil:
			return anyValue
		case known[r] == holds:
			return of[r]
		}
		return known[r]
	}
	c.buf = c.buf[:0]
	d := len(c.dec)
	for k := range c.body {
		ok := true
		for i, r := range c.dec {
			if v := value(r); v >= 0 && c.values[k*d+i] != v {
				ok = false
				break
			}
		}
		if ok {
			c.buf = append(c.buf, int32(k))
		}
	}
	set := c.buf[:len(c.buf):len(c.buf)]
	// What is not known: first the registers that tell bodies apart, then those
	// that are the same in all of them and only need to be right.
	var tests []int32
	for pass := range 2 {
		for i, r := range c.dec {
			if value(r) >= 0 {
				continue
			}
			apart := slices.ContainsFunc(set, func(k int32) bool { return c.values[int(k)*d+i] != c.values[int(set[0])*d+i] })
			if apart == (pass == 0) {
				tests = append(tests, int32(i))
			}
		}
	}
	c.choose(set, tests)
}

// choose tests registers until one body of the set is left; the likeliest value
// first.
func (c *chain) choose(set, tests []int32) {
	switch {
	case len(set) == 0:
		c.Jmp(c.toGeneral())
		return
	case len(tests) == 0:
		c.Jmp(c.to(set[0]))
		return
	}
	i, d := int(tests[0]), len(c.dec)
	r := c.dec[i]
	if c.halve(set, tests) {
		return
	}
	for tried := 0; ; tried++ {
		v := c.likeliest(set, i)
		if tried == 1 && c.e.n.Regs[r].W == 1 { // the only other value
			c.choose(set, tests[1:])
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
		c.compareState(r, v)
		if len(not) == 0 {
			c.Jcc(amd64.NE, c.toGeneral())
			c.choose(is, tests[1:])
			return
		}
		skip := c.JccRel32(amd64.NE)
		c.choose(is, tests[1:])
		c.Patch(skip, len(c.Code))
		set = not
	}
}

// manyValues is how many values of a register are tried one by one.
const manyValues = 6

// halve tests which half of its many values a register lies in.
func (c *chain) halve(set, tests []int32) bool {
	i, d := int(tests[0]), len(c.dec)
	var values []int64
	for _, k := range set {
		values = append(values, c.values[int(k)*d+i])
	}
	slices.Sort(values)
	values = slices.Compact(values)
	if len(values) <= manyValues {
		return false
	}
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
	c.compareState(c.dec[i], mid)
	skip := c.JccRel32(amd64.AE)
	c.choose(below, tests)
	c.Patch(skip, len(c.Code))
	c.choose(above, tests)
	return true
}

// likeliest is the value of deciding register i that has most weight in the set.
func (c *chain) likeliest(set []int32, i int) int64 {
	var values [manyValues]int64
	var weight [manyValues]float64
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
		weight[at] += c.e.bodies[k].weight
	}
	best := 0
	for at := range n {
		if weight[at] > weight[best] {
			best = at
		}
	}
	return values[best]
}
