package yosys

import (
	"slices"
	"strings"

	"etch/ir/bits"
)

// trimColon is a place without what separates it from a message.
func trimColon(place string) string { return strings.TrimSuffix(place, ": ") }

func sortValues(list []bits.Value) {
	slices.SortFunc(list, func(a, b bits.Value) int { return a.Cmp(b) })
}
