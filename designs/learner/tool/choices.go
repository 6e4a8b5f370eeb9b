package tool

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"etch/designs/cli"
	"etch/designs/learner"
	"etch/designs/learner/model"
)

// choices are the configurations of which none other has at most their cycles with fewer
// multipliers, the fastest first; tried is how many there were.
func (q question) choices() (front []Choice, tried int, err error) {
	var all []Choice
	var refused error
	for _, bits := range q.formats {
		for _, tiles := range q.tilings() {
			for dp := 1; dp <= min(q.batch, maxDP); dp *= 2 {
				c := q.config(bits, tiles, dp)
				if err := c.Validate(); err != nil {
					refused = err
					continue
				}
				s := c.Schedule()
				all = append(all, Choice{
					Config: c, Given: given(c), Bits: bits, Beat: s.Beat, Cycles: s.Cycles, Steps: q.mhz * 1e6 / float64(s.Cycles), Multipliers: c.Multipliers(),
				})
			}
		}
	}
	if len(all) == 0 {
		return nil, 0, cli.Usagef("no learner of this network: %v", refused)
	}

	// Wider numbers go first among equals: narrower ones may learn worse.
	slices.SortStableFunc(all, func(a, b Choice) int {
		return cmp.Or(cmp.Compare(a.Cycles, b.Cycles), cmp.Compare(a.Multipliers, b.Multipliers), cmp.Compare(b.Bits, a.Bits))
	})
	fewest := map[int]int{} // multipliers so far, by bits
	for _, c := range all {
		if n, ok := fewest[c.Bits]; !ok || c.Multipliers < n {
			fewest[c.Bits] = c.Multipliers
			front = append(front, c)
		}
	}
	return front, len(all), nil
}

// maxDP is the greatest number of samples side by side that is tried.
const maxDP = 16

func (q question) config(bits int, tiles []int, dp int) learner.Config {
	c := learner.CartPole(32)
	c.Sizes, c.Tiles, c.Batch, c.DP = q.sizes, tiles, q.batch, dp
	if bits == 16 {
		c.Formats = model.Small(4)
	}
	return c
}

// given is a configuration as parameters: those that differ from the design's defaults.
func given(c learner.Config) cli.Values {
	list := func(n []int) string { return strings.ReplaceAll(strings.Trim(fmt.Sprint(n), "[]"), " ", ",") }
	v := cli.Values{"sizes": list(c.Sizes), "tiles": list(c.Tiles), "batch": fmt.Sprint(c.Batch), "dp": fmt.Sprint(c.DP)}
	if base := learner.CartPole(32); c.Formats != base.Formats {
		v["weight.width"], v["weight.frac"] = fmt.Sprint(c.Weight.Width), fmt.Sprint(c.Weight.Frac)
		v["activation.width"], v["activation.frac"] = fmt.Sprint(c.Activation.Width), fmt.Sprint(c.Activation.Frac)
		v["gradient.width"], v["gradient.frac"] = fmt.Sprint(c.Gradient.Width), fmt.Sprint(c.Gradient.Frac)
	}
	return v
}

// tilings are tiles for all layers: for each beat, of each layer the smallest tiles that
// walk its words within it, all that are equally small.
func (q question) tilings() (all [][]int) {
	layers := len(q.sizes) - 1
	beats := map[int]bool{}
	for l := range layers {
		for _, t := range q.tiles(l) {
			beats[q.words(l, t)] = true
		}
	}
	seen := map[string]bool{}
	for beat := range beats {
		combos := [][]int{nil}
		for l := range layers {
			var next [][]int
			for _, t := range q.smallest(l, beat) {
				for _, c := range combos {
					next = append(next, append(slices.Clip(c), t[0], t[1]))
				}
			}
			combos = next
		}
		for _, c := range combos {
			if key := fmt.Sprint(c); !seen[key] {
				seen[key] = true
				all = append(all, c)
			}
		}
	}
	slices.SortFunc(all, slices.Compare)
	return all
}

// tiles are the inputs and outputs of tiles that divide a layer.
func (q question) tiles(l int) (all [][2]int) {
	for a := 1; a <= q.sizes[l]; a++ {
		for b := 1; b <= q.sizes[l+1] && q.sizes[l]%a == 0; b++ {
			if q.sizes[l+1]%b == 0 {
				all = append(all, [2]int{a, b})
			}
		}
	}
	return all
}

func (q question) words(l int, t [2]int) int { return q.sizes[l] / t[0] * (q.sizes[l+1] / t[1]) }

// smallest are the tiles of a layer of at most so many words that have the fewest
// multipliers.
func (q question) smallest(l, beat int) (all [][2]int) {
	least := 0
	for _, t := range q.tiles(l) {
		if q.words(l, t) > beat {
			continue
		}
		switch n := t[0] * t[1]; {
		case least == 0 || n < least:
			least, all = n, [][2]int{t}
		case n == least:
			all = append(all, t)
		}
	}
	return all
}
