package code

import "etch/sim/net"

// staging is the assignment of a net's work to the stages of a cycle.
type staging struct {
	n    *net.Net
	form []Form // of nodes
	// stage is the stage of each node. Slices of sliced words cost nothing and have none (-1);
	// words in word form are read in the first stage.
	stage  []int
	leaves []uint8 // by node: where its value is kept for other stages
	read   []int   // by word: the last stage that uses its old value, at least 0
	commit []int   // by word: the stage in which it takes its next value
	write  []int   // by memory: the stage in which it is written
	stop   int     // the stage of the stop condition, before anything is stored
	last   int
}

// Places of values between stages, as bits.
const (
	toSlices = 1 << iota
	toWords
)

// formOf is the form of a stage: they alternate.
func formOf(stage int) Form {
	if stage%2 == 0 {
		return Words
	}
	return Sliced
}

// from is the first stage of form f at or after stage k.
func from(k int, f Form) int {
	if k = max(k, 0); formOf(k) != f {
		k++
	}
	return k
}

// newStaging plans a cycle: nodes have the forms of d, words and memories those of the layout.
func newStaging(n *net.Net, d, layout *division) *staging {
	s := &staging{n: n, form: d.node, stage: make([]int, len(n.N)), leaves: make([]uint8, len(n.N)), read: make([]int, len(n.Regs))}

	// Nodes go as early as possible; then every use of a value in another stage is recorded.
	for x := range n.N {
		s.stage[x] = s.earliest(net.ID(x))
	}
	for x := range n.N {
		if n.N[x].Op != net.Leaf && s.stage[x] >= 0 {
			n.Args(net.ID(x), func(a net.ID) { s.takes(a, s.stage[x]) })
		}
	}

	// The stop condition is evaluated in sliced form.
	if n.Stop >= 0 {
		s.stop = from(s.ready(n.Stop, Sliced), Sliced)
		s.takes(n.Stop, s.stop)
	}

	s.writes(layout.mem)
	s.commits(layout.word)
	return s
}

// earliest is the first stage in which a node can be computed.
func (s *staging) earliest(x net.ID) int {
	nd, f := &s.n.N[x], s.form[x]
	switch {
	case nd.Op == net.Leaf && f == Sliced:
		return -1
	// A slice of a sliced word is only another name of its bits.
	case nd.Op == net.Slice && f == Sliced && s.form[nd.A] == Sliced && s.stage[nd.A] < 0 && s.n.N[nd.A].Op != net.Const && int(nd.Imm)+int(nd.W) <= int(s.n.Width(nd.A)):
		return -1
	}
	k := from(0, f)
	s.n.Args(x, func(a net.ID) { k = max(k, s.ready(a, f)) })
	return k
}

// ready is the first stage of form f that can use value x.
func (s *staging) ready(x net.ID, f Form) int {
	switch {
	case s.n.N[x].Op == net.Const || s.stage[x] < 0:
		return from(0, f)
	case s.form[x] == f:
		return s.stage[x]
	}
	return s.stage[x] + 1
}

// takes records that stage k uses value x.
func (s *staging) takes(x net.ID, k int) {
	// Slices without stage stand for their words.
	if s.stage[x] < 0 {
		for s.n.N[x].Op == net.Slice {
			x = s.n.N[x].A
		}
	}
	same := s.form[x] == formOf(k)

	// A user finds the value in its word, in the same stage, or in a place between stages.
	switch nd := &s.n.N[x]; {
	case nd.Op == net.Const:
	case nd.Op == net.Leaf && (same || s.stage[x] < 0):
		s.read[nd.Imm] = max(s.read[nd.Imm], k)
	case same && s.stage[x] == k:
	case same && formOf(k) == Words:
		s.leaves[x] |= toWords
	default:
		s.leaves[x] |= toSlices
	}
}

// stored is the first stage of form f that may store anything: not before the stop.
func (s *staging) stored(f Form) int {
	if s.n.Stop < 0 {
		return from(0, f)
	}
	return from(s.stop, f)
}

// writes finds the stages in which memories are written: not before their reads, nor before the
// operands are ready.
func (s *staging) writes(form []Form) {
	for _, f := range form {
		s.write = append(s.write, s.stored(f))
	}

	for x := range s.n.N {
		if nd := &s.n.N[x]; nd.Op == net.Read {
			s.write[nd.Imm] = max(s.write[nd.Imm], s.stage[x])
		}
	}
	each := func(f func(w *net.Write, x net.ID)) {
		for i := range s.n.Writes {
			w := &s.n.Writes[i]
			w.Each(func(x net.ID) { f(w, x) })
		}
	}

	// All writes of a memory are in one stage: find it first, then record the uses in it.
	each(func(w *net.Write, x net.ID) {
		s.write[w.Mem] = max(s.write[w.Mem], s.ready(x, form[w.Mem]))
	})
	each(func(w *net.Write, x net.ID) {
		s.takes(x, s.write[w.Mem])
		s.last = max(s.last, s.write[w.Mem])
	})
}

// commits finds the stages in which words take their next values. A word that takes another's
// old value must come first, so stages are postponed until all constraints hold.
func (s *staging) commits(form []Form) {
	s.commit = make([]int, len(s.n.Regs))
	// Stages only grow, and are bounded, so this ends.
	for again := true; again; {
		again = false
		for r := range s.n.Regs {
			d := s.n.Regs[r].Next
			if d < 0 {
				continue
			}
			k := max(s.stored(form[r]), s.ready(d, form[r]), from(s.read[r], form[r]))
			s.takes(d, k)
			again = again || k != s.commit[r]
			s.commit[r] = k
			s.last = max(s.last, k)
		}
	}
	s.last = max(s.last, s.stop)
}
