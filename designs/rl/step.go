package rl

import (
	"math/bits"

	"etch/designs/replay"
	replaymodel "etch/designs/replay/model"
	"etch/hw"
	"etch/hw/arith"
	"etch/hw/stream"
)

// phase is the phase of a gradient step.
type phase string

const (
	resting  phase = "resting"
	asking   phase = "asking"   // for a batch
	drawing  phase = "drawing"  // samples come
	starting phase = "starting" // the learner
	learning phase = "learning" // errors come, and go on as priorities
	updating phase = "updating" // the last ones do
)

// Single phases, for [hw.Enum.Is].
var drawingPhases = []phase{asking, drawing, starting}

// stepping is the state of steps that other parts of the system read.
type stepping struct {
	on                          hw.Bit // a step is under way
	left                        hw.Bit // there are more, or this one
	done                        hw.Bit // a step ends
	drawing, learning, updating hw.Bit
	empty                       hw.Bit // a register: a draw found nothing
}

// steps runs as many gradient steps as the host asks for.
func (b *body[L]) steps(inserting hw.Bit) stepping {
	m, u, batch := b.m, b.unit, b.buffer.Batch
	state := hw.Reg(m, "phase", hw.EnumOf(resting, asking, drawing, starting, learning, updating), hw.Val(resting))
	left := hw.Reg(m, "steps_left", hw.Unsigned(16), hw.U(0))
	s := stepping{
		on: hw.AnyOf(left.Any(), state.IsNot(resting)), left: left.Any(), empty: hw.Reg(m, "empty", hw.Bit{}, hw.Low),
		drawing: state.Is(drawingPhases...), learning: state.Is(learning), updating: state.Is(updating),
	}

	// What the host asks for.
	step, many := b.command("step", hw.AnyOf(s.on, b.acting).Not())
	synchronise := hw.Reg(m, "synchronise", hw.Bit{}, hw.Low)
	ordered, x := b.regs.Command("synchronise")
	hw.Unused(m, x)

	// fetched: nothing of the next step's batch is to come.
	prefetch, next := b.Learner.prefetches(), b.following()
	fetched := next.fetching.Not()

	// The samples of the batch, by their number.
	number := hw.Reg(m, "number", hw.Unsigned(b.indexBits()), hw.U(0))
	drawn := batch.Fire()
	batch.Ready.Set(state.Is(drawing).Or(next.fetching))
	u.Push.Set(drawn)
	u.At.Set(arith.Resize(number, u.At.Width()))
	hw.Set(u.Stored, batch.Data.Transition)
	u.Weight.Set(batch.Data.Weight)
	u.Start.Set(state.Is(starting))
	u.Synchronise.Set(synchronise)
	b.ask(state.Is(asking).Or(b.askAhead(prefetch, state.Is(starting))))

	// Errors become priorities while the learner runs and behind it; quiet: draws see them.
	sent := b.errors(drawn, number, next.bank, hw.AnyOf(s.learning, s.updating).And(fetched), state.Is(starting))
	quiet := b.quiet().AndNot(inserting)
	s.done = s.updating.And(sent, quiet).Named("step_done")

	m.When(drawn, func() { number.Set(hw.Mux(batch.Data.Last, number.Lit(0), number.Inc())) })
	nothing := drawn.And(batch.Data.Empty, state.Is(drawing))
	m.When(step, func() { left.Set(arith.Resize(many, 16)) }).
		ElseWhen(nothing, func() { left.Set(left.Lit(0)) }).
		ElseWhen(s.done, func() { left.Set(left.Dec()) })
	m.When(nothing, func() { s.empty.Set(hw.High) })
	m.When(ordered, func() { synchronise.Set(hw.High) }).
		ElseWhen(state.Is(starting), func() { synchronise.Set(hw.Low) })

	if prefetch {
		b.fetch(next, drawn.And(batch.Data.Last), state.Is(starting))
	}

	// The phases, one after the other.
	for phase := range state.Cases() {
		switch phase {
		case resting:
			state.GotoIf(left.Any().And(quiet), asking)
			if prefetch {
				state.GotoIf(left.Any().And(quiet, next.ahead), starting)
			}
		case asking:
			state.GotoIf(b.buffer.Request.Ready, drawing)
		case drawing:
			// Of an empty memory all draws are empty, the last one too.
			state.GotoIf(drawn.And(batch.Data.Last), starting)
			state.GotoIf(drawn.And(batch.Data.Last, batch.Data.Empty), resting)
		case starting:
			state.Goto(learning)
		case learning:
			state.GotoIf(u.Busy.Not(), updating)
		case updating:
			state.GotoIf(s.done, asking)
			if prefetch {
				state.GotoIf(s.done.And(next.ahead), starting)
			}
			state.GotoIf(s.done.And(left.Is(1)), resting)
		}
	}
	if !prefetch {
		m.Assert(u.Push.Implies(u.Busy.Not()), "a sample comes while the learner runs")
	}
	m.Assert(hw.AnyOf(state.Is(drawing), next.fetching, number.Any().Not()), "sample %d is left over", number)
	return s
}

// following is the state of the next step's batch. With prefetch, each step has it drawn as it
// starts; without, it is constant.
type following struct {
	fetching hw.Bit  // draws are to come
	ahead    hw.Bit  // it is complete, and waits for its step
	bank     hw.UInt // the half of the memory of places that it goes to
}

func (b *body[L]) following() following {
	f := following{hw.Low, hw.Low, hw.Zeros(1)}
	if b.Learner.prefetches() {
		f.fetching, f.ahead = hw.Reg(b.m, "fetching", hw.Bit{}, hw.Low), hw.Reg(b.m, "ahead", hw.Bit{}, hw.Low)
		f.bank = hw.Reg(b.m, "bank", hw.Unsigned(1), hw.U(0))
	}
	return f
}

// fetch follows the draws of the next step's batch, from the start of a step to its last draw. A
// batch that is complete is ahead, unless the memory was empty or is cleared.
func (b *body[L]) fetch(f following, complete, starts hw.Bit) {
	b.m.When(starts, func() {
		f.bank.Set(f.bank.Not())
		f.fetching.Set(hw.High)
		f.ahead.Set(hw.Low)
	}).ElseWhen(f.fetching.And(complete), func() {
		f.fetching.Set(hw.Low)
		f.ahead.Set(b.buffer.Batch.Data.Empty.Not())
	})
	b.m.When(b.clear, func() { f.ahead.Set(hw.Low) })
}

// askAhead asks for the next step's batch, from the cycle after a step starts until the
// request is taken. No draw of it sees new priorities of the batch under way: these wait
// until it is complete.
func (b *body[L]) askAhead(prefetch bool, starts hw.Bit) (now hw.Bit) {
	if !prefetch {
		return hw.Low
	}
	asks := hw.Reg(b.m, "asks_ahead", hw.Bit{}, hw.Low)
	b.m.When(starts, func() { asks.Set(hw.High) }).
		ElseWhen(b.buffer.Request.Fire(), func() { asks.Set(hw.Low) })
	return asks
}

// quiet reports whether all inserts and updates have reached the tree, so that draws see
// them. A write through the memory's exponents takes replay.WriteLatency cycles.
func (b *body[L]) quiet() hw.Bit {
	m := b.m
	under := hw.Reg(m, "writes_under_way", hw.UpTo(replay.WriteLatency), hw.U(0))
	m.When(hw.AnyOf(b.buffer.Insert.Fire(), b.buffer.Update.Fire()), func() { under.Set(under.Lit(replay.WriteLatency)) }).
		ElseWhen(under.Any(), func() { under.Set(under.Dec()) })
	return under.Any().Not()
}

// errors sends the TD errors of a step to the memory, one a cycle, each with the place of
// its transition, in the order of the draws. sent is high when all have gone. begin comes
// before the first error. With prefetch, places of the next batch go to the half of their
// memory that bank names, while places of this batch are read from the other half.
func (b *body[L]) errors(drawn hw.Bit, number, bank hw.UInt, on, begin hw.Bit) (sent hw.Bit) {
	m, n, dp := b.m, b.Learner.batch(), b.Learner.lanes()

	// Places of the samples, as they are drawn.
	type place struct{ Index, Generation hw.UInt }
	data := b.buffer.Batch.Data
	halves, half := b.halves()
	places := hw.Mem(m, "places", halves*n, place{hw.Like(data.Index), hw.Like(data.Generation)})
	m.When(drawn, func() { places.Write(half(bank, number), place{data.Index, data.Generation}) })

	// Errors come side by side, as |δ| of 32 bits.
	losses := b.unit.Losses
	sizes := hw.Mem(m, "errors", n/dp, hw.VecOf(dp, hw.Unsigned(errorBits)))
	come := hw.Delay(m, "errors_come", losses.Valid, 1, hw.Low)
	var lanes hw.Vec[hw.UInt]
	for i, l := range losses.Lanes {
		lanes = append(lanes, hw.Delay(m, hw.Name("error", i), b.size(l.Delta.Raw), 1))
		hw.Unused(m, l.Q)
		hw.Unused(m, l.Target)
	}
	heard := hw.Reg(m, "errors_heard", hw.UpTo(n/dp), hw.U(0))
	m.When(begin, func() { heard.Set(heard.Lit(0)) }).
		ElseWhen(come, func() {
			sizes.Write(arith.Resize(heard, hw.AddressOf(n/dp).Width()), lanes)
			heard.Set(heard.Inc())
		})
	hw.Unused(m, losses.Sample) // they come in order

	// The reading is a cycle ahead of the word offered, and never of a word that is not
	// yet written.
	update := stream.Stream[replay.Change]{Ready: hw.Wire(m, "update_ready", hw.Bit{}), Valid: hw.Wire(m, "update_valid", hw.Bit{}), Data: hw.Wire(m, "update", hw.Like(b.buffer.Update.Data))}
	next := hw.Reg(m, "updates_sent", hw.UpTo(n), hw.U(0))
	offered := hw.Reg(m, "update_offered", hw.Bit{}, hw.Low)
	after := hw.Mux(update.Fire(), next.Inc(), next)
	log := bits.Len(uint(dp - 1))
	there := after.Range(after.Width()-1, log)
	ready := on.And(arith.Resize(there, heard.Width()).Lt(heard))
	next.Set(hw.Mux(begin, next.Lit(0), after))
	offered.Set(ready)

	place1, size1 := places.ReadPort(m, "update", hw.Undefined), sizes.ReadPort(m, "update", hw.Undefined)
	m.When(ready, func() {
		place1.Read(half(bank.Not(), arith.Resize(after, hw.AddressOf(n).Width())))
		size1.Read(arith.Resize(there, hw.AddressOf(n/dp).Width()))
	})
	// One lane of the word with the place makes an update.
	size := size1.Data[0]
	if dp > 1 {
		size = size1.Data.At(next.Trunc(log))
	}
	update.Valid.Set(offered)
	hw.Set(update.Data, replay.Change{Index: place1.Data.Index, Generation: place1.Data.Generation, Value: replay.Value{Code: size, Raw: hw.Low}})

	// A register keeps the memory's answer apart from the reading.
	hw.Set(b.buffer.Update, stream.Pipe(m, "updates", update, stream.Backward))
	return next.Is(n).AndNot(b.buffer.Update.Valid)
}

// halves is the number of halves of the memory of places, and the address of a place in the half
// that bank names. Without prefetch there is one, without a name.
func (b *body[L]) halves() (number int, half func(bank, at hw.UInt) hw.UInt) {
	if !b.Learner.prefetches() {
		return 1, func(_, at hw.UInt) hw.UInt { return at }
	}
	return 2, func(bank, at hw.UInt) hw.UInt {
		if b.Learner.batch() == 1 {
			return bank
		}
		return hw.Cat(bank, at)
	}
}

// errorBits is the width of |δ| as the memory takes it.
const errorBits = 32

// size is |δ| with the fraction bits that the memory takes, saturated.
func (b *body[L]) size(delta hw.SInt) hw.UInt {
	x := hw.Mux(delta.IsNeg(), delta.Minus(), delta).AsUnsigned()
	x = x.Range(x.Width()-1, b.Learner.errorFraction()-replaymodel.ErrorFraction)
	if x.Width() <= errorBits {
		return arith.Resize(x, errorBits)
	}
	return hw.Mux(x.Range(x.Width()-1, errorBits).Any(), hw.Ones(errorBits), x.Trunc(errorBits))
}

// StepCycles is the number of cycles of each phase of a gradient step that starts with no write under
// way. With prefetch it holds for a step whose batch was drawn during the one before; the first step
// after a reset or a clear takes DrawCycles more.
func (s System[L]) StepCycles() (draw, learn, update int) {
	x := s.Learner.timing()
	draw = s.DrawCycles() + 1
	if s.Learner.prefetches() {
		draw = 1
	}

	// New priorities leave one a cycle, each behind its error; with prefetch, behind the next
	// batch, too. The last one is on its way to the tree for some cycles. All this is mostly
	// over before the learner is.
	last := -1
	if s.Learner.prefetches() {
		last = s.DrawCycles()
	}
	for k := range s.Learner.batch() {
		last = max(last+1, x.Loss+k/s.Learner.lanes()*x.Beat+errorSent)
	}
	return draw, x.Cycles + 1, max(1, last+replay.WriteLatency+1-x.Cycles)
}

// DrawCycles is the number of cycles in which a batch is drawn: the memory's pipeline takes
// a draw a cycle, then weights take one a cycle.
func (s System[L]) DrawCycles() int { return s.buffer().BatchCycles(s.Learner.batch()) + 1 }

// errorSent is the number of cycles from an error to its change of a priority.
const errorSent = 3

// Measures are the numbers for etch explore.
func (s System[L]) Measures() (map[string]float64, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	draw, learn, update := s.StepCycles()
	return map[string]float64{"cycles": float64(draw + learn + update), "multipliers": float64(s.Multipliers())}, nil
}

// Multipliers is the number of products in a cycle: of the learner and of a draw's
// target. The five products of exponents are not counted.
func (s System[L]) Multipliers() int { return s.Learner.Multipliers() + s.tree().Multipliers() }
