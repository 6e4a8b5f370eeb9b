package lowprectool

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The error of a mean is the deviation of the seeds over the root of their number.
func TestMean(t *testing.T) {
	require.Equal(t, "-178", sampleOf([]float64{-178.2}).String())
	require.Equal(t, "-200 ± 58", sampleOf([]float64{-100, -200, -300}).String())
	require.Equal(t, "-150 ± 0", sampleOf([]float64{-150, -150}).String())
}

// The quantiles are those of printed tables, and an interval is that many errors wide.
func TestStudent(t *testing.T) {
	for freedom, want := range map[float64]float64{1: 12.706, 2: 4.303, 4: 2.776, 9: 2.262, 30: 2.042} {
		require.InDelta(t, want, student(freedom), 6e-4)
	}
	require.Equal(t, "-448 to 48", sampleOf([]float64{-100, -200, -300}).interval())
	require.Equal(t, "-", sampleOf([]float64{-100}).interval())
}

// Of two equal deviations and numbers Welch's test is Student's, with the degrees of both.
func TestLess(t *testing.T) {
	a, b := sampleOf([]float64{-100, -200, -300}), sampleOf([]float64{-140, -240, -340})
	require.Equal(t, "-40 ± 82 (95 %: -267 to 187)", b.less(a))
}
