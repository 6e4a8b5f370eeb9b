package area

import (
	"fmt"
	"maps"
	"slices"
)

// Families are those whose memories and tables [Of] knows.
func Families() []string { return slices.Sorted(maps.Keys(shallow)) }

// fields are the counts with their names in a journal.
func (c *Counts) fields() map[string]*float64 {
	return map[string]*float64{
		"add": &c.Add, "logic": &c.Logic, "select": &c.Select, "register": &c.Register,
		"small": &c.Small, "product": &c.Product, "block": &c.Block,
	}
}

// Names are the names of [Counts.Numbers].
func Names() []string { return slices.Sorted(maps.Keys(new(Counts).fields())) }

// Numbers are the counts as results of a measure.
func (c Counts) Numbers() map[string]float64 {
	out := map[string]float64{}
	for name, x := range c.fields() {
		out[name] = *x
	}
	return out
}

// OfNumbers reads the results of such a measure back.
func OfNumbers(numbers map[string]float64) (c Counts, err error) {
	for name, x := range c.fields() {
		// Not below 0, and no NaN, which compares false with everything.
		n, ok := numbers[name]
		if !ok || !(n >= 0) {
			return c, fmt.Errorf("counts of a netlist without %s, or with %s = %v: want 0 or more", name, name, n)
		}
		*x = n
	}
	return c, nil
}
