package mountaincar

import (
	"math/rand/v2"

	"etch/designs/trig"
)

// Limits of the public environment.
const (
	MinPosition = -1.2
	MaxPosition = 0.6
	MaxSpeed    = 0.07 // a step
	Goal        = 0.45 // the position that ends an episode
	MaxForce    = 1.0
	Steps       = 999   // in an episode that does not come to the goal
	Prize       = 100.0 // of the goal
)

// Its physics: the speed that the greatest force gives in a step, and the steepest slope
// takes.
const (
	power = 0.0015
	slope = 0.0025
)

// State is the car's position and its speed a step: all that a controller sees, too.
type State struct{ Position, Speed float64 }

// Step applies a force for one step; beyond ±MaxForce it pushes no more, and costs more.
//
// Conversions to float64 keep products from being fused with sums, so that every
// architecture gives the same bits.
func (s State) Step(force float64) (next State, reward float64, terminated bool) {
	next = s.pushed(force)
	terminated = next.Position >= Goal && next.Speed >= 0
	if terminated {
		reward = Prize
	}
	return next, reward - float64(0.1*float64(force*force)), terminated
}

// pushed is the state after a step.
func (s State) pushed(force float64) State {
	// The valley's floor is sin 3x high, so gravity pulls by its slope, cos 3x.
	_, cos := trig.Sincos(float64(3 * s.Position))
	push := float64(max(-MaxForce, min(MaxForce, force)) * power)
	v := s.Speed + (push - float64(slope*cos))

	// The new speed moves the car, and both are kept within their limits: the order of the public
	// environment.
	v = max(-MaxSpeed, min(MaxSpeed, v))
	x := max(MinPosition, min(MaxPosition, s.Position+v))

	if x == MinPosition && v < 0 { // a wall
		v = 0
	}
	return State{x, v}
}

// RandomState draws an episode's start: at rest, near the bottom of the valley.
func RandomState(r *rand.Rand) State {
	return State{Position: float64(0.2*float64(r.Float64())) - 0.6}
}

// startStream separates the generator behind Starts from every other use of the same seed.
const startStream = 0x636172

// Starts returns n start states, the same ones for the same seed; a longer list begins with
// the shorter one.
func Starts(n int, seed uint64) []State {
	r := rand.New(rand.NewPCG(seed, startStream))
	starts := make([]State, n)
	for i := range starts {
		starts[i] = RandomState(r)
	}
	return starts
}

// Env is a running episode: a state and the number of steps taken since the reset.
type Env struct {
	State   State
	Elapsed int
}

// Reset starts an episode at s.
func (e *Env) Reset(s State) { *e = Env{State: s} }

// Step applies a force. After terminated or truncated the episode is over; a step that is
// both has terminated.
func (e *Env) Step(force float64) (reward float64, terminated, truncated bool) {
	e.State, reward, terminated = e.State.Step(force)
	e.Elapsed++
	return reward, terminated, !terminated && e.Elapsed >= Steps
}

// Policy returns the force to apply in a state.
type Policy func(State) float64

// Score summarises episodes: their returns, the mean, and how many came to the goal.
type Score struct {
	Mean    float64
	Reached int
	Returns []float64
}

// Evaluate runs one episode from each start, in order.
func Evaluate(starts []State, p Policy) (s Score) {
	for _, start := range starts {
		e, sum := Env{State: start}, 0.0
		for {
			reward, terminated, truncated := e.Step(p(e.State))
			sum += reward
			if terminated {
				s.Reached++
			}
			if terminated || truncated {
				break
			}
		}
		s.Returns = append(s.Returns, sum)
		s.Mean += sum
	}

	s.Mean /= float64(max(1, len(starts)))
	return s
}
