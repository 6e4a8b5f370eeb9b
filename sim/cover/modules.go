package cover

import (
	"maps"
	"slices"

	"etch/ir/bits"
)

// Share is a number of points, and how many of them were hit.
type Share struct {
	Hit int `json:"hit"`
	All int `json:"all"`
}

// add counts a point.
func (s *Share) add(hit bool) {
	s.All++
	if hit {
		s.Hit++
	}
}

// Module is the coverage of a module by kind: lines of statements, outcomes of conditions and cases,
// bits that rose and bits that fell, states, transitions, cover statements, and assertions put to the
// test.
type Module struct {
	Name        string `json:"name"`
	Statements  Share  `json:"statements"`
	Branches    Share  `json:"branches"`
	Toggles     Share  `json:"toggles"`
	States      Share  `json:"states"`
	Transitions Share  `json:"transitions"`
	Covers      Share  `json:"covers"`
	Asserts     Share  `json:"asserts"`

	Missing []string `json:"missing,omitempty"` // states, transitions, cover statements and assertions
	Stuck   []string `json:"stuck,omitempty"`   // signals of which some bit has not risen or not fallen
}

// Modules is the coverage by module. Lines that are waived do not count.
func (c *Counts) Modules() []Module {
	all := map[string]*Module{}
	of := func(name string) *Module {
		m := all[name]
		if m == nil {
			m = &Module{Name: name}
			all[name] = m
		}
		return m
	}

	// Each file is read once for its waivers.
	files := map[string]*source{}
	waived := func(path string, line int) bool {
		src := files[path]
		if src == nil {
			src = c.open(path)
			files[path] = src
		}
		return src.isWaived(line)
	}

	for _, l := range c.Lines {
		if !waived(l.Path, l.Line) {
			of(l.Module).count(l)
		}
	}
	for _, t := range c.Toggles {
		if !waived(t.Path, t.Line) {
			of(t.Module).toggle(t)
		}
	}

	list := []Module{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, *all[name])
	}
	return list
}

func (m *Module) count(l Line) {
	hit := l.Count > 0
	switch l.Kind {
	case Set:
		m.Statements.add(hit)
		return
	case True, False, Arm:
		m.Branches.add(hit)
		return
	case State:
		m.States.add(hit)
	case Transition:
		m.Transitions.add(hit)
	case Cover:
		m.Covers.add(hit)
	case Assert:
		m.Asserts.add(hit)
	}

	// Statements and branches are named by the table by file.
	if !hit {
		m.Missing = append(m.Missing, string(l.Kind)+" "+l.Name)
	}
}

// toggle counts the bits of a signal, of which each is to rise and to fall. Files are checked when
// they are read, so the numbers parse.
func (m *Module) toggle(t Toggle) {
	seen := 0
	for _, text := range []string{t.Rose, t.Fell} {
		if v, err := bits.Parse(text); err == nil {
			seen += v.PopCount()
		}
	}

	m.Toggles.All += 2 * t.Width
	m.Toggles.Hit += seen
	if seen < 2*t.Width {
		m.Stuck = append(m.Stuck, t.Name)
	}
}
