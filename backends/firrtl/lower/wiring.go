package lower

import "etch/backends/firrtl/syntax"

// Wiring makes a value visible in other modules through added ports. The module of the
// value (its home) and the modules above it on the path to the main module pass it up by
// outputs. All other modules receive it by an input from each parent.

// use is an instance of a module.
type use struct {
	in *module
	at int32
}

// findUses lists the instances of every module.
func (l *lowering) findUses() {
	for _, m := range l.order {
		for i := range m.insts {
			child := m.insts[i].mod
			child.used = append(child.used, use{m, int32(i)})
		}
	}
}

// uses is 1 if the module has one instance in the whole design, else 2.
func (m *module) uses() int {
	for len(m.used) > 0 {
		if len(m.used) > 1 {
			return 2
		}
		m = m.used[0].in
	}
	return 1
}

// leaf is the leaf for a flat port of the child.
func (in *instance) leaf(port int) int32 {
	if port < in.own {
		return in.base + int32(port)
	}
	return in.more[port-in.own]
}

// port is the inverse of leaf.
func (in *instance) port(leaf int32) int {
	if at := int(leaf - in.base); at >= 0 && at < in.own {
		return at
	}
	for i, at := range in.more {
		if at == leaf {
			return in.own + i
		}
	}
	panic("lower: a leaf of another instance")
}

// addPort adds a port for every leaf of a place in module like, and returns their place.
// Every instance gets the new leaves.
func (m *module) addPort(name string, like *module, p place, output bool) place {
	if m.taken == nil {
		m.taken = map[string]bool{}
		for i := range m.flat {
			m.taken[m.flat[i].name] = true
		}
	}
	first := len(m.flat)
	base, i := int32(len(m.leaves)), int32(0)
	m.l.eachLeaf(p.t, name, false, func(name string, t *typ, _ bool) {
		n := like.nodes[like.readAt(p, p.base+i)]
		f := flatPort{name: unused(m.taken, name), output: output, t: t, width: n.width, kind: n.kind, pos: m.start()}
		c := lfInput
		if output {
			c = lfOutput
		}
		at := m.newLeaf(c, f.name, kUInt, n.width, int32(len(m.flat)))
		f.node = m.leaves[at].node
		m.nodes[f.node].kind, m.nodes[f.node].d = n.kind, n.d
		m.flat = append(m.flat, f)
		i++
	})

	// All instances get leaves, also those that the value does not go through.
	for _, u := range m.used {
		in := &u.in.insts[u.at]
		for j := first; j < len(m.flat); j++ {
			f := &m.flat[j]
			c := lfChildIn
			if output {
				c = lfChildOut
			}
			at := u.in.newLeaf(c, in.name+"_"+f.name, kUInt, f.width, u.at)
			n, like := &u.in.nodes[u.in.leaves[at].node], &m.nodes[f.node]
			n.kind, n.d = like.kind, like.d
			in.more = append(in.more, at)
		}
	}
	return place{t: p.t, base: base}
}

// atInstance translates a place of ports of the child to the parent.
func (u use) atInstance(p place) place {
	in := &u.in.insts[u.at]
	return place{t: p.t, base: in.leaf(int(in.mod.leaves[p.base].of))}
}

// bore is the wiring of one value.
type bore struct {
	l    *lowering
	a    *annotation // that asks for it
	name string      // of the ports
	home spot
	down map[*module]use // modules above the home: the instance on the path to it
	at   map[*module]place
}

// newBore prepares the wiring of a value. Its module must have one instance, or the
// target's path must select one.
func (l *lowering) newBore(a *annotation, name string, home spot) *bore {
	b := &bore{l: l, a: a, name: name, home: home, down: map[*module]use{}, at: map[*module]place{}}
	m := home.from
	for _, i := range home.path {
		b.down[m] = use{m, i}
		m = m.insts[i].mod
	}

	// Above the path each module must have one instance; in reports the error if not.
	for m := home.from; len(m.used) == 1; m = m.used[0].in {
		b.down[m.used[0].in] = m.used[0]
	}
	b.at[home.m] = home.at
	return b
}

// in is the place where module m sees the bored value. Ports on the way are added at the first
// call; false after an error.
func (b *bore) in(m *module) (place, bool) {
	if p, ok := b.at[m]; ok {
		return p, true
	}
	if u, ok := b.down[m]; ok {
		return b.fromBelow(m, u)
	}
	if len(m.used) == 0 {
		b.l.failAnno(b.a, "module %s has several instances: which one's value is wanted cannot be told; name it by the path ~Circuit|Main/inst:Module>name", b.l.name(b.home.m.src.Name))
		return place{}, false
	}

	// From above: by a port, driven wherever the module is used.
	p := m.addPort(b.name, b.home.m, b.home.at, false)
	b.at[m] = p
	for _, u := range m.used {
		from, ok := b.in(u.in)
		if !ok {
			return place{}, false
		}
		b.join(u.in, u.atInstance(p), from)
	}
	return p, true
}

// fromBelow passes the value up from the instance on the path to its home.
func (b *bore) fromBelow(m *module, u use) (place, bool) {
	child := m.insts[u.at].mod
	p, ok := b.in(child)
	if !ok {
		return place{}, false
	}

	// An external module has no body to bring the value out of.
	if child.src.Kind == syntax.Ordinary && !child.isOutput(p) {
		out := child.addPort(b.name, child, p, true)
		b.join(child, out, p)
		p = out
	}
	at := u.atInstance(p)
	b.at[m] = at
	return at, true
}

// isOutput reports whether a place consists of outputs of the module.
func (m *module) isOutput(p place) bool {
	return p.t.leaves > 0 && m.leaves[p.base].class == lfOutput
}

// join connects two places of a module at the annotation's line.
func (b *bore) join(m *module, sink, source place) {
	m.line, m.pos = b.a.line, m.start()
	m.join(sink, source, sink.t, source.t, 0, 0, false)
}

// wire applies the wiring annotations: each sink of a pin gets the value of its source, in
// place of its other drivers.
func (l *lowering) wire() {
	sources := map[string]*bore{}
	for i := range l.annos.sources {
		a := &l.annos.sources[i]
		if sources[a.Pin] != nil {
			l.failAnno(a, "a second source of pin %s; the first is %s", clip(a.Pin), clip(sources[a.Pin].a.Target))
			return
		}
		s := l.findTarget(a)
		switch {
		case s == nil && len(l.errs) > 0:
			return
		case s == nil:
			continue
		case s.at.t == nil || s.at.t == noTyp || s.at.t.flips || s.d != nil && (s.d.kind == dChirrtl || s.d.kind == dMPort):
			l.failAnno(a, "a wire, register, node or port is wanted")
			return
		}
		sources[a.Pin] = l.newBore(a, legalName(a.Pin), *s)
	}

	// Sinks come after all sources are known.
	for i := range l.annos.sinks {
		a := &l.annos.sinks[i]
		s := l.findTarget(a)
		if s == nil {
			continue
		}
		b := sources[a.Pin]
		if b == nil {
			l.failAnno(a, "pin %s has no source in the design: add the firrtl.passes.wiring.SourceAnnotation", clip(a.Pin))
			continue
		}
		b.sink(a, s)
	}
}

// sink drives a sink in every instance of its module.
func (b *bore) sink(a *annotation, s *spot) {
	l := b.l
	switch {
	case len(s.path) > 0 && s.m.uses() > 1:
		l.failAnno(a, "one of several instances of module %s is wanted; the sink must be in all of them: write ~Circuit|%[1]s>name", l.name(s.m.src.Name))
		return
	case s.at.t == nil || s.at.t == noTyp || s.at.t.leaves == 0 || !s.drivable():
		l.failAnno(a, "it cannot be driven; a wire, node, register or port is wanted")
		return
	case !wirable(l, s.at.t, b.home.at.t):
		l.failAnno(a, "its type is not that of the source %s", clip(b.a.Target))
		return
	}

	// An input is driven in the parents, everything else inside the module.
	if s.port && s.m.leaves[s.at.base].class == lfInput {
		if len(s.m.used) == 0 {
			l.failAnno(a, "an input of the main module cannot be driven")
			return
		}
		for _, u := range s.m.used {
			if from, ok := b.in(u.in); ok {
				b.join(u.in, u.atInstance(s.at), from)
			}
		}
		return
	}
	if from, ok := b.in(s.m); ok {
		b.join(s.m, s.at, from)
	}
}

// drivable reports whether a component can be a sink.
func (s *spot) drivable() bool {
	if s.port {
		return s.m.src.Kind == syntax.Ordinary || s.m.leaves[s.at.base].class == lfInput
	}
	if s.d == nil || s.d.kind != dPlain && s.d.kind != dInst {
		return false
	}
	for i := range s.at.t.leaves {
		if !s.m.leaves[s.at.base+i].class.sink() {
			return false
		}
	}
	return true
}

// wirable reports whether a source's type fits a sink. Widths may differ.
func wirable(l *lowering, sink, source *typ) bool {
	switch {
	case sink.flips || source.flips:
		return false
	case sink.ground() != source.ground() || sink.leaves != source.leaves || sink.form != source.form && !sink.ground():
		return false
	case sink.ground():
		a, b := sink.kind, source.kind

		// A reset of any kind may drive one whose kind is inferred.
		resets := func(k kind) bool { return k == kReset || k == kUInt || k == kAsync }
		return a != kAnalog && (a == b || (a == kReset || b == kReset) && resets(a) && resets(b))
	case sink.form == syntax.Vector:
		return sink.n == source.n && wirable(l, sink.elem, source.elem)
	}
	for i := range sink.fields {
		if i >= len(source.fields) || sink.fields[i].name != source.fields[i].name || !wirable(l, sink.fields[i].t, source.fields[i].t) {
			return false
		}
	}
	return len(sink.fields) == len(source.fields)
}

// legalName makes an identifier of a pin's name.
func legalName(pin string) string {
	b := []byte(pin)
	for i, c := range b {
		if c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			b[i] = '_'
		}
	}
	if len(b) == 0 || b[0] >= '0' && b[0] <= '9' {
		return "bore_" + string(b)
	}
	return string(b)
}
