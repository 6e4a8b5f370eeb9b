package cli

import (
	"bytes"
	"testing"

	"etch/designs/examples/counter"

	"github.com/stretchr/testify/require"
)

// View says at once why it cannot show something, or not there.
func TestViewMistakes(t *testing.T) {
	app := App{Designs: []Design{Component("counter", "counts", counter.Counter{Width: 4})}}
	for want, args := range map[string][]string{
		`address "0.0.0.0:0" is not on this machine`: {"counter", "-addr", "0.0.0.0:0"},
		`address "nonsense" is not HOST:PORT`:        {"counter", "-addr", "nonsense"},
		"no design countr; did you mean counter?":    {"countr"},
		"one .run file is shown at a time":           {"a.run", "b.run"},
		"a recorded run has its parameters":          {"a.run", "-p", "x=1"},
		"one .fst file is shown at a time":           {"a.fst", "b.fst"},
		"-watch is for designs":                      {"a.vcd", "-watch"},
		"a.vcd: no such file":                        {"a.vcd"},
		"a.fst: no such file":                        {"a.fst"},
	} {
		var out, errs bytes.Buffer
		require.NotZero(t, app.Run(append([]string{"view"}, args...), Output{&out, &errs}))
		require.Contains(t, errs.String(), want)
		require.Empty(t, out.String())
	}
}
