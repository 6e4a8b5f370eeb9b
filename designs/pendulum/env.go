package pendulum

import (
	"math"
	"math/rand/v2"

	"etch/designs/trig"
)

// Limits of the public environment Pendulum-v1.
const (
	MaxTorque = 2    // N·m, both signs
	MaxSpeed  = 8    // rad/s, both signs
	Steps     = 200  // steps in an episode
	TimeStep  = 0.05 // s
	gravity   = 10.0 // m/s²
)

// State is the pendulum's physical state. The mass is 1 kg and the rod 1 m.
type State struct {
	Theta float64 // angle in rad, 0 upright, not wrapped
	Omega float64 // angular velocity in rad/s, within ±MaxSpeed
}

// Observation is the input of a controller: cos θ, sin θ, θ' (rad/s).
type Observation [3]float64

// Observe returns cosine and sine of the angle, and the angular speed in rad/s.
func (s State) Observe() Observation {
	sin, cos := trig.Sincos(s.Theta)
	return Observation{cos, sin, s.Omega}
}

// Step applies a torque (N·m, clipped to ±MaxTorque) for one time step and
// returns the next state and the reward of this step,
// −(wrap(θ)² + 0.1·θ'² + 0.001·u²), which lies in [−16.28, 0].
func (s State) Step(torque float64) (next State, reward float64) {
	return s.drift().step(torque)
}

// drift is a state with the part of its step that no torque changes.
type drift struct {
	State
	cost float64 // of angle and speed
	pull float64 // acceleration by gravity, rad/s²
}

func (s State) drift() drift {
	th := Wrap(s.Theta)
	sin, _ := trig.Sincos(s.Theta)
	return drift{
		State: s,
		cost:  float64(th*th) + float64(0.1*float64(s.Omega*s.Omega)),
		pull:  float64(1.5 * gravity * sin),
	}
}

func (d drift) step(torque float64) (next State, reward float64) {
	u := max(-MaxTorque, min(MaxTorque, torque))
	cost := d.cost + float64(0.001*float64(u*u))

	// θ'' = 3g/2l·sin θ + 3/ml²·u with m = 1 kg and l = 1 m. The new speed moves the angle: Euler's
	// semi-implicit method.
	w := d.Omega + float64((d.pull+float64(3*u))*TimeStep)
	w = max(-MaxSpeed, min(MaxSpeed, w))
	return State{Theta: d.Theta + float64(w*TimeStep), Omega: w}, -cost
}

// Wrap brings an angle into [−π, π).
func Wrap(theta float64) float64 {
	t := theta + math.Pi
	if t < 0 || t >= 2*math.Pi {
		t = math.Mod(t, 2*math.Pi)
		if t < 0 {
			t += 2 * math.Pi
		}
		if t >= 2*math.Pi { // a tiny negative remainder rounds up to 2π
			t = 0
		}
	}
	return t - math.Pi
}

// RandomState draws an episode's start: θ uniform in ±π, θ' uniform in ±1.
func RandomState(r *rand.Rand) State {
	// Float64 returns a product; it is rounded before it meets the subtraction.
	th := 2*float64(r.Float64()) - 1
	w := 2*float64(r.Float64()) - 1
	return State{Theta: float64(th * math.Pi), Omega: w}
}

// startStream separates the generator behind Starts from every other use of
// the same seed.
const startStream = 0x70656e64756c756d

// Starts returns n start states, the same ones for the same seed; a longer
// list begins with the shorter one.
func Starts(n int, seed uint64) []State {
	r := rand.New(rand.NewPCG(seed, startStream))
	starts := make([]State, n)
	for i := range starts {
		starts[i] = RandomState(r)
	}
	return starts
}

// Env is a running episode: a state and the number of steps taken since the
// reset. The zero value stands upright and still at step 0.
type Env struct {
	State   State
	Elapsed int
}

// Reset starts an episode at s.
func (e *Env) Reset(s State) { *e = Env{State: s} }

// Step applies a torque in N·m. truncated is true once the episode has had
// Steps steps; no state is terminal.
func (e *Env) Step(torque float64) (reward float64, truncated bool) {
	e.State, reward = e.State.Step(torque)
	e.Elapsed++
	return reward, e.Elapsed >= Steps
}
