package catalog

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/cli"
)

// A verb says what it misses by its own word.
func TestVerbs(t *testing.T) {
	for want, args := range map[string][]string{
		"etch experiment: no experiment nope here; there are dwc-size, dwc-noise":      {"experiment", "nope"},
		"etch experiment: the name of the experiment is missing; there are dwc-size, ": {"experiment"},
		"etch run: no design nope here; there are dwc":                                 {"run", "nope"},
	} {
		var out, errs bytes.Buffer
		app := App()
		require.Equal(t, 2, app.Run(args, cli.Output{Out: &out, Err: &errs}))
		require.Contains(t, errs.String(), want)
	}
}
