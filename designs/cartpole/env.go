package cartpole

import (
	"math"
	"math/rand/v2"

	"etch/designs/trig"
)

// Limits of the public environment CartPole-v1.
const (
	MaxX     = 2.4                // m, both signs
	MaxTheta = 12 * math.Pi / 180 // rad, both signs
	Steps    = 500                // steps in an episode
	TimeStep = 0.02               // s
	Actions  = 2                  // 0 pushes to the left, 1 to the right
)

// Constants of its physics, in SI units.
const (
	gravity  = 9.8
	cartMass = 1.0
	poleMass = 0.1
	mass     = cartMass + poleMass
	half     = 0.5 // length of half the pole
	force    = 10.0
)

// State is the cart's position (m) and speed (m/s), and the pole's angle (rad, 0
// upright) and angular velocity (rad/s): all that a controller sees, too.
type State struct{ X, V, Theta, Omega float64 }

// Step pushes to the left for action 0 and to the right for any other, for one time
// step by Euler's method: positions move by the speeds before the push.
//
// Conversions to float64 keep products from being fused with sums, so that every
// architecture gives the same bits.
func (s State) Step(action int) State {
	push := force
	if action == 0 {
		push = -force
	}
	sin, cos := trig.Sincos(s.Theta)
	swing := float64(poleMass*half) * float64(s.Omega*s.Omega)
	pushed := (push + float64(swing*sin)) / mass
	inertia := half * (4.0/3.0 - float64(float64(poleMass*float64(cos*cos))/mass))
	turn := (float64(gravity*sin) - float64(cos*pushed)) / inertia
	speedUp := pushed - float64(float64(poleMass*half)*float64(turn*cos))/mass
	return State{
		X:     s.X + float64(TimeStep*s.V),
		V:     s.V + float64(TimeStep*speedUp),
		Theta: s.Theta + float64(TimeStep*s.Omega),
		Omega: s.Omega + float64(TimeStep*turn),
	}
}

// Fallen reports whether the cart has left the track or the pole its range. A state
// that is no number has.
func (s State) Fallen() bool {
	return !(math.Abs(s.X) <= MaxX && math.Abs(s.Theta) <= MaxTheta)
}

// RandomState draws an episode's start: all four uniform in ±0.05.
func RandomState(r *rand.Rand) State {
	u := func() float64 { return float64(0.1*float64(r.Float64())) - 0.05 }
	return State{X: u(), V: u(), Theta: u(), Omega: u()}
}

// startStream separates the generator behind Starts from every other use of the same
// seed.
const startStream = 0x63617274706f6c65

// Starts returns n start states, the same ones for the same seed; a longer list begins
// with the shorter one.
func Starts(n int, seed uint64) []State {
	r := rand.New(rand.NewPCG(seed, startStream))
	starts := make([]State, n)
	for i := range starts {
		starts[i] = RandomState(r)
	}
	return starts
}

// Env is a running episode: a state and the number of steps taken since the reset. The
// zero value stands upright and still at step 0.
type Env struct {
	State   State
	Elapsed int
}

// Reset starts an episode at s.
func (e *Env) Reset(s State) { *e = Env{State: s} }

// Step takes an action. Its reward is 1. After terminated or truncated the episode is
// over; a step that is both has terminated.
func (e *Env) Step(action int) (reward float64, terminated, truncated bool) {
	e.State = e.State.Step(action)
	e.Elapsed++
	terminated = e.State.Fallen()
	return 1, terminated, !terminated && e.Elapsed >= Steps
}

// Policy chooses the action for a state.
type Policy func(State) (action int)

// Length is the number of steps that a policy lasts from a start, at most [Steps]: the
// episode's return.
func Length(start State, policy Policy) int {
	var e Env
	e.Reset(start)
	for {
		if _, terminated, truncated := e.Step(policy(e.State)); terminated || truncated {
			return e.Elapsed
		}
	}
}
