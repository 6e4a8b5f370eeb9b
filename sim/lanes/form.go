package lanes

import "etch/sim/lanes/internal/code"

// form is a form of lanes, with the programs compiled for it.
type form struct {
	layout *code.Layout
	look   code.Program            // computes the outputs
	events map[string]code.Program // by set of edges, one byte per edge
}

// close frees the programs.
func (f *form) close(keep func(error)) {
	for _, p := range f.events {
		if p != nil { // else it could not be compiled
			keep(p.Close())
		}
	}
	if f.look != nil {
		keep(f.look.Close())
	}
	*f = form{}
}

// newGroups makes groups of a layout for all lanes.
func (l *grouped) newGroups(layout *code.Layout) (all []*group) {
	for first := 0; first < l.n; first += layout.Lanes(l.target) {
		g := &group{Group: code.NewGroup(layout, l.target), first: first, stale: true}
		g.Activate(min(l.n-first, g.Lanes()))
		all = append(all, g)
	}
	return all
}

// holds reports whether all groups of a layout fit in maxBytes.
func (l *grouped) holds(layout *code.Layout) bool {
	per := layout.Lanes(l.target)
	return layout.Size(l.target) <= maxBytes/((l.n+per-1)/per)
}

// regrouped is the groups of all lanes in another layout of the same words. Unused lanes of the
// last group copy its first lane.
func (l *grouped) regrouped(layout *code.Layout) []*group {
	all := l.newGroups(layout)
	for _, g := range all {
		for at := range g.Lanes() {
			lane := g.first + at
			if lane >= l.n {
				lane = g.first
			}
			from, k := l.group(lane)
			g.CopyLane(at, from.Group, k)
		}
	}
	return all
}
