package host

import (
	"cmp"
	"math"
	"slices"

	"etch/designs/gae/model"
)

// magnitudes are the largest numbers of a rollout, and the steps of its longest
// episode.
type magnitudes struct {
	reward, value float64
	longest       int
}

func (m *magnitudes) include(o magnitudes) {
	m.reward, m.value, m.longest = max(m.reward, o.reward), max(m.value, o.value), max(m.longest, o.longest)
}

func (m *magnitudes) see(s *model.Step) {
	of := func(x int64) float64 { return math.Abs(model.Input.Float(x)) }
	m.include(magnitudes{reward: of(s.Reward), value: max(of(s.Value), of(s.Boot))})
}

// Saturated is a step at which the accelerator met a number outside its range. The
// results of this step are wrong, and results of earlier steps of its episode may be.
type Saturated struct {
	Trajectory, Step int
	What             string // the first on the way to the results: "the advantage"
}

// Saturated lists the steps of the last rollout at which the accelerator saturated
// although data was shifted as far as possible, in the order of the rollout; nil if it
// did not. The accelerator has counters alone; the steps are found by its model, which
// is equal in every bit.
func (e *Estimator) Saturated() (all []Saturated, err error) {
	if !e.saturates() {
		return nil, nil
	}
	l, set, err := e.machine.Settings()
	if err != nil {
		return nil, err
	}

	// The model computes every vector again and says at each step which number came to its limit
	// first.
	for _, p := range e.pieces {
		var words []model.Word
		var boots []int64
		what := make([]string, len(p.samples))
		for i, x := range p.samples {
			w, boot, clipped := e.system.Load(l, x)
			if words = append(words, w); w.Cut && !w.Term {
				boots = append(boots, boot)
			}
			switch {
			case clipped.Boot > 0:
				what[i] = "the bootstrap value"
			case clipped.Value > 0 && e.system.CodeBits == 0:
				what[i] = "the value"
			case clipped.Reward > 0 && e.system.Rewards == model.Raw:
				what[i] = "the reward"
			}
		}

		for i, r := range e.system.Drain(set, words, boots) {
			if what[i] == "" {
				what[i] = saturation(r.Clipped)
			}
			if what[i] != "" {
				all = append(all, Saturated{p.trajectory, p.from + i, what[i]})
			}
		}
	}

	slices.SortFunc(all, func(a, b Saturated) int {
		return cmp.Or(a.Trajectory-b.Trajectory, a.Step-b.Step)
	})
	return all, nil
}

// saturation names the first number on the way to a result that was saturated.
func saturation(c model.Clips) string {
	switch {
	case c.Value > 0:
		return "the restored reward or value"
	case c.Delta > 0:
		return "δ"
	case c.Advantage > 0:
		return "the advantage"
	case c.Return > 0:
		return "the return"
	case c.StoredAdvantage > 0:
		return "the stored advantage"
	case c.StoredReturn > 0:
		return "the stored return"
	}
	return ""
}
