package model

import (
	"fmt"
	"math"
	"math/big"
)

// BitKind says how an encoder bit is made.
type BitKind uint8

// The kinds of encoder bits.
const (
	Compare BitKind = iota // code > T
	Zero                   // always 0
	One                    // always 1
)

// EncoderBit is one folded thermometer threshold.
type EncoderBit struct {
	Kind BitKind
	// T is the integer threshold of a Compare bit, −2^(W−1) ≤ T < 2^(W−1)−1;
	// 0 for the other kinds. Several bits of a dimension may share a T.
	T int
}

// Value returns the bit for a signed sensor code.
func (b EncoderBit) Value(code int) bool {
	switch b.Kind {
	case Zero:
		return false
	case One:
		return true
	}
	return code > b.T
}

// Folded is a model whose normalisation, clipping and sensor scale are folded
// into integer thresholds. It defines the circuit.
type Folded struct {
	Model *Model
	// Bits[d][k] is encoder bit d·B+k. In every row the Ones come first, then
	// the Compares with non-decreasing T, then the Zeros.
	Bits [][]EncoderBit
}

// Fold computes the encoder's integer thresholds, T = ⌊(τ·√(var+1e-8)+μ)/q⌋
// (the paper's eq. 8) with the floor taken of the exact real value: code > T if
// and only if code·q > τ·Std()+μ. The model clips its normalised observation
// to ±10, so τ ≥ 10 gives a Zero and τ < −10 a One; a T that no W-bit code can
// exceed gives a Zero, one that every code exceeds a One. Physical thresholds
// are neither clipped nor scaled: T = ⌊τ/q⌋. It fails where Validate does.
func (m *Model) Fold() (*Folded, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	f := &Folded{Model: m, Bits: make([][]EncoderBit, len(m.Obs))}

	for d := range m.Obs {
		row := m.Thresholds.Row(d)
		f.Bits[d] = make([]EncoderBit, len(row))
		for k, tau := range row {
			if m.Thresholds.Kind == Physical {
				f.Bits[d][k] = foldPhysical(tau, m.Obs[d].Scale, m.SensorBits)
			} else {
				f.Bits[d][k] = foldThreshold(tau, &m.Obs[d], m.SensorBits)
			}
		}
	}
	return f, nil
}

// underflow is far above the numbers whose relative error is not bounded.
const underflow = 1e-280

func foldThreshold(tau float64, d *Dim, w int) EncoderBit {
	// A clipped observation is never above 10 and always above numbers below −10.
	switch {
	case tau >= Clip:
		return EncoderBit{Kind: Zero}
	case tau < -Clip:
		return EncoderBit{Kind: One}
	}
	return encoderBit(floorDiv(tau, d.Std(), d.Mean, d.Scale, MaxCode(w)), w)
}

func foldPhysical(tau, q float64, w int) EncoderBit {
	return encoderBit(floorDiv(tau, 1, 0, q, MaxCode(w)), w)
}

// encoderBit is code > t for w-bit codes.
func encoderBit(t, w int) EncoderBit {
	lowest, highest := -MaxCode(w)-1, MaxCode(w)
	switch {
	case t >= highest:
		return EncoderBit{Kind: Zero}
	case t < lowest:
		return EncoderBit{Kind: One}
	}
	return EncoderBit{Kind: Compare, T: t}
}

// floorDiv returns ⌊(tau·std+mean)/q⌋ of the exact real value, with anything
// beyond ±(limit+2) brought to that bound. Where float64 arithmetic, with its
// error bound added, leaves no doubt about the integer, that is enough.
func floorDiv(tau, std, mean, q float64, limit int) int {
	// float64() keeps the compiler from fusing product and sum, whose rounding the bound counts.
	product := float64(tau * std)
	v := (product + mean) / q
	slack := (math.Abs(product) + math.Abs(mean)) / q * 0x1p-50
	lo, hi := math.Floor(v-slack), math.Floor(v+slack)
	bound := float64(limit) + 2

	// Sure of the integer, or sure that it is out of bounds; else exact arithmetic decides.
	switch {
	case math.Abs(v) < underflow || math.Abs(product)+math.Abs(mean) < underflow:
		// Near zero the error bound itself may have vanished.
	case lo == hi && math.Abs(lo) <= bound:
		return int(lo)
	case v-slack > bound:
		return limit + 2
	case v+slack < -bound:
		return -limit - 2
	}
	return floorExact(tau, std, mean, q, limit)
}

// floorExact is floorDiv in rational arithmetic.
func floorExact(tau, std, mean, q float64, limit int) int {
	rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	v := rat(tau)
	v.Mul(v, rat(std)).Add(v, rat(mean)).Quo(v, rat(q))

	// Euclidean division by a positive number is the floor.
	n := new(big.Int).Div(v.Num(), v.Denom())
	bound := int64(limit) + 2
	switch {
	case n.Cmp(big.NewInt(bound)) > 0:
		return int(bound)
	case n.Cmp(big.NewInt(-bound)) < 0:
		return int(-bound)
	}
	return int(n.Int64())
}

// String returns "0", "1" or "> T".
func (b EncoderBit) String() string {
	switch b.Kind {
	case Zero:
		return "0"
	case One:
		return "1"
	}
	return fmt.Sprintf("> %d", b.T)
}
