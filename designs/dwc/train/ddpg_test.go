package train

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/dwc/model"
	"etch/designs/pendulum"
)

func ddpgConfig() Config {
	c := Default()
	c.Algorithm, c.Seed, c.Steps, c.Widths, c.N, c.Bits, c.ValidateEvery = DDPG, 4, 700, []int{8, 6}, 3, 5, 0
	return c
}

// The actor's error is the derivative of −Q(z, tanh y) by y.
func TestDeterministicErrs(t *testing.T) {
	s, _, _, _ := testSAC(t)
	s.now.mean(s.policy)
	q, tape := s.critics[0], s.tape[0]
	s.fillCritic(tape, s.now)
	q.forward(tape)
	all := make([]int, len(s.which))
	for i := range all {
		all[i] = i
	}
	q.inputSlope(tape, all, s.dims, s.slope)
	s.deterministicErrs()
	for _, row := range []int{0, 17, 63} {
		z := s.row(s.now.noise.input(), row)
		for a := range 2 {
			y := s.policy.y[a][s.now.blocks[row/lanes].counts[a][row%lanes]]
			other := s.now.action[row*2+1-a]
			want := slopeOf(func(y float64) float64 {
				actions := []float64{model.Tanh(y), other}
				if a == 1 {
					actions = []float64{other, model.Tanh(y)}
				}
				return -qFloat64(q, z, actions)
			}, y) / float64(len(s.which))
			near(t, "error", s.errs.y[row/lanes][a][row%lanes], want, 1e-4)
		}
	}
}

// The target actor starts equal, moves by its share, and does not share memory.
func TestPolicyFollows(t *testing.T) {
	s, _, _, _ := testSAC(t)
	p := s.policy
	slow := p.clone()
	require.Equal(t, p.y, slow.y)
	before := slow.layers[0].table[3]
	p.layers[0].table[3] = before + 0.5
	require.Equal(t, before, slow.layers[0].table[3])
	slow.follow(p, 0.25)
	require.InDelta(t, float64(before)+0.125, float64(slow.layers[0].table[3]), 1e-6)
	slow.follow(p, 1)
	for i, l := range p.layers {
		for j := range l.width {
			p.layers[i].settle(j)
		}
	}
	require.Equal(t, p.layers[0].truth, slow.layers[0].truth)
	require.Equal(t, p.layers[0].pins, slow.layers[0].pins)
}

// A DDPG run that is saved and resumed ends in the same model as one without a
// break, for both mappings.
func TestDDPGResumes(t *testing.T) {
	for _, mapping := range []Mapping{Learnable, Fixed} {
		c := ddpgConfig()
		c.Mapping = mapping
		_, _, got := brokenRun(t, c, 600)
		require.Equal(t, model.DDPG, got.Head.Kind)
	}
	c := ddpgConfig()
	c.Algorithm = "dqn"
	_, err := New(c)
	require.ErrorContains(t, err, `algorithm: "dqn" is not "sac", "ddpg" or "ppo"`)
}

// The goal for DDPG, as for SAC: at most 17 below value iteration.
func TestDDPGGoal(t *testing.T) {
	slow(t)
	reference := pendulum.Solve()
	for seed := uint64(1); seed <= 3; seed++ {
		c := Default()
		c.Algorithm, c.Seed = DDPG, seed
		trainer, err := New(c)
		require.NoError(t, err)
		require.NoError(t, trainer.Run(t.Context(), nil))
		m, err := trainer.Model()
		require.NoError(t, err)
		r, err := Evaluate(m, reference, TestStarts(1000))
		require.NoError(t, err)
		t.Logf("seed %d: gap %.1f", seed, r.Gap())
		require.LessOrEqual(t, r.Gap(), 17.0)
	}
}
