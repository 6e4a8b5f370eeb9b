package learner

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// The traffic of walks, their phases and the slots of buffers are those of a list of all
// words and elements, with tiles that do not divide their layers among them.
func TestTraffic(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		// Three layers whose tiles divide one another, forward or backward.
		sizes := []int{1 + r.IntN(20), 1 + r.IntN(20), 1 + r.IntN(20)}
		part := 1 + r.IntN(sizes[1])
		other := part * (1 + r.IntN(sizes[1]/part))
		if r.IntN(2) == 0 {
			part, other = other, part
		}
		x := tiling{sizes: sizes, tiles: []int{1 + r.IntN(sizes[0]), part, other, 1 + r.IntN(sizes[2])}}
		require.NoError(t, x.validate())
		writer := Stage{Layer: 0, Phase: r.IntN(50), InputsOutside: r.IntN(2) == 0}
		reader := Stage{Layer: 1, Phase: r.IntN(50), InputsOutside: r.IntN(2) == 0}
		written, read := x.along(writer, false), x.along(reader, true)

		// The same element by element.
		_, ends := x.listed(writer, false)
		begins, lasts := x.listed(reader, true)
		phase, longest := 0, 0
		for i, w := range ends {
			require.Equal(t, [3]int{w, begins[i], lasts[i]}, [3]int{written.last(i), read.first(i), read.last(i)})
			phase = max(phase, w+sumReady-begins[i])
			longest = max(longest, lasts[i]-(w+sumReady-1))
		}
		require.Equal(t, phase, after(written, read))
		timing := Timing{Beat: 1 + r.IntN(9), Beats: 64}
		require.Equal(t, timing.power(longest/timing.Beat+1), timing.slots(written, read))
	}
}

// listed gives the first and the last cycle in which a walk has each element's tile.
func (t tiling) listed(s Stage, inputs bool) (first, last []int) {
	in, out := t.inputTiles(s.Layer), t.outputTiles(s.Layer)
	size, tile := t.sizes[s.Layer+1], t.tile(s.Layer).Out
	if inputs {
		size, tile = t.sizes[s.Layer], t.tile(s.Layer).In
	}
	for range size {
		first, last = append(first, -1), append(last, -1)
	}

	// Word by word, as the circuit's counters go.
	for cycle := range in * out {
		i, o := cycle%in, cycle/in
		if s.InputsOutside {
			i, o = cycle/out, cycle%out
		}
		at := o
		if inputs {
			at = i
		}
		for e := at * tile; e < min(size, (at+1)*tile); e++ {
			last[e] = s.Phase + cycle
			if first[e] < 0 {
				first[e] = s.Phase + cycle
			}
		}
	}
	return first, last
}
