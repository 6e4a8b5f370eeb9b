package reference

import "fmt"

// Convention is the rule for the future of a truncated episode.
type Convention int

// The conventions; see the package's documentation.
const (
	StableBaselines Convention = iota
	CleanRL
)

var conventionNames = [...]string{"sb3", "cleanrl"}

// String is the convention's name, sb3 or cleanrl.
func (c Convention) String() string { return conventionNames[c] }

// UnmarshalText reads a convention's name.
func (c *Convention) UnmarshalText(text []byte) error {
	for i, name := range conventionNames {
		if name == string(text) {
			*c = Convention(i)
			return nil
		}
	}
	return fmt.Errorf("%q is not a convention; want sb3 or cleanrl", text)
}

// MarshalText is the convention's name.
func (c Convention) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// Estimate is the outcome for a trajectory, one number a step.
type Estimate struct {
	Advantage []float64
	Return    []float64 // advantage + value, the "reward to go"
}

// NewEstimate is the outcome of n steps, all zero.
func NewEstimate(n int) Estimate {
	all := make([]float64, 2*n)
	return Estimate{Advantage: all[:n:n], Return: all[n:]}
}

// Estimate computes advantages and returns of a trajectory. It fails where Check
// does.
func (c Convention) Estimate(t *Trajectory, gamma, lambda float64) (Estimate, error) {
	if err := t.Check(); err != nil {
		return Estimate{}, err
	}
	e := NewEstimate(t.Len())
	if t.Len() > 0 {
		c.estimate(t, gamma, lambda, e)
	}
	return e, nil
}

func (c Convention) estimate(t *Trajectory, gamma, lambda float64, e Estimate) {
	last := t.Len() - 1

	done := make([]bool, t.Len())
	for i := range done {
		done[i] = t.Done(i)
	}

	if c == CleanRL {
		cleanRL(t.Reward, t.Value, shifted(done), t.NextValue[last], done[last], gamma, lambda, e)
		return
	}

	// stable-baselines3 puts the value of a truncation's final observation into its last reward.
	rewards := append([]float64(nil), t.Reward...)
	for i := range rewards {
		if t.Truncated[i] && !t.Terminated[i] {
			rewards[i] += float64(gamma * t.NextValue[i])
		}
	}
	stableBaselines(rewards, t.Value, shifted(done), t.NextValue[last], done[last], gamma, lambda, e)
}

// shifted is the form that trainers store: whether the episode ended before each step.
func shifted(done []bool) []bool {
	before := make([]bool, len(done))
	copy(before[1:], done)
	return before
}

// cleanRL is the loop of ppo.py: dones[t] tells that the observation of step t is
// the first after a reset, nextDone the same of the observation after the last step.
// One flag gates both the bootstrap and the carry.
func cleanRL(rewards, values []float64, dones []bool, nextValue float64, nextDone bool, gamma, lambda float64, e Estimate) {
	// Backwards, as both trainers do; factor is 1 for a state that has a future.
	carry := 0.0
	for t := len(rewards) - 1; t >= 0; t-- {
		next, open := nextValue, factor(!nextDone)
		if t < len(rewards)-1 {
			next, open = values[t+1], factor(!dones[t+1])
		}
		delta := rewards[t] + float64(gamma*next*open) - values[t]
		carry = delta + float64(gamma*lambda*open*carry)
		e.Advantage[t], e.Return[t] = carry, carry+values[t]
	}
}

// stableBaselines is the loop of stable-baselines3's rollout buffer: starts[t] tells
// that step t is the first of an episode, done that an episode ended with the last
// step. Truncations are in the rewards already.
func stableBaselines(rewards, values []float64, starts []bool, lastValue float64, done bool, gamma, lambda float64, e Estimate) {
	open, next, carry := factor(!done), lastValue, 0.0

	// open and next are of the state behind step t.
	for t := len(rewards) - 1; t >= 0; t-- {
		delta := rewards[t] + float64(gamma*next*open) - values[t]
		carry = delta + float64(gamma*lambda*open*carry)
		e.Advantage[t], e.Return[t] = carry, carry+values[t]
		open, next = factor(!starts[t]), values[t]
	}
}

func factor(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
