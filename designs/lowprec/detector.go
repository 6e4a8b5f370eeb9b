package lowprec

import (
	"etch/designs/float"
	"etch/hw"
)

// Detector finds infinities and NaNs among numbers, Lanes of them in a cycle: those with an
// exponent of all ones. NonFinite is high from the cycle after such a number until Clear.
type Detector struct {
	Format float.Format `help:"format of the numbers"`
	Lanes  int          `help:"numbers in a cycle" range:"1..1024"`
}

// DetectorPorts are Lanes numbers a cycle, looked at while Valid is high, and whether one of them
// was not finite.
type DetectorPorts struct {
	En        hw.Bit      `dir:"in"`
	Clear     hw.Bit      `dir:"in"` // forgets all before this cycle
	Valid     hw.Bit      `dir:"in"`
	X         []float.Num `dir:"in"`
	NonFinite hw.Bit      `dir:"out"`
}

func (c Detector) Validate() error { return c.Format.Validate() }

func (c Detector) Ports() DetectorPorts {
	return DetectorPorts{X: hw.VecOf(c.Lanes, float.Of(c.Format))}
}

func (c Detector) Build(m *hw.Module, p DetectorPorts) {
	var bad []hw.Bit
	for _, x := range p.X {
		bad = append(bad, x.IsFinite().Not())
	}

	// Sticky: a number found in the cycle of Clear is not forgotten.
	found := hw.AnyOf(bad...).And(p.Valid)
	seen := hw.Reg(m.Enabled(p.En), "seen", hw.Bit{}, hw.Low)
	seen.Set(seen.AndNot(p.Clear).Or(found))

	p.NonFinite.Set(seen)
	m.Assert(hw.Past(m, p.En.And(found), 1).Implies(seen), "a number that is not finite was not seen")
}

// Finds is the model: whether one of the codes is not finite.
func (c Detector) Finds(codes []uint64) bool {
	for _, x := range codes {
		if c.Format.IsNaN(x) || c.Format.IsInf(x) {
			return true
		}
	}
	return false
}
