package train

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"etch/designs/mountaincar"
	"etch/designs/pendulum"
)

// Task is a problem that a controller learns.
type Task string

// The tasks. "" is the pendulum.
const (
	Pendulum    Task = "pendulum"    // Pendulum-v1
	MountainCar Task = "mountaincar" // MountainCarContinuous-v0
)

// Tasks are the names of all tasks.
func Tasks() []Task { return []Task{Pendulum, MountainCar} }

// environment is an episode of a task under way. Actions are in units of the greatest.
type environment interface {
	reset(r *rand.Rand) // begins an episode at a random start
	observe(to []float64)
	step(action float64) (reward float64, terminated, truncated bool)
	clone() environment
	carry(s *stream) // all of its state
}

// task is a task with its fixed scales.
type task struct {
	name, public string // public is the name of the public environment
	dims         []dimension
	action       string
	greatest     float64 // action, both signs
	begin        func() environment
}

// dimension is an element of an observation: the largest reading, for the sensor's scale,
// and about mean and standard deviation over a training run, for the thresholds.
type dimension struct {
	name                 string
	mean, deviation, max float64
}

var tasks = map[Task]*task{
	Pendulum: {
		name: "pendulum", public: "Pendulum-v1",
		dims:   []dimension{{"cos", 0, 0.71, 1}, {"sin", 0, 0.71, 1}, {"speed", 0, 3, pendulum.MaxSpeed}},
		action: "torque", greatest: pendulum.MaxTorque,
		begin: func() environment { return &swing{} },
	},
	MountainCar: {
		name: "mountaincar", public: "MountainCarContinuous-v0",
		dims:   []dimension{{"position", -0.4, 0.4, -mountaincar.MinPosition}, {"speed", 0, 0.03, mountaincar.MaxSpeed}},
		action: "force", greatest: mountaincar.MaxForce,
		begin: func() environment { return &car{} },
	},
}

// find is the task of a configuration.
func (t Task) find() (*task, error) {
	if t == "" {
		t = Pendulum
	}
	if found := tasks[t]; found != nil {
		return found, nil
	}
	var names []string
	for _, name := range Tasks() {
		names = append(names, string(name))
	}
	return nil, fmt.Errorf("train: task: %q is not %s", string(t), strings.Join(names, " or "))
}

// swing is the pendulum.
type swing struct{ pendulum.Env }

func (e *swing) reset(r *rand.Rand) { e.Reset(pendulum.RandomState(r)) }

func (e *swing) observe(to []float64) {
	o := e.State.Observe()
	copy(to, o[:])
}

func (e *swing) step(action float64) (reward float64, terminated, truncated bool) {
	reward, truncated = e.Step(float64(pendulum.MaxTorque * action))
	return reward, false, truncated
}

func (e *swing) clone() environment {
	c := *e
	return &c
}

func (e *swing) carry(s *stream) {
	s.float("env.theta", &e.State.Theta)
	s.float("env.omega", &e.State.Omega)
	// An episode that has ended is reset at once, so Elapsed is below Steps.
	s.integer("env.elapsed", &e.Elapsed, 0, pendulum.Steps-1)
}

// car is the car in the valley.
type car struct{ mountaincar.Env }

func (e *car) reset(r *rand.Rand) { e.Reset(mountaincar.RandomState(r)) }

func (e *car) observe(to []float64) { to[0], to[1] = e.State.Position, e.State.Speed }

func (e *car) step(action float64) (reward float64, terminated, truncated bool) {
	return e.Step(action)
}

func (e *car) clone() environment {
	c := *e
	return &c
}

func (e *car) carry(s *stream) {
	s.float("env.position", &e.State.Position)
	s.float("env.speed", &e.State.Speed)
	s.integer("env.elapsed", &e.Elapsed, 0, mountaincar.Steps-1)
}
