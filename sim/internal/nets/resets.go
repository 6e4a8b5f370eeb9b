package nets

import (
	"errors"
	"fmt"

	"etch/sim/internal/program"
	"etch/sim/net"
)

// mostRounds bounds the asynchronous resets that follow from one another.
const mostRounds = 256

var errManyRounds = errors.New("sim: too many asynchronous resets follow from one another")

// order finds the depth of each register whose asynchronous reset may come with the edge: 1 if its
// reset follows from no other such register, otherwise 1 more than the deepest register that it
// follows from. If resets follow from resets, it prepares the rounds. Errors: resets form a circle,
// or more than mostRounds follow from one another; latches are in between.
func (a *after) order(moving []*program.Register) error {
	b := a.b
	a.depth = map[*program.Register]int{}
	deepest := 1

	// A depth-first search over registers. Depth 0 marks registers on the present path, whose
	// length is bounded: the code of a chain grows with the square of its length.
	path := 0
	var visit func(r *program.Register) (int, error)
	visit = func(r *program.Register) (int, error) {
		if d, ok := a.depth[r]; ok {
			if d == 0 {
				return 0, fmt.Errorf("sim: the asynchronous reset of %s follows from itself", b.p.NodeName(r.Ref))
			}
			return d, nil
		}
		a.depth[r] = 0
		path++
		defer func() { path-- }()
		depth := 1
		if path > mostRounds {
			return 0, errManyRounds
		}
		for _, word := range b.leavesOf(b.At[r.Rst]) {
			if q := a.async[word]; q != nil {
				d, err := visit(q)
				if err != nil {
					return 0, err
				}
				depth = max(depth, d+1)
			}
		}
		if depth > mostRounds {
			return 0, errManyRounds
		}
		a.depth[r] = depth
		deepest = max(deepest, depth)
		return depth, nil
	}
	for _, r := range moving {
		if r.Latch {
			continue
		}
		if _, err := visit(r); err != nil {
			return err
		}
	}

	// Latches settle by levels of their own; with them resets behind resets are refused, as a
	// missing list of rounds tells.
	if deepest == 1 || len(a.latch) > 0 {
		return nil
	}

	// Each round has a memo of its own, and knows the rounds before it.
	for round := range deepest {
		k := *a
		k.of, k.round = map[net.ID]net.ID{}, round
		a.rounds = append(a.rounds, &k)
	}
	for _, k := range a.rounds {
		k.rounds = a.rounds
	}
	return nil
}

// settled is word k of a register after all its resets.
func (a *after) settled(r *program.Register, k uint32) (net.ID, bool) {
	if a.rounds == nil || r.Latch {
		return a.held(r, k)
	}
	return a.reset(r, k, a.depth[r])
}

// reset is word k of a register after a number of rounds of resets. A round looks at all resets
// with the values that the round before left. A register changes at most once, to its reset value,
// so it is reset if its reset was high in any of them.
func (a *after) reset(r *program.Register, k uint32, rounds int) (net.ID, bool) {
	b := a.b
	high := b.N.Const(0)
	for round := range min(rounds, a.depth[r]) {
		x, ok := a.rounds[round].node(b.At[r.Rst])
		if !ok {
			return x, false
		}
		high = b.N.Or(high, x)
	}
	end := b.end[r.Slot+k-b.p.Inputs.Lo]
	if end < 0 {
		end = b.reg(r.Slot + k).Q
	}
	reset := b.At[r.Reset+k]
	if w := b.reg(r.Slot + k).W; b.N.Width(reset) > w {
		reset = b.N.Slice(reset, 0, w)
	}
	return b.N.Mux(high, reset, end), true
}

// leavesOf lists the state words that node x follows from.
func (b *Builder) leavesOf(x net.ID) (list []int) {
	seen, todo := map[net.ID]bool{}, []net.ID{x}
	for len(todo) > 0 {
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[x] {
			continue
		}
		seen[x] = true
		if nd := &b.N.N[x]; nd.Op == net.Leaf {
			list = append(list, int(nd.Imm))
		}
		b.N.Args(x, func(y net.ID) { todo = append(todo, y) })
	}
	return list
}
