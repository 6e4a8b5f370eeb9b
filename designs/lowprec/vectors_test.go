package lowprec

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/float"
	kind "etch/hw/float"
)

// The vectors of section 6 of shared/specs/lowprecision.md.

// traced is the model of a step with its named values.
func traced(c Optimizer, s State[uint64], g uint64, k Constants[uint64]) (State[uint64], map[string]uint64) {
	u := c.codes()
	u.seen = map[string]uint64{}
	next := adam[uint64](u, c, s, g, decaysOf[uint64](u, c), k)
	return next, u.seen
}

func TestVectorsOfConstants(t *testing.T) {
	f := float.F16
	for want, v := range map[uint64]float64{
		0x3B33: .9, 0x2E66: 1 - .9, 0x3BFE: .999, 0x3BFF: math.Sqrt(.999), 0x280C: math.Sqrt(1 - .999), 0x1D1F: .005, 0x3BF6: 1 - .005,
		0x3BEC: .99, 0x068E: 1e-4, 0x398C: math.Ln2, 0xC09B: math.Log(.1), 0x3B5A: halfLog2Pi,
	} {
		require.Equal(t, fmt.Sprintf("%04X", want), fmt.Sprintf("%04X", f.Code(v)), "%v", v)
	}
	c := Ours()
	for _, step := range []int{7621, 8000, 100000} {
		k := c.StepConstants(step, 1e-4, 1e-8, 1e4)
		require.Equal(t, uint64(0x3C00), k.First)
		require.Equal(t, uint64(0x3C00), k.Second)
	}
	before := c.StepConstants(7620, 1e-4, 1e-8, 1e4)
	require.NotEqual(t, uint64(0x3C00), before.Second)
	require.Equal(t, uint64(0x3C00), c.StepConstants(79, 1e-4, 1e-8, 1e4).First)
	require.NotEqual(t, uint64(0x3C00), c.StepConstants(78, 1e-4, 1e-8, 1e4).First)
	require.Zero(t, f.Code(1e-8), "ε of the paper is 0 in fp16")
	require.NotZero(t, c.StepConstants(1, 1e-4, 1e-8, 1).Epsilon, "and has a floor")
}

func TestVectorsOfHAdam(t *testing.T) {
	c := Ours()
	c.Kahan = false
	g := c.Format.Code(1e-6 * 1e4)
	var s State[uint64]
	for step := 1; step <= 1000; step++ {
		k := c.StepConstants(step, 1e-4, 1e-8, 1e4)
		next, seen := traced(c, State[uint64]{M: s.M, W: s.W}, g, k)
		text := fmt.Sprintf("m %04X w %04X m̂ %04X ŵ %04X d %04X Δ %04X", next.M, next.W, seen["m_hat"], seen["w_hat"], seen["denominator"], c.Format.Neg(seen["down"]))
		switch step {
		case 1:
			require.Equal(t, "m 1419 w 0D2E m̂ 2120 ŵ 211F d 212C Δ 867E", text)
		case 1000:
			require.Equal(t, "m 2118 w 1FEF m̂ 2118 ŵ 20FD d 210A Δ 86A0", text)
		}
		s = next
	}

	c.Correction = Folded
	_, seen := traced(c, State[uint64]{}, g, c.StepConstants(1, 1e-4, 1e-8, 1e4))
	require.Equal(t, "8680", fmt.Sprintf("%04X", c.Format.Neg(seen["down"])))

	// α·m first would lose small numbers: m = d = 1e-3.
	u := c.codes()
	small, rate := u.lit(1e-3), u.lit(1e-4)
	require.Equal(t, "07CF", fmt.Sprintf("%04X", u.Div(u.Mul(rate, small), small)))
	require.Equal(t, "068E", fmt.Sprintf("%04X", u.Mul(rate, u.Div(small, small))))
}

// At a constant gradient w stays below it: each step loses a rounding.
func TestVectorsOfBias(t *testing.T) {
	c := Ours()
	for g, want := range map[float64]uint64{1: 0x3976, .1: 0x2C01} {
		var s State[uint64]
		for step := 1; step <= 60000; step++ {
			s = c.Next(State[uint64]{M: s.M, W: s.W}, c.Format.Code(g), Constants[uint64]{0x3C00, 0x3C00, 1, 0x068E})
		}
		require.Equal(t, fmt.Sprintf("%04X", want), fmt.Sprintf("%04X", s.W), "%v", g)
	}
	s := State[uint64]{M: 0x3C00, W: 0x3C00}
	for range 60000 {
		s = c.Next(State[uint64]{M: s.M, W: s.W}, 0, Constants[uint64]{0x3C00, 0x3C00, 1, 0x068E})
	}
	require.Equal(t, uint64(0x0400), s.W, "w never decays below")
	require.Equal(t, uint64(0x0004), s.M, "nor m")
}

func TestVectorsOfKahan(t *testing.T) {
	c := Kahan{Half()}
	s, rest, naive := uint64(0x3800), uint64(0), uint64(0x3800)
	for range 1000 {
		s, rest = c.Next(s, rest, 0x81F7)
		naive, _ = c.Format.Add(naive, 0x81F7, kind.NearestEven)
	}
	require.Equal(t, "3785 8316 3800", fmt.Sprintf("%04X %04X %04X", s, rest, naive))
}

func TestVectorsOfSoftUpdate(t *testing.T) {
	c := SoftUpdate{Numbers: Half(), Tau: .005, Scale: 8192, Kahan: true}
	f := c.Format
	psi := f.Code(.5)
	b, rest, target := c.Start(f.Code(.4)), uint64(0), uint64(0)
	for step := 1; step <= 2000; step++ {
		b, rest, target = c.Next(psi, b, rest)
		text := fmt.Sprintf("%04X/%04X", b, rest)
		switch step {
		case 1:
			require.Equal(t, "6A68/AE80", text)
		case 100:
			require.Equal(t, "6B08/3960", text)
		case 2000:
			require.Equal(t, "6C00/3BFE", text)
			require.Equal(t, "3800", fmt.Sprintf("%04X", target))
		}
	}

	// The plain update sticks, and so does that by the difference.
	plain := SoftUpdate{Numbers: Half(), Tau: .005, Scale: 8192}
	u := c.codes()
	x, y := f.Code(.4), f.Code(.4)
	for range 2000 {
		x, _, _ = plain.Next(psi, x, 0)
		y = u.Add(y, u.Mul(u.lit(.005), u.Sub(psi, y)))
	}
	require.Equal(t, "379A 379C", fmt.Sprintf("%04X %04X", x, y))

	// A small weight needs the factor.
	small := func(scale float64) (b, target uint64) {
		c := c
		c.Scale = scale
		b, rest := c.Start(f.Code(8e-6)), uint64(0)
		for range 2000 {
			b, rest, target = c.Next(f.Code(1e-5), b, rest)
		}
		return b, target
	}
	_, stuck := small(1)
	b, there := small(8192)
	require.Equal(t, "0086 2D40 00A8", fmt.Sprintf("%04X %04X %04X", stuck, b, there))
}

func TestVectorsOfPolicy(t *testing.T) {
	n := Normal{Half(), false}
	_, naive := n.Next(0x0C00, 0, 0x0800)
	n.Fixed = true
	_, fixed := n.Next(0x0C00, 0, 0x0800)
	require.Equal(t, "7C00 4400", fmt.Sprintf("%04X %04X", naive, fixed))

	// Composed of exp, +1 and log, softplus is right up to 498B and infinite from 498C on.
	f, u := float.F16, Half().codes()
	composed := func(x uint64) (soft, slope uint64) {
		z := u.Apply("exp", x)
		return u.Apply("log", u.Add(z, u.lit(1))), u.Div(z, u.Add(z, u.lit(1)))
	}
	below, _ := composed(0x498B)
	above, slope := composed(0x498C)
	require.Equal(t, "498B 7C00", fmt.Sprintf("%04X %04X", below, above))
	require.True(t, f.IsNaN(slope))

	// In the unit: −2u = 498C.
	_, bad := Jacobian{Half(), false}.Next(0xC58C)
	_, good := Jacobian{Half(), true}.Next(0xC58C)
	require.True(t, f.IsNaN(bad))
	require.Equal(t, f.One(), good)
}

func TestVectorsOfFMA(t *testing.T) {
	y, _ := float.F16.FMA(0x39C0, 0xC3FE, 0x07FE, kind.NearestEven)
	require.Equal(t, uint64(0xC1BF), y)
}

func TestVectorsOfScaling(t *testing.T) {
	u, c := Half().codes(), OptimizerMemory{Optimizer: Ours()}
	for from, want := range map[uint64]uint64{0x0001: 0, 0x0003: 0x0002} {
		require.Equal(t, want, u.Mul(u.lit(.5), from))
		require.Equal(t, State[uint64]{1, 2, want, want}, c.Next(Halve, State[uint64]{1, 2, from, from}, 0, State[uint64]{}, Constants[uint64]{}))
	}
	require.Equal(t, float64(7744), float.F16.Float64(float.F16.Code(7745)), "7745 is no number of fp16")
}
