package net

import "math/bits"

// spare finds the kept values that need no comparison, because their readers run in almost all runs
// of their part: the part wakes them by itself. Registers are always compared, since parts that wake
// each other in the next cycle would never rest again.
func (p *partitioner) spare(r *Partition) {
	r.always = make([]bool, len(p.n.N))

	// The samples in which each part runs. Parts that are woken without a change wake others in turn,
	// so the parts are seen in their order.
	words := p.a.words
	runs := make([]uint64, len(r.Parts)*words)
	for k := range r.Parts {
		copy(runs[k*words:], r.Parts[k].active)
	}
	for k := range r.Parts {
		row := runs[k*words:][:words]
		for _, x := range r.Parts[k].Nodes {
			if list := r.readers.of(int32(x)); r.kept[x] && len(list) > 0 && p.spares(r, x, row, list, runs) {
				r.always[x] = true
				for _, reader := range list {
					for i, w := range row {
						runs[int(reader)*words+i] |= w
					}
				}
			}
		}
	}
}

// spares reports whether comparing kept node x costs more than the runs of its readers that only
// the comparison avoids. row is the samples in which its part runs, runs those of all parts.
func (p *partitioner) spares(r *Partition, x ID, row []uint64, readers []int32, runs []uint64) bool {
	changed, words := p.a.changedRow(x), p.a.words
	all, changes, more := weight(row), 0, 0.0
	for i, w := range row {
		changes += bits.OnesCount64(w & changed[i])
	}
	for _, reader := range readers {
		idle := 0
		for i, w := range row {
			idle += bits.OnesCount64(w &^ changed[i] &^ runs[int(reader)*words+i])
		}
		more += float64(idle) * r.Parts[reader].Cost
	}
	saved := p.given.Rarely
	if float64(changes) > p.given.Seldom*float64(all) {
		saved = p.given.Compared
	}
	return more < saved*float64(all)
}
