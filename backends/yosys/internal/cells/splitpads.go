package cells

import (
	"slices"

	"etch/ir"
)

// splitPads finds the inouts whose bits go different ways, in the module or in one
// that instantiates it, and makes inouts of one bit of them.
func (r *reader) splitPads(mods []*jsonModule) {
	apart := map[*jsonPort]bool{}
	cones := map[*jsonModule]*driveCone{}
	for _, j := range mods {
		if slices.ContainsFunc(j.cells, func(c cell) bool { return c.kind == DriveCell }) {
			cones[j] = r.coneOf(j)
		}
	}

	// A pad split in one module splits the pads connected to it in others, so repeat to a fixed
	// point.
	for changed := true; changed; {
		changed = false
		for _, j := range mods {
			if !isBlackBox(j) && r.splitIn(j, cones[j], apart) {
				changed = true
			}
		}
	}

	// The ports first, then the instances that connect them.
	for _, j := range mods {
		r.apart(j, func(i int) bool { return apart[&j.ports[i]] })
	}
	for _, j := range mods {
		for i := range j.cells {
			if sub := r.mods[j.cells[i].kind]; sub != nil && len(sub.split) > 0 {
				j.cells[i].splitConns(sub.split)
			}
		}
	}
}

// wholeList is a list of bits that want to stay one net: of a pad of the module, of a driver, or
// of a pad of an instance.
type wholeList struct {
	bits []bit
	port *jsonPort // the pad, nil for a driver
}

// splitIn does so in one module, and reports whether it has found any.
func (r *reader) splitIn(j *jsonModule, k *driveCone, apart map[*jsonPort]bool) (changed bool) {
	j.findPulls()
	lists, single, fixed := r.wholeLists(j, k)
	if len(lists) == 0 {
		return false
	}
	j.single = single

	// Lists that share a bit are equal, or fall apart.
	first := map[bit][]bit{}
	for again := true; again; {
		again = false
		for _, x := range lists {
			split := x.port != nil && apart[x.port]
			for _, b := range x.bits {
				if first[b] == nil {
					first[b] = x.bits
				}
				split = split || single[b] || !slices.Equal(first[b], x.bits) || j.pulls[b] != j.pulls[x.bits[0]]
			}
			for _, b := range x.bits {
				if split && !single[b] && (len(x.bits) > 1 || len(first[b]) > 1) {
					single[b], again = true, true
				}
			}
			if split && x.port != nil && len(x.bits) > 1 && !apart[x.port] && !fixed[x.port] {
				apart[x.port], changed = true, true
			}
		}
	}
	return changed
}

// findPulls notes the bits that cells pull up or down.
func (j *jsonModule) findPulls() {
	j.pulls = map[bit]ir.Pull{}
	for i := range j.cells {
		if c := &j.cells[i]; c.kind == pullUpCell {
			j.pulls[only(c.port("p"))] = ir.PullUp
		} else if c.kind == pullDownCell {
			j.pulls[only(c.port("p"))] = ir.PullDown
		}
	}
}

// wholeLists gives the lists of a module, with the bits that have to be nets of their own (single)
// and the pads of black boxes, which stay as they are (fixed).
func (r *reader) wholeLists(j *jsonModule, k *driveCone) (lists []wholeList, single map[bit]bool, fixed map[*jsonPort]bool) {
	single, fixed = map[bit]bool{}, map[*jsonPort]bool{}
	for i := range j.ports {
		if p := &j.ports[i]; p.dir == "inout" {
			lists = append(lists, wholeList{p.bits, p})
		}
	}

	// A driver whose bits let go one by one drives single bits.
	for i := range j.cells {
		c := &j.cells[i]
		if c.kind == DriveCell {
			y := c.port("Y")
			if lists = append(lists, wholeList{y, nil}); !k.isWhole(c.port("A"), maxFormula) {
				for _, b := range y {
					single[b] = true
				}
			}
		}

		if sub := r.mods[c.kind]; sub != nil {
			for n := range sub.ports {
				if p := &sub.ports[n]; p.dir == "inout" && len(c.port(p.name)) > 0 {
					lists = append(lists, wholeList{c.port(p.name), p})
					fixed[p] = isBlackBox(sub)
				}
			}
		}
	}
	return lists, single, fixed
}
