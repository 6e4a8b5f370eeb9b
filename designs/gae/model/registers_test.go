package model_test

import (
	"fmt"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/gae/model"
)

// The byte addresses in the comments are those of the registers.
func TestAddresses(t *testing.T) {
	text, err := os.ReadFile("registers.go")
	require.NoError(t, err)
	found := regexp.MustCompile(`(?m)^\t\w+.*// (0x[0-9a-f]{2})`).FindAllStringSubmatch(string(text), -1)
	require.Len(t, found, int(model.NumRegisters))
	for i, f := range found {
		require.Equal(t, fmt.Sprintf("%#02x", 4*i), fmt.Sprintf("%#02x", mustParse(t, f[1])))
	}
	require.LessOrEqual(t, 4*int(model.NumRegisters), 1<<model.HostBits)
}

func mustParse(t *testing.T, text string) (v int) {
	_, err := fmt.Sscanf(text, "0x%x", &v)
	require.NoError(t, err)
	return v
}
