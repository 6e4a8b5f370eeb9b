package learnertool

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/cli"
	"etch/hw"
)

// A learner of floating-point numbers has nothing unread either, with counts and without: export
// -strict takes it.
func TestFloatWarnsOfNothing(t *testing.T) {
	for _, d := range Designs() {
		for _, count := range []string{"false", "true"} {
			net, err := d.Build(cli.Values{"float": "fp16", "count": count})
			require.NoError(t, err, d.Name)
			require.Empty(t, hw.Warnings(net), d.Name)
		}
	}
}
