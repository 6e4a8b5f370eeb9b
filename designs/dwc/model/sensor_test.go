package model

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSensor(t *testing.T) {
	m := &Model{SensorBits: 8, Obs: []Dim{{Scale: SensorScale(8, 8)}, {Scale: 0.5}}}
	require.Equal(t, 1.1*8/127, m.Obs[0].Scale)
	require.Equal(t, 115, m.Quantise(0, 8)) // 127/1.1 = 115.45
	for x, want := range map[float64]int{
		0.25: 1, -0.25: -1, 0.2: 0, 0.75: 2, 63.5: 127, 64: 127, -64: -127,
		math.Inf(1): 127, math.Inf(-1): -127, 1e300: 127,
	} {
		require.Equal(t, want, m.Quantise(1, x), "x = %v", x)
	}
	require.Equal(t, 0, m.Quantise(1, math.NaN()))
	for code := -127; code <= 127; code++ {
		require.Equal(t, code, m.Quantise(0, m.Dequantise(0, code)))
	}
}

func TestStd(t *testing.T) {
	require.Equal(t, 1e-4, (&Dim{}).Std()) // √1e-8
	require.Equal(t, 2.0, (&Dim{Var: 4 - 1e-8}).Std())
}
