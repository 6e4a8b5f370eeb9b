package gae

import (
	"math/bits"

	"etch/designs/gae/model"
	"etch/hw"
	"etch/hw/fixed"
	"etch/hw/pipe"
)

// pop is a step that is read in this cycle.
type pop struct {
	Valid hw.Bit
	At    hw.UInt // its address
	Stack hw.UInt
}

// pops counts the steps of each stack, up as they are pushed and down in a drain,
// which takes them from the stacks in turn.
func (r Row) pops(m *hw.Module, p RowPorts) pop {
	count := hw.UpTo(r.perStack())

	// With several stacks the element serves them in turn, whether or not each has a step left:
	// that is the c-slow order.
	turn := hw.Reg(m, "turn", hw.AddressOf(r.Stacks()), hw.U(0))
	if r.Stacks() > 1 {
		turn.Set(turn.Inc())
	} else {
		turn.Set(hw.U(0))
	}

	// Level counts pushes for the coming drain, left the steps of the running one.
	left := make(hw.Vec[hw.UInt], r.Stacks())
	var some []hw.Bit
	for i := range left {
		level := hw.Reg(m, hw.Name("level", i), count, hw.U(0))
		left[i] = hw.Reg(m, hw.Name("left", i), count, hw.U(0))
		m.When(p.Start, func() {
			left[i].Set(level)
			level.Set(hw.U(0))
		}).Else(func() {
			left[i].SetIf(left[i].Any().And(turn.Is(i)), left[i].Dec())
			level.SetIf(p.Push.Valid.And(p.Push.Stack.Is(i)), level.Inc())
		})
		some = append(some, left[i].Any())
		p.Level[i].Set(level)
	}

	p.Draining.Set(hw.AnyOf(some...))
	now := left.At(turn)
	return pop{now.Any(), r.address(turn, now.Dec()), turn}
}

// address has the stack above the step, in as many bits as a stack's last step needs.
func (r Row) address(stack, step hw.UInt) hw.UInt {
	low := step.Trunc(bits.Len(uint(r.perStack() - 1)))
	if r.Stacks() == 1 {
		return low
	}
	return hw.Cat(stack, low)
}

// bank is one of a row's memories, with an address to read and one to write.
type bank struct {
	read  *hw.ReadPort[hw.UInt]
	write *hw.WritePort[hw.UInt]
}

func (r Row) memories(m *hw.Module) []bank {
	names := []string{"steps"}
	if r.PingPong {
		names = []string{"ping", "pong"}
	}
	var all []bank
	for _, name := range names {
		mem := hw.Mem(m, name, r.Depth, hw.Unsigned(r.WordBits()), hw.Style("block"))
		all = append(all, bank{mem.ReadPort(m, "read", hw.Undefined), mem.WritePort(m, "write")})
	}
	return all
}

// padded is x at the width of a word of memory.
func (r Row) padded(x hw.UInt) hw.UInt { return x.Extend(r.WordBits()) }

// side tells which of two memories is filled and which is drained; they are the
// same where there is only one.
type side struct {
	two    bool
	second hw.Bit // the second one is filled
}

func (r Row) side(m *hw.Module, start hw.Bit) side {
	if !r.PingPong {
		return side{}
	}
	second := hw.Reg(m, "second", hw.Bit{}, hw.Low)
	second.SetIf(start, second.Not())
	return side{true, second}
}

// isFilled reports whether memory i takes the pushed words.
func (s side) isFilled(i int) hw.Bit {
	switch {
	case !s.two:
		return hw.High
	case i == 1:
		return s.second
	}
	return s.second.Not()
}

// isDrained reports whether memory i is being drained, or was drained last.
func (s side) isDrained(i int) hw.Bit {
	if !s.two {
		return hw.High
	}
	return s.isFilled(1 - i)
}

// drained applies a function to the memory that is being drained.
func (s side) drained(of func(bank int) hw.UInt) hw.UInt {
	if !s.two {
		return of(0)
	}
	return hw.Mux(s.second, of(0), of(1))
}

// boots keeps the bootstrap values of a row's stacks, each a stack itself, and gives the
// bootstrap value of the popped word.
func (r Row) boots(m *hw.Module, p RowPorts, s side, stack hw.UInt, valid hw.Bit, word Word) (x pipe.Value[fixed.Num], overflow hw.Bit) {
	each := r.Stack / r.Stacks()
	banks := 1
	if r.PingPong {
		banks = 2
	}

	// One memory for all: its address is the bank, the stack, and the place in the stack.
	values := hw.Mem(m, "boots", r.Stack*banks, fixed.Of(r.Format()), hw.Style("logic"))
	address := func(second hw.Bit, stack, n hw.UInt) hw.UInt {
		a := n.Trunc(bits.Len(uint(each - 1)))
		if r.Stacks() > 1 {
			a = hw.Cat(stack, a)
		}
		if r.PingPong {
			a = hw.Cat(second, a)
		}
		return a
	}

	// Only a cut that is no end has a bootstrap value: it pushes one on loading and pops it on
	// draining.
	stack = hw.Delay(m, "word_stack", stack, 1)
	pops := valid.And(word.Cut).AndNot(word.Term)
	pushes := p.Push.Valid.And(p.Push.Word.Cut).AndNot(p.Push.Word.Term)

	kept, rest := make(hw.Vec[hw.UInt], r.Stacks()), make(hw.Vec[hw.UInt], r.Stacks())
	for i := range kept {
		kept[i] = hw.Reg(m, hw.Name("kept", i), hw.UpTo(each), hw.U(0))
		rest[i] = hw.Reg(m, hw.Name("rest", i), hw.UpTo(each), hw.U(0))
		m.When(p.Start, func() {
			rest[i].Set(kept[i])
			kept[i].Set(hw.U(0))
		}).Else(func() {
			rest[i].SetIf(pops.And(stack.Is(i)), rest[i].Dec())
			kept[i].SetIf(pushes.And(p.Push.Stack.Is(i)).AndNot(kept[i].Is(each)), kept[i].Inc())
		})
	}

	// A value that finds its stack full is dropped and reported as overflow.
	full := kept.At(p.Push.Stack).Is(each)
	m.When(pushes.AndNot(full), func() {
		values.Write(address(s.second, p.Push.Stack, kept.At(p.Push.Stack)), p.Push.Boot)
	})

	var other hw.Bit
	if r.PingPong {
		other = s.second.Not()
	}
	top := values.Read(address(other, stack, rest.At(stack).Dec()))
	return pipe.Of(m, "boot", wordStage, top), pushes.And(full)
}

// step turns a word into the element's input, at elementStage.
func (r Row) step(m *hw.Module, set Settings, word Word, boot pipe.Value[fixed.Num]) (Step, pipe.Value[hw.Bit]) {
	reward, rewardOver := r.field(m, "reward", set.RewardScale, set.RewardOffset, word.Reward, !r.RestoreRewards, set.Shift)
	value, valueOver := r.field(m, "value", set.ValueScale, set.ValueOffset, word.Value, false, set.Shift)
	return Step{
		Reward: reward, Value: value, Boot: boot.At(elementStage),
		Term: pipe.Of(m, "term", wordStage, word.Term).At(elementStage),
		Cut:  pipe.Of(m, "cut", wordStage, word.Cut).At(elementStage),
	}, pipe.Of(m, "value_clipped", elementStage, rewardOver.Or(valueOver))
}

// field is a reward or value at elementStage: as it is stored, scaled by a power
// of two, or scaled and offset.
func (r Row) field(m *hw.Module, name string, scale, offset fixed.Num, stored hw.SInt, standard bool, shift hw.UInt) (x fixed.Num, over hw.Bit) {
	code := pipe.Of(m, name+"_code", wordStage, stored)
	data := fixed.Of(r.Format())

	// The four ways to store a number: as data, shifted on its way out; as data; as a standardised
	// code; as a code with scale and offset.
	switch {
	case r.CodeBits == 0 && standard && r.Rewards != model.Raw: // values are shifted on loading, standardised rewards are not
		late := fixed.FromInt(code.At(elementStage - 1).ShrBy(shift)).Scale(-data.Frac())
		return hw.Delay(m, name, late, 1), hw.Low
	case r.CodeBits == 0:
		return fixed.FromInt(code.At(elementStage)).Scale(-data.Frac()), hw.Low
	case standard:
		unit := fixed.FromInt(code.At(elementStage-1)).Scale(3-r.CodeBits).Fit(data, fixed.Floor, fixed.Wrap)
		shifted := fixed.FromInt(unit.Raw.ShrBy(shift)).Scale(-data.Frac())
		return hw.Delay(m, name, shifted, 1), hw.Low
	}

	product := pipe.Of(m, name+"_product", wordStage+1, scale.Mul(fixed.FromInt(code.At(wordStage+1))))
	sum, clip := product.At(elementStage-1).Add(offset).FitOver(data, fixed.Floor, fixed.Saturate)
	return hw.Delay(m, name, sum, 1), hw.Delay(m, name+"_clipped", clip, 1)
}

// over tells which of two results did not fit where it is stored.
type over struct{ Advantage, Return hw.Bit }

// round brings a result of the element into the form in which it is stored, roundCycles
// later.
func (r Row) round(m *hw.Module, set Settings, x Result) (Stored, over) {
	store := func(name string, v fixed.Num, u Unit) (hw.SInt, hw.Bit) {
		grown := v.Raw.Extend(max(v.Width(), u.Half.Width()) + 1)
		shifted := grown.Add(u.Half.Extend(grown.Width())).ShrBy(u.Step)
		shifted = hw.Delay(m, "rounded_"+name, shifted, r.roundCycles()-1)
		y, clip := fixed.FromInt(shifted).FitOver(fixed.Of(fixed.Format{Width: r.ResultBits()}), fixed.Floor, fixed.Saturate)
		return hw.Delay(m, "stored_"+name, y.Raw, 1), hw.Delay(m, "stored_"+name+"_clipped", clip, 1)
	}
	a, overA := store("advantage", x.Advantage, set.Advantage)
	b, overB := store("return", x.Return, set.Return)
	return Stored{a, b}, over{overA, overB}
}
