package dataflow

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"etch/designs/float/function"
	"etch/hw/float"
)

// run computes all nodes of a sample: the codes of a format, with the flags that each
// operation raised.
func (p *Program) run(f float.Format, r float.Rounding, inputs []float64) (codes []uint64, flags []float.Flags) {
	codes, flags = make([]uint64, len(p.nodes)), make([]float.Flags, len(p.nodes))

	// Operands stand before their users, so that one pass does.
	input := 0
	for i, n := range p.nodes {
		switch n.op {
		case "input":
			codes[i], flags[i] = f.FromFloat64(inputs[input], r)
			input++
		case "const":
			codes[i], flags[i] = f.FromFloat64(n.value, float.NearestEven) // as literals of a circuit
		default:
			if elementary(n.op) {
				codes[i], flags[i] = evaluate(function.Function(n.op), f, p.Ulp, codes[n.args[0]])
				continue
			}
			codes[i], flags[i] = operations[n.op].codes(f, of(n, codes), r)
		}
	}
	return codes, flags
}

// exact computes all nodes of a sample in float64.
func (p *Program) exact(inputs []float64) []float64 {
	v := make([]float64, len(p.nodes))
	input := 0
	for i, n := range p.nodes {
		switch n.op {
		case "input":
			v[i] = inputs[input]
			input++
		case "const":
			v[i] = n.value
		default:
			if elementary(n.op) {
				v[i] = function.Function(n.op).At(v[n.args[0]])
				continue
			}
			v[i] = operations[n.op].exact(of(n, v))
		}
	}
	return v
}

// Domain is an error where an operation has no number for some of the samples though its
// operands are numbers: the root of a negative one, a quotient by zero, a result past
// float64's range.
func (p *Program) Domain(samples [][]float64) error {
	bad, where := 0, -1
	var operands []float64
	for _, x := range samples {
		v := p.exact(x)

		// The first such operation of a sample is the cause of its successors.
		for i, n := range p.nodes {
			args := of(n, v)
			if finite(v[i]) || slices.ContainsFunc(args, notFinite) {
				continue
			}
			if bad++; where < 0 {
				where, operands = i, args
			}
			break
		}
	}

	if bad == 0 {
		return nil
	}
	n := p.nodes[where]
	return fmt.Errorf("column %d: %s of %v is no number; %d of %d samples have no result", n.at, n.op, join(operands), bad, len(samples))
}

// join writes numbers between commas, shortly.
func join(list []float64) string {
	var words []string
	for _, x := range list {
		words = append(words, fmt.Sprintf("%.4g", x))
	}
	return strings.Join(words, ", ")
}

// Codes are the results of a sample's codes in a format.
func (p *Program) Codes(f float.Format, r float.Rounding, inputs []float64) uint64 {
	codes, _ := p.run(f, r, inputs)
	return codes[p.result]
}

// Errors are the errors of one value against float64, over all samples.
type Errors struct {
	Name      string  `json:"name"` // "" for a result without one
	SNR       float64 `json:"snr_db"`
	MaxUlp    float64 `json:"max_ulp"`   // of the format, at the value in float64
	Overflows int     `json:"overflows"` // samples in which the operation overflowed or an infinity or NaN came where float64 has a number
	Tiny      int     `json:"tiny"`      // samples with a subnormal value, or a zero where float64 has none
	Cancelled int     `json:"cancelled"` // samples in which a sum or difference lost half of the format's bits or more
}

// Report is how a format does on samples.
type Report struct {
	Result    Errors   `json:"result"`
	Values    []Errors `json:"values,omitempty"` // of the names, in their order
	Overflows int      `json:"overflows"`        // samples in which anything overflowed, inputs and constants too
	Invalid   int      `json:"invalid"`          // samples in which an operation had no result, or divided by zero
	Samples   int      `json:"samples"`          // that float64 has a number for
}

// tally collects the errors of a node.
type tally struct {
	signal, noise float64
	Errors
}

// Compare computes samples in a format and in float64, of inputs as they are: what a format
// makes of an input is part of its error. Samples whose result float64 has no number
// for are left out.
func (p *Program) Compare(f float.Format, r float.Rounding, samples [][]float64) (rep Report) {
	watched := append(p.named(), p.result)
	tallies := make([]tally, len(watched))
	for _, x := range samples {

		// The yardstick comes first: without a number there is nothing to compare with.
		want := p.exact(x)
		if v := want[p.result]; math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		rep.Samples++

		// Flags count wherever they were raised: an overflow inside may leave a result that looks
		// right.
		codes, flags := p.run(f, r, x)
		all := p.raised(flags)
		if all&float.Overflow != 0 {
			rep.Overflows++
		}
		if all&(float.Invalid|float.DivideByZero) != 0 {
			rep.Invalid++
		}

		for k, i := range watched {
			tallies[k].count(p, f, i, want, codes, flags[i])
		}
	}

	// The result is the last of them; it may be a named value too.
	for k, i := range watched {
		e := tallies[k].total()
		e.Name = p.nodes[i].name
		if k == len(watched)-1 {
			rep.Result = e
		} else {
			rep.Values = append(rep.Values, e)
		}
	}
	return rep
}

// raised is the flags of a sample. That an input or a constant is below the normal numbers is
// its own error; no operation underflowed.
func (p *Program) raised(flags []float.Flags) (all float.Flags) {
	for i, f := range flags {
		if op := p.nodes[i].op; op == "const" || op == "input" {
			f &^= float.Underflow
		}
		all |= f
	}
	return all
}

// maxSNR stands for a signal without noise, and -maxSNR for infinities and NaNs.
const maxSNR = 999

// total is the errors of all samples that were counted.
func (t *tally) total() Errors {
	e := t.Errors
	e.SNR = 10 * math.Log10(t.signal/t.noise)

	switch {
	case t.noise == 0:
		e.SNR = maxSNR
	case math.IsNaN(e.SNR) || e.SNR < -maxSNR: // an infinity or a NaN is all noise
		e.SNR = -maxSNR
	}
	return e
}

// count adds a sample.
func (t *tally) count(p *Program, f float.Format, i int, want []float64, codes []uint64, flags float.Flags) {

	// Distance from float64: as power for the ratio, and in units of the last place.
	exact, got := want[i], f.Float64(codes[i])
	if flags&float.Overflow != 0 || !finite(got) && finite(exact) {
		t.Overflows++
	}
	if finite(exact) {
		t.signal += exact * exact
		t.noise += (got - exact) * (got - exact)
		t.MaxUlp = max(t.MaxUlp, math.Abs(got-exact)/ulp(f, exact))
	}
	if !finite(got) {
		t.MaxUlp = math.Inf(1)
	}

	// Where bits were lost: below the normal numbers, and by cancellation, which is judged by
	// the rounded operands. Half of the bits are (Frac + 1)/2 powers of two.
	if f.IsSubnormal(codes[i]) || got == 0 && exact != 0 {
		t.Tiny++
	}
	if n := p.nodes[i]; n.op == "add" || n.op == "sub" {
		x, y := f.Float64(codes[n.args[0]]), f.Float64(codes[n.args[1]])
		if most := max(math.Abs(x), math.Abs(y)); finite(most) && math.Abs(got) < most*math.Ldexp(1, -(f.Frac+1)/2) {
			t.Cancelled++
		}
	}
}

// finite is false for infinities and NaN.
func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

func notFinite(v float64) bool { return !finite(v) }

// ulp is the distance of the format's numbers around v, for the exponents that it has.
func ulp(f float.Format, v float64) float64 {
	_, e := math.Frexp(v) // v is in [2^(e-1), 2^e)
	if v == 0 {
		e = f.MinExp()
	}
	return math.Ldexp(1, max(e-1, f.MinExp())-f.Frac)
}
