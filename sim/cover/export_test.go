package cover

import "etch/ir"

// Ending and Version are those of files.
const (
	Ending  = ending
	Version = version
)

// LinesOf is the lines of a design for counts of its arms; nil if it has no clock, or no choice.
func LinesOf(d *ir.Design, count func(mod string, mux ir.ID, arm int) uint64) []Line {
	_, points := instrument(d)
	by := map[string]uint64{}
	for _, p := range points {
		by[p.name] = count(p.mod.Name, p.mux, p.arm)
	}
	return lines(points, by)
}
