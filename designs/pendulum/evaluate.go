package pendulum

// Policy returns the torque in N·m to apply in state s.
type Policy func(s State) float64

// BatchPolicy writes to torque[i] the torque in N·m to apply in states[i].
type BatchPolicy func(states []State, torque []float64)

// Score summarises episodes: one return (the sum of Steps rewards) per start.
// Mean and Worst are 0 when there are none.
type Score struct {
	Mean, Worst float64
	Returns     []float64
}

// Evaluate runs one episode from each start, in order, and returns the score.
func Evaluate(starts []State, p Policy) Score {
	return EvaluateBatch(starts, 1, func(s []State, torque []float64) { torque[0] = p(s[0]) })
}

// EvaluateBatch is Evaluate with up to size ≥ 1 episodes in lock step, for
// policies that are cheaper by the batch. The score does not depend on size.
func EvaluateBatch(starts []State, size int, p BatchPolicy) Score {
	returns := make([]float64, len(starts))
	states, torque := make([]State, size), make([]float64, size)

	// All episodes have the same length, so a batch ends as one; the last batch may be smaller.
	for at := 0; at < len(starts); at += size {
		n := copy(states, starts[at:])
		for range Steps {
			p(states[:n], torque[:n])
			for i, s := range states[:n] {
				next, reward := s.Step(torque[i])
				states[i] = next
				returns[at+i] += reward
			}
		}
	}
	return newScore(returns)
}

func newScore(returns []float64) Score {
	s := Score{Returns: returns}
	for _, r := range returns {
		s.Mean += r
		s.Worst = min(s.Worst, r)
	}

	if len(returns) > 0 {
		s.Mean /= float64(len(returns))
	}
	return s
}
