package catalog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/ir"
	"etch/ir/text"
)

// No listed design has anything for nothing, but what it marks; the marks are part
// of the text form.
func TestNoWarnings(t *testing.T) {
	each(t, func(t *testing.T, d *ir.Design) {
		require.Empty(t, hw.Warnings(d))
		again, err := text.Parse(strings.NewReader(text.String(d)), "design.etch")
		require.NoError(t, err)
		require.Empty(t, hw.Warnings(again))
	})
}

// Nor has a listed design with two other sets of parameters.
func TestNoWarningsElsewhere(t *testing.T) {
	for _, design := range Designs() {
		for i, set := range others[design.Name] {
			t.Run(fmt.Sprint(design.Name, i+1), func(t *testing.T) {
				d, err := design.Build(set)
				require.NoError(t, err)
				require.Empty(t, hw.Warnings(d))
			})
		}
	}
}
