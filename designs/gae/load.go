package gae

import (
	"etch/designs/gae/model"
	"etch/hw"
	"etch/hw/fixed"
	"etch/hw/pipe"
)

// Load turns a sample of the host into the word that a row stores, LoadLatency cycles later:
// standardised and quantised, or as data.
type Load struct{ model.System }

// Sample is a step as the host sends it: S15.16.
type Sample struct {
	Reward, Value, Boot hw.SInt
	Term, Cut           hw.Bit
}

// SampleOf is the shape of a sample.
func SampleOf() Sample {
	x := hw.Signed(model.Input.Width)
	return Sample{Reward: x, Value: x, Boot: x}
}

// Norm standardises a quantity x: (x − Mean) · Mantissa · 2^−Shift, rounded half up, is its code; see
// [model.Norm]. Mean is S15.16, Mantissa has 17 bits, Shift is 1 to 63.
type Norm struct {
	Mean     hw.SInt
	Mantissa hw.UInt
	Shift    hw.UInt
}

// Loading holds the settings that apply while a block is loaded; see [model.Loading].
type Loading struct {
	Reward, Value Norm
	Shift         hw.UInt
}

func normOf() Norm {
	return Norm{Mean: hw.Signed(model.Input.Width), Mantissa: hw.Unsigned(model.MantissaBits), Shift: hw.Unsigned(normShiftBits)}
}

// normShiftBits is the width of [Norm].Shift, 1 to 63.
const normShiftBits = 6

func loadingOf() Loading {
	return Loading{Reward: normOf(), Value: normOf(), Shift: hw.Unsigned(stepBits)}
}

type LoadPorts struct {
	Loading Loading   `dir:"in"`
	In      Sample    `dir:"in"`
	Word    Word      `dir:"out"`
	Boot    fixed.Num `dir:"out"` // In.Boot as data: shifted right by Loading.Shift, saturated
	Clipped LoadClips `dir:"out"`
}

// LoadClips tells which numbers were saturated on loading.
type LoadClips struct{ Reward, Value, Boot hw.Bit }

// LoadLatency is the number of cycles from a sample to its word.
const LoadLatency = 5

func (l Load) Ports() LoadPorts {
	return LoadPorts{
		Loading: loadingOf(),
		In:      SampleOf(),
		Word:    wordOf(l.System),
		Boot:    fixed.Of(l.Format()),
		Clipped: LoadClips{},
	}
}

func (l Load) Build(m *hw.Module, p LoadPorts) {
	reward, rewardOver := l.field(m, "reward", p.Loading, p.Loading.Reward, p.In.Reward, l.Rewards != model.Raw)
	value, valueOver := l.field(m, "value", p.Loading, p.Loading.Value, p.In.Value, l.CodeBits != 0)
	boot, bootOver := l.data(m, "boot", p.Loading, p.In.Boot)
	cut := pipe.Of(m, "cut", 0, p.In.Cut).At(LoadLatency)
	term := pipe.Of(m, "term", 0, p.In.Term).At(LoadLatency)
	hw.Set(p.Word, Word{Cut: cut, Term: term, Value: value, Reward: reward})
	p.Boot.Set(fixed.FromInt(boot).Scale(-l.Format().Frac))
	hw.Set(p.Clipped, LoadClips{rewardOver, valueOver, bootOver.And(cut).AndNot(term)})
}

// data is a number as data, shifted right.
func (l Load) data(m *hw.Module, name string, set Loading, x hw.SInt) (hw.SInt, hw.Bit) {
	in := pipe.Of(m, name, 0, x)
	shifted := pipe.Of(m, name+"_shifted", 1, fixed.FromInt(in.At(1).ShrBy(set.Shift)).Scale(-model.Input.Frac))
	y, over := shifted.At(2).FitOver(fixed.Of(l.Format()), fixed.Floor, fixed.Saturate)
	return pipe.Of(m, name+"_data", 2, y.Raw).At(LoadLatency), pipe.Of(m, name+"_over", 2, over).At(LoadLatency)
}

// field is a number as data, or standardised.
func (l Load) field(m *hw.Module, name string, set Loading, n Norm, x hw.SInt, standard bool) (hw.SInt, hw.Bit) {
	if standard {
		return l.standard(m, name, n, x)
	}
	return l.data(m, name, set, x)
}

// standard is the code of a standardised number.
func (l Load) standard(m *hw.Module, name string, n Norm, x hw.SInt) (hw.SInt, hw.Bit) {
	in := pipe.Of(m, name+"_raw", 0, x)
	off := pipe.Of(m, name+"_off", 1, in.At(1).SubGrow(n.Mean))
	mantissa := n.Mantissa.Extend(model.MantissaBits + 1).AsSigned()
	product := pipe.Of(m, name+"_product", 2, off.At(2).Mul(mantissa))
	twice := fixed.FromInt(product.At(4).ShrBy(n.Shift.Dec())).Scale(-1) // a bit more than the code, to round by
	within := fixed.Of(fixed.Format{Width: l.StandardFrac() + 3})
	code, over := twice.FitOver(within, fixed.HalfUp, fixed.Saturate)
	return hw.Delay(m, name+"_code", code.Raw, 1).Extend(l.FieldBits()), hw.Delay(m, name+"_code_over", over, 1)
}
