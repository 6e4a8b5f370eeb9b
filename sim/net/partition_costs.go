package net

// branchCosts are costs that depend on how well a processor predicts the branches of a cycle.
type branchCosts struct {
	flag   float64 // of a part's flag
	missed float64 // of a test that is mispredicted
	pass   float64 // of a value that passes from part to part: its comparison, its store, its loads
	write  float64 // of comparing the next value of a register with the present one
}

// at adds the share of the costs that grows with the crowd.
func (c *PartCosts) at(crowd float64) branchCosts {
	return branchCosts{flag: c.Test, missed: c.Missed + c.MissedCrowd*crowd, pass: c.Pass + c.PassCrowd*crowd, write: c.WriteCrowd * crowd}
}

// crowd tells how far the branches of a cycle exceed what a processor predicts: from 0, it learns
// them all, to 1.
func (a *Activity) crowd(c *PartCosts) float64 {
	active := 0.0
	for i := range a.n.N {
		if a.live[i] {
			active += float64(a.n.N[i].Cost()) * a.share(a.activeRow(ID(i)))
		}
	}
	return min(1, max(0, active-c.Learned)/(c.Crowded-c.Learned))
}

// test is the cost of testing a part's flag in each cycle, if it is set in some share of them.
// The processor predicts the more frequent outcome.
func (b *branchCosts) test(share float64) float64 { return b.flag + b.missed*min(share, 1-share) }

// together reports whether a node with some activity and cost should join cluster t.
func (p *partitioner) together(t int32, row []uint64, cost float64) bool {
	// Together both run whenever either is active. Apart each runs alone, with a comparison of the
	// value between them. Whether a test comes between too is not known yet: clusters become parts
	// later.
	s := float64(p.a.count)
	both := float64(either(p.row(t), row)) / s
	own, other := float64(weight(row))/s, float64(weight(p.row(t)))/s
	return both*(p.size[t]+cost) <= own*cost+other*p.size[t]+p.costs.pass*own+p.costs.flag
}

// gain is the cost that is saved if cluster c joins the present part, whose active samples are sig,
// a share own of all, and whose cost is size.
func (p *partitioner) gain(c int32, sig []uint64, own, size float64) float64 {
	// The cost of a part is its size times the share of cycles in which it is active, and a test.
	// Joining pays both sizes whenever either is active, and saves a test.
	other, both := p.share[c], float64(either(sig, p.row(c)))/float64(p.a.count)
	gain := other*p.size[c] + own*size - both*(size+p.size[c])
	gain += p.costs.test(own) + p.costs.test(other) - p.costs.test(both)

	// A value whose users are all in its part is not kept. Each of them counts for its share, since
	// the others may follow.
	for _, o := range p.before.of(c) {
		if p.in[o] == int32(len(p.parts)) {
			gain += p.costs.pass * both / float64(len(p.after.of(o)))
		}
	}
	return gain
}
