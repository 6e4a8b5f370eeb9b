package rl

import (
	"etch/designs/learner/model"
	"etch/designs/replay"
	"etch/hw"
	"etch/hw/fixed"
)

// joins reports whether transitions are joined to returns of several steps.
func (s System[L]) joins() bool { return s.Horizon > 1 }

// InsertCycles is the number of cycles for which an insert keeps the system busy. held is the number
// of transitions, the new one among them, that the insert joins to the return that it stores, and 0
// if it stores none because there are fewer than Horizon. The command end joins those that are held,
// then one fewer, and so on: it takes as long as such inserts one after the other, less a cycle for
// each but the last.
func (s System[L]) InsertCycles(held int) int {
	switch {
	case !s.joins():
		return 1
	case held == 0:
		return 1
	}
	return 3*held + 3
}

// joining is the phase of an insert whose transitions are joined.
type joining string

const (
	counting    joining = "counting" // are there enough?
	loading     joining = "loading"  // a transition, the newest first
	multiplying joining = "multiplying"
	adding      joining = "adding"
	storing     joining = "storing"
)

// kept is a transition that waits for its return; its next observation is the next one's state.
type kept struct {
	State, Action    hw.Vec[hw.UInt]
	Reward, Discount hw.UInt
}

// before gives the reward and the discount of a transition and the return behind it together: first
// the products of its discount with the return, in a register, then the sum.
func (k kept) before(m *hw.Module, reward, discount hw.UInt) (sum, both hw.UInt) {
	later := hw.Delay(m, "later", fixed.FromBits(reward, 0).Mul(fixed.FromBits(k.Discount.Extend(k.Discount.Width()+1), unitFraction)), 1)
	product := hw.Delay(m, "product", k.Discount.Mul(discount), 1)
	total := fixed.FromBits(k.Reward, 0).Add(later).Fit(fixed.Of(fixed.Format{Width: reward.Width()}), fixed.HalfUp, fixed.Saturate)

	// A discount is at most its format's greatest.
	rounded := product.AddGrow(product.Lit(1 << (unitFraction - 1)))
	rounded = rounded.Range(rounded.Width()-1, unitFraction)
	over := rounded.Range(rounded.Width()-1, discount.Width()).Any()
	both = hw.Mux(over, hw.Ones(discount.Width()), rounded.Trunc(discount.Width()))
	return total.Raw.AsUnsigned(), both
}

// join keeps the transitions of the last steps, and joins as many as a return has to one:
// from the first one's state to the last one's next observation, with
//
//	R = r₀ + d₀·(r₁ + d₁·(r₂ + …)) and the discount d₀·d₁·d₂·…
//
// worked out from the newest on: three cycles for each, rounded half up each time. A return
// beyond the format of rewards becomes its bound. At the end of an episode shorter ones are
// stored, until none is left.
func (b *body[L]) join(insert, waits hw.Bit, new Transition) {
	m, n := b.m.Scope("join"), b.Horizon
	shape := kept{new.State, new.Action, new.Reward, new.Discount}
	pending := hw.Mem(m, "pending", n, hw.Like(shape), hw.Style("logic"))
	tail := hw.Reg(m, "tail", hw.AddressOf(n), hw.U(0))
	held := hw.Reg(m, "held", hw.UpTo(n), hw.U(0))
	ends, moves := hw.Reg(m, "ends", hw.Bit{}, hw.Low), hw.Reg(m, "moves", hw.Bit{}, hw.Low)

	// A command adds the new transition, or has all go.
	end, x := b.command("end", waits.Not())
	hw.Unused(m, x)
	around := func(at hw.UInt, last int, next hw.UInt, to int) hw.UInt {
		return hw.Mux(at.Is(last), at.Lit(to), next)
	}
	m.When(insert, func() {
		pending.Write(tail, shape)
		tail.Set(around(tail, n-1, tail.Inc(), 0))
		held.Set(held.Inc())
		waits.Set(hw.High)
		moves.Set(hw.High)
	}).ElseWhen(end, func() {
		waits.Set(hw.High)
		ends.Set(hw.High)
	})

	// One transition at a time: the oldest comes last, and stays for its state and action.
	phase := hw.Reg(m, "phase", hw.EnumOf(counting, loading, multiplying, adding, storing), hw.Val(counting))
	at, left := hw.Reg(m, "at", hw.AddressOf(n)), hw.Reg(m, "left", hw.UpTo(n))
	one := hw.Reg(m, "one", hw.Like(shape))
	newest := hw.Reg(m, "newest", hw.Bit{})
	reward, discount := hw.Reg(m, "reward", hw.Like(new.Reward)), hw.Reg(m, "discount", hw.Like(new.Discount))

	sum, both := one.before(m, reward, discount)
	b.buffer.Insert.Send(phase.Is(storing), replay.Insertion[Transition]{
		Transition: Transition{one.State, new.Next, one.Action, reward, discount},
		AtMax:      hw.High, Value: hw.Zero(b.buffer.Insert.Data.Value),
	})
	for p := range phase.Cases() {
		switch p {
		case counting:
			// Enough for a return, or the rest of an episode; else the insert is over, and
			// the next observation is the present one, which acting still reads.
			enough := held.Is(n).Or(ends.And(held.Any()))
			m.When(waits.And(enough), func() {
				at.Set(around(tail, 0, tail.Dec(), n-1))
				left.Set(held)
				newest.Set(hw.High)
				phase.Goto(loading)
			}).ElseWhen(waits.AndNot(b.acting), func() {
				waits.Set(hw.Low)
				ends.Set(hw.Low)
				moves.Set(hw.Low)
				m.When(moves, func() { hw.Set(new.State, new.Next) })
			})
		case loading:
			hw.Set(one, pending.Read(at))
			phase.Goto(multiplying)
		case multiplying:
			phase.Goto(adding)
		case adding:
			reward.Set(hw.Mux(newest, one.Reward, sum))
			discount.Set(hw.Mux(newest, one.Discount, both))
			newest.Set(hw.Low)
			at.Set(around(at, 0, at.Dec(), n-1))
			left.Set(left.Dec())
			phase.Goto(loading)
			phase.GotoIf(left.Is(1), storing)
		case storing:
			m.When(b.buffer.Insert.Fire(), func() {
				held.Set(held.Dec())
				phase.Goto(counting)
			})
		}
	}
	m.When(b.clear, func() { held.Set(held.Lit(0)) })
}

// unitFraction is the number of fraction bits of a discount.
const unitFraction = model.Unit
