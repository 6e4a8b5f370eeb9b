package tools_test

import (
	"testing"

	"etch/testbench/tools"

	"github.com/stretchr/testify/require"
)

func TestTrials(t *testing.T) {
	t.Setenv("ETCH_EMULATED", "")
	require.Equal(t, 16, tools.Trials(16, 7))
	t.Setenv("ETCH_EMULATED", "1")
	require.Equal(t, 25, tools.Trials(100, 7))
	require.Equal(t, 7, tools.Trials(16, 7))
}
