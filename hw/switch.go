package hw

import (
	"iter"

	"etch/ir/bits"
)

// Other is the value in a loop over [UInt.Cases] that stands for all numbers not
// given there.
const Other = -1

// Cases runs the loop body once per given number, and once more with [Other] for
// all numbers of x's width that are not given, if there are any; a Set in the body
// takes effect only while x is that number. With a Go switch it is the switch of
// Verilog and C:
//
//	for op := range p.Op.Cases(opAdd, opSub) {
//		switch op {
//		case opAdd: …
//		case opSub: …
//		default: … // hw.Other
//		}
//	}
//
// A number that does not fit x, or is given twice, is a mistake.
func (x UInt) Cases(values ...int) iter.Seq[int] {
	return func(yield func(int) bool) {
		s, ok := unary("Cases", x.sig, x.Width())
		b := s.b
		if b == nil || b.done {
			return // no module to go on with
		}

		if !ok {
			s = sig{b: b, id: b.filler(x.sig)} // the mistake is reported; the cases may hold more
		}
		values := b.caseNumbers(s, ok, values)

		w := s.Width()

		// From 62 bits on, there are more numbers than can be listed.
		other := w >= 62 || len(values) < 1<<w
		b.cases(s, len(values), other, func(i int) (bits.Value, string) {
			return bits.New(w, uint64(values[i])), itoa(values[i])
		}, func(i int) bool {
			if i == len(values) {
				return yield(Other)
			}
			return yield(values[i])
		})
	}
}

// caseNumbers filters the given numbers to those that can be cases of s and reports the
// others. If known is false, the width of s stands for a mistake and numbers that do not
// fit it are not reported.
func (b *body) caseNumbers(s sig, known bool, given []int) (values []int) {
	seen := map[int]bool{}
	for _, v := range given {
		switch {
		case v < 0 || bitLen(v) > s.Width():
			if known {
				b.d.report(newDiag("range", origin(s), "Cases: case %d of %s, which has %s", v, describe(s), plural(s.Width(), "bit")))
			}
		case seen[v]:
			b.d.report(newDiag("when", nil, "Cases: %d is given twice", v))
		default:
			seen[v] = true
			values = append(values, v)
		}
	}

	if len(given) == 0 {
		b.d.report(newDiag("when", nil, "Cases: no numbers are given; name those that are cases of their own"))
	}
	return values
}
