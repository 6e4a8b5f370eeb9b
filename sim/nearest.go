package sim

import (
	"slices"
	"strconv"
	"strings"

	"etch/ir/input"
	"etch/sim/internal/program"
)

const (
	maxSuggested = 3
	maxQuoted    = 100 // longer names are cut in errors and have no neighbours
)

// quote quotes a name, shortened if it is long.
func quote(name string) string {
	if len(name) > maxQuoted {
		return strconv.Quote(name[:maxQuoted]) + "…"
	}
	return strconv.Quote(name)
}

// suggest returns "; nearest: …" for a full name that does not exist: first similar names in the
// instance that the path leads to, then equal last parts anywhere.
func (s *Sim) suggest(path string, mems bool) string {
	if len(path) > maxQuoted {
		return ""
	}

	// Similar names, in the instance that was reached. A path does not begin with the top's name, but a
	// wave viewer shows it in front: unless an instance has that name too, it is left out.
	inst, rest := s.descend(path)
	if below, ok := strings.CutPrefix(path, s.m.P.Mod(0).Name+"."); ok && inst == 0 {
		path = below
		inst, rest = s.descend(path)
	}
	most := max(2, len(rest)/3)
	near := input.Nearest(s.candidates(inst, mems), most, func(name string) int { return input.Unlike(rest, name, most) })

	// The nearest first, without duplicates.
	var names []string
	prefix := s.m.P.Path(inst)
	for _, name := range near {
		if full := program.Join(prefix, name); len(names) < maxSuggested && !slices.Contains(names, full) {
			names = append(names, full)
		}
	}

	names = s.elsewhere(names, path[strings.LastIndexByte(path, '.')+1:], mems)
	if names == nil {
		return ""
	}
	return "; nearest: " + strings.Join(names, ", ")
}

// elsewhere adds the full names of signals or memories called base, up to maxSuggested.
func (s *Sim) elsewhere(names []string, base string, mems bool) []string {
	for i := range s.m.P.Insts {
		n := s.scope(int32(i))
		table := n.names
		if mems {
			table = n.mems
		}
		if len(names) >= maxSuggested {
			break
		}
		if _, ok := table[base]; !ok {
			continue
		}
		if name := program.Join(s.m.P.Path(int32(i)), base); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// candidates returns the names of an instance's signals or memories, and of the instances
// inside, in a fixed order.
func (s *Sim) candidates(inst int32, mems bool) []string {
	m := s.m.P.Mod(inst)
	var all []string
	if mems {
		for i := range m.Mems {
			all = append(all, m.Mems[i].Name)
		}
	} else {
		for _, e := range s.scope(inst).list {
			all = append(all, s.signal(inst, e.id, e.port).Base())
		}
	}

	if s.m.P.Insts[inst].Box < 0 {
		for i := range m.Insts {
			all = append(all, m.Insts[i].Name)
		}
	}
	return all
}
