package gae

import (
	"etch/designs/gae/model"
	"etch/hw"
	"etch/hw/fixed"
	"etch/hw/pipe"
)

// Row is a processing element with its memory. Steps are pushed forward in time;
// a drain pops them backward, and puts the results where the steps were. Each of
// its stacks (one, or one for each trajectory of the c-slow form) begins at
// address 0 of its part of the memory.
type Row struct{ model.System }

type RowPorts struct {
	Settings Settings        `dir:"in"`
	Push     Push            `dir:"in"`
	Start    hw.Bit          `dir:"in"`  // drain the steps that have been pushed; nothing is being drained
	Draining hw.Bit          `dir:"out"` // steps are still to be popped; results follow for RowLatency cycles
	Fetch    hw.UInt         `dir:"in"`
	Result   Stored          `dir:"out"` // of the address in Fetch, one cycle later, unless it drains in the same memory
	Level    hw.Vec[hw.UInt] `dir:"out"` // steps pushed, per stack
	Clipped  Clips           `dir:"out"` // of the result that is being stored
	Overflow hw.Bit          `dir:"out"` // a bootstrap value was pushed onto a full stack: it is lost
}

// Push is a step on its way to a row.
type Push struct {
	Valid hw.Bit
	Stack hw.UInt // of the row
	Word  Word
	Boot  fixed.Num // kept where Cut is high and Term is low
}

// Word is a stored step: codes, or data where it is unquantised.
type Word struct {
	Cut, Term     hw.Bit
	Value, Reward hw.SInt
}

// Stored is a stored result.
type Stored struct{ Advantage, Return hw.SInt }

// Settings are values that the host sets between drains; see [model.Settings].
type Settings struct {
	ValueScale, ValueOffset   fixed.Num
	RewardScale, RewardOffset fixed.Num
	Shift                     hw.UInt
	Advantage, Return         Unit
}

// Unit is the unit in which results are stored: 2^Step, and half of it.
type Unit struct {
	Step hw.UInt
	Half hw.SInt
}

// Clips tells which numbers were saturated; see [model.Clips].
type Clips struct{ Value, Delta, Advantage, Return, StoredAdvantage, StoredReturn hw.Bit }

// stepBits is the width of the shifts in the settings.
const stepBits = 4

func settingsOf(f fixed.Format) Settings {
	q := fixed.Of(f)
	unit := Unit{hw.Unsigned(stepBits), hw.Signed(1<<stepBits + 1)}
	return Settings{q, q, q, q, hw.Unsigned(stepBits), unit, unit}
}

// unitOf is the unit of 2^step.
func unitOf(step hw.UInt) Unit {
	one := hw.U(1).Extend(1<<stepBits + 1)
	return Unit{step, one.ShlBy(step).Shr(1).AsSigned()}
}

func pushOf(s model.System) Push {
	return Push{Stack: hw.AddressOf(s.Stacks()), Word: wordOf(s), Boot: fixed.Of(s.Format())}
}

func wordOf(s model.System) Word {
	field := hw.Signed(s.FieldBits())
	return Word{Value: field, Reward: field}
}

func storedOf(s model.System) Stored {
	return Stored{hw.Signed(s.ResultBits()), hw.Signed(s.ResultBits())}
}

func (r Row) Ports() RowPorts {
	return RowPorts{
		Settings: settingsOf(r.Format()),
		Push:     pushOf(r.System),
		Fetch:    hw.AddressOf(r.Depth),
		Result:   storedOf(r.System),
		Level:    hw.VecOf(r.Stacks(), hw.UpTo(r.perStack())),
		Clipped:  Clips{},
	}
}

// perStack is how many steps a stack holds.
func (r Row) perStack() int { return r.Depth / r.Stacks() }

// The stages of a row: an address goes out at stage 0, a word is there at stage 1,
// the element has it at stage elementStage.
const (
	wordStage    = 1
	elementStage = 4
)

// storeStage is the stage at which a result is written.
func (r Row) storeStage() int { return elementStage + Element{r.Element}.Latency() + r.roundCycles() }

// roundCycles is the number of cycles that a result takes from the element to the form in
// which it is stored: with Split, a register between rounding and saturation, which keeps
// the row as fast as its element.
func (r Row) roundCycles() int {
	if r.Split {
		return 2
	}
	return 1
}

// RowLatency is the number of cycles from the last pop until its result is in
// memory.
func (r Row) RowLatency() int { return r.storeStage() + 1 }

func (r Row) Build(m *hw.Module, p RowPorts) {
	hw.Unused(m, p.Settings.RewardScale, p.Settings.RewardOffset) // loading applies them
	hw.Unused(m, p.Settings.Shift)                                // only standardised rewards in code bits shift

	pop := r.pops(m, p)
	banks := r.memories(m)
	side := r.side(m, p.Start)

	// The word from the memory that is drained, and its way through the restoring stages
	// and the element.
	at := pipe.Of(m, "at", 0, pop.At)
	valid := pipe.Of(m, "pop", 0, pop.Valid, hw.Low)
	read := side.drained(func(bank int) hw.UInt { return banks[bank].read.Data })
	word := hw.Unpack(wordOf(r.System), read.Trunc(hw.WidthOf(wordOf(r.System))))
	boot, overflow := r.boots(m, p, side, pop.Stack, valid.At(wordStage), word)
	step, clipped := r.step(m, p.Settings, word, boot)
	element := hw.Inst(m, "element", Element{r.Element}, ElementPorts{
		En: hw.High, Valid: valid.At(elementStage), In: step,
	})
	hw.Unused(m, element.OutValid) // the pipe counts the stages
	store := r.storeStage()
	result, over := r.round(m, p.Settings, element.Out)

	// Every memory has one address to read and one to write: the drained one reads for the element
	// and stores results, the other answers fetches and takes pushes.
	for i, bank := range banks {
		drained := side.isDrained(i)
		bank.read.Read(hw.Mux(drained.And(p.Draining), pop.At, p.Fetch))
		write := bank.write
		m.When(drained.And(valid.At(store)), func() {
			write.Write(at.At(store), r.padded(hw.Pack(result)))
		}).ElseWhen(side.isFilled(i).And(p.Push.Valid), func() {
			write.Write(r.address(p.Push.Stack, p.Level.At(p.Push.Stack)), r.padded(hw.Pack(p.Push.Word)))
		})
	}

	fetched := side.drained(func(bank int) hw.UInt { return banks[bank].read.Data })
	hw.Set(p.Result, hw.Unpack(storedOf(r.System), fetched.Trunc(2*r.ResultBits())))

	// Flags of the result, aligned with the cycle in which it is stored.
	there := valid.At(store)
	out := element.Out.Clipped
	late := func(name string, x hw.Bit) hw.Bit { return hw.Delay(m, name, x, r.roundCycles()).And(there) }
	p.Clipped.Value.Set(clipped.At(store).And(there))
	p.Clipped.Delta.Set(late("delta_clipped", out.Delta))
	p.Clipped.Advantage.Set(late("advantage_clipped", out.Advantage))
	p.Clipped.Return.Set(late("return_clipped", out.Return))
	p.Clipped.StoredAdvantage.Set(over.Advantage.And(there))
	p.Clipped.StoredReturn.Set(over.Return.And(there))
	p.Overflow.Set(overflow)

	m.Assert(element.OutValid.Eq(valid.At(elementStage+Element{r.Element}.Latency())), "the element and the row disagree about a step")
	m.Assert(hw.Past(m, p.Draining.Not()).And(p.Draining).Implies(hw.Past(m, p.Start)), "a drain that nobody started")
}
