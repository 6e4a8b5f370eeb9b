package dataflow

import (
	"math"

	"etch/hw/float"
)

// run computes all nodes of a sample: the codes of a format, with the flags that each
// operation raised.
func (p *Program) run(f float.Format, r float.Rounding, inputs []float64) (codes []uint64, flags []float.Flags) {
	codes, flags = make([]uint64, len(p.nodes)), make([]float.Flags, len(p.nodes))
	input := 0
	for i, n := range p.nodes {
		arg := func(k int) uint64 { return codes[n.args[k]] }
		switch n.op {
		case "input":
			codes[i], flags[i] = f.FromFloat64(inputs[input], r)
			input++
		case "const":
			codes[i], flags[i] = f.FromFloat64(n.value, float.NearestEven) // as literals of a circuit
		case "copy":
			codes[i] = arg(0)
		case "neg":
			codes[i] = f.Neg(arg(0))
		case "abs":
			codes[i] = f.Abs(arg(0))
		case "add":
			codes[i], flags[i] = f.Add(arg(0), arg(1), r)
		case "sub":
			codes[i], flags[i] = f.Sub(arg(0), arg(1), r)
		case "mul":
			codes[i], flags[i] = f.Mul(arg(0), arg(1), r)
		case "div":
			codes[i], flags[i] = f.Div(arg(0), arg(1), r)
		case "sqrt":
			codes[i], flags[i] = f.Sqrt(arg(0), r)
		case "min":
			codes[i], flags[i] = f.Min(arg(0), arg(1))
		case "max":
			codes[i], flags[i] = f.Max(arg(0), arg(1))
		case "hypot":
			codes[i], flags[i] = f.Hypot(arg(0), arg(1), r)
		case "fma":
			codes[i], flags[i] = f.FMA(arg(0), arg(1), arg(2), r)
		}
	}
	return codes, flags
}

// exact computes all nodes of a sample in float64.
func (p *Program) exact(inputs []float64) []float64 {
	v := make([]float64, len(p.nodes))
	input := 0
	for i, n := range p.nodes {
		arg := func(k int) float64 { return v[n.args[k]] }
		switch n.op {
		case "input":
			v[i] = inputs[input]
			input++
		case "const":
			v[i] = n.value
		case "copy":
			v[i] = arg(0)
		case "neg":
			v[i] = -arg(0)
		case "abs":
			v[i] = math.Abs(arg(0))
		case "add":
			v[i] = arg(0) + arg(1)
		case "sub":
			v[i] = arg(0) - arg(1)
		case "mul":
			v[i] = arg(0) * arg(1)
		case "div":
			v[i] = arg(0) / arg(1)
		case "sqrt":
			v[i] = math.Sqrt(arg(0))
		case "min":
			v[i] = math.Min(arg(0), arg(1))
		case "max":
			v[i] = math.Max(arg(0), arg(1))
		case "hypot":
			v[i] = math.Hypot(arg(0), arg(1))
		case "fma":
			v[i] = math.FMA(arg(0), arg(1), arg(2))
		}
	}
	return v
}

// Codes are the results of a sample's codes in a format.
func (p *Program) Codes(f float.Format, r float.Rounding, inputs []float64) uint64 {
	codes, _ := p.run(f, r, inputs)
	return codes[p.result]
}

// Errors are those of one value over all samples.
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
		want := p.exact(x)
		if v := want[p.result]; math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		rep.Samples++
		codes, flags := p.run(f, r, x)
		var all float.Flags
		for i := range flags {
			all |= flags[i]
			if p.nodes[i].op == "const" || p.nodes[i].op == "input" {
				all &^= float.Underflow
			}
		}
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
	for k, i := range watched {
		e := tallies[k].Errors
		e.Name = p.nodes[i].name
		e.SNR = 10 * math.Log10(tallies[k].signal/tallies[k].noise)
		switch {
		case tallies[k].noise == 0:
			e.SNR = maxSNR
		case math.IsNaN(e.SNR) || e.SNR < -maxSNR:
			e.SNR = -maxSNR
		}
		if k == len(watched)-1 {
			rep.Result = e
		} else {
			rep.Values = append(rep.Values, e)
		}
	}
	return rep
}

// maxSNR stands for a signal without noise, and -maxSNR for infinities and NaNs.
const maxSNR = 999

// count adds a sample.
func (t *tally) count(p *Program, f float.Format, i int, want []float64, codes []uint64, flags float.Flags) {
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

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// ulp is the distance of the format's numbers around v, for the exponents that it has.
func ulp(f float.Format, v float64) float64 {
	_, e := math.Frexp(v) // v is in [2^(e-1), 2^e)
	if v == 0 {
		e = f.MinExp()
	}
	return math.Ldexp(1, max(e-1, f.MinExp())-f.Frac)
}
