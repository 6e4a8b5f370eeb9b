package equiv

import (
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"etch/ir"
	"etch/passes/aig"
)

// State that starts as anything starts alike on both sides if it is the same state. The name
// says so, or, where another tool has chosen the names, the behaviour: bits that start equal
// stay equal in every step, and are read in the same places.
//
// This file partitions bits into classes of equal behaviour, by random simulation, in the way of
// partition refinement: all bits start in a few classes, and runs split them until no run splits
// any more. A proof then starts from the classes. State that no output depends on is left out,
// such as that of checks on one side: it would tell bits apart that behave alike.
//
// A wrong guess makes designs differ, never equal: a proof holds for the starts that it was made
// with, and a difference is examined again (see explained).

// stateBit is a bit of state that no name pairs.
type stateBit struct {
	state, bit int
	side       byte
	class      int
}

// correspondence partitions bits of a pair's state into classes.
type correspondence struct {
	p      *problem
	known  map[int]int // states paired by name: number of the pair
	bits   []stateBit
	number int // number of classes
	v      []uint64
	rng    *rand.Rand
	end    time.Time
}

// late reports whether the time for the search is over.
func (c *correspondence) late() bool { return !time.Now().Before(c.end) }

// correspond finds for bits of b the bits of a with the same behaviour, both as state and bit,
// among states of unknown start that are not in known.
func (p *problem) correspond(known map[int]int) map[[2]int][2]int {
	c := &correspondence{p: p, known: known, v: make([]uint64, p.circuit.Graph.Len()), rng: rand.New(rand.NewPCG(1, 0xc0))}
	if !c.collect() {
		return nil
	}
	// Bits that are not told apart in time are paired in their order: a guess like any other.
	c.end = time.Now().Add(time.Until(p.o.end) / 4)
	for c.refine(); c.ambiguous() && !c.late(); c.refine() {
		if c.hint(c.steps()) || c.influence() {
			continue
		}
		if !c.choose() {
			break
		}
	}
	return c.pairs()
}

// stateKey is the properties of a bit that are known before a run.
type stateKey struct {
	memory, row int
	init        aig.Lit
}

// collect makes the first classes, by the kind of state and its initial value. It returns false
// if one side has no bit of unknown start.
func (c *correspondence) collect() bool {
	first := map[stateKey]int{}
	var free [2]bool
	cone := c.p.seen
	for i := range c.p.circuit.States {
		s := &c.p.circuit.States[i]
		_, side := twin(s.Name)

		// Left out: paired by name, on neither side, or an address that both sides share.
		if _, ok := c.known[i]; ok || side == 0 || s.Kind == aig.CellAddress {
			continue
		}
		for k := range s.Q {
			// A bit that nothing observes needs no partner.
			if !cone[s.Q[k].Node()] {
				continue
			}
			key := stateKey{memory: 0, row: -1, init: 2}
			if s.Kind == aig.MemoryWord {
				key = stateKey{memory: 1, row: s.Row, init: 2} // it may be in lanes on one side
			}
			if s.Init[k].IsConst() {
				key.init = s.Init[k]
			} else {
				free[side-'a'] = true
			}
			class, ok := first[key]
			if !ok {
				class = len(first)
				first[key] = class
			}
			c.bits = append(c.bits, stateBit{i, k, side, class})
		}
	}
	c.number = len(first)
	return free[0] && free[1]
}

// draw gives all leaves random values. Bits of a pair of known states get equal values, and so
// do bits of a class.
func (c *correspondence) draw() {
	g := c.p.circuit
	c.inputs(false)
	for _, l := range g.Levels {
		c.v[l.Q.Node()] = c.rng.Uint64()
	}

	// Paired states: the same words on both sides.
	paired := map[int][]uint64{}
	for i := range g.States {
		n, ok := c.known[i]
		if !ok && g.States[i].Kind == aig.CellAddress {
			for _, q := range g.States[i].Q {
				c.v[q.Node()] = c.rng.Uint64()
			}
		}
		if !ok {
			continue
		}
		for k, q := range g.States[i].Q {
			if k == len(paired[n]) {
				paired[n] = append(paired[n], c.rng.Uint64())
			}
			c.v[q.Node()] = paired[n][k]
		}
	}

	// All other states: the word of the class for the bits in question, any value for the rest.
	classes := make([]uint64, c.number)
	for i := range classes {
		classes[i] = c.rng.Uint64()
	}
	for i := range g.States {
		if _, ok := c.known[i]; !ok && g.States[i].Kind != aig.CellAddress {
			for _, q := range g.States[i].Q {
				c.v[q.Node()] = c.rng.Uint64() // those outside the cone keep it
			}
		}
	}
	for _, b := range c.bits {
		c.v[c.leaf(b).Node()] = classes[b.class]
	}
}

// inputs draws the inputs of a step. Black boxes of both sides get the same outputs, and both
// sides read the same words of memories. Resets are high in reset cycles, and otherwise in about
// one run of eight, since a reset would hide all behaviour.
func (c *correspondence) inputs(resetting bool) {
	g := c.p.circuit
	boxes := map[string][]uint64{}
	for _, in := range g.Inputs {
		name, _ := twin(in.Name)
		words := boxes[name]
		fixed, held := valueOf(c.p.o.hold, in)
		level, resets := valueOf(c.p.o.resetBy, in)
		for k, l := range in.Bits {
			if k == len(words) {
				words = append(words, c.rng.Uint64())
			}

			// High in one run of eight.
			rare := words[k] & c.rng.Uint64() & c.rng.Uint64()
			switch {
			case resetting && resets:
				c.v[l.Node()] = -level.Bit(k)
			case resetting && in.Reset:
				c.v[l.Node()] = ^uint64(0)
			case held:
				c.v[l.Node()] = -fixed.Bit(k)
			case resets:
				// A reset that is active low is rarely low.
				c.v[l.Node()] = rare ^ (level.Bit(k) - 1)
			case in.Reset:
				c.v[l.Node()] = rare
			default:
				c.v[l.Node()] = words[k]
			}
		}
		if in.Box != "" {
			boxes[name] = words
		}
	}

	for _, e := range g.Events {
		c.v[e.Bits[0].Node()] = c.rng.Uint64()
	}

	for _, word := range g.Outside {
		for _, l := range word.Bits {
			c.v[l.Node()] = c.rng.Uint64()
		}
	}
}

// leaf returns the leaf of a bit.
func (c *correspondence) leaf(b stateBit) aig.Lit { return c.p.circuit.States[b.state].Q[b.bit] }

// next returns the literal of a bit's next value.
func (c *correspondence) next(b stateBit) aig.Lit { return c.p.circuit.States[b.state].Next[b.bit] }

// mix returns a hash of two words.
func mix(x, y uint64) uint64 {
	x = (x ^ y) * 0x9e3779b97f4a7c15
	return x ^ x>>29
}

// split makes new classes of bits that agree in their old class and in sign, and reports whether
// there are more classes than before.
func (c *correspondence) split(sign []uint64) bool {
	type key struct {
		class int
		sign  uint64
	}
	first := map[key]int{}
	for i := range c.bits {
		k := key{c.bits[i].class, sign[i]}
		if _, ok := first[k]; !ok {
			first[k] = len(first)
		}
		c.bits[i].class = first[k]
	}

	// Classes only split, so their number tells whether any did.
	more := len(first) > c.number
	c.number = len(first)
	return more
}

// refine splits classes until bits that start equal stay equal in runs from power-up.
func (c *correspondence) refine() {
	for more := true; more && !c.late(); {
		more = c.split(c.runs())
	}
}

// Random inputs seldom reach some states, so runs alone leave bits together;
// [correspondence.steps] tells them apart.
const (
	signatures = 4   // words of 64 runs each
	runLength  = 24  // steps of a run behind the reset
	leastRun   = 4   // for large circuits
	runEffort  = 1e8 // nodes evaluated in all steps, approximately: half a second
)

// runs returns a hash for each bit: the values that it has in runs from power-up in which bits
// of a class start equal. Only reachable states count, since the sides may differ in all others.
func (c *correspondence) runs() []uint64 {
	g := c.p.circuit
	sign, state := make([]uint64, len(c.bits)), make([]uint64, 0, 1024)

	// Large circuits run shorter, so that the effort is bounded.
	length := max(leastRun, min(runLength, runEffort/signatures/g.Graph.Len()))
	for word := range signatures {
		if word > 0 && c.late() {
			break
		}
		c.draw()
		c.starts()

		// Reset cycles have negative numbers.
		for step := -c.p.resetCycles(); step < length; step++ {
			c.inputs(step < 0)
			g.Graph.Simulate(c.v)

			// Compute all next values before any state changes.
			state = state[:0]
			for i := range g.States {
				for _, l := range g.States[i].Next {
					state = append(state, aig.Value(c.v, l))
				}
			}
			k := 0
			for i := range g.States {
				for _, q := range g.States[i].Q {
					c.v[q.Node()] = state[k]
					k++
				}
			}
			for _, l := range g.Levels {
				c.v[l.Q.Node()] = aig.Value(c.v, l.Next)
			}
			for i, b := range c.bits {
				sign[i] = mix(sign[i], c.v[c.leaf(b).Node()])
			}
		}
	}
	return sign
}

// starts gives states with an initial value that value.
func (c *correspondence) starts() {
	for i := range c.p.circuit.States {
		s := &c.p.circuit.States[i]
		for k, l := range s.Init {
			switch l {
			// A bit of unknown start keeps its random value.
			case aig.False:
				c.v[s.Q[k].Node()] = 0
			case aig.True:
				c.v[s.Q[k].Node()] = ^uint64(0)
			}
		}
	}
}

// steps returns a hash for each bit: its value after one step from any state in which bits of a
// class are equal. Such a state may be unreachable, so the hash is a hint only.
func (c *correspondence) steps() []uint64 {
	sign := make([]uint64, len(c.bits))

	// A new state for each word: some differences need several bits together.
	for range signatures {
		c.draw()
		c.p.circuit.Graph.Simulate(c.v)
		for i, b := range c.bits {
			sign[i] = mix(sign[i], aig.Value(c.v, c.next(b)))
		}
	}
	return sign
}

// hint splits classes by a sign that may be misleading: only bits that have partners with the
// same sign on both sides leave their class.
func (c *correspondence) hint(sign []uint64) bool {
	type key struct {
		class int
		sign  uint64
	}
	sides := map[key]byte{}
	for i, b := range c.bits {
		// Bit 0 for side a, bit 1 for side b.
		sides[key{b.class, sign[i]}] |= b.side - 'a' + 1
	}

	// A sign that only one side has says nothing: the bit stays in its class.
	for i, b := range c.bits {
		if sides[key{b.class, sign[i]}] != 3 {
			sign[i] = 0
		}
	}
	return c.split(sign)
}

// members returns the bits of each class by side.
func (c *correspondence) members() [][2][]int {
	list := make([][2][]int, c.number)
	for i, b := range c.bits {
		list[b.class][b.side-'a'] = append(list[b.class][b.side-'a'], i)
	}
	return list
}

// open reports whether a class with these members leaves a choice of pairs.
func open(m [2][]int) bool { return len(m[0]) > 0 && len(m[1]) > 0 && len(m[0])+len(m[1]) > 2 }

// ambiguous reports whether any class is open.
func (c *correspondence) ambiguous() bool {
	return slices.ContainsFunc(c.members(), open)
}

// sightEffort is the most nodes that influence evaluates.
const sightEffort = 1e9

// influence splits open classes by observability: the outputs and states that change when a bit
// is inverted. It reports whether a class was split.
func (c *correspondence) influence() bool {
	g := c.p.circuit.Graph
	var look []int

	// Only open classes need more evidence.
	for _, m := range c.members() {
		if open(m) {
			look = append(look, append(m[0], m[1]...)...)
		}
	}

	// One simulation for each bit would take too long.
	if float64(len(look))*float64(g.Len()) > sightEffort {
		return false
	}
	c.draw()
	base := slices.Clone(c.v)

	// One simulation per bit, against the undisturbed one.
	g.Simulate(base)
	sign := make([]uint64, len(c.bits))
	for _, i := range look {
		n := c.leaf(c.bits[i]).Node()
		copy(c.v, base)
		c.v[n] ^= ^uint64(0)
		g.Simulate(c.v)
		sign[i] = c.seen(base)
	}
	return c.hint(sign)
}

// seen returns a hash of the differences between c.v and base. It is a sum over names common to
// both sides, so two bits of equal effect have equal hashes.
func (c *correspondence) seen(base []uint64) uint64 {
	z := uint64(1)
	note := func(what int, l aig.Lit) {
		if d := c.v[l.Node()] ^ base[l.Node()]; d != 0 {
			z += mix(mix(uint64(what), d), 0x5eed)
		}
	}
	for i, out := range c.p.circuit.Outputs {
		what := i / 2 // the outputs of the pair come in twos
		if out.Box != "" {
			// A hash of the name, since the boxes of the sides may stand in different orders.
			name, _ := twin(out.Name)
			what = 1 << 20
			for _, r := range name {
				what = what*31 + int(r)
			}
		}
		for k, l := range out.Bits {
			note(what<<8+k, l)
		}
	}
	for i := range c.p.circuit.States {
		if n, ok := c.known[i]; ok {
			for k, l := range c.p.circuit.States[i].Next {
				note(1<<40+n<<16+k, l)
			}
		}
	}
	for _, b := range c.bits {
		note(1<<50+b.class, c.next(b))
	}
	return z
}

// choose pairs bits of open classes without evidence: in all classes where names agree but for
// the additions of tools, or else the first bits of one class. Each pair becomes a class of its
// own, and refinement goes on from there.
func (c *correspondence) choose() bool {
	members, chosen := c.members(), false
	for _, m := range members {
		if open(m) && c.alike(m) {
			chosen = true
		}
	}
	if chosen {
		return true
	}

	// Without common names, the first bits of one class: refinement goes on from there.
	for _, m := range members {
		if open(m) {
			c.word(m[0][0], m[1][0])
			return true
		}
	}
	return false
}

// alike pairs bits of a class whose names agree.
func (c *correspondence) alike(m [2][]int) (any bool) {
	type key struct {
		name string
		bit  int
	}
	known := map[key]int{}
	for _, i := range m[0] {
		known[key{c.plain(i), c.bits[i].bit}] = i
	}
	for _, i := range m[1] {
		k := key{c.plain(i), c.bits[i].bit}
		if j, ok := known[k]; ok {
			// Each bit is paired once.
			delete(known, k)
			c.own(j, i)
			any = true
		}
	}
	return any
}

// plain returns the name of a bit's state as plain does.
func (c *correspondence) plain(i int) string { return plain(c.p.circuit.States[c.bits[i].state].Name) }

// plain returns the name of a state without its side, in lower case, without the characters and
// endings that tools change.
func plain(name string) string {
	name, _ = twin(name)
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune(`.[]\/$ `, r) {
			return '_'
		}
		return r
	}, strings.ToLower(name))

	// The order matters: _reg may stand before _q.
	for _, end := range []string{"_reg", "_r", "_q", "_"} {
		name = strings.TrimSuffix(name, end)
	}
	return name
}

// own moves two bits to a new class.
func (c *correspondence) own(i, j int) {
	c.bits[i].class, c.bits[j].class = c.number, c.number
	c.number++
}

// word pairs two bits, and all other bits of their registers too if they are at the same places
// and in the same classes: a register usually corresponds as a whole.
func (c *correspondence) word(i, j int) {
	x, y := c.bits[i], c.bits[j]
	w := len(c.p.circuit.States[x.state].Q)
	whole := w == len(c.p.circuit.States[y.state].Q) && x.bit == y.bit
	var mine, its []int
	if whole {
		mine, its = c.wordOf(i), c.wordOf(j)
		whole = len(mine) == len(its)
	}

	// One bit that is elsewhere, or in another class, and the registers are not the same.
	for k := 0; whole && k < len(mine); k++ {
		whole = c.bits[mine[k]].bit == c.bits[its[k]].bit && c.bits[mine[k]].class == c.bits[its[k]].class
	}
	if !whole {
		c.own(i, j)
		return
	}
	for k := range mine {
		c.own(mine[k], its[k])
	}
}

// wordOf returns the bits of the state of bit i, which are neighbours in the list.
func (c *correspondence) wordOf(i int) (list []int) {
	first := i
	for first > 0 && c.bits[first-1].state == c.bits[i].state {
		first--
	}
	for ; first < len(c.bits) && c.bits[first].state == c.bits[i].state; first++ {
		list = append(list, first)
	}
	return list
}

// cone marks the nodes of the circuit on which outputs, constraints and memories to be kept
// equal depend, over any number of steps.
func (p *problem) cone() []bool {
	g := p.circuit.Graph
	need, next := make([]bool, g.Len()), map[int]aig.Lit{}
	for i := range p.circuit.States {
		s := &p.circuit.States[i]
		for k, q := range s.Q {
			next[q.Node()] = s.Next[k]
		}
	}

	// The roots: outputs, memories that have to stay equal, statements, and reads of words that are
	// not kept.
	var todo []aig.Lit
	for _, out := range p.circuit.Outputs {
		todo = append(todo, out.Bits...)
	}
	for _, u := range p.circuit.Unlike {
		todo = append(todo, u.Hit)
	}
	for i := range p.circuit.Stmts {
		if s := &p.circuit.Stmts[i]; s.Kind == ir.Assume || p.o.statements {
			todo = append(todo, s.Hit)
		}
	}
	todo = append(todo, p.circuit.Miss)

	// Walk back, through registers too.
	for len(todo) > 0 {
		n := todo[len(todo)-1].Node()
		todo = todo[:len(todo)-1]
		if need[n] {
			continue
		}
		need[n] = true
		if g.IsAnd(n) {
			a, b := g.Args(n)
			todo = append(todo, a, b)
		} else if l, ok := next[n]; ok {
			todo = append(todo, l)
		}
	}
	return need
}

// pairs returns the bits that share a class, in pairs.
func (c *correspondence) pairs() map[[2]int][2]int {
	found := map[[2]int][2]int{}
	for _, m := range c.members() {
		// Bits that are left over on one side stay alone.
		for n := 0; n < len(m[0]) && n < len(m[1]); n++ {
			x, y := c.bits[m[0][n]], c.bits[m[1][n]]
			found[[2]int{y.state, y.bit}] = [2]int{x.state, x.bit}
		}
	}
	c.complete(found)
	return found
}

// complete pairs the remaining bits of two states of one width if other bits at the same places
// are paired. An undefined read under a write, for instance, may have told single bits apart.
func (c *correspondence) complete(found map[[2]int][2]int) {
	taken := map[[2]int]bool{}
	for y, x := range found {
		taken[x], taken[y] = true, true
	}
	for _, b := range c.bits {
		x, ok := found[[2]int{b.state, b.bit}]
		if !ok || x[1] != b.bit || len(c.p.circuit.States[x[0]].Q) != len(c.p.circuit.States[b.state].Q) {
			continue
		}
		// A bit that is taken keeps its partner.
		for k := range c.p.circuit.States[b.state].Q {
			mine, its := [2]int{b.state, k}, [2]int{x[0], k}
			if !taken[mine] && !taken[its] {
				found[mine], taken[mine], taken[its] = its, true, true
			}
		}
	}
}
