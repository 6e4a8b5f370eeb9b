package native

import (
	"slices"

	"etch/sim/net"
)

// history is snapshots, with the number of cycles that each stands for.
type history struct {
	snaps  []snapshot
	reads  [][]uint64 // by snapshot: address and word of each read
	weight []float64
}

func (h *history) total() float64 {
	t := 0.0
	for _, w := range h.weight {
		t += w
	}
	return t
}

// plan decides which values of control registers get bodies.
type plan struct {
	pol    *Policy
	guards []int64  // by register: the one value that all bodies assume, or -1
	dec    []int32  // registers that tell bodies apart
	tuples []tuple  // heaviest first
	net    *net.Net // n with the guards assumed
	mem    *contents
	worth  bool // special bodies are enough faster

	general float64   // cost of a cycle without specialisation
	costs   []float64 // by number of deciding registers known, with all guards: cost of a cycle
	expect  float64   // cost of a cycle by the chosen bodies, compiling included
	visits  int       // nodes visited by planning, for 64 snapshots at a time
}

// tuple is one combination of values of the first deciding registers.
type tuple struct {
	values []int64 // by register: value or -1; includes guards
	weight float64 // share of the cycles
}

// planner chooses a plan from a history.
type planner struct {
	pol     *Policy
	visits  int // see plan
	n       *net.Net
	control []bool
	address []bool
	// volatile marks the registers written from outside: bodies assume nothing of them.
	volatile []bool
	mem      *contents
	at       price
	h        history // the snapshots that agree with the guards
	tot      float64
	general  float64
	saves    float64 // share of the cost saved by bodies for the registers chosen so far
	plans    []*bitPlan
	known    []bool
	gain     []float64
	cost     float64
	ids      []uint64 // by snapshot: a hash of its chosen registers
}

// makePlan chooses guards, then deciding registers greedily, then tuples.
func makePlan(n *net.Net, control, address, volatile []bool, h history, r *reader, at price, pol *Policy, first bool) *plan {
	p := &planner{pol: pol, n: n, control: control, address: address, volatile: volatile, tot: h.total(), mem: r.seenContents(h.reads), at: at}

	out := &plan{pol: pol, guards: make([]int64, len(n.Regs)), mem: p.mem}
	candidates := p.sort(out.guards, h)

	// Guards: constant registers that save something.
	p.h = h
	p.sample(p.pol.PlanSamples)
	p.known = make([]bool, len(n.Regs))
	out.general = p.eval()
	p.weaken(out.guards)

	// From here on only snapshots in which the guards hold, and the net specialised to them.
	p.h = out.agreeing(h)
	p.tot = p.h.total()
	as := assumption(out.guards)
	var prop net.Prop
	prop.Bind(n)
	prop.Run(as)
	out.net = prop.Extract(as)
	p.n = out.net

	samples := p.pol.LaterSamples
	if first {
		samples = p.pol.PlanSamples
	}
	p.plans = nil
	p.sample(samples)
	if out.visits = p.visits; len(p.plans) == 0 {
		return out
	}

	// Deciding registers and bodies.
	p.known = append(p.known[:0], as.Known...)
	p.cost = p.eval()
	p.general = out.general
	out.costs = append(out.costs, p.cost)
	out.dec = p.greedy(candidates, out)
	out.tuples = out.bodies(&p.h, h.total(), at, func(uint64) bool { return false })

	out.visits = p.visits
	out.worth = len(out.tuples) > 0 && out.costs[len(out.costs)-1] <= p.pol.Worthwhile*out.general
	return out
}

// weaken drops guards that save next to nothing: registers that merely have not changed yet.
func (p *planner) weaken(guards []int64) {
	for r, v := range guards {
		p.known[r] = v >= 0
	}

	if len(p.plans) == 0 {
		return
	}
	p.cost = p.eval()

	// One at a time, against the cost with all the others.
	for r, v := range guards {
		if v < 0 || p.control[r] {
			continue
		}
		p.known[r] = false
		if c := p.eval(); c-p.cost < p.pol.LeastGuard*p.cost {
			guards[r], p.cost = -1, c
		} else {
			p.known[r] = true
		}
	}
}

// assumption turns values by register into an Assume; negative values are unknown.
func assumption(values []int64) net.Assume {
	as := net.NewAssume(len(values))
	for r, v := range values {
		if v >= 0 {
			as.Known[r], as.Value[r] = true, uint64(v)
		}
	}
	return as
}

// sort finds the guards, and the candidates for deciding registers.
func (p *planner) sort(guards []int64, h history) (candidates []int32) {
	for r := range p.n.Regs {
		guards[r] = -1
		most := maxControlValues
		if p.address[r] {
			most = maxAddressValues
		}

		weights := valuesOf(r, h, most)
		if weights == nil {
			continue
		}

		for v, w := range weights {
			if w >= p.pol.GuardShare*p.tot && (p.volatile == nil || !p.volatile[r]) {
				guards[r] = int64(v)
			}
		}
		if guards[r] < 0 && (p.control[r] || p.address[r]) && (p.volatile == nil || !p.volatile[r]) {
			candidates = append(candidates, int32(r))
		}
	}
	return candidates
}

// valuesOf weighs the values of a register. It is nil if there are more than most values, or one
// too large to be assumed.
func valuesOf(r int, h history, most int) map[uint64]float64 {
	weights := map[uint64]float64{}
	last, sum := h.snaps[0][r], 0.0
	for s, snap := range h.snaps {
		if snap[r] > maxKnown {
			return nil
		}
		if snap[r] != last { // snapshots in a row often have equal values
			weights[last] += sum
			last, sum = snap[r], 0
			if len(weights) > most {
				return nil
			}
		}
		sum += h.weight[s]
	}

	if weights[last] += sum; len(weights) > most {
		return nil
	}
	return weights
}

// agreeing is the snapshots in which all guards hold. The general body runs the other states.
func (p *plan) agreeing(h history) (some history) {
	for s, snap := range h.snaps {
		if p.agrees(snap) {
			some.snaps = append(some.snaps, snap)
			some.weight = append(some.weight, h.weight[s])
		}
	}
	return some
}

func (p *plan) agrees(snap snapshot) bool {
	for r, v := range p.guards {
		if v >= 0 && snap[r] != uint64(v) {
			return false
		}
	}
	return true
}

// sample makes bit plans of up to want snapshots, evenly spread over the weight.
func (p *planner) sample(want int) {
	want = min(want, len(p.h.snaps))
	var snaps []snapshot
	acc := 0.0

	for s, snap := range p.h.snaps {
		acc += p.h.weight[s]
		for len(snaps) < want && acc >= (float64(len(snaps))+0.5)*p.tot/float64(want) {
			snaps = append(snaps, snap)
		}
	}

	// Interleave them, so that each bit plan sees the whole history.
	k := (len(snaps) + 63) / 64
	for i := range k {
		var part []snapshot
		for s := i; s < len(snaps); s += k {
			part = append(part, snaps[s])
		}
		p.plans = append(p.plans, newBitPlan(p.n, part, p.mem))
		p.visits += len(part) * len(p.n.N)
	}
}

// eval is the mean cost of a cycle when the known registers are constants.
func (p *planner) eval() float64 {
	c := 0.0
	for _, b := range p.plans {
		c += b.eval(p.known)
	}
	p.visits += 4 * len(p.plans) * len(p.n.N) // spread and eval visit a node for all snapshots at once
	return c / float64(len(p.plans))
}

// try computes the saving of register r.
func (p *planner) try(r int32) {
	p.known[r] = true
	p.gain[r] = p.cost - p.eval()
	p.known[r] = false
}

// greedy chooses deciding registers: always the one that saves most, as long as it saves enough
// and does not scatter the states over so many tuples that compiling them costs more. Gains
// almost never grow, so an old gain is an upper bound and few are recomputed per step (lazy
// greedy).
func (p *planner) greedy(candidates []int32, out *plan) (chosen []int32) {
	p.gain = make([]float64, len(p.n.Regs))
	p.ids = make([]uint64, len(p.h.snaps))

	drop := func(r int32) {
		candidates = slices.DeleteFunc(candidates, func(x int32) bool { return x == r })
	}
	rejected := 0

	for len(chosen) < p.pol.MaxDeciding && rejected <= p.pol.MaxRejected {
		all := rejected == 0 && (len(chosen) == 0 || len(chosen) == 2 || len(chosen) == 6) // refresh all gains a few times, since the bound is only approximate
		best := p.best(candidates, all)
		if best < 0 || p.gain[best] < p.pol.LeastGain*p.cost {
			break
		}

		ids, saves := p.scatter(best)
		if drop(best); saves <= p.saves {
			rejected++
			continue
		}

		p.ids, p.saves = ids, saves
		p.known[best] = true
		p.cost -= p.gain[best]
		chosen = append(chosen, best)
		out.costs = append(out.costs, p.cost)
	}
	return chosen
}

// best is the candidate with the highest gain, -1 without any. It re-evaluates candidates in the
// order of their old gains until none can be better.
func (p *planner) best(candidates []int32, all bool) int32 {
	if all {
		for _, r := range candidates {
			p.try(r)
		}
	}

	slices.SortFunc(candidates, func(x, y int32) int {
		switch {
		case p.gain[x] > p.gain[y]:
			return -1
		case p.gain[x] < p.gain[y]:
			return 1
		}
		return int(x - y)
	})

	best := int32(-1)
	for i, r := range candidates {
		if best >= 0 && p.gain[r] <= p.gain[best] || i >= p.pol.CandidatesSeen {
			break
		}
		if !all {
			p.try(r)
		}
		if best < 0 || p.gain[r] > p.gain[best] {
			best = r
		}
	}
	return best
}

func mix(h, v uint64) uint64 {
	h = (h ^ v ^ 0x9E3779B97F4A7C15) * 0xBF58476D1CE4E5B9
	return h ^ h>>29
}

// scatter numbers the tuples with register r added, and computes the saving of bodies for them,
// less the cost of compiling. Tuples seen once get no body: they stand for those not seen at all
// (see cover).
func (p *planner) scatter(r int32) (ids []uint64, saves float64) {
	ids = make([]uint64, len(p.ids))
	at := map[uint64]int{}
	type group struct {
		weight float64
		count  int
	}
	var groups []group

	for s, snap := range p.h.snaps {
		ids[s] = mix(p.ids[s], snap[r])
		i, ok := at[ids[s]]
		if !ok {
			i = len(groups)
			at[ids[s]] = i
			groups = append(groups, group{})
		}
		groups[i].weight += p.h.weight[s]
		groups[i].count++
	}

	gain, pay := p.general-p.cost+p.gain[r], p.general*p.at.body/p.at.cycles
	for _, g := range groups {
		if g.count > 1 || pay == 0 {
			saves += max(0, gain*g.weight/p.tot-pay)
		}
	}
	return ids, saves
}

// values is the assumption of a body for snap: the guards and the first known deciding
// registers.
func (p *plan) values(snap snapshot, known int) []int64 {
	v := slices.Clone(p.guards)
	for _, r := range p.dec[:known] {
		v[r] = int64(snap[r])
	}
	return v
}

// known is the cost of a cycle with all deciding registers known.
func (p *plan) known() float64 {
	if len(p.costs) == 0 {
		return p.general
	}
	return p.costs[len(p.costs)-1]
}

// effort is the effort of planning.
func (p *plan) effort() effort { return effort(p.pol.VisitNode * float64(p.visits)) }

// key is a hash of a body's assumptions.
func (p *plan) key(values []int64) uint64 {
	h := uint64(0)
	for _, r := range p.dec {
		h = mix(h, uint64(values[r]))
	}
	return h
}

// thin drops every other snapshot; its neighbour's weight doubles for it. The others are copied,
// because one snapshot keeps the memory of the batch in which it was allocated.
func (h *history) thin() {
	k := len(h.snaps) / 2
	for i := range k {
		h.snaps[i], h.reads[i] = slices.Clone(h.snaps[2*i]), slices.Clone(h.reads[2*i])
		h.weight[i] = h.weight[2*i] + h.weight[2*i+1]
	}
	clear(h.snaps[k:])
	clear(h.reads[k:])
	h.snaps, h.reads, h.weight = h.snaps[:k], h.reads[:k], h.weight[:k]
}
