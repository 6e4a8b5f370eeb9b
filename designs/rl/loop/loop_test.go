package loop_test

import (
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	learner "etch/designs/learner/model"
	replay "etch/designs/replay/model"
	"etch/designs/rl/loop"
	"etch/designs/rl/model"
)

// memory is the one that both tasks use, but for its size.
func memory(capacity int, seed uint64) model.MemoryConfig {
	return model.MemoryConfig{
		Params:    replay.Params{Capacity: capacity, Leaf: 16, Fraction: 12},
		Exponents: replay.Exponents{Alpha: replay.Fixed(0.6), Beta: replay.Fixed(0.4), Epsilon: replay.Fixed(0.01)},
		Seed:      seed,
	}
}

func cartPole(t testing.TB, seed uint64, change func(*learner.DQNConfig, *model.MemoryConfig)) loop.Result {
	t.Helper()
	c, m := learner.DQN4x64x2(), memory(4096, seed)
	if change != nil {
		change(&c, &m)
	}
	net := learner.NewNet(c.Sizes...)
	net.Init(rand.New(rand.NewPCG(seed, 1)), c.Weight)
	agent, err := model.NewDQN(c, net, m)
	require.NoError(t, err)
	r, err := loop.NewCartPole(c.Activation).Run(agent, seed, nil)
	require.NoError(t, err)
	return r
}

func swingUp(t testing.TB, seed uint64, change func(*learner.DDPGConfig, *model.MemoryConfig)) loop.Result {
	t.Helper()
	c, m := learner.DDPGPendulum(), memory(16384, seed)
	if change != nil {
		change(&c, &m)
	}
	r := rand.New(rand.NewPCG(seed, 1))
	actor, critic := learner.NewNet(c.ActorSizes()...), learner.NewNet(c.CriticSizes()...)
	actor.Init(r, c.Weight)
	critic.Init(r, c.Weight)
	agent, err := model.NewDDPG(c, actor, critic, m)
	require.NoError(t, err)
	got, err := loop.NewPendulum(c.Activation).Run(agent, seed, nil)
	require.NoError(t, err)
	return got
}

// TestCartPole: the model of the learner solves CartPole, twice with the same bits.
func TestCartPole(t *testing.T) {
	a := cartPole(t, 1, nil)
	require.True(t, a.Solved, "%+v", a)
	if testing.Short() {
		return
	}
	require.Equal(t, a, cartPole(t, 1, nil))
	require.True(t, cartPole(t, 2, nil).Solved)
}

// TestLimit: a loop that may not learn ends at its limit and says so.
func TestLimit(t *testing.T) {
	c := learner.DQN4x64x2()
	agent, err := model.NewDQN(c, learner.NewNet(c.Sizes...), memory(512, 1))
	require.NoError(t, err)
	l := loop.NewCartPole(c.Activation)
	l.Limit = 200
	points := 0
	r, err := l.Run(agent, 1, func(loop.Point) { points++ })
	require.NoError(t, err)
	require.False(t, r.Solved)
	require.Equal(t, 200, r.Steps)
	require.Equal(t, 2, points)
	require.Len(t, r.Curve, 2)
}

// TestSeeds runs twenty seeds of both tasks, with and without priorities, and in the
// formats of 16 bits: many minutes, with ETCH_SLOW=1.
func TestSeeds(t *testing.T) {
	if os.Getenv("ETCH_SLOW") == "" {
		t.Skip("ETCH_SLOW=1 runs twenty seeds of both tasks")
	}
	uniform := func(m *model.MemoryConfig) { m.Uniform, m.Alpha, m.Beta = true, 0, 0 }
	for _, v := range []struct {
		name string
		run  func(seed uint64) loop.Result
	}{
		{"cartpole", func(s uint64) loop.Result { return cartPole(t, s, nil) }},
		{"cartpole, 16 bits", func(s uint64) loop.Result {
			return cartPole(t, s, func(c *learner.DQNConfig, _ *model.MemoryConfig) { c.Formats = learner.Small(4) })
		}},
		{"cartpole, double", func(s uint64) loop.Result {
			return cartPole(t, s, func(c *learner.DQNConfig, _ *model.MemoryConfig) { c.Double = true })
		}},
		{"cartpole, no priorities", func(s uint64) loop.Result {
			return cartPole(t, s, func(_ *learner.DQNConfig, m *model.MemoryConfig) { uniform(m) })
		}},
		{"pendulum", func(s uint64) loop.Result { return swingUp(t, s, nil) }},
		{"pendulum, 16 bits", func(s uint64) loop.Result {
			return swingUp(t, s, func(c *learner.DDPGConfig, _ *model.MemoryConfig) { c.Formats = learner.Small(5) })
		}},
		{"pendulum, no priorities", func(s uint64) loop.Result {
			return swingUp(t, s, func(_ *learner.DDPGConfig, m *model.MemoryConfig) { uniform(m) })
		}},
	} {
		t.Run(v.name, func(t *testing.T) {
			results := make([]loop.Result, 20)
			var wait sync.WaitGroup
			slots := make(chan bool, runtime.GOMAXPROCS(0))
			for i := range results {
				slots <- true
				wait.Go(func() {
					results[i] = v.run(uint64(i + 1))
					<-slots
				})
			}
			wait.Wait()
			solved, least, most, sum := 0, 1<<30, 0, 0
			for _, r := range results {
				if r.Solved {
					solved, sum = solved+1, sum+r.Steps
					least, most = min(least, r.Steps), max(most, r.Steps)
				}
			}
			t.Logf("%d of %d solved, steps %d to %d, mean %d", solved, len(results), least, most, sum/max(solved, 1))
			require.Equal(t, len(results), solved)
		})
	}
}
