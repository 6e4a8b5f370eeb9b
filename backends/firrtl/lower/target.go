package lower

import (
	"strconv"
	"strings"
)

// target is the target of an annotation: "~Circuit|Module/inst:Module>name.field[3]", or in
// older files "Circuit.Module.name.field[3]".
type target struct {
	module string   // the module that the path begins in
	path   []string // instances below it
	ref    string   // a name in the last module, "" for the module itself
	fields []string // selections from it: a field's name, or "[3]"
}

// parseTarget parses a target, in the form ~circuit|module/inst:mod>ref or circuit.module.ref.
func parseTarget(s string) (target, bool) {
	var t target
	rest := ""

	// The path of instances names each as instance:module.
	if s, ok := strings.CutPrefix(s, "~"); ok {
		_, s, _ = strings.Cut(s, "|")
		s, rest, _ = strings.Cut(s, ">")
		parts := strings.Split(s, "/")
		t.module = parts[0]
		for _, p := range parts[1:] {
			inst, _, ok := strings.Cut(p, ":")
			if !ok || inst == "" {
				return t, false
			}
			t.path = append(t.path, inst)
		}
	} else {
		_, s, _ = strings.Cut(s, ".")
		t.module, rest, _ = strings.Cut(s, ".")
	}
	t.chosen(rest)
	return t, t.module != ""
}

// chosen parses the selections "name.field[3]".
func (t *target) chosen(s string) {
	var parts []string
	for s != "" {
		// A part keeps its bracket: choose tells fields from elements by it.
		n := strings.IndexAny(s[1:], ".[") + 1
		if n == 0 {
			n = len(s)
		}
		parts = append(parts, strings.TrimPrefix(s[:n], "."))
		s = s[n:]
	}
	if len(parts) > 0 {
		t.ref, t.fields = parts[0], parts[1:]
	}
}

// moduleOf finds a module below the main one by name. known reports whether the file
// declares it at all.
func (l *lowering) moduleOf(name string) (m *module, known bool) {
	for _, m := range l.order {
		if l.name(m.src.Name) == name {
			return m, true
		}
	}
	for i := range l.c.Modules {
		known = known || l.name(l.c.Modules[i].Name) == name
	}
	return nil, known
}

// spot is the component that a target names. Ports are found in external modules, too.
type spot struct {
	m    *module
	path []int32 // instances from the target's first module down to m
	from *module // that module
	d    *decl   // nil for a port and for the module itself
	port bool
	at   place // of a component with leaves
}

// findTarget looks up a target and reports errors as the annotation's. It returns nil
// without an error for a module that the main one does not instantiate.
func (l *lowering) findTarget(a *annotation) *spot {
	t, ok := parseTarget(a.Target)
	if !ok {
		l.failAnno(a, "that is no target; ~Circuit|Module>name is one")
		return nil
	}

	// A module that is declared and not instantiated is no error.
	m, known := l.moduleOf(t.module)
	if m == nil {
		if !known {
			l.failAnno(a, "there is no module %s", clip(t.module))
		}
		return nil
	}

	// Down the instances. An instance at the end may be meant as the module.
	s := &spot{m: m, from: m}
	for _, name := range t.path {
		at := s.m.instanceNamed(name)
		if at < 0 {
			l.failAnno(a, "module %s has no instance %s", l.name(s.m.src.Name), clip(name))
			return nil
		}
		s.path = append(s.path, int32(at))
		s.m = s.m.insts[at].mod
	}
	if t.ref == "" {
		return s
	}
	if !s.lookup(t.ref) {
		l.failAnno(a, "module %s has no %s", l.name(s.m.src.Name), clip(t.ref))
		return nil
	}
	for _, f := range t.fields {
		if !s.choose(l, f) {
			l.failAnno(a, "%s has no %s", clip(t.ref), clip(f))
			return nil
		}
	}
	return s
}

func (m *module) instanceNamed(name string) int {
	for i := range m.insts {
		if m.insts[i].name == name {
			return i
		}
	}
	return -1
}

// lookup finds a name among the ports and the declarations of the module.
func (s *spot) lookup(name string) bool {
	// Ports first: a declaration cannot have a port's name.
	for i := range s.m.ports.fields {
		if f := &s.m.ports.fields[i]; s.m.l.name(f.name) == name {
			s.port, s.at = true, place{t: f.t, base: f.at}
			return true
		}
	}
	for i := range s.m.decls {
		if d := &s.m.decls[i]; s.m.l.name(d.name) == name {
			s.d, s.at = d, place{t: d.t, base: d.base}
			return true
		}
	}
	return false
}

// choose selects a field or an element of the spot.
func (s *spot) choose(l *lowering, part string) bool {
	t := s.at.t
	if number, ok := strings.CutPrefix(part, "["); ok {
		i, err := strconv.Atoi(strings.TrimSuffix(number, "]"))
		if err != nil || t == nil || t.elem == nil || i < 0 || i >= int(t.n) {
			return false
		}
		s.at = place{t: t.elem, base: s.at.base + int32(i)*t.elem.leaves}
		return true
	}
	if t == nil {
		return false
	}
	for i := range t.fields {
		if f := &t.fields[i]; l.name(f.name) == part && !t.ground() {
			s.at = place{t: f.t, base: s.at.base + f.at}
			return true
		}
	}
	return false
}
