package learner

import "etch/hw"

// Cycles from the address of a word to a result that can be read, or to a write.
const (
	sumReady     = 7  // a tile of a forward or backward pass can be read
	updated      = 6  // a weight is written
	softUpdated  = 9  // a soft target is written
	gradientLoop = 4  // a word of gradients can be read again
	lossValid    = 10 // DQN: the loss is there, from the last word of values
	lossReady    = 15 // DQN: the loss's gradient can be read, from the last word of values
	valueValid   = 8  // DDPG: the loss is there, from the last word of values
	valueLoss    = 13 // DDPG: its gradient can be read
	bestReady    = 8  // the best action is there, from the last word of values
	tanhReady    = 12 // an action is there, from the last word of its sum
	slopeReady   = 10 // the gradient in front of tanh can be read, from the last word of its sum
)

// Stage is a walk over the words of a layer, sample by sample.
type Stage struct {
	Name  string
	Layer int
	// Phase is the cycle of a step in which the first sample's first word is addressed.
	Phase int
	// InputsOutside: the tiles of inputs are the outer loop of the walk. Then sums along
	// outputs, as in a backward pass, end one after the other; otherwise sums along inputs
	// do.
	InputsOutside bool
}

// Timing is how long steps take, in cycles.
type Timing struct {
	Beat      int // from one sample to the next
	Beats     int // samples that a stage has in a step
	Cycles    int // of a gradient step, in which Busy is high
	Loss      int // from the first of them to the losses of the first samples; others follow a beat apart
	ActCycles int // of acting
}

// Passes are the stages of a network.
type Passes struct {
	Forward  []Stage // by layer
	Backward []Stage // by layer: backward pass and gradient; of layer 0 the gradient only
	// Slots are the samples that buffers hold, powers of two, by the layer of weights in
	// front of the buffer: activations for forward and backward passes, activations for
	// forward passes only, gradients.
	Activations, Passing, Gradients []int
}

// Schedule is when everything happens in a gradient step of DQN, in cycles.
type Schedule struct {
	Timing
	Passes
}

// Schedule works out phases, depths of buffers and the length of a step. c is valid.
func (c Config) Schedule() Schedule {
	t := c.net()
	s := Schedule{Timing: timing(t)}
	s.Forward = t.forwards("", 0)
	values := t.lastWord(s.Forward)
	s.Backward = t.backwards("", values+lossReady, false)
	s.Cycles = t.finished(s.Timing, s.Backward)
	s.ActCycles = values + bestReady
	s.Loss = values + lossValid

	// The loss's gradient is a single value, that of the action taken.
	s.buffers(t, s.Timing, ready(values+lossReady), reads(1, t.lastWord(s.Backward[t.last():])))
	return s
}

// DDPGSchedule is when everything happens in a gradient step of DDPG. The target actor
// goes along with the actor, and the target critic, the critic for the actions taken and
// that for the actor's with one another; so do the critic's two backward passes.
type DDPGSchedule struct {
	Timing
	Actor, Critic Passes
	Next, Chosen  int // slots of the target actor's and the actor's actions
}

// Schedule works out phases, depths of buffers and the length of a step. c is valid.
func (c DDPG) Schedule() DDPGSchedule {
	actor, critic := c.actor(), c.critic()
	s := DDPGSchedule{Timing: timing(actor, critic)}
	s.Actor.Forward = actor.forwards("actor_", 0)
	acted := actor.lastWord(s.Actor.Forward) + tanhReady
	s.ActCycles = acted

	s.Critic.Forward = critic.forwards("critic_", acted)
	values := critic.lastWord(s.Critic.Forward)
	s.Loss = values + valueValid
	s.Critic.Backward = critic.backwards("critic_", values+valueLoss, true)
	slopes := critic.lastWord(s.Critic.Backward[:1]) + slopeReady
	s.Actor.Backward = actor.backwards("actor_", slopes, false)
	s.Cycles = max(critic.finished(s.Timing, s.Critic.Backward), actor.finished(s.Timing, s.Actor.Backward))

	// Actions are read as a whole, with any word of the critic's first layer.
	written := actor.along(s.Actor.Forward[actor.last()], false).later(tanhReady - sumReady)
	read := reads(c.Actions, critic.lastWord(s.Critic.Forward[:1]))
	s.Next = s.slots(written, read)
	s.Chosen = s.slots(written, read, reads(c.Actions, critic.lastWord(s.Critic.Backward[:1])))

	loss, back := values+valueLoss, critic.lastWord(s.Critic.Backward[critic.last():])
	s.Critic.buffers(critic, s.Timing, ready(loss), reads(1, back))
	s.Actor.buffers(actor, s.Timing, ready(slopes), reads(1, actor.lastWord(s.Actor.Backward[actor.last():])))
	return s
}

// timing gives the beat: a stage has a cycle for each word of the largest layer.
func timing(nets ...tiling) Timing {
	x := Timing{Beat: gradientLoop, Beats: nets[0].beats()}
	for _, t := range nets {
		x.Beat = max(x.Beat, t.mostWords())
	}
	return x
}

// forwards schedules the forward passes, each layer behind the first tiles of its
// predecessor.
func (t tiling) forwards(name string, phase int) (stages []Stage) {
	for l := range t.layers() {
		f := Stage{Name: hw.Name(name+"forward", l), Layer: l}
		if l == 0 {
			f.Phase = phase
		} else {
			f.Phase = after(t.along(stages[l-1], false), t.along(f, true))
		}
		stages = append(stages, f)
	}
	return stages
}

// backwards schedules the backward passes, from the phase of the last layer's. Without
// gradients by the inputs the first layer has no pass of its own, and takes gradients
// tile by tile as they come.
func (t tiling) backwards(name string, phase int, inputs bool) []Stage {
	stages := make([]Stage, t.layers())
	for l := t.last(); l >= 0; l-- {
		b := Stage{Name: hw.Name(name+"backward", l), Layer: l, InputsOutside: l > 0 || inputs}
		if l == t.last() {
			b.Phase = phase
		} else {
			b.Phase = after(t.along(stages[l+1], true), t.along(b, false))
		}
		stages[l] = b
	}
	return stages
}

// lastWord is the cycle of the last word of the stages' last one to begin.
func (t tiling) lastWord(stages []Stage) (cycle int) {
	for _, s := range stages {
		cycle = max(cycle, s.Phase+t.words(s.Layer)-1)
	}
	return cycle
}

// finished is the number of cycles until the last sample's words have moved all weights.
func (t tiling) finished(x Timing, backward []Stage) (cycles int) {
	written := updated
	if t.soft() {
		written = softUpdated
	}
	for _, s := range backward {
		cycles = max(cycles, s.Phase+(x.Beats-1)*x.Beat+t.words(s.Layer)-1+written+1)
	}
	return cycles
}

// buffers sizes the buffers between layers, and the buffer of the last layer's gradients
// with its traffic.
func (p *Passes) buffers(t tiling, x Timing, written, read traffic) {
	for l := range t.last() {
		// Kept activations live until the next layer's gradient has read them, passing ones until its
		// forward pass has.
		activations, forward := t.along(p.Forward[l], false), t.along(p.Forward[l+1], true)
		p.Activations = append(p.Activations, x.slots(activations, forward, t.along(p.Backward[l+1], true)))
		p.Passing = append(p.Passing, x.slots(activations, forward))
		p.Gradients = append(p.Gradients, x.slots(t.along(p.Backward[l+1], true), t.along(p.Backward[l], false)))
	}
	p.Gradients = append(p.Gradients, x.slots(written, read))
}

// traffic is a walk's accesses to elements of a buffer, in the first sample: a tile of them
// is read, or its sums' words are addressed, from one cycle on, for span cycles, and the
// next tile stride cycles later.
type traffic struct {
	size, tile   int
	phase        int
	stride, span int
}

func (x traffic) first(element int) int { return x.phase + element/x.tile*x.stride }
func (x traffic) last(element int) int  { return x.first(element) + x.span }

// ready is the traffic of a value that can be read from a cycle on, reads that of n whose
// last use is in a cycle.
func ready(cycle int) traffic    { return traffic{size: 1, tile: 1, phase: cycle - sumReady} }
func reads(n, cycle int) traffic { return traffic{size: n, tile: n, phase: cycle} }

// later is traffic whose results take more cycles.
func (x traffic) later(cycles int) traffic {
	x.span += cycles
	return x
}

// along gives a walk's traffic with the inputs (or the outputs) of its layer.
func (t tiling) along(s Stage, inputs bool) traffic {
	x := traffic{size: t.sizes[s.Layer+1], tile: t.tile(s.Layer).Out, phase: s.Phase}
	count, others := t.outputTiles(s.Layer), t.inputTiles(s.Layer)

	if inputs {
		x.size, x.tile = t.sizes[s.Layer], t.tile(s.Layer).In
		count, others = others, count
	}

	// A tile of the outer loop is visited in a row, one of the inner loop once for each
	// tile of the other side.
	x.stride, x.span = 1, (others-1)*count
	if inputs == s.InputsOutside {
		x.stride, x.span = others, others-1
	}
	return x
}

// after is the least phase with which a reader has every element in time, sumReady
// cycles after the last word of its sum. Elements of a tile are alike, and one tile is a
// part of the other.
func after(written, read traffic) (phase int) {
	for i := 0; i < written.size; i += min(written.tile, read.tile) {
		phase = max(phase, written.last(i)+sumReady-read.first(i))
	}
	return phase
}

// slots is the number of samples that a buffer holds at once. An element is written a
// cycle before it is ready, and again a beat for each slot later, which must be after
// its last use.
func (x Timing) slots(written traffic, read ...traffic) int {
	longest := 0
	for _, r := range read {
		for i := 0; i < written.size; i += min(written.tile, r.tile) {
			longest = max(longest, r.last(i)-(written.last(i)+sumReady-1))
		}
	}
	return x.power(longest/x.Beat + 1)
}

// power rounds a number of slots up to a power of two; no more than a step has samples.
func (x Timing) power(slots int) int {
	n := 1
	for n < slots {
		n *= 2
	}
	return min(n, x.Beats)
}
