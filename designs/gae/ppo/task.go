package ppo

import (
	"fmt"
	"math/rand/v2"

	"etch/designs/pendulum"
)

// Task is the problem that a run learns. All have three observations, one action within ±1 and
// episodes that time ends.
type Task int

const (
	// Pendulum is the swing-up of package pendulum: 200 steps with rewards of −16.3 to
	// 0, about −6 at first.
	Pendulum Task = iota
	// Cart is a mass on a rail that is to come to a goal and rest there: place and goal
	// start within ±1 m, the greatest force gives 2 m/s², rewards are
	// −((place − goal)² + 0.1·speed² + 0.001·action²), about −0.5 at first; 100 steps of
	// 0.05 s.
	Cart
)

var taskNames = [...]string{"pendulum", "cart"}

// String is the task's name.
func (k Task) String() string {
	if k < Pendulum || k > Cart {
		return fmt.Sprint(int(k))
	}
	return taskNames[k]
}

// UnmarshalText reads a task's name.
func (k *Task) UnmarshalText(text []byte) error {
	for i, name := range taskNames {
		if name == string(text) {
			*k = Task(i)
			return nil
		}
	}
	return fmt.Errorf("%q is not pendulum or cart", text)
}

// MarshalText is the task's name.
func (k Task) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// cart is a state of the task Cart.
type cart struct {
	place, speed, goal float64 // m, m/s, m
	elapsed            int
}

const (
	cartSteps    = 100
	cartTime     = 0.05 // s
	cartPull     = 2.0  // m/s², of action 1
	cartMaxSpeed = 2.0  // m/s
)

func (c *cart) reset(r *rand.Rand) {
	place, goal := 2*float64(r.Float64())-1, 2*float64(r.Float64())-1
	*c = cart{place: place, goal: goal}
}

// step applies a force. Products are rounded before they are added, as everywhere
// here.
func (c *cart) step(action float64) (reward float64, over bool) {
	u := min(max(action, -1), 1)
	off := c.place - c.goal
	cost := float64(off*off) + float64(0.1*float64(c.speed*c.speed)) + float64(0.001*float64(u*u))

	// The new speed moves the place, as with the pendulum.
	c.speed = min(max(c.speed+float64(u*(cartPull*cartTime)), -cartMaxSpeed), cartMaxSpeed)
	c.place += float64(c.speed * cartTime)
	c.elapsed++
	return -cost, c.elapsed >= cartSteps
}

// restart begins an episode.
func (e *environment) restart() {
	if e.task == Cart {
		e.cart.reset(e.rng)
		return
	}
	e.Reset(pendulum.RandomState(e.rng))
}

// step applies an action, in units of the greatest.
func (e *environment) step(action float64) (reward float64, over bool) {
	if e.task == Cart {
		return e.cart.step(action)
	}
	return e.Step(float64(pendulum.MaxTorque * action))
}

func (e *environment) observe(to []float64) {
	if e.task == Cart {
		to[0], to[1], to[2] = e.cart.place, e.cart.speed, e.cart.goal
		return
	}
	o := e.State.Observe()
	to[0], to[1], to[2] = o[0], o[1], float64(o[2]*speedScale)
}

// startsStream is the stream of the starts of Evaluate.
const startsStream = 0x737461727473

// Evaluate is the mean return of the policy as it is now, without exploration, over n
// episodes whose starts are the same for every run; rewards are the task's own.
func (t *Trainer) Evaluate(n int) float64 {
	if t.cfg.Task == Pendulum {
		return pendulum.Evaluate(pendulum.Starts(n, 1), t.Policy()).Mean
	}

	act := t.policy()
	e := environment{task: t.cfg.Task, rng: rand.New(rand.NewPCG(1, startsStream))}
	sum := 0.0
	for range n {
		e.restart()
		for over := false; !over; {
			var reward float64
			reward, over = e.step(act(&e))
			sum += reward
		}
	}
	return sum / float64(max(1, n))
}
