package learner

import "etch/hw"

// Cycles from the address of a word to a result that can be read, or to a write.
const (
	sumReady     = 7  // a tile of a forward or backward pass can be read
	lossReady    = 15 // the loss's gradient can be read, from the last word of values
	actionReady  = 8  // the best action is there, from the last word of values
	updated      = 6  // a weight is written
	softUpdated  = 9  // a soft target is written
	gradientLoop = 4  // a word of gradients can be read again
)

// Stage is a walk over the words of a layer, sample by sample.
type Stage struct {
	Name  string
	Layer int
	// Phase is the cycle of a step in which the first sample's first word is addressed.
	Phase int
	// InputsOutside: the tiles of inputs are the outer loop of the walk. Sums along
	// outputs, those of a backward pass, then end one after the other; else sums along
	// inputs do.
	InputsOutside bool
}

// Schedule is when everything happens in a gradient step, in cycles.
type Schedule struct {
	Beat     int     // from one sample to the next
	Beats    int     // samples that a stage has in a step
	Forward  []Stage // by layer
	Backward []Stage // by layer: backward pass and gradient; of layer 0 the gradient only
	// Slots are the samples that buffers hold, powers of two, by the layer of weights
	// in front of the buffer: activations for forward and backward passes, those for
	// forward passes only, gradients.
	Activations, Passing, Gradients []int
	Cycles                          int // of a gradient step, in which Busy is high
	ActCycles                       int // of acting
}

// words gives the word addressed in a cycle of a walk, by its tiles.
func (c Config) visits(s Stage, visit func(cycle, input, output int)) {
	in, out := c.inputTiles(s.Layer), c.outputTiles(s.Layer)
	for cycle := range in * out {
		if s.InputsOutside {
			visit(cycle, cycle/out, cycle%out)
		} else {
			visit(cycle, cycle%in, cycle/in)
		}
	}
}

// traffic is what a walk does to elements of a buffer: the first and last cycle, of the
// first sample, in which each is read or its sum's last word is addressed.
type traffic struct{ first, last []int }

// along gives a walk's traffic with the inputs (or the outputs) of its layer.
func (c Config) along(s Stage, inputs bool) traffic {
	size, tile := c.Sizes[s.Layer+1], c.tile(s.Layer).Out
	if inputs {
		size, tile = c.Sizes[s.Layer], c.tile(s.Layer).In
	}
	t := traffic{make([]int, size), make([]int, size)}
	for i := range t.first {
		t.first[i] = -1
	}
	c.visits(s, func(cycle, input, output int) {
		at := output
		if inputs {
			at = input
		}
		for i := at * tile; i < (at+1)*tile; i++ {
			t.last[i] = s.Phase + cycle
			if t.first[i] < 0 {
				t.first[i] = s.Phase + cycle
			}
		}
	})
	return t
}

// after is the least phase with which a reader has every element in time, sumReady
// cycles after the last word of its sum.
func after(written, read traffic) (phase int) {
	for i, w := range written.last {
		phase = max(phase, w+sumReady-read.first[i])
	}
	return phase
}

// slots is the number of samples that a buffer holds at once. An element is written a
// cycle before it is ready, and again a beat for each slot later, which must be after
// its last use.
func (s Schedule) slots(written traffic, read ...traffic) int {
	longest := 0
	for i, w := range written.last {
		for _, r := range read {
			longest = max(longest, r.last[i]-(w+sumReady-1))
		}
	}
	return s.power(longest/s.Beat + 1)
}

// power rounds a number of slots up to a power of two; no more than a step has samples.
func (s Schedule) power(slots int) int {
	n := 1
	for n < slots {
		n *= 2
	}
	return min(n, s.Beats)
}

// Schedule works out phases, depths of buffers and the length of a step. c is valid.
func (c Config) Schedule() Schedule {
	s := Schedule{Beat: gradientLoop, Beats: c.beats()}
	for l := range c.layers() {
		s.Beat = max(s.Beat, c.words(l))
	}

	// Forward, each layer behind the first tiles of the one before.
	for l := range c.layers() {
		f := Stage{Name: hw.Name("forward", l), Layer: l}
		if l > 0 {
			f.Phase = after(c.along(s.Forward[l-1], false), c.along(f, true))
		}
		s.Forward = append(s.Forward, f)
	}
	values := s.Forward[c.last()].Phase + c.words(c.last()) - 1

	// Backward, from the loss. The first layer has no pass of its own, and takes
	// gradients tile by tile as they come.
	s.Backward = make([]Stage, c.layers())
	for l := c.last(); l >= 0; l-- {
		b := Stage{Name: hw.Name("backward", l), Layer: l, InputsOutside: l > 0}
		if l == c.last() {
			b.Phase = values + lossReady
		} else {
			b.Phase = after(c.along(s.Backward[l+1], true), c.along(b, false))
		}
		s.Backward[l] = b
		end := b.Phase + (s.Beats-1)*s.Beat + c.words(l) - 1 + updated
		if c.soft() {
			end += softUpdated - updated
		}
		s.Cycles = max(s.Cycles, end+1)
	}
	s.ActCycles = values + actionReady

	// Buffers between the layers, and of the loss's gradient.
	for l := range c.last() {
		written, forward := c.along(s.Forward[l], false), c.along(s.Forward[l+1], true)
		s.Activations = append(s.Activations, s.slots(written, forward, c.along(s.Backward[l+1], true)))
		s.Passing = append(s.Passing, s.slots(written, forward))
		s.Gradients = append(s.Gradients, s.slots(c.along(s.Backward[l+1], true), c.along(s.Backward[l], false)))
	}
	s.Gradients = append(s.Gradients, s.power(c.words(c.last())/s.Beat+1))
	return s
}

// Multipliers is the number of products that the learner computes in a cycle, those of
// two rates of the loss included.
func (c Config) Multipliers() (n int) {
	chains := 2
	if c.Double {
		chains++
	}
	for l := range c.layers() {
		t := c.tile(l)
		tile := t.In * t.Out
		n += chains * tile * c.DP
		switch {
		case l == c.last(): // only the action taken has a gradient
			n += t.In * c.DP
			if l > 0 {
				n += t.In * c.DP
			}
		case l == 0:
			n += tile * c.DP
		default:
			n += 2 * tile * c.DP
		}
		if c.soft() {
			n += tile + t.Out
		}
	}
	return n + 2*c.DP
}

// Memory is the bits of memories, by use.
type Memory struct {
	Weights   int `json:"weights"`   // of both networks, biases among them
	Gradients int `json:"gradients"` // sums of a step
	Batch     int `json:"batch"`     // the samples of a step
	Buffers   int `json:"buffers"`   // between stages
}

// Memory counts the bits of memories.
func (c Config) Memory() (m Memory) {
	a, s := c.arithmetic(), c.Schedule()
	code := func(k Kind) int { return a.Code(k).Width() }
	for l := range c.layers() {
		values := (c.Sizes[l] + 1) * c.Sizes[l+1]
		m.Weights += values * (code(Weight) + code(c.targetKind()))
		m.Gradients += values * a.Sum(Activation, Gradient, c.Batch).Width
		if l == c.last() {
			m.Buffers += s.Gradients[l] * c.DP * code(Gradient)
			continue
		}
		chains := 1
		if c.Double {
			chains = 2
		}
		m.Buffers += c.Sizes[l+1] * c.DP * (code(Activation)*(s.Activations[l]+chains*s.Passing[l]) + code(Gradient)*s.Gradients[l])
	}
	m.Batch = c.Batch * ((2*c.Sizes[0]+1)*code(Activation) + hw.AddressOf(c.actions()).Width() + 2*unitBits)
	return m
}

// Measures are the numbers for etch explore.
func (c Config) Measures() (map[string]float64, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	s, m := c.Schedule(), c.Memory()
	return map[string]float64{
		"cycles": float64(s.Cycles), "act_cycles": float64(s.ActCycles), "multipliers": float64(c.Multipliers()),
		"memory_bits": float64(m.Weights + m.Gradients + m.Batch + m.Buffers),
	}, nil
}
