package learner

import (
	"etch/hw"
	"etch/hw/pipe"
)

// Outcome is what came of an action.
type Outcome struct {
	Reward   hw.UInt // a code of an activation
	Discount hw.UInt // of the next value, U1.16
	Weight   hw.UInt // importance weight, U1.16
}

// Sample is a transition with its importance weight.
type Sample struct {
	State, Next word // observations, codes of activations
	Action      hw.UInt
	Outcome
}

// Ports are the ports of [Config].
type Ports struct {
	// Push stores a sample of the coming step as number At. It is ignored while Busy is
	// high and with Start or Act.
	Push   hw.Bit  `dir:"in"`
	At     hw.UInt `dir:"in"`
	Sample Sample  `dir:"in"`

	// Start begins a gradient step, while Busy is low; with Synchronise the target
	// network becomes the online one at its end.
	Start       hw.Bit  `dir:"in"`
	Synchronise hw.Bit  `dir:"in"`
	Tau         hw.UInt `dir:"in"` // rate of soft targets, U0.16; not read if there are none
	Losses      Losses  `dir:"out"`

	// Act runs the online network on an observation, which stays until Busy is low
	// again; then Values and Best are there until the next use.
	Act         hw.Bit  `dir:"in"`
	Observation word    `dir:"in"`
	Values      word    `dir:"out"`
	Best        hw.UInt `dir:"out"`

	Busy hw.Bit `dir:"out"`
	Host Host   `dir:"in"`
	Word word   `dir:"out"` // what the host reads, two cycles after it has asked
}

// ModuleName is learner: config is a word of Verilog.
func (c Config) ModuleName() string { return "learner" }

func (c Config) Ports() Ports {
	observation, code := c.codes(Activation, c.Sizes[0]), c.arithmetic().Code(Activation)
	action := hw.AddressOf(c.actions())
	return Ports{
		At:     hw.AddressOf(c.Batch),
		Sample: Sample{observation, observation, action, Outcome{code, hw.Unsigned(unitBits), hw.Unsigned(unitBits)}},
		Tau:    hw.Unsigned(unitBits), Losses: c.lossesOf(),
		Observation: observation, Values: c.codes(Activation, c.actions()), Best: action,
		Host: c.hostOf(), Word: c.codes(c.targetKind(), c.hostElements()),
	}
}

// Build describes the body: memories, the walks of all stages, and what each stage does.
func (c Config) Build(m *hw.Module, p Ports) {
	b := build{Config: c, m: m, p: p, schedule: c.Schedule()}
	b.control()
	b.batch()

	// The host has its turn between steps, and writes before it reads: a word that is
	// read as it is written has no value.
	idle, host := b.busy.Or(b.begin).Not(), p.Host
	host.Write = p.Host.Write.And(idle)
	host.Read = p.Host.Read.And(idle).AndNot(p.Host.Write)
	for l := range c.layers() {
		b.online = append(b.online, c.newLayer(m.Scope("online", l), l, Weight, host, host.Target.Not()))
		b.target = append(b.target, c.newLayer(m.Scope("target", l), l, c.targetKind(), host, host.Target))
	}
	last, v := b.forwards()
	b.losses(last, v)
	b.backwards()

	read := make(word, len(p.Word))
	for i, x := range p.Word {
		read[i] = hw.Zeros(x.Width())
	}
	hw.Set(p.Word, hw.Delay(m, "word", b.target.hostRead(b.online.hostRead(read)), 1, hw.Zero(p.Word)))
	if !c.soft() {
		hw.Unused(m, p.Tau)
	}
}

// build is a learner under construction.
type build struct {
	Config
	m        *hw.Module
	p        Ports
	schedule Schedule

	begin, busy, acting, synchronise hw.Bit
	time                             hw.UInt // cycles since the step began

	states, nexts *hw.Memory[lanes]
	chose         *hw.Memory[hw.Vec[hw.UInt]] // actions
	outcomes      *hw.Memory[hw.Vec[Outcome]]

	online, target network
	activations    []buffer // by the layer in front
	passing        []buffer // those of target and, for Double, online network on what comes next
	gradients      []buffer // of the last layer the loss's
}

// control starts steps and ends them.
func (b *build) control() {
	m, p, s := b.m, b.p, b.schedule
	b.busy = hw.Reg(m, "running", hw.Bit{}, hw.Low)
	b.acting, b.synchronise = hw.Reg(m, "acting", hw.Bit{}), hw.Reg(m, "synchronising", hw.Bit{})
	b.time = hw.Reg(m, "time", hw.UpTo(max(s.Cycles, s.ActCycles)))
	b.begin = p.Start.Or(p.Act).AndNot(b.busy)
	end := hw.Mux(b.acting, b.time.Is(s.ActCycles-1), b.time.Is(s.Cycles-1))
	m.When(b.begin, func() {
		b.busy.Set(hw.High)
		b.time.Set(b.time.Lit(0))
		b.acting.Set(p.Start.Not())
		b.synchronise.Set(p.Synchronise)
	}).ElseWhen(b.busy, func() {
		b.time.Set(b.time.Inc())
		b.busy.SetIf(end, hw.Low)
	})
	p.Busy.Set(b.busy)

	last := hw.Mux(b.acting, b.time.Lit(s.ActCycles-1), b.time.Lit(s.Cycles-1))
	m.Assert(b.busy.Implies(b.time.Le(last)), "cycle %d is past the end of the step", b.time)
}

// walk makes a stage's counters, which begin in the cycle of its phase.
func (b *build) walk(s Stage, learning bool) walk {
	launch := b.begin
	if s.Phase > 0 {
		launch = b.busy.And(b.time.Is(s.Phase - 1))
	}
	if learning {
		launch = launch.AndNot(b.acting)
	}
	return b.Config.walk(b.m, b.schedule, s, b.begin, launch, b.acting)
}

// batch stores the samples of a step: those side by side in one word.
func (b *build) batch() {
	m, p, depth := b.m, b.p, b.beats()
	b.states = hw.Mem(m, "states", depth, hw.VecOf(b.DP, hw.Like(p.Sample.State)))
	b.nexts = hw.Mem(m, "nexts", depth, hw.VecOf(b.DP, hw.Like(p.Sample.Next)))
	b.chose = hw.Mem(m, "actions", depth, hw.VecOf(b.DP, hw.Like(p.Sample.Action)))
	b.outcomes = hw.Mem(m, "outcomes", depth, hw.VecOf(b.DP, hw.Like(p.Sample.Outcome)))
	at, lane := divide(p.At, b.DP, b.Batch)
	m.When(p.Push.AndNot(b.busy.Or(b.begin)), func() {
		store(b.states, at, lane, b.DP, p.Sample.State)
		store(b.nexts, at, lane, b.DP, p.Sample.Next)
		store(b.chose, at, lane, b.DP, p.Sample.Action)
		store(b.outcomes, at, lane, b.DP, p.Sample.Outcome)
	})
}

// store writes one lane of a word.
func store[T any](mem *hw.Memory[hw.Vec[T]], at, lane hw.UInt, lanes int, x T) {
	word, mask := make(hw.Vec[T], lanes), make([]hw.Bit, lanes)
	for i := range word {
		word[i], mask[i] = x, lane.Is(i)
	}
	if lanes == 1 {
		mem.Write(at, word)
		return
	}
	mem.WriteMask(at, word, hw.FromBits(mask...))
}

// observed is the tile of inputs that a stage has at stage 1, of whole observations.
func (b *build) observed(w walk, observations lanes) (tiles lanes) {
	each := b.tile(0).In
	for _, x := range observations {
		cut := split(lanes{x}, each)
		if len(cut) == 1 {
			tiles = append(tiles, cut[0][0])
			continue
		}
		tiles = append(tiles, cut.At(w.input.At(1))[0])
	}
	return tiles
}

// forwards makes the forward passes of all layers: the online network on states, the
// target network on what comes next, and for Double the online one on that too, with
// the words that it reads for states.
func (b *build) forwards() (last walk, v values) {
	for l, s := range b.schedule.Forward {
		w, m := b.walk(s, false), b.m.Scope(s.Name)
		var now, next, chosen lanes // inputs at stage 1
		if l == 0 {
			sample := w.sample.At(0)
			now = hw.Mux(b.acting, repeat(b.p.Observation, b.DP), b.states.SyncRead("forward", sample, hw.Undefined))
			next = b.observed(w, b.nexts.SyncRead("forward", sample, hw.Undefined))
			now, chosen = b.observed(w, now), next
		} else {
			now = b.activations[l-1].read("forward", w.sample.At(0), w.input.At(0))
			both := b.passing[l-1].read("forward", w.sample.At(0), w.input.At(0))
			next, chosen = both[:b.DP], both[b.DP:]
		}

		inputs := now
		if b.Double {
			inputs = append(inputs[:b.DP:b.DP], chosen...)
		}
		valid, out := b.forward(m.Scope("online"), w, b.online[l], inputs)
		_, outNext := b.forward(m.Scope("target"), w, b.target[l], next)
		if l == b.last() {
			return w, values{out[:b.DP], outNext, out[b.DP:]}
		}
		b.pass(l, w, valid, out, outNext)
	}
	return last, v
}

// pass stores the outputs of a layer: apart from the others those that a backward pass
// will read too.
func (b *build) pass(l int, w walk, valid hw.Bit, out, outNext lanes) {
	s, code, size := b.schedule, b.arithmetic().Code(Activation), b.Sizes[l+1]
	write, read := b.tile(l).Out, b.tile(l+1).In
	sample, output := w.sample.At(6), w.output.At(6)
	kept := newBuffer(b.m, hw.Name("activations", l), code, s.Activations[l], b.DP, size, write, read)
	kept.write(valid, sample, output, out[:b.DP])
	b.activations = append(b.activations, kept)

	b.passing = append(b.passing, newBuffer(b.m, hw.Name("next", l), code, s.Passing[l], len(outNext)+len(out)-b.DP, size, write, read))
	b.passing[l].write(valid, sample, output, append(outNext[:len(outNext):len(outNext)], out[b.DP:]...))
}

// repeat is n times x.
func repeat(x word, n int) (xs lanes) {
	for range n {
		xs = append(xs, x)
	}
	return xs
}

// losses makes the loss of what the last layers give, and the answer to Act.
func (b *build) losses(w walk, v values) {
	m, p := b.m.Scope("loss"), b.p
	outcomes := b.outcomes.SyncRead("loss", w.sample.At(4), hw.Undefined)
	action := hw.Delay(m, "action", b.chose.SyncRead("loss", w.sample.At(4), hw.Undefined), 1)

	var results lanes
	for n := range b.DP {
		lane := m.Scope("lane", n)
		var chosen word
		if b.Double {
			chosen = v.chosen[n]
		}
		best := b.best(lane, w, v.now[n], v.next[n], chosen)
		taken := b.taken(lane, w, v.now[n], b.hot(action[n], w.output.At(6)))
		o := outcomes[n]
		loss, gradient := b.loss(lane, best.Value, taken, outcome{
			pipe.Of(lane, "reward", 5, o.Reward), pipe.Of(lane, "discount", 5, o.Discount), pipe.Of(lane, "weight", 5, o.Weight),
		})
		hw.Set(p.Losses.Lanes[n], loss)
		results = append(results, word{gradient})
		if n == 0 {
			p.Best.Set(best.Action)
		} else {
			hw.Unused(lane, best.Action)
		}
	}
	done := func(stage int) hw.Bit {
		return w.summed(stage).And(w.lastOutput(stage)).AndNot(w.acting.At(stage))
	}
	p.Losses.Valid.Set(done(10))
	p.Losses.Sample.Set(w.sample.At(10))

	last := b.last()
	b.gradients = make([]buffer, b.layers())
	b.gradients[last] = newBuffer(b.m, hw.Name("gradients", last), b.arithmetic().Code(Gradient), b.schedule.Gradients[last], b.DP, 1, 1, 1)
	b.gradients[last].write(done(14), w.sample.At(14), hw.Zeros(1), results)

	// Acting leaves the values of all actions.
	kept := hw.Reg(b.m, "values_kept", hw.Like(p.Values))
	tile := b.tile(last).Out
	for i := range kept {
		kept[i].SetIf(w.summed(6).And(w.acting.At(6)).And(w.output.At(6).Is(i/tile)), v.now[0][i%tile])
		p.Values[i].Set(kept[i])
	}
}

// hot says which output of a tile an action is.
func (b *build) hot(action, output hw.UInt) hw.Vec[hw.Bit] {
	tile := b.tile(b.last()).Out
	var tiles hw.Vec[hw.Vec[hw.Bit]]
	for i := range b.actions() {
		if i%tile == 0 {
			tiles = append(tiles, nil)
		}
		tiles[i/tile] = append(tiles[i/tile], action.Is(i))
	}
	if len(tiles) == 1 {
		return tiles[0]
	}
	return tiles.At(output)
}

// backwards makes the backward passes, gradients and updates of all layers, from the
// last one on.
func (b *build) backwards() {
	for l := b.last(); l >= 0; l-- {
		s := b.schedule.Backward[l]
		w, m := b.walk(s, true), b.m.Scope(s.Name)
		sample := w.sample.At(0)

		var inputs lanes
		if l == 0 {
			inputs = b.observed(w, b.states.SyncRead("backward", sample, hw.Undefined))
		} else {
			inputs = b.activations[l-1].read("backward", sample, w.input.At(0))
		}
		inputs = hw.Delay(m, "input", inputs, 1)

		g := gradients{by: hw.Delay(m, "by", b.gradients[l].read("backward", sample, w.output.At(0)), 1)}
		if l == b.last() {
			for n, action := range b.chose.SyncRead("backward", sample, hw.Undefined) {
				g.hot = append(g.hot, hw.Delay(m, hw.Name("hot", n), b.hot(action, w.output.At(1)), 1))
			}
		}
		if l > 0 {
			valid, back := b.backward(m.Scope("back"), w, b.online[l], g, inputs)
			size, write, read := b.Sizes[l], b.tile(l).In, b.tile(l-1).Out
			x := newBuffer(b.m, hw.Name("gradients", l-1), b.arithmetic().Code(Gradient), b.schedule.Gradients[l-1], b.DP, size, write, read)
			x.write(valid, w.sample.At(6), w.input.At(6), back)
			b.gradients[l-1] = x
		}
		b.gradient(m.Scope("gradient"), w, g, inputs, update{b.online[l], b.target[l], b.synchronise, b.p.Tau})
	}
}
