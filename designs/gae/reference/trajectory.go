package reference

import (
	"fmt"
	"math"
)

// Trajectory is the record of one environment over consecutive steps, in time
// order: episode after episode, the last one perhaps unfinished. All slices are
// equally long.
type Trajectory struct {
	Reward []float64 // of the step
	Value  []float64 // the critic's, of the observation the step started from
	// NextValue is the value of the observation that the step led to: at the end of
	// an episode the episode's final observation, not the one after the reset. It is
	// read where an episode was truncated and at the last step; elsewhere the value
	// of the next step is the same thing.
	NextValue []float64
	// The two endings of an episode, as Gymnasium tells them apart: its task is over,
	// or its time. Where both are set it has terminated.
	Terminated, Truncated []bool
}

// NewTrajectory is a trajectory of n steps, all zero.
func NewTrajectory(n int) Trajectory {
	all := make([]float64, 3*n)
	flags := make([]bool, 2*n)
	return Trajectory{
		Reward: all[:n:n], Value: all[n : 2*n : 2*n], NextValue: all[2*n:],
		Terminated: flags[:n:n], Truncated: flags[n:],
	}
}

// Len is the number of steps.
func (t *Trajectory) Len() int { return len(t.Reward) }

// Done tells whether an episode ended with step i.
func (t *Trajectory) Done(i int) bool { return t.Terminated[i] || t.Truncated[i] }

// Check reports the first thing that makes the trajectory unusable: slices of
// unequal lengths, or a number that is not finite.
func (t *Trajectory) Check() error {
	n := t.Len()

	lengths := []struct {
		name string
		n    int
	}{{"values", len(t.Value)}, {"next values", len(t.NextValue)}, {"terminated flags", len(t.Terminated)}, {"truncated flags", len(t.Truncated)}}
	for _, l := range lengths {
		if l.n != n {
			return fmt.Errorf("trajectory of %d rewards has %d %s", n, l.n, l.name)
		}
	}

	// The negation of finite is tested per number, so that the error names the step.
	for i := range n {
		for _, v := range []struct {
			name string
			x    float64
		}{{"reward", t.Reward[i]}, {"value", t.Value[i]}, {"next value", t.NextValue[i]}} {
			if math.IsNaN(v.x) || math.IsInf(v.x, 0) {
				return fmt.Errorf("trajectory: %s of step %d is %v", v.name, i, v.x)
			}
		}
	}
	return nil
}

// Break returns the first step within an episode whose NextValue is further than
// tolerance from the next step's Value, though both are values of one observation;
// −1 if there is none. Nothing reads NextValue there, so a break is no error by
// itself, but data that has one is suspect.
func (t *Trajectory) Break(tolerance float64) int {
	for i := range t.Len() - 1 {
		// The negated comparison finds NaN as well.
		if !t.Done(i) && !(math.Abs(t.NextValue[i]-t.Value[i+1]) <= tolerance) {
			return i
		}
	}
	return -1
}
