package choose

import "etch/sim/net"

// Forks finds the conditions of a cycle that best predict the next one.
type Forks struct {
	Pol      *Policy
	Dec      []int32   // control registers that decide on the next body
	Volatile []bool    // registers written from outside in each cycle
	Ratio    float64   // the largest worthwhile ratio of costs, with the fork to without
	mem      *contents // assumed contents of memories, or nil
	Visits   int       // nodes visited so far: the effort of compiling follows from it
}

// Condition returns the best condition of n, to which p is bound, or net.None if none pays.
func (f *Forks) Condition(p *net.Prop, n *net.Net) net.ID {
	free := net.NewAssume(len(n.Regs))
	score := func() float64 {
		f.Visits += len(n.N)
		p.Run(free)
		if f.mem != nil {
			AssumeReads(p, n, free, f.mem, f.Pol)
		}
		return float64(p.Mark(free)) + f.Pol.UnresolvedCost*float64(f.unresolved(p, n))
	}

	// Try both values of each candidate.
	best, bar := net.None, score()*f.Ratio
	p.Forget()
	for _, x := range f.conditions(n) {
		s := f.Pol.SplitCost
		for v := range uint64(2) {
			p.Force(x, v)
			s += 0.5 * score()
			p.Forget()
		}
		if s < bar {
			best, bar = x, s
		}
	}
	return best
}

// unresolved counts the deciding registers whose next value is not known.
func (f *Forks) unresolved(p *net.Prop, n *net.Net) int {
	u := 0
	for _, r := range f.Dec {
		// A register written from outside is never known.
		if f.Volatile != nil && f.Volatile[r] {
			u++
		} else if d := n.Regs[r].Next; d >= 0 {
			if _, ok := p.Known(d); !ok && p.Same(d) != n.Regs[r].Q {
				u++
			}
		}
	}
	return u
}

// conditions lists the bits that the next values of deciding registers depend on most: at most
// TryConditions of them.
func (f *Forks) conditions(n *net.Net) []net.ID {
	var found []net.ID
	var votes []int
	add := func(x net.ID) {
		// A condition and its inverse are one candidate.
		for n.N[x].Op == net.Not {
			x = n.N[x].A
		}
		if n.N[x].Op == net.Const || n.N[x].W != 1 {
			return
		}
		for i, y := range found {
			if y == x {
				votes[i]++
				return
			}
		}
		found, votes = append(found, x), append(votes, 1)
	}

	// Each register votes for the selects of its muxes and the operands of its ANDs and ORs, a few
	// levels down.
	var vote func(x net.ID, depth int)
	vote = func(x net.ID, depth int) {
		nd := &n.N[x]
		switch {
		case nd.Op == net.Mux:
			add(nd.A)
			if depth < f.Pol.VoteDepth {
				vote(nd.B, depth+1)
				vote(nd.C, depth+1)
			}
		case nd.W == 1 && nd.Op == net.Not && depth <= f.Pol.VoteDepth:
			vote(nd.A, depth)
		case nd.W == 1 && (nd.Op == net.And || nd.Op == net.Or) && depth < f.Pol.VoteDepth:
			// The whole operation, if it is the next value itself.
			if depth == 0 {
				add(x)
			}
			vote(nd.A, depth+1)
			vote(nd.B, depth+1)
		case nd.W == 1:
			add(x)
		}
	}

	for _, r := range f.Dec {
		if d := n.Regs[r].Next; d >= 0 {
			vote(d, 0)
		}
	}

	return best(found, votes, f.Pol.TryConditions)
}

// best returns the at most most of found with the most votes, of equals the first. It spends the
// votes of those it takes.
func best(found []net.ID, votes []int, most int) (top []net.ID) {
	for range most {
		m := -1
		for i := range found {
			if votes[i] > 0 && (m < 0 || votes[i] > votes[m]) {
				m = i
			}
		}
		if m < 0 {
			break
		}
		votes[m] = 0
		top = append(top, found[m])
	}
	return top
}
