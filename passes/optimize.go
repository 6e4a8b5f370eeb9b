package passes

import "etch/ir"

// Options are the options of Optimize.
type Options struct {
	KeepNames bool   // keep named values that nothing reads, and the width of those that are
	Flatten   bool   // make one module of the hierarchy first; one that is too large for [Flatten] stays
	Count     *Count // where to add up the changes; may be nil
	Debug     Debug  // see [Debug]
}

// maxRounds bounds the passes through the table. Each pass makes room for others, but less
// each time: three rounds are usual.
const maxRounds = 20

// Optimize returns an optimised copy of a verified design: it repeats the passes of [Table]
// until none changes anything. d itself is not changed. Modules that are no longer used are
// left out.
func Optimize(d *ir.Design, o Options) *ir.Design {
	// A wrong table is a bug in this package.
	if err := checkTable(); err != nil {
		panic(err)
	}
	out := d.Clone()
	run := newRunner(out, &o)
	for round := range maxRounds {
		if changed := run.round(round); changed == 0 || run.stopped {
			break
		}
	}
	run.report()
	out.Modules = append(used(out.Modules, out.Top), out.Top)
	return out
}
