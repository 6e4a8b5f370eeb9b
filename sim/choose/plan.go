package choose

import (
	"slices"

	"etch/sim/net"
)

// History is snapshots, with the number of cycles that each stands for.
type History struct {
	Snaps  []Snapshot
	Reads  [][]uint64 // by snapshot: address and word of each read
	Weight []float64
}

// Total is the number of cycles that the snapshots stand for.
func (h *History) Total() float64 {
	t := 0.0
	for _, w := range h.Weight {
		t += w
	}
	return t
}

// Plan decides which values of control registers get bodies.
type Plan struct {
	Pol    *Policy
	Guards []int64  // by register: the one value that all bodies assume, or -1
	Dec    []int32  // registers that tell bodies apart
	Tuples []Tuple  // heaviest first
	Net    *net.Net // n with the guards assumed
	Mem    *contents
	Worth  bool // special bodies are enough faster

	General float64   // cost of a cycle without specialisation
	Costs   []float64 // by number of deciding registers known, with all guards: cost of a cycle
	Expect  float64   // cost of a cycle by the chosen bodies, compiling included
	visits  int       // nodes visited by planning, for 64 snapshots at a time
}

// Tuple is one combination of values of the first deciding registers.
type Tuple struct {
	Values []int64 // by register: value or -1; includes guards
	Weight float64 // share of the cycles
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
	at       Price
	h        History // the snapshots that agree with the guards
	tot      float64
	general  float64
	saves    float64 // share of the cost saved by bodies for the registers chosen so far
	plans    []*bitPlan
	known    []bool
	gain     []float64
	cost     float64
	ids      []uint64 // by snapshot: a hash of its chosen registers
}

// MakePlan chooses guards, then deciding registers greedily, then tuples.
func MakePlan(n *net.Net, control, address, volatile []bool, h History, r *Reader, at Price, pol *Policy, first bool) *Plan {
	p := &planner{pol: pol, n: n, control: control, address: address, volatile: volatile, tot: h.Total(), mem: r.seenContents(h.Reads), at: at}

	out := &Plan{Pol: pol, Guards: make([]int64, len(n.Regs)), Mem: p.mem}
	candidates := p.sort(out.Guards, h)

	// Guards: constant registers that save something.
	p.h = h
	p.sample(p.pol.PlanSamples)
	p.known = make([]bool, len(n.Regs))
	out.General = p.eval()
	p.weaken(out.Guards)

	// From here on only snapshots in which the guards hold, and the net specialised to them.
	p.h = out.Agreeing(h)
	p.tot = p.h.Total()
	as := Assumption(out.Guards)
	var prop net.Prop
	prop.Bind(n)
	prop.Run(as)
	out.Net = prop.Extract(as)
	p.n = out.Net

	samples := p.pol.LaterSamples
	if first {
		samples = p.pol.PlanSamples
	}
	p.plans = nil
	p.sample(samples)

	// Without a snapshot in which all guards hold there is no plan.
	if out.visits = p.visits; len(p.plans) == 0 {
		return out
	}

	// Deciding registers and bodies.
	p.known = append(p.known[:0], as.Known...)
	p.cost = p.eval()
	p.general = out.General
	out.Costs = append(out.Costs, p.cost)
	out.Dec = p.greedy(candidates, out)
	out.Tuples = out.Bodies(&p.h, h.Total(), at, func(uint64) bool { return false })

	out.visits = p.visits
	out.Worth = len(out.Tuples) > 0 && out.Costs[len(out.Costs)-1] <= p.pol.Worthwhile*out.General
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

// Assumption turns values by register into an Assume; negative values are unknown.
func Assumption(values []int64) net.Assume {
	as := net.NewAssume(len(values))
	for r, v := range values {
		if v >= 0 {
			as.Known[r], as.Value[r] = true, uint64(v)
		}
	}
	return as
}

// sort finds the guards, and the candidates for deciding registers.
func (p *planner) sort(guards []int64, h History) (candidates []int32) {
	for r := range p.n.Regs {
		guards[r] = -1
		most := p.pol.Control.Values
		if p.address[r] {
			most = p.pol.Control.AddressValues
		}

		weights := valuesOf(r, h, most)
		if weights == nil {
			continue
		}

		// GuardShare is above one half, so at most one value has it, and the order of the map does
		// not matter.
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
func valuesOf(r int, h History, most int) map[uint64]float64 {
	weights := map[uint64]float64{}
	last, sum := h.Snaps[0][r], 0.0
	for s, snap := range h.Snaps {
		if snap[r] > MaxKnown {
			return nil
		}
		if snap[r] != last { // snapshots in a row often have equal values
			weights[last] += sum
			last, sum = snap[r], 0
			if len(weights) > most {
				return nil
			}
		}
		sum += h.Weight[s]
	}

	if weights[last] += sum; len(weights) > most {
		return nil
	}
	return weights
}

// Agreeing is the snapshots in which all guards hold. The general body runs the other states.
func (p *Plan) Agreeing(h History) (some History) {
	for s, snap := range h.Snaps {
		if p.Agrees(snap) {
			some.Snaps = append(some.Snaps, snap)
			some.Weight = append(some.Weight, h.Weight[s])
		}
	}
	return some
}

// Agrees reports whether a state has the values of all guards.
func (p *Plan) Agrees(snap Snapshot) bool {
	for r, v := range p.Guards {
		if v >= 0 && snap[r] != uint64(v) {
			return false
		}
	}
	return true
}

// sample makes bit plans of up to want snapshots, evenly spread over the weight.
func (p *planner) sample(want int) {
	want = min(want, len(p.h.Snaps))
	var snaps []Snapshot
	acc := 0.0

	for s, snap := range p.h.Snaps {
		acc += p.h.Weight[s]

		// A heavy snapshot stands for several.
		for len(snaps) < want && acc >= (float64(len(snaps))+0.5)*p.tot/float64(want) {
			snaps = append(snaps, snap)
		}
	}

	// Interleave them, so that each bit plan sees the whole history.
	k := (len(snaps) + 63) / 64
	for i := range k {
		var part []Snapshot
		for s := i; s < len(snaps); s += k {
			part = append(part, snaps[s])
		}
		p.plans = append(p.plans, newBitPlan(&p.pol.Control, p.n, part, p.mem))
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
func (p *planner) greedy(candidates []int32, out *Plan) (chosen []int32) {
	p.gain = make([]float64, len(p.n.Regs))
	p.ids = make([]uint64, len(p.h.Snaps))

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

		// A register that scatters the states too much is dropped, whatever it saves.
		if drop(best); saves <= p.saves {
			rejected++
			continue
		}

		p.ids, p.saves = ids, saves
		p.known[best] = true
		p.cost -= p.gain[best]
		chosen = append(chosen, best)
		out.Costs = append(out.Costs, p.cost)
	}
	return chosen
}

// best is the candidate with the highest gain, -1 without any. It re-evaluates candidates in the
// order of their old gains until none can be better.
func (p *planner) best(candidates []int32, all bool) int32 {
	// Without old gains there is no bound: all are computed.
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

// Mix adds a word to a hash.
func Mix(h, v uint64) uint64 {
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

	for s, snap := range p.h.Snaps {
		// Snapshots with equal numbers agree in all registers chosen so far.
		ids[s] = Mix(p.ids[s], snap[r])
		i, ok := at[ids[s]]
		if !ok {
			i = len(groups)
			at[ids[s]] = i
			groups = append(groups, group{})
		}
		groups[i].weight += p.h.Weight[s]
		groups[i].count++
	}

	gain, pay := p.general-p.cost+p.gain[r], p.general*p.at.Body/p.at.Cycles
	for _, g := range groups {
		if g.count > 1 || pay == 0 {
			saves += max(0, gain*g.weight/p.tot-pay)
		}
	}
	return ids, saves
}

// Values is the assumption of a body for snap: the guards and the first known deciding
// registers.
func (p *Plan) Values(snap Snapshot, known int) []int64 {
	v := slices.Clone(p.Guards)
	for _, r := range p.Dec[:known] {
		v[r] = int64(snap[r])
	}
	return v
}

// Known is the cost of a cycle with all deciding registers known.
func (p *Plan) Known() float64 {
	if len(p.Costs) == 0 {
		return p.General
	}
	return p.Costs[len(p.Costs)-1]
}

// Effort estimates the time that planning has taken, by the visits of nodes.
func (p *Plan) Effort() Effort { return Effort(p.Pol.VisitNode * float64(p.visits)) }

// Key is a hash of a body's assumptions.
func (p *Plan) Key(values []int64) uint64 {
	h := uint64(0)
	for _, r := range p.Dec {
		h = Mix(h, uint64(values[r]))
	}
	return h
}

// MostSnaps bounds a History by number and by bytes; a snapshot has so many state words, and the
// addresses and words of the reads. A plan needs some of them in any case.
func (p *Policy) MostSnaps(words int, r *Reader) int {
	bytes := 8 * (words + 2*len(r.Reads))
	return max(2*p.LeastKept, min(p.MostPast, p.PastBytes/max(bytes, 1)))
}

// Thin drops every other snapshot; its neighbour's weight doubles for it. The others are copied,
// because one snapshot keeps the memory of the batch in which it was allocated.
func (h *History) Thin() {
	k := len(h.Snaps) / 2
	for i := range k {
		h.Snaps[i], h.Reads[i] = slices.Clone(h.Snaps[2*i]), slices.Clone(h.Reads[2*i])
		h.Weight[i] = h.Weight[2*i] + h.Weight[2*i+1]
	}
	clear(h.Snaps[k:])
	clear(h.Reads[k:])
	h.Snaps, h.Reads, h.Weight = h.Snaps[:k], h.Reads[:k], h.Weight[:k]
}
