package learnertool

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
)

// The front is searched by a shortest path through the layers. The cycles of a step are a
// constant, the cycles between samples, which follow from the beat, and a sum over pairs of
// neighbouring layers: how long one layer waits for the other's first tiles. Multipliers are
// a sum over layers. So for a beat and DP, of all paths that end in the same tile only the
// Pareto front of costs is kept. The result is exact: it equals the front over all
// combinations (TestFront).

// cost is the cost of tiles within a learner, up to a constant for all learners of a network.
type cost struct {
	values      int // cycles until a sample's values are there; counted with -replay only
	step        int // cycles until its last weight is written
	multipliers int
}

func (c cost) plus(d cost) cost {
	return cost{c.values + d.values, c.step + d.step, c.multipliers + d.multipliers}
}

// covers reports whether d is no better than c in any respect.
func (c cost) covers(d cost) bool {
	return c.values <= d.values && c.step <= d.step && c.multipliers <= d.multipliers
}

// tiled is tiles for the layers of each network, and samples side by side.
type tiled struct {
	cost
	tiles [][]int
	dp    int
}

// cheapest is the Pareto front of tiles, sorted by cost. Of tiles with equal cost the
// first by number stays.
func cheapest(all []tiled) (front []tiled) {
	slices.SortFunc(all, func(a, b tiled) int {
		return cmp.Or(cmp.Compare(a.step, b.step), cmp.Compare(a.multipliers, b.multipliers), cmp.Compare(a.values, b.values),
			slices.CompareFunc(a.tiles, b.tiles, slices.Compare[[]int]), cmp.Compare(a.dp, b.dp))
	})

	fewest := math.MaxInt // multipliers so far
	for _, x := range all {
		// One that covers it is mostly the last that was kept.
		covered := false
		for i := len(front) - 1; i >= 0 && !covered && x.multipliers >= fewest; i-- {
			covered = front[i].covers(x.cost)
		}
		if !covered {
			fewest = min(fewest, x.multipliers)
			front = append(front, x)
		}
	}
	return front
}

// front returns the Pareto front of cycles and multipliers. For each beat only the
// smallest tiles of a layer are considered; covered counts their combinations.
func (q question) front(ctx context.Context) (front []tiled, covered int, err error) {
	networks := q.networks()
	price := prices{q, networks, map[place]int{}}
	for _, beat := range beats(networks) {
		// Of each layer the smallest tiles that walk its words within the beat.
		options := make([][][][2]int, len(networks))
		all, shorter := 1, 1 // all combinations, and how many a shorter beat has too
		for i, n := range networks {
			options[i] = n.options(beat)
			x, y := n.count(options[i], beat)
			all, shorter = all*x, shorter*y
		}
		if all == 0 {
			continue
		}

		// Networks have nothing in common but the beat: their costs add up.
		for dp := 1; dp <= min(q.batch, maxDP); dp *= 2 {
			combos := []tiled{{cost: cost{multipliers: price.least(dp)}, dp: dp}}
			for i, n := range networks {
				if err := ctx.Err(); err != nil {
					return nil, 0, err
				}
				var next []tiled
				for _, path := range n.paths(options[i], i > 0, q.replay > 0, func(l int, t [2]int) int { return price.of(place{i, l, t, dp}) }) {
					for _, c := range combos {
						next = append(next, tiled{c.plus(path.cost), append(slices.Clip(c.tiles), path.tiles[0]), dp})
					}
				}
				combos = cheapest(next)
			}

			// The last sample is so many beats behind the first.
			for _, c := range combos {
				c.step += (q.batch/dp - 1) * max(beat, shortestBeat)
				if q.replay > 0 {
					c.values += max((q.batch/dp-1)*max(beat, shortestBeat)+dp-1, q.batch-1)
				}
				front = append(front, c)
			}
			covered += all - shorter
		}
	}
	return cheapest(front), covered, nil
}

// shortestBeat is that of a learner whose layers all have fewer words.
const shortestBeat = 4

// prices are the multipliers of learners as a sum: of a learner with tiles of one
// multiplier each, and of the multipliers that a larger tile of a layer adds.
type prices struct {
	question
	networks []network
	known    map[place]int
}

// place is a tile of a layer of a learner with so many samples side by side.
type place struct {
	network, layer int
	tile           [2]int
	dp             int
}

func (p prices) least(dp int) int { return p.multipliers(single(p.networks), dp) }

func (p prices) of(at place) int {
	if n, ok := p.known[at]; ok {
		return n
	}

	// Layers add up, so that a tile is worth the same beside any others.
	tiles := single(p.networks)
	copy(tiles[at.network][2*at.layer:], at.tile[:])
	p.known[at] = p.multipliers(tiles, at.dp) - p.least(at.dp)
	return p.known[at]
}

// single are tiles of one multiplier.
func single(networks []network) (tiles [][]int) {
	for _, n := range networks {
		tiles = append(tiles, slices.Repeat([]int{1}, 2*n.layers()))
	}
	return tiles
}

func (p prices) multipliers(tiles [][]int, dp int) int {
	if p.algorithm == "dqn" {
		return p.dqn(widest, tiles, dp).Multipliers()
	}
	return p.ddpg(widest, tiles, dp).Multipliers()
}

// beats are the lengths of all layers' walks with any tiles, shortest first.
func beats(networks []network) []int {
	all := map[int]bool{}
	for _, n := range networks {
		for l := range n.layers() {
			for _, t := range n.tiles(l) {
				all[n.words(l, t)] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// options are the smallest tiles of each layer for a beat.
func (n network) options(beat int) (all [][][2]int) {
	for l := range n.layers() {
		all = append(all, n.smallest(l, beat))
	}
	return all
}

// follow reports whether a learner may have the tile behind the other.
func follow(before, t [2]int) bool { return before[1]%t[0] == 0 || t[0]%before[1] == 0 }

// count is the number of combinations of tiles that may follow one another; shorter
// counts the combinations in which every walk is shorter than the beat.
func (n network) count(options [][][2]int, beat int) (all, shorter int) {
	// Combinations so far by their last tile.
	var before map[[2]int][2]int
	for l, tiles := range options {
		now := map[[2]int][2]int{}
		for _, t := range tiles {
			sum := [2]int{1, 1}
			if l > 0 {
				sum = [2]int{}
				for last, x := range before {
					if follow(last, t) {
						sum[0], sum[1] = sum[0]+x[0], sum[1]+x[1]
					}
				}
			}
			if n.words(l, t) == beat {
				sum[1] = 0
			}
			now[t] = sum
		}
		before = now
	}

	for _, x := range before {
		all, shorter = all+x[0], shorter+x[1]
	}
	return all, shorter
}

// paths are the cheapest tiles of all layers. Inputs: there are gradients by the inputs, as
// a critic has them for its actor. Values: their cycles count by themselves.
func (n network) paths(options [][][2]int, inputs, values bool, price func(l int, t [2]int) int) []tiled {
	// Dynamic programming over layers: the cost of a layer depends on its own tile and its
	// predecessor's only, so the cheapest ways to each tile are enough to go on from.
	var before map[[2]int][]tiled
	for l, tiles := range options {
		now := map[[2]int][]tiled{}
		for _, t := range tiles {
			// All ways to this tile, with the waits between it and its neighbours.
			own := cost{multipliers: price(l, t)}
			if l == 0 {
				own.step += n.words(l, t)
			}
			if l == n.layers()-1 {
				own.step += n.words(l, t)
				own.values = n.words(l, t)
			}

			ways := []tiled{{cost: own, tiles: [][]int{t[:]}}}
			if l > 0 {
				ways = nil
				for last, paths := range before {
					if !follow(last, t) {
						continue
					}
					forward, backward := n.waits(l, last, t, inputs)
					between := own.plus(cost{values: forward, step: forward + backward})
					for _, p := range paths {
						ways = append(ways, tiled{cost: p.plus(between), tiles: [][]int{append(slices.Clip(p.tiles[0]), t[:]...)}})
					}
				}
			}

			if !values {
				for i := range ways {
					ways[i].values = 0
				}
			}
			now[t] = cheapest(ways)
		}
		before = now
	}

	// Nothing follows the last layer: now ways to different tiles compete.
	var all []tiled
	for _, paths := range before {
		all = append(all, paths...)
	}
	return cheapest(all)
}

// waits returns two delays in cycles, up to constants: of the forward pass of layer l
// behind layer l−1, and of the backward pass of layer l−1 behind layer l.
func (n network) waits(l int, before, t [2]int, inputs bool) (forward, backward int) {
	forward = wait(n[l], before[1], n[l-1]/before[0], t[0], 1)

	// The first layer's gradients are made output by output, all inputs of one in a row.
	stride := 1
	if l == 1 && !inputs {
		stride = n[0] / before[0]
	}
	return forward, wait(n[l], t[0], n[l+1]/t[1], before[1], stride)
}

// wait returns how many cycles after its producer a consuming walk may begin. Both walk
// over size values. The producer completes a tile of made values every span cycles; the
// consumer takes a tile of read values every stride cycles. The delay is the maximum, over
// the producer's tiles, of completion time less reading time. The tile that decides is the
// first or the last, or, if the consumer's tile spans several, the last within its first.
func wait(size, made, span, read, stride int) (cycles int) {

	// Lateness is linear in k but for the rounding of k·made/read, so its maximum is at one of
	// these.
	last := size/made - 1
	for _, k := range [...]int{0, min(max(read/made, 1)-1, last), last} {
		cycles = max(cycles, (k+1)*span-k*made/read*stride)
	}
	return cycles
}
