package lower

import (
	"strings"

	"etch/backends/firrtl/syntax"
)

// A probe is a reference to a signal elsewhere. A module defines probes of its own signals
// or forwards probes of its instances; a module above reads them. The target is known when
// the read is walked over, since children come first. The value gets there later
// (carryProbes), through outputs of the modules in between, as for wiring.

// probe is the target of a probe: leaves of this module, or a probe of an instance.
type probe struct {
	at   place
	inst int32  // -1: at is valid
	path string // the probe's path in the instance, as "p.field[3]"
}

// probeRead is a wire that will carry a probe of an instance.
type probeRead struct {
	probe
	wire place
	line int32
}

// isProbe reports whether a place is a probe where a value is needed, and reports that as
// an error.
func (m *module) isProbe(p place) bool {
	if p.t.form != syntax.Property || p.t.elem == nil {
		return false
	}
	m.fail("a probe where a value is wanted: read it")
	return true
}

// define records "define p.x = …".
func (m *module) define(s *syntax.StmtRow) {
	_, path, ok := m.static(syntax.Expr(s.A))
	if !ok {
		return
	}
	p, ok := m.probeOf(syntax.Expr(s.B))
	if !ok {
		return
	}
	if m.probes == nil {
		m.probes = map[string]probe{}
	}
	m.probes[path] = p
}

// static is the root name and the whole path of an expression of constant selections.
func (m *module) static(e syntax.Expr) (root syntax.Name, path string, ok bool) {
	row := &m.l.c.Exprs[e]
	switch row.Kind {
	case syntax.Ref:
		return syntax.Name(row.A), m.l.name(syntax.Name(row.A)), true
	case syntax.SubField:
		root, path, ok = m.static(syntax.Expr(row.A))
		return root, path + "." + m.l.name(syntax.Name(row.B)), ok
	case syntax.SubIndex:
		root, path, ok = m.static(syntax.Expr(row.A))
		return root, path + "[" + itoa(row.B) + "]", ok
	}
	m.fail("a probe is wanted: a name with fields and constant indices")
	return 0, "", false
}

// probeOf evaluates an expression of probe type.
func (m *module) probeOf(e syntax.Expr) (probe, bool) {
	row := &m.l.c.Exprs[e]
	if row.Kind == syntax.ProbeOf {
		at := m.operand(syntax.Expr(row.A))
		switch {
		case at.t == noTyp && len(m.l.errs) > 0:
			return probe{}, false
		case at.list || at.ndyn > 0 || at.port != nil || at.t.form == syntax.Property:
			m.fail("a probe of what is no port, wire, node or register")
			return probe{}, false
		}
		at.exact = 0
		return probe{at: at, inst: -1}, true
	}

	root, path, ok := m.static(e)
	if !ok {
		return probe{}, false
	}
	d := m.find(root)
	if d == nil {
		return probe{}, false
	}

	// A name is a probe of this module or of an instance.
	if d.kind != dInst {
		p, ok := m.probeNamed(path)
		if !ok {
			m.fail("probe %s is not defined before it is used", clip(path))
		}
		return p, ok
	}
	inst := int32(m.instanceNamed(m.l.name(root)))
	return probe{inst: inst, path: strings.TrimPrefix(path[len(m.l.name(root)):], ".")}, true
}

// probeNamed looks up a probe of the module by its path, or a part of a probe by the
// longest defined prefix of the path.
func (m *module) probeNamed(path string) (probe, bool) {
	for end := len(path); end > 0; end = strings.LastIndexAny(path[:end], ".[") {
		p, ok := m.probes[path[:end]]
		if !ok {
			continue
		}

		// A probe of an instance takes the rest of the path along.
		rest := path[end:]
		if p.inst >= 0 {
			p.path += rest
			return p, true
		}

		// Apply the rest of the path to the target.
		var t target
		t.chosen("x" + rest)
		s := spot{m: m, at: p.at}
		for _, part := range t.fields {
			if !s.choose(m.l, part) {
				return p, false
			}
		}
		p.at = s.at
		return p, true
	}
	return probe{}, false
}

// typeOfProbe is the type of a probe's target, nil if the probe is not defined. It follows
// the probe down through the instances.
func (m *module) typeOfProbe(p probe) *typ {
	for ok := true; p.inst >= 0; {
		m = m.insts[p.inst].mod
		if p, ok = m.probeNamed(p.path); !ok {
			return nil
		}
	}
	return p.at.t
}

// readProbe evaluates read(e): the signal itself, or for a probe of an instance a wire that
// carryProbes will drive.
func (m *module) readProbe(e syntax.Expr) place {
	p, ok := m.probeOf(e)
	switch {
	case !ok:
		return place{t: noTyp}
	case p.inst < 0:
		return p.at
	}

	// The wire needs the type now; its driver comes after the walk.
	t := m.typeOfProbe(p)
	if t == nil {
		m.fail("module %s defines no probe %s", m.l.name(m.insts[p.inst].mod.src.Name), clip(p.path))
		return place{t: noTyp}
	}

	// Each probe has one wire per module.
	key := m.insts[p.inst].name + "." + p.path
	if base, ok := m.readers[key]; ok {
		return place{t: t, base: base}
	}
	if m.readers == nil {
		m.readers = map[string]int32{}
	}
	wire := place{t: t, base: m.newLeaves(lfWire, legalName(key)+"_probe", t, 0)}
	m.readers[key] = wire.base
	m.pending = append(m.pending, probeRead{p, wire, m.line})
	return wire
}

// carryProbes drives the wires of all probes that are read. At an error the position is
// that of the read.
func (l *lowering) carryProbes() {
	for _, m := range l.order {
		for _, r := range m.pending {
			from := m.fromInstance(r.probe)
			m.line, m.pos = r.line, m.start()
			m.join(r.wire, from, r.wire.t, from.t, 0, 0, false)
		}
	}
}

// fromInstance is the place at which a probe comes out of an instance.
func (m *module) fromInstance(p probe) place {
	out := m.insts[p.inst].mod.carry(p.path)
	if out.t.leaves == 0 {
		return out
	}
	return use{m, p.inst}.atInstance(out)
}

// carry is the output that carries a probe out of the module, made on first use.
func (m *module) carry(path string) place {
	if out, ok := m.carried[path]; ok {
		return out
	}

	// The signal is in this module, or comes out of an instance by an output.
	p, _ := m.probeNamed(path) // typeOfProbe has found it
	at := p.at
	if p.inst >= 0 {
		at = m.fromInstance(p)
	}

	// An output can be read directly; other signals need a new one.
	if at.t.leaves > 0 && !m.isOutput(at) {
		out := m.addPort(legalName(path)+"_probe", m, at, true)
		m.line, m.pos = m.src.Line, m.start()
		m.join(out, at, out.t, at.t, 0, 0, false)
		at = out
	}
	if m.carried == nil {
		m.carried = map[string]place{}
	}
	m.carried[path] = at
	return at
}
