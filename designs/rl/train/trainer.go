package train

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"etch/designs/rl/env"
	"etch/designs/rl/host"
	"etch/designs/rl/loop"
	"etch/designs/rl/policy"
	"etch/ir/input"
)

// Trainer is a run under way. Close ends it, and the processes it started.
type Trainer struct {
	Config
	loop       *loop.Loop // nil without an environment
	fitted     int        // gradient steps on a data set
	agent      agent
	env, tests env.Environment
}

// New begins a run; start gives the first weights, of DDPG the actor's, nil for random
// ones. A run without an environment learns from a data set, see [Trainer.Fit].
func New(c Config, l env.Limits, start *policy.Policy) (*Trainer, error) {
	t, err := made(c, l, start)
	if err != nil {
		return nil, err
	}
	if c.Env != "" {
		if t.loop, err = loop.New(c.Loop, t.env, t.tests, t.agent, c.Seed); err != nil {
			t.Close()
			return nil, err
		}
	}
	return t, nil
}

// Shape is that of the networks: of an environment that they are for.
func (c Config) Shape() env.Spec {
	if c.Algorithm == DDPG {
		// As many amounts as the actor has outputs, in the range of its tanh.
		low, high := make([]float64, c.DDPG.Actions), make([]float64, c.DDPG.Actions)
		for i := range low {
			low[i], high[i] = -1, 1
		}
		return env.Spec{Observation: c.DDPG.Observation, Low: low, High: high}
	}
	return env.Spec{Observation: c.DQN.Sizes[0], Actions: c.DQN.Sizes[len(c.DQN.Sizes)-1]}
}

// made opens the environments and makes the learner, without a loop; New and Resume add it.
func made(c Config, l env.Limits, start *policy.Policy) (_ *Trainer, err error) {
	t := &Trainer{Config: c}
	defer func() {
		if err != nil {
			t.Close()
		}
	}()

	// Two processes of the environment: a test must not disturb the episode under way.
	spec := c.Shape()
	if c.Env != "" {
		if t.env, err = env.Open(c.Env, l); err != nil {
			return nil, err
		}
		if t.tests, err = env.Open(c.Env, l); err != nil {
			return nil, err
		}
		spec = t.env.Spec()
	}

	if err := c.Validate(spec); err != nil {
		return nil, err
	}

	// One learner for each pair of algorithm and engine.
	switch {
	case c.Algorithm == DDPG && c.Engine == Float:
		t.agent, err = result[agent](newFloatDDPG(c, start))
	case c.Engine == Float:
		t.agent, err = result[agent](newFloatDQN(c, start))
	case c.Algorithm == DDPG && c.Engine == Circuit:
		t.agent, err = result[agent](newCircuitDDPG(c, start))
	case c.Algorithm == DDPG:
		t.agent, err = result[agent](newModelDDPG(c, start))
	case c.Engine == Circuit:
		t.agent, err = result[agent](newCircuitDQN(c, start))
	default:
		t.agent, err = result[agent](newModelDQN(c, start))
	}
	return t, err
}

// result converts a pointer to an interface, and gives a nil interface beside an error: an
// interface that holds a nil pointer would not compare equal to nil in Close.
func result[I any, T any](x T, err error) (i I, _ error) {
	if err == nil {
		i = any(x).(I)
	}
	return i, err
}

// Close ends the processes and the simulation.
func (t *Trainer) Close() {
	for _, e := range []env.Environment{t.env, t.tests} {
		if e != nil {
			e.Close()
		}
	}
	if t.agent != nil {
		t.agent.close()
	}
}

// Run goes on until the loop ends or ctx does. With steps above 0 it also ends after that
// number of gradient steps, steps before a resumption included.
func (t *Trainer) Run(ctx context.Context, steps int, each func(loop.Point)) error {
	if steps > 0 {
		t.loop.Limit = steps
	}
	return t.loop.Run(ctx, each)
}

// Fit inserts transitions in order and goes on until so many gradient steps are made, steps
// before a resumption included; a run that is resumed has its transitions.
func (t *Trainer) Fit(ctx context.Context, data []loop.Transition, steps int) error {
	for i, x := range data {
		if err := t.agent.Insert(x); err != nil {
			return err
		}

		// An episode ends at a terminal state, and where the next row starts from another
		// state than the one reached here.
		if x.Discount == 0 || i+1 == len(data) || !slices.Equal(x.Next, data[i+1].State) {
			if err := loop.End(t.agent); err != nil {
				return err
			}
		}
	}

	// All data is in the memory before the first step: draws see the whole set.
	for n := t.fitted + 1; n <= steps; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := t.agent.Step(t.Loop.Synchronise > 0 && n%t.Loop.Synchronise == 0); err != nil {
			return fmt.Errorf("gradient step %d: %w", n, err)
		}
		t.fitted = n
	}
	return nil
}

// Result is how far the run is; on a data set it has gradient steps only.
func (t *Trainer) Result() loop.Result {
	if t.loop == nil {
		return loop.Result{Steps: t.fitted}
	}
	return t.loop.Result()
}

// Policy is the policy learned so far.
func (t *Trainer) Policy() *policy.Policy { return t.agent.policy() }

// Cut is the number of observations, rewards and actions that did not fit their format; in
// floats all fit.
func (t *Trainer) Cut() uint64 {
	switch a := t.agent.(type) {
	case *modelDQN:
		return a.cut
	case *circuitDQN:
		return a.cut
	case *modelDDPG:
		return a.cut
	case *circuitDDPG:
		return a.cut
	}
	return 0
}

// Simulated is the circuit of DQN in simulation, nil for other engines and for DDPG.
func (t *Trainer) Simulated() *host.SimulatedDQN {
	if a, ok := t.agent.(*circuitDQN); ok {
		return a.SimulatedDQN
	}
	return nil
}

// document is the file of a run.
type document struct {
	Etch   string          `json:"etch"`
	Config Config          `json:"config"`
	Loop   loop.State      `json:"loop"`
	Fitted int             `json:"fitted,omitempty"` // gradient steps on a data set, which has no loop
	Agent  json.RawMessage `json:"agent"`
}

const documentKind = "training run 1"

// Save is the file from which [Resume] goes on, gzipped JSON.
func (t *Trainer) Save() ([]byte, error) {
	// Both halves of the run at one moment, between two steps of the loop.
	var state loop.State
	if t.loop != nil {
		var err error
		if state, err = t.loop.State(); err != nil {
			return nil, err
		}
	}

	a, err := t.agent.save()
	if err != nil {
		return nil, err
	}

	text, err := json.Marshal(document{documentKind, t.Config, state, t.fitted, a})
	if err != nil {
		return nil, err
	}

	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(text)
	err = z.Close()
	return packed.Bytes(), err
}

// Resume makes a run that goes on where the file ends, with equal bits.
func Resume(data []byte, l env.Limits) (*Trainer, error) {
	// The file, and whether it is one.
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, errors.New("no training run: it is not gzipped")
	}
	var d document
	if err := json.NewDecoder(io.LimitReader(z, maxState)).Decode(&d); err != nil {
		return nil, fmt.Errorf("no training run, or cut short: %v", err)
	}

	if d.Etch != documentKind {
		return nil, fmt.Errorf("etch is %s; want %q", input.Excerpt(d.Etch), documentKind)
	}
	if d.Fitted < 0 || d.Fitted > 0 && d.Config.Env != "" {
		return nil, fmt.Errorf("%d gradient steps on a data set, in environment %s", d.Fitted, input.Excerpt(d.Config.Env))
	}
	// made reads the ends of Sizes before any rule has looked at them.
	if len(d.Config.DQN.Sizes) < 2 {
		return nil, errors.New("a run without a network")
	}

	// A learner as at the beginning gets the state; then the loop plays its episode again. A data
	// set is in the learner's memory.
	t, err := made(d.Config, l, nil)
	if err != nil {
		return nil, err
	}
	t.fitted = d.Fitted
	if err = t.agent.restore(d.Agent); err == nil && t.Env != "" {
		t.loop, err = loop.Resume(d.Config.Loop, t.env, t.tests, t.agent, d.Loop)
	}
	if err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}
