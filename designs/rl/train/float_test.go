package train

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/rl/env"
	"etch/designs/rl/loop"
)

// TestFloatSolves: the baseline reaches CartPole's goal, and the pendulum's.
func TestFloatSolves(t *testing.T) {
	for _, algorithm := range []string{DQN, DDPG} {
		if algorithm == DDPG && testing.Short() {
			continue
		}
		x := begun(t, config(t, algorithm, Float, 1))
		require.NoError(t, x.Run(t.Context(), 0, nil))
		require.True(t, x.Result().Solved, "%s: %+v", algorithm, x.Result())
		t.Logf("%s: %d steps, %v", algorithm, x.Result().Steps, x.Result().Return)
	}
}

// TestFloatBeginsAsTheModel: equal seeds have equal first weights, actor and critic, and a
// policy that is given is taken without rounding.
func TestFloatBeginsAsTheModel(t *testing.T) {
	for _, algorithm := range []string{DQN, DDPG} {
		float, model := begun(t, config(t, algorithm, Float, 5)), begun(t, config(t, algorithm, Model, 5))
		p := float.Policy()
		require.Equal(t, model.Policy().Layers, p.Layers)
		if a, ok := float.agent.(*floatDDPG); ok {
			m := model.agent.(*modelDDPG)
			require.Equal(t, m.c.DDPG.Weight.Float(m.m.Critic.Layers[0].W[5]), a.d.Critic.Layers[0].Weight[5])
		}
		p.Layers[0].Weight[1][2] = 1.0 / 3
		x, err := New(config(t, algorithm, Float, 5), env.Limits{}, p)
		require.NoError(t, err)
		t.Cleanup(x.Close)
		require.Equal(t, p.Layers, x.Policy().Layers)
		p.Sizes = []int{1, 2, 3}
		_, err = New(config(t, algorithm, Float, 5), env.Limits{}, p)
		require.ErrorContains(t, err, "weights of a network [1 2 3]")
	}
}

// TestFloatRefusesOtherRuns: a state of other shapes is an error.
func TestFloatRefusesOtherRuns(t *testing.T) {
	x := begun(t, config(t, DQN, Float, 1))
	require.NoError(t, x.Run(t.Context(), 2, nil))
	text, err := x.agent.save()
	require.NoError(t, err)
	for want, spoil := range map[string]func(*savedFloats){
		"1 networks, not 2":        func(s *savedFloats) { s.Nets = s.Nets[1:] },
		"network 1 has 3 weights":  func(s *savedFloats) { s.Nets[1] = s.Nets[1][:3] },
		"transition 4 is none":     func(s *savedFloats) { s.Memory.Transitions[4].Action.Number = 2 },
		"priority 0 is 0, not abo": func(s *savedFloats) { s.Memory.Priorities[0] = 0 },
	} {
		var s savedFloats
		require.NoError(t, json.Unmarshal(text, &s))
		spoil(&s)
		bad, err := json.Marshal(s)
		require.NoError(t, err)
		require.ErrorContains(t, begun(t, config(t, DQN, Float, 1)).agent.restore(bad), want)
	}
}

// TestRivals: all engines make steps on the same transitions.
func TestRivals(t *testing.T) {
	for _, algorithm := range []string{DQN, DDPG} {
		c := config(t, algorithm, Model, 1)
		var data []loop.Transition
		for i := range 70 {
			x := float64(i) / 70
			s := loop.Transition{State: []float64{x, -x, 0.5, 1}[:c.Shape().Observation], Next: []float64{x, x, 0, 1}[:c.Shape().Observation], Reward: x, Discount: 0.99}
			if algorithm == DDPG {
				s.Action.Amounts = []float64{-x}
			}
			data = append(data, s)
		}
		rivals, done, err := Rivals(c, data)
		require.NoError(t, err)
		defer done()
		require.Len(t, rivals, 5)
		for _, x := range rivals {
			require.NoError(t, x.Step(), x.Name)
		}
	}
}
