package model

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
)

func romModel(kind HeadKind, g, dac int, a Action) *Model {
	return &Model{
		DACBits: dac,
		Layers:  []Layer{{Tables: make([]uint64, g)}},
		Head:    Head{Kind: kind, Actions: []Action{a}},
	}
}

// TestROMAgainstBigFloat recomputes every word to 400 bits and rounds half away
// from zero. A word may differ only if the exact value is within 1e-9 of a tie.
func TestROMAgainstBigFloat(t *testing.T) {
	for _, g := range []int{1, 5, 64, 128, 1024} {
		a := Action{LogAlpha: 0.731, Beta: -0.127, Scale: 2, Bias: 0.25, Low: -1.75, High: 2.25}
		m := romModel(SAC, g, 12, a)
		rom := m.ROM(0)
		require.Len(t, rom, g+1)
		for c, got := range rom {
			v := exactSAC(a, c, g) / 2.25 * 2047
			want := math.Copysign(math.Floor(math.Abs(v)+0.5), v)
			want = math.Max(-2047, math.Min(2047, want))
			if frac := math.Abs(v) - math.Floor(math.Abs(v)); math.Abs(frac-0.5) > 1e-9 {
				require.Equal(t, int(want), got, "G %d, count %d, exact %v", g, c, v)
			}
			require.InDelta(t, v, m.Decode(0, got)/2.25*2047, 0.5+1e-9)
		}
	}
}

// exactSAC is tanh(e^logα·(clamp(c/g) − ½) + β)·scale + bias from series.
func exactSAC(a Action, c, g int) float64 {
	x := math.Min(math.Max(float64(c)/float64(g), 1e-6), 1-1e-6)
	alpha := bigExp(a.LogAlpha)
	y := alpha.Mul(alpha, big.NewFloat(x-0.5))
	y.Add(y, big.NewFloat(a.Beta))
	v, _ := y.Float64()
	e := bigExp(2 * v)
	one := big.NewFloat(1)
	num := new(big.Float).SetPrec(400).Sub(e, one)
	tanh, _ := num.Quo(num, e.Add(e, one)).Float64()
	return tanh*a.Scale + a.Bias
}

func TestROMEndpoints(t *testing.T) {
	// A steep curve saturates tanh: ± full scale at the ends, 0 in the middle.
	m := romModel(SAC, 64, 12, Action{LogAlpha: 5, Scale: 2, Low: -2, High: 2})
	rom := m.ROM(0)
	require.Equal(t, []int{-2047, 0, 2047}, []int{rom[0], rom[32], rom[64]})
	require.Equal(t, 2.0, m.Decode(0, rom[64]))
	require.Equal(t, -2.0, m.Decode(0, rom[0]))
	require.Equal(t, 2.0, m.FullScale(0))
	// DDPG is the same arithmetic.
	m.Head.Kind = DDPG
	require.Equal(t, rom, m.ROM(0))
	// PPO clamps: y runs −4 … 4, low and high cut it, low is beyond full scale ½.
	m = romModel(PPO, 64, 8, Action{LogAlpha: math.Log(8), Low: -0.5, High: 2})
	rom = m.ROM(0)
	require.Equal(t, []int{-32, 0, 127}, []int{rom[0], rom[32], rom[64]}) // −½/2·127 = −31.75
	// A bias beyond the bounds saturates rather than wraps, on both sides.
	m = romModel(SAC, 4, 8, Action{Bias: 3, Low: -1, High: 1})
	require.Equal(t, []int{127, 127, 127, 127, 127}, m.ROM(0))
	m.Head.Actions[0].Bias = -3
	require.Equal(t, []int{-127, -127, -127, -127, -127}, m.ROM(0))
}

func TestROMRoundsHalfAwayFromZero(t *testing.T) {
	// α = 1, full scale 3, 3-bit DAC: code = round(y) with y = β ± small.
	for beta, want := range map[float64]int{0.5: 1, -0.5: -1, 1.5: 2, -1.5: -2, 0.49: 0} {
		m := romModel(PPO, 2, 3, Action{Beta: beta, Low: -3, High: 3})
		require.Equal(t, want, m.ROM(0)[1], "β = %v", beta)
	}
}

func TestROMNeedsAROMHead(t *testing.T) {
	m := &Model{Head: Head{Kind: Counts, Classes: []string{"a"}}}
	require.Panics(t, func() { m.ROM(0) })
}

func TestCountBitsAndPadding(t *testing.T) {
	for g, want := range map[int]int{1: 1, 2: 2, 3: 2, 4: 3, 127: 7, 128: 8, 1024: 11} {
		require.Equal(t, want, CountBits(g), "G = %d", g)
	}
	var padded []int
	for _, s := range Shapes() {
		padded = append(padded, PadWidth(1024, s.Actions))
	}
	require.Equal(t, []int{1024, 1026, 1026, 1037, 1026}, padded) // the paper's widths
}
