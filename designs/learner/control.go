package learner

import (
	"etch/hw"
)

// Outcome is the result of an action.
type Outcome struct {
	Reward   hw.UInt // a code of an activation
	Discount hw.UInt // of the next value, U1.16
	Weight   hw.UInt // importance weight, U1.16
}

func (c common) outcomeOf() Outcome {
	return Outcome{c.arithmetic().Code(Activation), hw.Unsigned(unitBits), hw.Unsigned(unitBits)}
}

// commands are the ports that make a learner do something.
type commands struct{ start, act, synchronise hw.Bit }

// core is a learner under construction, as far as it does not matter which.
type core struct {
	common
	Timing
	m *hw.Module

	begin, busy, acting, synchronise hw.Bit
	begun                            hw.Bit  // begin, a cycle later
	time                             hw.UInt // cycles since the step began
	tau                              hw.UInt
	host                             Host

	options
	bank          hw.UInt // of a learner that prefetches: the half of the samples' memories that is pushed
	states, nexts samples[word]
	outcomes      samples[Outcome]
}

// options are the optional parts of a learner.
type options struct{ count, prefetch bool }

// newCore makes the registers that start steps and end them. The host has its turn
// between steps, and writes before it reads: a word that is read as it is written has no
// value.
func newCore(m *hw.Module, c common, o options, x Timing, p commands, host Host, tau hw.UInt) *core {
	if o.count {
		c.tally = &tally{}
	}

	// A step is a count of cycles. It begins with a command while none is under way.
	b := &core{common: c, Timing: x, m: m, host: host, tau: tau, options: o}
	b.busy = hw.Reg(m, "running", hw.Bit{}, hw.Low)
	b.acting, b.synchronise = hw.Reg(m, "acting", hw.Bit{}), hw.Reg(m, "synchronising", hw.Bit{})
	b.time = hw.Reg(m, "time", hw.UpTo(max(x.Cycles, x.ActCycles)))
	b.begin = p.start.Or(p.act).AndNot(b.busy)
	b.begun = hw.Delay(m, "begun", b.begin, 1, hw.Low)

	last := hw.Mux(b.acting, b.time.Lit(x.ActCycles-1), b.time.Lit(x.Cycles-1))
	m.When(b.begin, func() {
		b.busy.Set(hw.High)
		b.time.Set(b.time.Lit(0))
		b.acting.Set(p.start.Not())
		b.synchronise.Set(p.synchronise)
	}).ElseWhen(b.busy, func() {
		b.time.Set(b.time.Inc())
		b.busy.SetIf(b.time.Eq(last), hw.Low)
	})

	if o.prefetch {
		// A step takes the half that was filled before it.
		b.bank = hw.Reg(m, "bank", hw.Unsigned(1), hw.U(0))
		m.When(p.start.AndNot(b.busy), func() { b.bank.Set(b.bank.Not()) })
	}
	m.Assert(b.busy.Implies(b.time.Le(last)), "cycle %d is past the end of the step", b.time)

	// The host's turn is a cycle later, out of registers: all memories hear it. A step that
	// begins then reads its first weights in the cycle after. Its word enters the registers
	// that hold new weights within a step, and takes none of its own.
	idle := b.busy.Or(b.begin).Not()
	b.host.Write, b.host.Read = host.Write.And(idle), host.Read.And(idle).AndNot(host.Write)
	b.host.Data = nil
	b.host = hw.Delay(m, "host_turn", b.host, 1, hw.Zero(b.host))
	b.host.Data = host.Data

	if !c.soft() {
		hw.Unused(m, tau)
	}
	return b
}

// walk makes a stage's counters, which begin in the cycle of its phase. The launch is known
// two cycles before, and a register keeps the comparison of times apart from the counters.
func (b *core) walk(t tiling, s Stage, learning bool) walk {
	// A phase of 0 and 1 is too early for the comparison to have a register.
	launch := b.begin
	if s.Phase > 0 {
		launch = b.busy.And(b.time.Is(max(0, s.Phase-2)))
	}
	if learning {
		launch = launch.AndNot(b.acting)
	}
	if s.Phase > 1 {
		launch = hw.Delay(b.m.Scope(s.Name), "launch", launch, 1, hw.Low)
	}

	// A stage that rests from the last step is stopped no later than it begins.
	stop := b.begin
	if s.Phase > 0 {
		stop = b.begun
	}
	return t.walk(b.m, b.Beat, s, stop, launch, b.acting)
}

// samples are the memory of one part of a step's samples. DP samples side by side are a
// word. With a bank there are two halves: one is pushed, the other read.
type samples[T any] struct {
	mem  *hw.Memory[hw.Vec[T]]
	bank []hw.UInt // none or one
	n    int       // words of a step
}

// newSamples makes the memory of a part of shape x.
func newSamples[T any](b *core, name string, x T) samples[T] {
	s := samples[T]{n: b.beats()}
	depth := s.n
	if b.prefetch {
		s.bank, depth = []hw.UInt{b.bank}, 2*depth
	}
	s.mem = hw.Mem(b.m, name, depth, hw.VecOf(b.dp, hw.Like(x)))
	return s
}

// address is where a word lies, in the half that is pushed or in the other.
func (s samples[T]) address(at hw.UInt, pushed bool) hw.UInt {
	if len(s.bank) == 0 {
		return at
	}
	bank := s.bank[0]
	if !pushed {
		bank = bank.Not()
	}
	if s.n == 1 {
		return bank
	}

	return hw.Cat(bank, at)
}

// read addresses a word of the step under way; it is there a cycle later.
func (s samples[T]) read(name string, at hw.UInt) hw.Vec[T] {
	return s.mem.SyncRead(name, s.address(at, false), hw.Undefined)
}

// batch stores a sample of a step a cycle after it is pushed, DP samples to a word; a is
// the action taken, whose memory it gives.
func batch[A any](b *core, push hw.Bit, number hw.UInt, state, next word, a A, o Outcome) samples[A] {
	// A memory for each part, since they are read by different stages.
	m, n := b.m, b.dp
	b.states, b.nexts = newSamples(b, "states", state), newSamples(b, "nexts", next)
	actions := newSamples(b, "actions", a)
	b.outcomes = newSamples(b, "outcomes", o)

	// With two halves a push may come during a step, but never with a command.
	at, lane := divide(number, n, b.Batch)
	not := b.begin
	if !b.prefetch {
		not = b.busy.Or(b.begin)
	}

	// A register of its own stands before the memories: they are large, and the sample comes
	// from far.
	if n > 1 {
		lane = hw.Delay(m, "pushed_lane", lane, 1)
	}
	place := hw.Delay(m, "pushed_place", b.states.address(at, true), 1)
	m.When(hw.Delay(m, "pushed", push.AndNot(not), 1, hw.Low), func() {
		store(b.states.mem, place, lane, n, hw.Delay(m, "pushed_state", state, 1))
		store(b.nexts.mem, place, lane, n, hw.Delay(m, "pushed_next", next, 1))
		store(actions.mem, place, lane, n, hw.Delay(m, "pushed_action", a, 1))
		store(b.outcomes.mem, place, lane, n, hw.Delay(m, "pushed_outcome", o, 1))
	})
	return actions
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

// observed is the tile of a network's inputs that a stage has at stage 1, of whole
// words.
func (w walk) observed(inputs lanes) (tiles lanes) {
	each := w.tile(0).In
	for _, x := range inputs {
		// Filled up to whole tiles, then one of them by the walk's counter.
		x = x[:len(x):len(x)]
		for len(x)%each != 0 {
			x = append(x, hw.Zeros(x[0].Width()))
		}

		cut := split(lanes{x}, each)
		if len(cut) == 1 {
			tiles = append(tiles, cut[0][0])
			continue
		}
		tiles = append(tiles, cut.At(w.input.At(1))[0])
	}
	return tiles
}

// observations are the inputs of the forward passes of states and next states at stage 1;
// acting, the observation stands for the state.
func (b *core) observations(w walk, acting word) (now, next lanes) {
	sample := w.sample.At(0)
	now = hw.Mux(b.acting, repeat(acting, b.dp), b.states.read("forward", sample))
	next = b.nexts.read("forward", sample)
	return w.observed(now), w.observed(next)
}

// repeat is n times x.
func repeat(x word, n int) (xs lanes) {
	for range n {
		xs = append(xs, x)
	}
	return xs
}

// hostRead gives the host words of some networks, three cycles after it has asked.
func (b *core) hostRead(out word, of ...network) {
	read := make(word, len(out))
	for i, x := range out {
		read[i] = hw.Zeros(x.Width())
	}
	for _, n := range of {
		read = n.hostRead(read)
	}
	hw.Set(out, hw.Delay(b.m, "word", read, 1, hw.Zero(out)))
}
