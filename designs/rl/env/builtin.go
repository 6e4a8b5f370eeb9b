package env

import (
	"math/rand/v2"

	"etch/designs/cartpole"
	"etch/designs/pendulum"
)

// startStream separates the generators of episodes' starts from others of equal seeds.
const startStream = 0x737461727473

func starts(seed uint32) *rand.Rand { return rand.New(rand.NewPCG(uint64(seed), startStream)) }

// cartPole is CartPole-v1: observations are (x, ẋ, θ, θ̇).
type cartPole struct{ cartpole.Env }

func (e *cartPole) Spec() Spec {
	return Spec{Observation: 4, Actions: cartpole.Actions, Best: cartpole.Steps}
}

func (e *cartPole) observe() []float64 {
	s := e.State
	return []float64{s.X, s.V, s.Theta, s.Omega}
}

func (e *cartPole) Reset(seed uint32) ([]float64, error) {
	e.Env.Reset(cartpole.RandomState(starts(seed)))
	return e.observe(), nil
}

func (e *cartPole) Step(a Action) (o Outcome, err error) {
	o.Reward, o.Terminated, o.Truncated = e.Env.Step(a.Number)
	o.Observation = e.observe()
	return o, nil
}

func (e *cartPole) Close() error { return nil }

// swingUp is Pendulum-v1: observations are (cos θ, sin θ, θ̇), the action is a torque.
type swingUp struct{ pendulum.Env }

func (e *swingUp) Spec() Spec {
	return Spec{Observation: 3, Low: []float64{-pendulum.MaxTorque}, High: []float64{pendulum.MaxTorque}}
}

func (e *swingUp) observe() []float64 {
	o := e.State.Observe()
	return o[:]
}

func (e *swingUp) Reset(seed uint32) ([]float64, error) {
	e.Env.Reset(pendulum.RandomState(starts(seed)))
	return e.observe(), nil
}

func (e *swingUp) Step(a Action) (o Outcome, err error) {
	o.Reward, o.Truncated = e.Env.Step(a.Amounts[0])
	o.Observation = e.observe()
	return o, nil
}

func (e *swingUp) Close() error { return nil }
