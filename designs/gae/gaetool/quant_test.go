package gaetool

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/gae/ppo"
)

// TestKinds holds the list of runs to its description: which variants have a run in float64 of
// their own, and which of these are equal.
func TestKinds(t *testing.T) {
	plan := quantPlan{config: defaultQuant(), Variants: numbers{1, 2, 3, 4, 5}, Bits: numbers{8}, Seeds: 1}
	var names []string
	for _, r := range plan.kinds() {
		names = append(names, r.Name)
	}
	require.Equal(t, []string{
		"variant 1, circuit", "variant 2, float64", "variant 2, circuit", "variant 3, circuit, 8 bits",
		"variant 4, float64", "variant 4, circuit, 8 bits", "variant 5, float64", "variant 5, circuit, 8 bits",
	}, names)

	float := func(variant int) *ppo.Standardised {
		sys, err := trainerSystem(plan.config, variant, 8)
		require.NoError(t, err)
		return ppo.FloatVariant(sys, plan.config.Convention)
	}
	require.Equal(t, float(1), float(3))
	require.Equal(t, float(2), float(5))
	require.NotEqual(t, float(1), float(2))
	require.NotEqual(t, float(2), float(4))
}
