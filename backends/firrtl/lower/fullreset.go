package lower

import "etch/backends/firrtl/syntax"

// The full reset of an annotation resets every register of a module and of the modules
// below it. A register without a reset gets this one, with value 0. A register with a
// synchronous reset keeps it as part of its next value if the full reset is asynchronous.
// firtool does the same.

// domain is one full reset and the modules it reaches.
type domain struct {
	a    *annotation
	home spot
	name string // name of the ports that carry it
	kind kind
	at   map[*module]place
}

// fullResets connects registers to the full resets of the annotations.
func (l *lowering) fullResets() {
	if len(l.annos.resets) == 0 {
		return
	}

	// Each annotation is the root of a domain at its target's module.
	roots := map[*module]*domain{}
	for i := range l.annos.resets {
		d := l.newDomain(&l.annos.resets[i])
		if d == nil {
			continue
		}
		if roots[d.home.m] != nil {
			l.failAnno(d.a, "a second full reset of the module; the first is %s", clip(roots[d.home.m].a.Target))
			continue
		}
		roots[d.home.m] = d
	}

	// Excluded modules.
	exempt := map[*module]bool{}
	for i := range l.annos.exempt {
		if s := l.findTarget(&l.annos.exempt[i]); s != nil {
			exempt[s.m] = true
		}
	}

	if len(l.errs) > 0 {
		return
	}

	l.findTested()

	// From the main module down: a module inherits the domain of its parents.
	of := map[*module]*domain{}
	for i := len(l.order) - 1; i >= 0; i-- {
		m := l.order[i]
		d := roots[m]
		if d == nil && !exempt[m] {
			d = l.domainAround(m, of)
		}
		if d != nil {
			of[m] = d
		}
	}

	for _, m := range l.order {
		if d := of[m]; d != nil && len(l.errs) == 0 {
			l.applyReset(m, d, of)
			l.resetMemories(m, d, of)
		}
	}
}

// newDomain finds and checks the target of an annotation: a wire, node or port of type
// AsyncReset, or of UInt<1> if the annotation says "sync".
func (l *lowering) newDomain(a *annotation) *domain {
	s := l.findTarget(a)
	if s == nil {
		return nil
	}

	d := &domain{a: a, home: *s, at: map[*module]place{}}

	// The target must be readable as one bit.
	if s.at.t == nil || !s.at.t.ground() || s.at.t.leaves != 1 || !s.port && s.d.kind != dPlain || !s.port && s.d.root == syntax.Reg ||
		s.m.src.Kind != syntax.Ordinary {
		l.failAnno(a, "a port, wire or node of a reset type is wanted")
		return nil
	}

	// The kind of the signal and of the annotation must agree.
	n := &s.m.nodes[s.m.readAt(s.at, s.at.base)]
	d.kind, d.name = n.kind, s.m.names[n.name]
	switch {
	case a.ResetType != "" && a.ResetType != "async" && a.ResetType != "sync":
		l.failAnno(a, `its type is neither "async" nor "sync"`)
	case n.kind == kAsync && a.ResetType == "sync", n.kind == kUInt && n.width == 1 && a.ResetType != "sync":
		l.failAnno(a, "the annotation is for %s resets, the signal is a %v", orElse(a.ResetType, "async"), n.kind)
	case n.kind != kAsync && (n.kind != kUInt || n.width != 1):
		l.failAnno(a, "a reset is wanted, the signal is a %v", n.kind)
	default:
		d.at[s.m] = s.at
		return d
	}
	return nil
}

// domainAround is the domain of the modules that instantiate m. It is an error if they
// differ.
func (l *lowering) domainAround(m *module, of map[*module]*domain) *domain {
	var found *domain
	for _, u := range m.used {
		// A parent without a full reset does not count.
		d := of[u.in]
		if d != nil && found != nil && d != found {
			l.failAnno(d.a, "module %s is also below the full reset %s; give it one reset", l.name(m.src.Name), clip(found.a.Target))
			return nil
		}
		if d != nil {
			found = d
		}
	}
	return found
}

// applyReset connects the registers of a module to its domain's reset. A register with an
// asynchronous reset keeps only that. With a synchronous full reset a register with a reset
// of its own keeps only that, too.
func (l *lowering) applyReset(m *module, d *domain, of map[*module]*domain) {
	for i := range m.regs {
		r := &m.regs[i]
		if r.reset != 0 && (m.nodes[r.reset].kind == kAsync || d.kind == kUInt && !m.noReset(r)) {
			continue
		}

		// The input is made once, for the first register that needs it.
		at, ok := d.in(m, of)
		if !ok {
			return
		}
		r.full = m.readAt(at, at.base)
	}
}

// noReset reports whether emitReset ignores a register's reset.
func (m *module) noReset(r *register) bool {
	init := m.source(r.init)
	return r.reset == 0 || init == m.leaves[r.leaf].node || m.nodes[init].op == opInvalid
}

// in finds the reset inside a module: at an existing input of its name, or at a new input.
// Instances outside the domain tie a new input low.
func (d *domain) in(m *module, of map[*module]*domain) (place, bool) {
	if p, ok := d.at[m]; ok {
		return p, true
	}
	for i := range m.flat {
		f := &m.flat[i]
		if f.name != d.name {
			continue
		}
		if n := &m.nodes[f.node]; n.kind != d.kind || n.width != 1 || f.output {
			m.l.failAnno(d.a, "module %s has a port %s, which would carry the reset, but is no such input", m.l.name(m.src.Name), clip(f.name))
			return place{}, false
		}
		p := place{t: f.t, base: m.nodes[f.node].a}
		d.at[m] = p
		return p, true
	}

	// Add an input and connect it in every parent, going up to the domain's root.
	p := m.addPort(d.name, d.home.m, d.home.at, false)
	d.at[m] = p
	for _, u := range m.used {
		u.in.line, u.in.pos = d.a.line, u.in.start()
		value := u.in.bit(0)
		if of[u.in] == d {
			from, ok := d.in(u.in, of)
			if !ok {
				return place{}, false
			}
			value = u.in.readAt(from, from.base)
		}
		at := u.atInstance(p)
		u.in.leaves[at.base].val = value
	}
	return p, true
}
