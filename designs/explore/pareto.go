package explore

import (
	"cmp"
	"maps"
	"slices"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// complete reports whether a point has a number on each axis. A failed measurement leaves some out.
func complete(point map[string]float64, axes []Axis) bool {
	for _, a := range axes {
		if _, ok := point[a.Name]; !ok {
			return false
		}
	}
	return true
}

// order compares two numbers of an axis: negative where x is better.
func (a Axis) order(x, y float64) int {
	if a.Largest {
		return cmp.Compare(y, x)
	}
	return cmp.Compare(x, y)
}

// dominates reports whether x is at least as good as y everywhere and better somewhere.
func dominates(x, y map[string]float64, axes []Axis) bool {
	better := false
	for _, a := range axes {
		o := a.order(x[a.Name], y[a.Name])
		if o > 0 {
			return false
		}
		better = better || o < 0
	}
	return better
}

// beats reports whether x is better than y by a factor on all axes. Zeros on both
// sides neither help nor hinder.
func beats(x, y map[string]float64, axes []Axis, factor float64) bool {
	any := false
	for _, a := range axes {
		u, v := x[a.Name], y[a.Name]
		if a.Largest {
			u, v = v, u
		}

		// A factor means nothing for numbers below 0: they spare nobody.
		switch {
		case u == 0 && v == 0:
		case u < 0 || u*factor > v:
			return false
		default:
			any = true
		}
	}

	return any
}

// front lists the points that none dominates, in their order; equal ones are all in it.
// In lexicographic order of the axes a dominating point comes before the ones that it
// dominates, so a point need only be compared with the front so far.
func front(points []map[string]float64, axes []Axis) (list []int) {
	// Points that lack an axis cannot be compared.
	var order []int
	for i, p := range points {
		if p != nil && complete(p, axes) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		for _, a := range axes {
			if o := a.order(points[i][a.Name], points[j][a.Name]); o != 0 {
				return o
			}
		}
		return 0
	})

	// Not dominated by the front so far is not dominated at all, by the order.
	for _, i := range order {
		if !slices.ContainsFunc(list, func(j int) bool { return dominates(points[j], points[i], axes) }) {
			list = append(list, i)
		}
	}

	slices.Sort(list)
	return list
}
