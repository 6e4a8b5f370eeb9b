package net

import "math/bits"

// Take sees the state at the start of a cycle, and makes a sample of it and the state of the cycle
// before.
func (a *Activity) Take(s State) {
	a.lookOver(s)

	// A sample needs the cycle before: the first state, and the first after a gap, give none. Their
	// values are needed all the same.
	sampled := a.paired && !a.Full()
	if !a.known {
		for i := range a.n.N {
			a.v[i] = a.n.compute(ID(i), a.v, s)
		}
	} else {
		a.step(s, sampled)
	}
	if a.known, a.paired = true, true; sampled {
		a.count++
	}
	a.beginTruth()
}

// lookOver finds the memories over registers in which a word has changed.
func (a *Activity) lookOver(s State) {
	for m := range a.over {
		o := &a.over[m]
		o.differs = false
		for k := a.n.Mems[m].Lowest; k < len(o.words); k++ {
			if v := s.Mem(int32(m), uint64(k)); v != o.words[k] {
				o.words[k], o.differs = v, true
			}
		}
	}
}

// step brings the values from the last state to s. Few of them change in a cycle, so a node is
// computed only if an argument has changed: a change marks the users in woken, a set of bits. One
// walk over it sees them all, since users have larger numbers.
func (a *Activity) step(s State, sampled bool) {
	for k := range a.woken {
		for given := a.given[k]; a.woken[k]|given != 0; {
			b := bits.TrailingZeros64(a.woken[k] | given)
			woken := a.woken[k]>>b&1 != 0
			a.woken[k] &^= 1 << b
			given &^= 1 << b
			a.visit(ID(64*k+b), woken, s, sampled)
		}
	}
}

// visit computes node i. woken: an argument has changed. If the state is sampled, the rows of the
// node get the bit of the present sample.
func (a *Activity) visit(i ID, woken bool, s State, sampled bool) {
	before := a.v[i]
	v := a.n.compute(i, a.v, s)
	if v != before {
		a.v[i] = v
		for _, u := range a.users.of(int32(i)) {
			a.woken[u/64] |= 1 << (u % 64)
		}
		if (v != 0) != (before != 0) && !a.Full() {
			a.turn(int(i), v != 0)
		}
	}
	if !sampled {
		return
	}

	// Leaves are given, not computed: they are active exactly if they change. A word of a vector that
	// changes wakes all readers of the vector.
	at, bit := int(i)*a.words+a.count/64, uint64(1)<<(a.count%64)
	if v != before {
		a.changed[at] |= bit
	}
	if nd := &a.n.N[i]; v != before || woken || nd.Op == Read && a.over[nd.Imm].differs {
		a.active[at] |= bit
	}
}

// turn notes that node i is not 0 (on), or is, from the next sample on: bits of later samples are
// set ahead, so that only nodes that turn cost anything.
func (a *Activity) turn(i int, on bool) {
	row, rest := &a.truth[i*a.words+a.count/64], ^uint64(0)<<(a.count%64)
	if *row &^= rest; on {
		*row |= rest
	}
}

// beginTruth fills the rows of truth where the next sample begins a word of bits.
func (a *Activity) beginTruth() {
	if a.count%64 != 0 || a.Full() {
		return
	}
	for i, v := range a.v {
		a.truth[i*a.words+a.count/64] = 0
		if v != 0 {
			a.truth[i*a.words+a.count/64] = ^uint64(0)
		}
	}
}
