package train

import "math/rand/v2"

// replay remembers every transition. The pendulum's episodes end by time only,
// so no transition is terminal and every one bootstraps.
type replay struct {
	dims, actions int
	codes         []int16   // [n][2·dims] sensor codes before and after
	action        []float32 // [n][actions], −1..1
	reward        []float32
}

func (r *replay) len() int { return len(r.reward) }

func (r *replay) add(before, after []int16, action []float32, reward float32) {
	r.codes = append(append(r.codes, before...), after...)
	r.action = append(r.action, action...)
	r.reward = append(r.reward, reward)
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
