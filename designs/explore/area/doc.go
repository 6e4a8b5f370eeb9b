// Package area estimates the cells that synthesis makes of a netlist, from counts of its
// operations.
//
//	m, err := area.Fit(points)        // designs that were synthesised, of one family
//	lut := m.Cells(area.Of(d, "xc7"))["lut"] // of another design
//	m.Errors(points)                  // of each point, by a model fitted without it
//
// Tables and flip-flops are a sum of counts of bits, each times a factor that least
// squares of relative errors gives; none is below 0. Multipliers and block RAMs follow
// from the sizes of products and memories.
//
// The package imports ir and passes only.
package area
