package equiv

import (
	"math/rand/v2"
	"slices"
	"time"

	"etch/passes/aig"
)

// State that starts as anything starts alike on both sides if it is the same state. The name
// says so, or, where another tool has chosen the names, the behaviour: bits that start equal
// stay equal in every step, and are read in the same places.
//
// Bits are partitioned into classes of equal behaviour, by random simulation, in the way of
// partition refinement: all bits start in a few classes, and runs (correspond_runs.go) split them
// until no run splits any more. Where that leaves a choice, observability decides
// (correspond_sight.go), then names (correspond_choose.go). A proof then starts from the classes.
// State that no output depends on is left out, such as that of checks on one side: it would tell
// bits apart that behave alike.
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

func (c *correspondence) leaf(b stateBit) aig.Lit { return c.p.circuit.States[b.state].Q[b.bit] }

// next returns the literal of a bit's next value.
func (c *correspondence) next(b stateBit) aig.Lit { return c.p.circuit.States[b.state].Next[b.bit] }

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
		if c.registers() {
			more = true
		}
	}
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
