package hw

import "etch/ir"

// Inst makes an instance of c in m and returns its ports seen from m: inputs can be Set,
// outputs read. Fields given in conn are connected at once, by name as in Verilog: signals
// feed inputs, and outputs drive the targets given for them. An unset field is left open;
// in the end every input must be connected.
func Inst[P any](m *Module, name string, c Component[P], conn ...P) P {
	b, pos := m.b, m.b.d.pos()
	name = join(m.prefix, name)
	if m.finished("Inst " + name) {
		return unusable(b, c.Ports)
	}

	// A name is taken even by an instance that fails, so that its second use is reported.
	b.claim(name, instance, pos, ir.None)

	if isNil(c) {
		// The targets given for its outputs are excused, since nobody can drive them; so is
		// the rest of the module, since nobody knows the ports.
		m.Errorf("param", "Inst %s: the component is nil", name)
		for i := range conn {
			abandon(scalars(&conn[i]))
		}
		b.blind = true // nobody knows its ports
		return unusable(b, func() (p P) { return p })
	}

	child := moduleFor(b.d, c, m.asyncReset(), b.m.Name, name)
	if !child.done {
		return withoutChild(b, c, child, conn)
	}

	at := b.m.AddInst(name, child.m, pos)
	b.m.Insts[at].Attrs = m.attrs
	b.insts = append(b.insts, child)

	// The implicit clock and reset come first among the child's ports and are not in the
	// struct: the struct's scalars are numbered after them.
	first := m.connectImplicit(name, at, child)
	next := first
	p, plan := *child.ports.(*P), planOf[P]()
	plan.own(ptr(&p))
	plan.each(ptr(&p), func(_ leafKind, s *sig) {
		*s = b.instPort(at, next, s.isFlipped())
		next++
	})

	for i := range conn {
		connect(m, name, at, first, &p, &conn[i])
	}

	// Pads that conn did not join get a net of their own.
	if child.hasPads {
		next = first
		plan.each(ptr(&p), func(_ leafKind, s *sig) {
			if child.m.Ports[next].Dir == ir.InOut && b.m.Insts[at].Conns[next] == ir.None {
				*s = b.loosePad(at, next)
			}
			next++
		})
	}
	return p
}

// withoutChild makes the ports of an instance whose child has mistakes, and so no netlist, of
// placeholders, so that the parent goes on.
func withoutChild[P any](b *body, c Component[P], child *body, conn []P) P {
	for i := range conn {
		abandon(scalars(&conn[i]))
	}

	// Ports of a component with invalid parameters could panic, so it is not called.
	if child.invalid {
		b.blind = true // nobody knows the lengths of vectors
		return unusable(b, func() (p P) { return p })
	}
	return unusable(b, c.Ports)
}

// connectImplicit connects the implicit clock and reset of an instance and
// returns how many there are: they come first and are not in the ports struct.
func (m *Module) connectImplicit(name string, at int, child *body) int {
	b, n := m.b, 0
	if child.clk.b != nil {
		clk := m.clock()
		b.m.Insts[at].Conns[n] = clk
		n++
	}

	if child.rst.b == nil {
		return n
	}

	rst := m.reset()
	if rst.b == nil {
		m.Errorf("clock", "Inst %s: %s needs a reset and the domain has none", name, child.m.Name)

		// A constant stands in, so that the instance is complete.
		rst.id = b.low()
	}

	b.m.Insts[at].Conns[n] = rst.id
	return n + 1
}

// asyncReset reports whether the reset of this view is asynchronous.
func (m *Module) asyncReset() bool {
	if m.dom != nil {
		return m.dom.Rst.b != nil && m.dom.Rst.typ().Kind == ir.AsyncReset
	}
	return m.b.async
}

// instPort is the parent's view of port i of instance at.
func (b *body) instPort(at, i int, flip bool) sig {
	inst := &b.m.Insts[at]
	p := &inst.Mod.Ports[i]
	s := sig{b: b, id: inst.Conns[i]}

	if p.Dir == ir.InOut {
		return sig{} // joined in a moment
	}

	// An input is a wire, which the parent sets.
	if p.Dir == ir.In {
		t := b.m.AddType(inst.Mod.TypeOf(p.Type))
		s.id = b.undriven(inst.Pos, t, int(p.Width))
		s.lv = b.addTarget(target{kind: instTarget, id: s.id, inst: int32(at), port: int32(i)})
	}

	s.lv.flip(flip)
	return s
}

// connect joins the ports of instance at with the parent's signals for them. Unset scalars
// are left open. next is the index of the first port in the struct.
func connect[P any](m *Module, name string, at, next int, port, given *P) {
	what, pads := "Inst "+name, m.b.insts[at].hasPads
	next--
	err := planOf[P]().pair(ptr(port), ptr(given), true, func(_ leafKind, p, g *sig) {
		next++

		// The direction decides which side is driven: an input of the instance, or the target given
		// for an output.
		switch {
		case !g.isSet():
		case pads && m.b.m.Insts[at].Mod.Ports[next].Dir == ir.InOut:
			*p = m.b.joinPad(what, at, next, *g)
		case p.lv.settable():
			assign(what, *p, *g)
		default:
			assign(what, *g, *p)
		}
	})

	if err != nil {
		m.Errorf("bundle", "%s: %v", what, err)
		abandon(append(scalars(port), scalars(given)...))
	}
}

// unusable is the ports of an instance whose module could not be built, all poisoned. Ports
// is not called on parameters that are not valid.
func unusable[P any](b *body, ports func() P) P { return poisoned(poisonOf(b, 1), ports()) }
