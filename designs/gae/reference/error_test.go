package reference_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/gae/reference"
)

func TestCompare(t *testing.T) {
	require.Equal(t, reference.Error{SNR: 20, Max: 0.5}, reference.Compare([]float64{3, -4}, []float64{3, -3.5}))
	require.Equal(t, reference.Error{SNR: math.Inf(1)}, reference.Compare([]float64{1, 2}, []float64{1, 2}))
}
