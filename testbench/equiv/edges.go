package equiv

import (
	"etch/passes/aig"
	"etch/sim"
)

// plan is when clocks rise and fall in a trace.
type plan struct {
	rise, fall [][]bool // by step and clock
}

// stepTime is how long a step takes on the simulator's time line, where falling edges
// are told apart: it falls when it rises plus half a period.
const stepTime = 4

// timetable returns the values of leaves in each step, and plans the edges.
func (r *replay) timetable() [][]uint64 {
	s := r.p.sys
	levels := make([]uint64, len(r.p.levels))
	next := map[aig.Lit]aig.Lit{}
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
		if len(levels) > 0 || len(r.p.rises) > 1 {
			v = append([]uint64(nil), v...)
			s.Graph.Simulate(v)
		}
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

// edges lets the clocks of a step rise or fall.
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

// highFor is how many steps after it has risen a clock falls.
func (r *replay) highFor(clock, at int) int {
	for k := at + 1; k < len(r.plan.fall); k++ {
		if r.plan.fall[k][clock] {
			return k - at
		}
	}
	return len(r.plan.fall) - at + 1
}

func (r *replay) period(clock int, period, phase uint64) {
	if err := r.s.SetPeriod(r.clocks[clock], period, phase); err != nil {
		panic(err) // it is a clock, and the period is not 0
	}
}
