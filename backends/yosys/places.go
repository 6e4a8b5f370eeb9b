package yosys

import (
	"slices"
	"strings"

	"etch/ir/bits"
)

// trimColon returns a place without the separator in front of a message.
func trimColon(place string) string { return strings.TrimSuffix(place, ": ") }

func sortValues(list []bits.Value) {
	slices.SortFunc(list, func(a, b bits.Value) int { return a.Cmp(b) })
}
