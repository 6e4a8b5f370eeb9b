package equiv

import (
	"etch/passes/aig"
	"etch/sim"
)

// plan is the edges of the clocks in a trace.
type plan struct {
	rise, fall [][]bool // by step and clock
}

// stepTime is the length of a step on the simulator's time line, used for designs with falling
// edges. A clock falls half a period after it rises, so a period tells the simulator when.
const stepTime = 4

// timetable returns the values of the system's leaves in each step, and plans the edges. Levels
// of clocks are latches, so the steps are computed one after another.
func (r *replay) timetable() [][]uint64 {
	s := r.p.sys
	levels := make([]uint64, len(r.p.levels))
	next := map[aig.Lit]aig.Lit{}

	// The levels of clocks are the first latches.
	for _, l := range s.Latches[:len(levels)] {
		next[l.Q] = l.Next
	}
	var steps [][]uint64
	for _, values := range r.t.Inputs {
		v := append([]uint64(nil), r.v...)
		for i, l := range s.Inputs {
			v[l.Node()] = high(values[i])
		}
		for i, l := range r.p.levels {
			v[l.Node()] = levels[i]
		}
		steps = append(steps, v)

		// Edges have conditions only if some clock falls, or if there are several.
		if len(levels) > 0 || len(r.p.rises) > 1 {
			v = append([]uint64(nil), v...)
			s.Graph.Simulate(v)
		}

		// The edges of this step, then the levels after it.
		var rise, fall []bool
		for i := range r.p.rises {
			rise = append(rise, aig.Value(v, r.p.rises[i])&1 == 1)
			fall = append(fall, aig.Value(v, r.p.falls[i])&1 == 1)
		}
		r.plan.rise, r.plan.fall = append(r.plan.rise, rise), append(r.plan.fall, fall)
		for i, l := range r.p.levels {
			levels[i] = aig.Value(v, next[l]) & 1
		}
	}
	return steps
}

// edges makes the edges of a step in the simulator. Without falling edges a tick is enough. With
// them, a clock that rises gets a period of twice its time until it falls, and after the edge
// one so late that it rises only when told.
func (r *replay) edges(at int) {
	if !r.p.circuit.Falls() {
		var list []sim.Signal
		for i, up := range r.plan.rise[at] {
			if up {
				list = append(list, r.clocks[i])
			}
		}
		r.s.TickAll(list...)
		return
	}
	now := r.began + uint64(at+1)*stepTime
	for i, up := range r.plan.rise[at] {
		switch {
		case !up:
		case r.p.falls[i] == aig.False:
			r.period(i, stepTime, now)
		default:
			r.period(i, 2*stepTime*uint64(r.highFor(i, at)), now)
		}
	}
	r.s.Run(now + 1)
	for i, up := range r.plan.rise[at] {
		if up { // it rises again when it is told to
			r.period(i, 2, now+uint64(len(r.t.Inputs)+2)*stepTime)
		}
	}
}

// highFor returns the number of steps from a clock's rise to its fall.
func (r *replay) highFor(clock, at int) int {
	for k := at + 1; k < len(r.plan.fall); k++ {
		if r.plan.fall[k][clock] {
			return k - at
		}
	}

	// It does not fall within the trace.
	return len(r.plan.fall) - at + 1
}

func (r *replay) period(clock int, period, phase uint64) {
	if err := r.s.SetPeriod(r.clocks[clock], period, phase); err != nil {
		panic(err) // it is a clock, and the period is not 0
	}
}
