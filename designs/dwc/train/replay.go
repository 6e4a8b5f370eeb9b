package train

import "math/rand/v2"

// replay stores transitions without bound. A transition into a terminal state has no value
// of a next state. A transition at which the episode was truncated, by its limit of steps,
// bootstraps like any other.
type replay struct {
	dims, actions int
	codes         []int16   // [n][2·dims] sensor codes before and after
	action        []float32 // [n][actions], −1..1
	reward        []float32
	ends          []int16 // 0, terminated or truncated
	// marked memories keep their ends in a file: the pendulum's are told by time alone, and
	// nothing that bootstraps asks for them.
	marked bool
}

// The ways in which an episode ends: in a terminal state, or at the limit of steps.
const (
	terminated = 1
	truncated  = 2
)

func (r *replay) len() int { return len(r.reward) }

func (r *replay) add(before, after []int16, action []float32, reward float32, end int16) {
	r.codes = append(append(r.codes, before...), after...)
	r.action = append(r.action, action...)
	r.reward = append(r.reward, reward)
	r.ends = append(r.ends, end)
}

// clear forgets everything.
func (r *replay) clear() {
	r.codes, r.action, r.reward, r.ends = r.codes[:0], r.action[:0], r.reward[:0], r.ends[:0]
}

// at returns transition i.
func (r *replay) at(i int) (before, after []int16, action []float32, reward float32) {
	c := r.codes[2*r.dims*i : 2*r.dims*(i+1)]
	return c[:r.dims], c[r.dims:], r.action[r.actions*i : r.actions*(i+1)], r.reward[i]
}

// draw fills which with transitions chosen uniformly, with replacement.
func (r *replay) draw(rng *rand.Rand, which []int) {
	for i := range which {
		which[i] = rng.IntN(r.len())
	}
}
