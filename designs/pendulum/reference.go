package pendulum

import (
	"math"
	"runtime"
	"sync"
)

// Discount is the factor per step of the value iteration.
const Discount = 0.99

// The grid of the value iteration. Angles wrap; speeds include both limits.
// Half the resolution costs 1.8 of return, twice the resolution gains 0.6 at
// ten times the time; more torques or sweeps change nothing.
const (
	gridAngles  = 241
	gridSpeeds  = 201
	gridTorques = 9
	sweeps      = 300
	lookTorques = 41 // candidates of Action
)

// Reference is a near-optimal controller: it looks one step ahead on the table
// of values that Solve computed. It knows the true state and the true physics,
// so it is the yardstick for learned controllers. It is safe for concurrent
// use.
type Reference struct {
	value []float64 // [gridAngles][gridSpeeds]
}

// stencil is where a state lies on the grid: the value there is the bilinear
// mix of the four corners of cell.
type stencil struct {
	lower, upper int32 // indices of the corners at the lower speed
	angle, speed float64
}

func locate(s State) stencil {
	x := float64((Wrap(s.Theta) + math.Pi) * (gridAngles / (2 * math.Pi)))
	y := float64((s.Omega + MaxSpeed) * ((gridSpeeds - 1) / (2.0 * MaxSpeed)))

	i, j := int(x), min(int(y), gridSpeeds-2)
	st := stencil{angle: x - float64(i), speed: y - float64(j)}

	// Just below π, x may round up to gridAngles, which is the first column again.
	i %= gridAngles
	st.lower = int32(i*gridSpeeds + j)
	st.upper = int32((i+1)%gridAngles*gridSpeeds + j)
	return st
}

func (st *stencil) mix(v []float64) float64 {
	a := lerp(v[st.lower], v[st.lower+1], st.speed)
	b := lerp(v[st.upper], v[st.upper+1], st.speed)
	return lerp(a, b, st.angle)
}

func lerp(a, b, t float64) float64 { return a + float64((b-a)*t) }

// gridState is the grid's point of that number; speeds follow each other.
func gridState(cell int) State {
	i, j := cell/gridSpeeds, cell%gridSpeeds
	return State{
		Theta: float64(float64(i)*(2*math.Pi/gridAngles)) - math.Pi,
		Omega: float64(float64(j)*(2.0*MaxSpeed/(gridSpeeds-1))) - MaxSpeed,
	}
}

// torqueAt returns the k-th of n torques spread evenly over ±MaxTorque.
func torqueAt(k, n int) float64 {
	return float64(float64(2*MaxTorque*k)/float64(n-1)) - MaxTorque
}

// move is the effect of one torque in one cell.
type move struct {
	reward float64
	to     stencil
}

// Solve computes the reference by value iteration on the true physics, in
// about half a second on two processors. The result is always the same.
func Solve() *Reference {
	const cells = gridAngles * gridSpeeds

	// Moves do not change from sweep to sweep.
	moves := make([]move, cells*gridTorques)
	eachCell(cells, func(c int) {
		d := gridState(c).drift()
		for k := range gridTorques {
			next, reward := d.step(torqueAt(k, gridTorques))
			moves[c*gridTorques+k] = move{reward, locate(next)}
		}
	})

	// Every sweep reads the old table and writes the new one, so the order of
	// the cells, and with it the number of processors, cannot matter.
	old, value := make([]float64, cells), make([]float64, cells)
	for range sweeps {
		old, value = value, old
		eachCell(cells, func(c int) {
			best := math.Inf(-1)
			for k := range gridTorques {
				m := &moves[c*gridTorques+k]
				best = max(best, m.reward+float64(Discount*m.to.mix(old)))
			}
			value[c] = best
		})
	}
	return &Reference{value: value}
}

// Action returns the torque (N·m) of the lookTorques candidates that promises
// most, the smallest of equals.
func (r *Reference) Action(s State) float64 {
	// The part of the step that no torque changes is the same for all candidates.
	d := s.drift()
	best, torque := math.Inf(-1), 0.0

	for k := range lookTorques {
		u := torqueAt(k, lookTorques)
		next, reward := d.step(u)
		to := locate(next)
		if q := reward + float64(Discount*to.mix(r.value)); q > best {
			best, torque = q, u
		}
	}
	return torque
}

// Score is Evaluate(starts, r.Action), spread over the processors.
func (r *Reference) Score(starts []State) Score {
	returns := make([]float64, len(starts))
	eachCell(len(starts), func(i int) {
		returns[i] = Evaluate(starts[i:i+1], r.Action).Mean
	})
	return newScore(returns)
}

// eachCell calls work for 0..n−1, spread over the processors.
func eachCell(n int, work func(i int)) {
	parts := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup

	for p := range parts {
		wg.Go(func() {
			for i := n * p / parts; i < n*(p+1)/parts; i++ {
				work(i)
			}
		})
	}
	wg.Wait()
}
