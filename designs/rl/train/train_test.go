package train

import (
	"bytes"
	"compress/gzip"
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/rl/env"
	"etch/designs/rl/loop"
)

func config(t testing.TB, algorithm, engine string, seed uint64) Config {
	t.Helper()
	name := map[string]string{DQN: "cartpole", DDPG: "pendulum"}[algorithm]
	e, err := env.Open(name, env.Limits{})
	require.NoError(t, err)
	c := Default(algorithm, name, e.Spec(), seed)
	c.Engine = engine
	return c
}

func begun(t testing.TB, c Config) *Trainer {
	t.Helper()
	x, err := New(c, env.Limits{}, nil)
	require.NoError(t, err)
	t.Cleanup(x.Close)
	return x
}

// variant draws ahead and joins three transitions to one.
func variant(c Config) Config {
	c.DQN.Prefetch, c.DDPG.Prefetch, c.Memory.Horizon = true, true, 3
	return c
}

// TestSolved: both algorithms reach their goals on the model.
func TestSolved(t *testing.T) {
	for _, algorithm := range []string{DQN, DDPG} {
		if algorithm == DDPG && testing.Short() {
			continue
		}
		x := begun(t, config(t, algorithm, Model, 2))
		require.NoError(t, x.Run(t.Context(), 0, nil))
		require.True(t, x.Result().Solved, "%s: %+v", algorithm, x.Result())
		t.Logf("%s: %d steps, %v", algorithm, x.Result().Steps, x.Result().Return)
	}
}

// TestCircuit: 200 steps of the circuits, each checked against the model, end where the
// model by itself does.
func TestCircuit(t *testing.T) {
	for _, c := range []Config{config(t, DQN, Circuit, 1), variant(config(t, DQN, Circuit, 1)), config(t, DDPG, Circuit, 1)} {
		model := c
		model.Engine = Model
		a, b := begun(t, c), begun(t, model)
		for _, x := range []*Trainer{a, b} {
			require.NoError(t, x.Run(t.Context(), 200, nil))
		}
		require.Equal(t, b.Result(), a.Result())
		require.Equal(t, b.Policy(), a.Policy())
	}
}

// TestCircuitIsChecked: a weight that changes behind the circuit's back ends the run.
func TestCircuitIsChecked(t *testing.T) {
	x := begun(t, config(t, DQN, Circuit, 1))
	require.NoError(t, x.Run(t.Context(), 3, nil))
	m, err := x.Simulated().Sim.Mem("learner.target_0_weights")
	require.NoError(t, err)
	require.NoError(t, m.Write(7, m.Read(7).SetBit(5, 1^m.Read(7).Bit(5))))
	require.ErrorContains(t, x.Run(t.Context(), 10, nil), "target network, layer 0, word 7")
}

// TestResume: a run that is saved and goes on has the bits of one that was not stopped.
func TestResume(t *testing.T) {
	for _, c := range []Config{config(t, DQN, Model, 3), config(t, DDPG, Model, 3), config(t, DQN, Circuit, 3), variant(config(t, DDPG, Circuit, 3)), variant(config(t, DQN, Model, 3)), config(t, DQN, Float, 3), config(t, DDPG, Float, 3)} {
		whole, first := begun(t, c), begun(t, c)
		require.NoError(t, whole.Run(t.Context(), 130, nil))
		require.NoError(t, first.Run(t.Context(), 57, nil))
		data, err := first.Save()
		require.NoError(t, err)
		second, err := Resume(data, env.Limits{})
		require.NoError(t, err)
		t.Cleanup(second.Close)
		require.NoError(t, second.Run(t.Context(), 130, nil))
		require.Equal(t, whole.Result(), second.Result())
		require.Equal(t, whole.Policy(), second.Policy())
		a, err := whole.loop.State()
		require.NoError(t, err)
		b, err := second.loop.State()
		require.NoError(t, err)
		require.Equal(t, a, b)
	}
}

// TestResumeFit: a run on a data set that is saved and goes on, without the data set, has
// the bits of one that was not stopped.
func TestResumeFit(t *testing.T) {
	for _, c := range []Config{config(t, DQN, Model, 3), variant(config(t, DDPG, Model, 3)), variant(config(t, DQN, Circuit, 3)), config(t, DQN, Float, 3), config(t, DDPG, Float, 3)} {
		c.Env = ""
		var data []loop.Transition
		r := rand.New(rand.NewPCG(1, 2))
		for range 100 {
			x := loop.Transition{Reward: r.Float64(), Discount: 0.99}
			for range c.Shape().Observation {
				x.State, x.Next = append(x.State, r.Float64()), append(x.Next, r.Float64())
			}
			if n := c.Shape().Actions; n > 0 {
				x.Action.Number = r.IntN(n)
			}
			for range c.Shape().Low {
				x.Action.Amounts = append(x.Action.Amounts, 2*r.Float64()-1)
			}
			data = append(data, x)
		}
		c.Loop.Synchronise = 7
		whole, first := begun(t, c), begun(t, c)
		require.NoError(t, whole.Fit(t.Context(), data, 25))
		require.NoError(t, first.Fit(t.Context(), data, 11))
		saved, err := first.Save()
		require.NoError(t, err)
		second, err := Resume(saved, env.Limits{})
		require.NoError(t, err)
		t.Cleanup(second.Close)
		require.Equal(t, 11, second.Result().Steps)
		require.NoError(t, second.Fit(t.Context(), nil, 25))
		require.Equal(t, 25, second.Result().Steps)
		a, err := whole.Save()
		require.NoError(t, err)
		b, err := second.Save()
		require.NoError(t, err)
		require.Equal(t, a, b)
		require.Equal(t, whole.Policy(), second.Policy())
	}
}

// TestFitEpisodes: returns end where the episodes of a data set do: without a value to come,
// or where the next row goes on from elsewhere.
func TestFitEpisodes(t *testing.T) {
	c := variant(config(t, DQN, Model, 1))
	c.Env, c.DQN.Sizes, c.DQN.Tiles, c.Loop.Scale = "", []int{1, 2, 2}, []int{1, 2, 2, 2}, []float64{1}
	x := begun(t, c)
	row := func(state, next, discount float64) loop.Transition {
		return loop.Transition{State: []float64{state}, Next: []float64{next}, Reward: 1, Discount: discount}
	}
	rows := []loop.Transition{row(0, 1, 1), row(1, 2, 1), row(5, 6, 0), row(6, 7, 1), row(7, 8, 1), row(8, 9, 1), row(9, 10, 1)}
	require.NoError(t, x.Fit(t.Context(), rows, 0))
	var got [][3]float64
	for _, k := range x.agent.(*modelDQN).m.State().Transitions {
		got = append(got, [3]float64{c.DQN.Activation.Float(k.State[0]), c.DQN.Activation.Float(k.Next[0]), c.DQN.Activation.Float(k.Reward)})
	}
	require.Equal(t, [][3]float64{{0, 2, 2}, {1, 2, 1}, {5, 6, 1}, {6, 9, 3}, {7, 10, 3}, {8, 10, 2}, {9, 10, 1}}, got)

	c.Engine = Float
	_, err := New(c, env.Limits{}, nil)
	require.ErrorContains(t, err, "horizon and prefetch are of the engines circuit and model")
}

// TestBadRuns: files that are none have an error.
func TestBadRuns(t *testing.T) {
	packed := func(text string) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write([]byte(text))
		z.Close()
		return b.Bytes()
	}
	for want, data := range map[string][]byte{
		"it is not gzipped":       []byte("hello"),
		"or cut short":            packed("{"),
		"want \"training run 1\"": packed(`{"etch":"x"}`),
		"without a network":       packed(`{"etch":"training run 1","config":{"env":"cartpole"}}`),
		"on a data set":           packed(`{"etch":"training run 1","config":{"env":"cartpole"},"fitted":3}`),
		"-1 gradient steps":       packed(`{"etch":"training run 1","fitted":-1}`),
	} {
		_, err := Resume(data, env.Limits{})
		require.ErrorContains(t, err, want)
	}
	x := begun(t, config(t, DQN, Model, 1))
	require.NoError(t, x.Run(t.Context(), 2, nil))
	good, err := x.Save()
	require.NoError(t, err)
	_, err = Resume(good[:len(good)/2], env.Limits{})
	require.Error(t, err)
}

// TestInterrupted: a context that ends stops a run between two steps.
func TestInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	x := begun(t, config(t, DQN, Model, 1))
	err := x.Run(ctx, 0, func(p loop.Point) { stop() })
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 100, x.Result().Steps)
}
