package net

// Costs of parts, in instructions. They were found by the processor time of SmallBoom, where
// branches that are mispredicted took half of it.
const (
	testCost    = 1.5 // of a part's flag
	missedTest  = 60  // of a test that is mispredicted
	passCost    = 6.0 // of a value that passes from part to part: its comparison, its store, and loads in other parts
	compareCost = 2.5 // of the comparison alone
	writeCost   = 2.0 // of comparing the next value of a register with the present one
	nearCluster = 200 // candidates compared when a part is extended
)

// test is the cost of testing a part's flag in each cycle, if it is set in some share of them.
// The processor predicts the more frequent outcome.
func test(share float64) float64 { return testCost + missedTest*min(share, 1-share) }

// together reports whether a node with some activity and cost should join cluster t.
func (p *partitioner) together(t int32, row []uint64, cost float64) bool {
	// Together both run whenever either is active. Apart each runs alone, with a comparison of the
	// value between them. Whether a test comes between too is not known yet: clusters become parts
	// later.
	s := float64(p.a.count)
	both := float64(either(p.row(t), row)) / s
	own, other := float64(weight(row))/s, float64(weight(p.row(t)))/s
	return both*(p.size[t]+cost) <= own*cost+other*p.size[t]+passCost*own+testCost
}

// gain is the cost that is saved if cluster c joins the present part, whose active samples are sig
// and whose cost is size.
func (p *partitioner) gain(c int32, sig []uint64, size float64) float64 {
	// The cost of a part is its size times the share of cycles in which it is active, and a test.
	// Joining pays both sizes whenever either is active, and saves a test.
	s, row := float64(p.a.count), p.row(c)
	own, other, both := float64(weight(sig))/s, float64(weight(row))/s, float64(either(sig, row))/s
	gain := other*p.size[c] + own*size - both*(size+p.size[c])
	gain += test(own) + test(other) - test(both)

	// A value whose users are all in its part is not kept. Each of them counts for its share, since
	// the others may follow.
	for _, o := range p.before.of(c) {
		if p.in[o] == int32(len(p.parts)) {
			gain += passCost * both / float64(len(p.after.of(o)))
		}
	}
	return gain
}
