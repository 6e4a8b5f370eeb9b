package mountaincar

import "math"

// The grid of the value iteration, both ends of each range included, and its sweeps. The
// discount keeps values apart by the steps to the goal.
const (
	gridPositions = 241
	gridSpeeds    = 141
	gridForces    = 9
	lookForces    = 41 // candidates of Action
	sweeps        = 400
	Discount      = 0.999
)

// Reference is a near-optimal controller: it looks one step ahead on the table of values
// that Solve computed. It knows the true state and the true physics, so it is the yardstick
// for learned controllers. It is safe for concurrent use.
type Reference struct {
	value []float64 // [gridPositions][gridSpeeds]
}

// at mixes the values of the four corners of the cell that a state lies in.
func at(value []float64, s State) float64 {
	x := float64((s.Position - MinPosition) * ((gridPositions - 1) / (MaxPosition - MinPosition)))
	y := float64((s.Speed + MaxSpeed) * ((gridSpeeds - 1) / (2 * MaxSpeed)))

	// A state on the far edge of the grid belongs to the last cell before it.
	i, j := min(max(int(x), 0), gridPositions-2), min(max(int(y), 0), gridSpeeds-2)
	lower, upper := value[i*gridSpeeds+j:], value[(i+1)*gridSpeeds+j:]

	a := lerp(lower[0], lower[1], y-float64(j))
	b := lerp(upper[0], upper[1], y-float64(j))
	return lerp(a, b, x-float64(i))
}

func lerp(a, b, t float64) float64 { return a + float64((b-a)*t) }

// gridState is the grid's point of that number; speeds follow each other.
func gridState(cell int) State {
	i, j := cell/gridSpeeds, cell%gridSpeeds
	return State{
		Position: MinPosition + float64(float64(i)*((MaxPosition-MinPosition)/(gridPositions-1))),
		Speed:    float64(float64(j)*(2*MaxSpeed/(gridSpeeds-1))) - MaxSpeed,
	}
}

// forceAt returns the k-th of n forces spread evenly over ±MaxForce.
func forceAt(k, n int) float64 { return float64(float64(2*k)/float64(n-1)) - MaxForce }

// best is the value of the best of n forces in a state, and that force, the smallest of
// equals.
func best(value []float64, s State, n int) (most, force float64) {
	most = math.Inf(-1)
	for k := range n {
		u := forceAt(k, n)
		next, q, terminated := s.Step(u)

		// An episode that has ended gains nothing more.
		if !terminated {
			q += float64(Discount * at(value, next))
		}
		if q > most {
			most, force = q, u
		}
	}
	return most, force
}

// Solve computes the reference by value iteration on the true physics. Sweeps go in place
// and in turn from either end of the grid, in which values travel fast. The result is always
// the same.
func Solve() *Reference {
	const cells = gridPositions * gridSpeeds

	// Moves do not change from sweep to sweep.
	type move struct {
		next   State
		reward float64
		over   bool
	}
	moves := make([]move, cells*gridForces)
	for i := range moves {
		m := &moves[i]
		m.next, m.reward, m.over = gridState(i / gridForces).Step(forceAt(i%gridForces, gridForces))
	}

	// Gauss–Seidel: a cell reads the new values of the cells that this sweep has visited.
	value := make([]float64, cells)
	for sweep := range sweeps {
		moved := 0.0
		for n := range cells {
			c := n
			if sweep%2 == 1 {
				c = cells - 1 - n
			}
			most := math.Inf(-1)
			for k := range gridForces {
				m := &moves[c*gridForces+k]
				q := m.reward
				if !m.over {
					q += float64(Discount * at(value, m.next))
				}
				most = max(most, q)
			}

			moved = max(moved, math.Abs(most-value[c]))
			value[c] = most
		}

		if moved < 1e-6 {
			break
		}
	}
	return &Reference{value}
}

// Action returns the force that promises most.
func (r *Reference) Action(s State) float64 {
	_, force := best(r.value, s, lookForces)
	return force
}

// Score is Evaluate(starts, r.Action).
func (r *Reference) Score(starts []State) Score { return Evaluate(starts, r.Action) }
