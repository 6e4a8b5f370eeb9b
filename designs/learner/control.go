package learner

import (
	"etch/hw"
)

// Outcome is what came of an action.
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
	time                             hw.UInt // cycles since the step began
	tau                              hw.UInt
	host                             Host

	states, nexts *hw.Memory[lanes]
	outcomes      *hw.Memory[hw.Vec[Outcome]]
}

// newCore makes the registers that start steps and end them. The host has its turn
// between steps, and writes before it reads: a word that is read as it is written has no
// value.
func newCore(m *hw.Module, c common, count bool, x Timing, p commands, host Host, tau hw.UInt) *core {
	if count {
		c.tally = &tally{}
	}
	b := &core{common: c, Timing: x, m: m, host: host, tau: tau}
	b.busy = hw.Reg(m, "running", hw.Bit{}, hw.Low)
	b.acting, b.synchronise = hw.Reg(m, "acting", hw.Bit{}), hw.Reg(m, "synchronising", hw.Bit{})
	b.time = hw.Reg(m, "time", hw.UpTo(max(x.Cycles, x.ActCycles)))
	b.begin = p.start.Or(p.act).AndNot(b.busy)

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
	m.Assert(b.busy.Implies(b.time.Le(last)), "cycle %d is past the end of the step", b.time)

	idle := b.busy.Or(b.begin).Not()
	b.host.Write = host.Write.And(idle)
	b.host.Read = host.Read.And(idle).AndNot(host.Write)
	if !c.soft() {
		hw.Unused(m, tau)
	}
	return b
}

// walk makes a stage's counters, which begin in the cycle of its phase.
func (b *core) walk(t tiling, s Stage, learning bool) walk {
	launch := b.begin
	if s.Phase > 0 {
		launch = b.busy.And(b.time.Is(s.Phase - 1))
	}
	if learning {
		launch = launch.AndNot(b.acting)
	}
	return t.walk(b.m, b.Beat, s, b.begin, launch, b.acting)
}

// batch stores a sample of a step, in words of those side by side; a is the action
// taken, whose memory it gives.
func batch[A any](b *core, push hw.Bit, number hw.UInt, state, next word, a A, o Outcome) *hw.Memory[hw.Vec[A]] {
	m, depth, n := b.m, b.beats(), b.dp
	b.states = hw.Mem(m, "states", depth, hw.VecOf(n, hw.Like(state)))
	b.nexts = hw.Mem(m, "nexts", depth, hw.VecOf(n, hw.Like(next)))
	actions := hw.Mem(m, "actions", depth, hw.VecOf(n, hw.Like(a)))
	b.outcomes = hw.Mem(m, "outcomes", depth, hw.VecOf(n, hw.Like(o)))
	at, lane := divide(number, n, b.Batch)
	m.When(push.AndNot(b.busy.Or(b.begin)), func() {
		store(b.states, at, lane, n, state)
		store(b.nexts, at, lane, n, next)
		store(actions, at, lane, n, a)
		store(b.outcomes, at, lane, n, o)
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

// observations is what the forward passes of states and next states take at stage 1;
// acting, the observation stands for the state.
func (b *core) observations(w walk, acting word) (now, next lanes) {
	sample := w.sample.At(0)
	now = hw.Mux(b.acting, repeat(acting, b.dp), b.states.SyncRead("forward", sample, hw.Undefined))
	next = b.nexts.SyncRead("forward", sample, hw.Undefined)
	return w.observed(now), w.observed(next)
}

// repeat is n times x.
func repeat(x word, n int) (xs lanes) {
	for range n {
		xs = append(xs, x)
	}
	return xs
}

// hostRead gives the host words of some networks, two cycles after it has asked.
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
