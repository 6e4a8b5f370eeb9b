package float_test

import (
	"testing"

	"etch/designs/float"
)

func op(f float.Format, r float.Rounding, stages int) float.Op {
	return float.Op{Format: f, Rounding: r, Flags: true, Stages: stages}
}

// operation is a unit of one to three operands, with its model.
type operation struct {
	name     string
	operands []string
	circuit  func(t *testing.T, o float.Op) *circuit
	model    func(f float.Format, x []uint64, r float.Rounding) result
}

var basic = []operation{
	{"add", []string{"a", "b"}, func(t *testing.T, o float.Op) *circuit {
		return newCircuit(t, build(t, float.Adder{Op: o}), o.Stages, "a", "b")
	}, func(f float.Format, x []uint64, r float.Rounding) result { return pair(f.Add(x[0], x[1], r)) }},
	{"mul", []string{"a", "b"}, func(t *testing.T, o float.Op) *circuit {
		return newCircuit(t, build(t, float.Multiplier{Op: o}), o.Stages, "a", "b")
	}, func(f float.Format, x []uint64, r float.Rounding) result { return pair(f.Mul(x[0], x[1], r)) }},
	{"fma", []string{"a", "b", "c"}, func(t *testing.T, o float.Op) *circuit {
		return newCircuit(t, build(t, float.FMA{Op: o}), o.Stages, "a", "b", "c")
	}, func(f float.Format, x []uint64, r float.Rounding) result { return pair(f.FMA(x[0], x[1], x[2], r)) }},
	{"div", []string{"a", "b"}, func(t *testing.T, o float.Op) *circuit {
		return newCircuit(t, build(t, float.Divider{Op: o}), o.Stages, "a", "b")
	}, func(f float.Format, x []uint64, r float.Rounding) result { return pair(f.Div(x[0], x[1], r)) }},
	{"hypot", []string{"a", "b"}, func(t *testing.T, o float.Op) *circuit {
		return newCircuit(t, build(t, float.Hypot{Op: o}), o.Stages, "a", "b")
	}, func(f float.Format, x []uint64, r float.Rounding) result { return pair(f.Hypot(x[0], x[1], r)) }},
	{"sqrt", []string{"a"}, func(t *testing.T, o float.Op) *circuit {
		return newCircuit(t, build(t, float.Root{Op: o}), o.Stages, "a")
	}, func(f float.Format, x []uint64, r float.Rounding) result { return pair(f.Sqrt(x[0], r)) }},
}

// Every pair of the 8-bit formats, every triple of those of at most six bits for the
// fused multiply-add, in every mode, with all flags.
func TestExhaustive(t *testing.T) {
	for _, o := range basic {
		formats := narrow
		if len(o.operands) == 3 {
			formats = tiny
		}
		for i, f := range formats {
			for j, r := range static {
				if testing.Short() && (i+j)%4 != 0 {
					continue
				}
				t.Run(o.name+"_"+named(f, r), func(t *testing.T) {
					c := o.circuit(t, op(f, r, 0))
					c.check(func(x []uint64) result { return o.model(f, x, r) }, all(f, len(o.operands))...)
				})
			}
		}
	}
}

// Random and directed operands of wider formats, through pipelines too.
func TestSampled(t *testing.T) {
	for _, o := range basic {
		for i, f := range wide {
			for j, r := range static {
				t.Run(o.name+"_"+named(f, r), func(t *testing.T) {
					c := o.circuit(t, op(f, r, (i+j)%7))
					c.check(func(x []uint64) result { return o.model(f, x, r) }, sampled(f, samples(40000))[:len(o.operands)]...)
				})
			}
		}
	}
}
