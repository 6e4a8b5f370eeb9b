package input

import (
	"slices"
	"strings"
)

// Nearest returns the elements of all whose distance far(x) is at most limit, nearest first. Elements
// at equal distance keep their order, so that a message is always the same.
func Nearest[T any](all []T, limit int, far func(T) int) (near []T) {
	var at []int
	for _, x := range all {
		d := far(x)
		if d > limit {
			continue
		}

		// Insert behind all that are as near.
		i, _ := slices.BinarySearchFunc(at, d+1, func(a, b int) int { return a - b })
		near, at = slices.Insert(near, i, x), slices.Insert(at, i, d)
	}
	return near
}

// Closest returns the known names with the smallest distance from a wrong one, by [Unlike] and
// without regard to case: none if every distance is above limit.
func Closest(name string, known []string, limit int) []string {
	name = strings.ToLower(name)
	far := func(k string) int {
		if k == "" {
			return limit + 1
		}
		return Unlike(name, strings.ToLower(k), limit)
	}

	// The nearest come first, so that the equally near ones are a prefix.
	near := Nearest(known, limit, far)
	for i, k := range near {
		if far(k) > far(near[0]) {
			return near[:i]
		}
	}
	return near
}
