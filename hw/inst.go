package hw

import (
	"unsafe"

	"etch/ir"
)

// Inst makes an instance of c in m and returns its ports seen from m: inputs
// can be Set, outputs read. Fields given in conn are connected at once, by name
// as in Verilog: signals feed inputs, and outputs drive what is given for them.
func Inst[P any](m *Module, name string, c Component[P], conn ...P) P {
	b := m.b
	name = join(m.prefix, name)
	b.claim(name, false)
	async := m.asyncReset()
	child := b.d.module(c, async, b.m.Name+"_"+name, func(modName string) *body {
		made, _ := elaborate(b.d, c, modName, async)
		return made
	})
	if !child.done {
		return unusable[P](b, c)
	}
	at := b.m.AddInst(name, child.m, b.d.pos())
	b.insts = append(b.insts, instInfo{child})
	inst := &b.m.Insts[at]
	next := 0 // the child's implicit ports come first and are not in P
	for ; next < child.implicit(); next++ {
		s := m.clock()
		if child.m.Ports[next].Name == "rst" {
			s = m.reset()
		}
		inst = &b.m.Insts[at]
		if s.b == nil {
			m.Errorf("clock", "Inst %s: %s needs a reset and the domain has none", name, child.m.Name)
			s.id = b.filler(sig{x: &proto{width: 1}})
		}
		inst.Conns[next] = s.id
	}
	p, pl := c.Ports(), planOf[P]()
	pl.own(unsafe.Pointer(&p))
	pl.each(unsafe.Pointer(&p), func(_ leafKind, s *sig) {
		*s = b.instPort(at, next, s.x != nil && s.x.flip)
		next++
	})
	for i := range conn {
		connect(m, name, &p, &conn[i])
	}
	return p
}

// asyncReset reports whether the reset of this view is asynchronous.
func (m *Module) asyncReset() bool {
	if m.dom != nil {
		return m.dom.Rst.b != nil && m.dom.Rst.typ().Kind == ir.AsyncReset
	}
	return m.b.async
}

// implicit is the number of implicit ports of a finished module.
func (b *body) implicit() int {
	n := 0
	for _, s := range []sig{b.clk, b.rst} {
		if s.b != nil {
			n++
		}
	}
	return n
}

// instPort is the parent's view of port i of instance at.
func (b *body) instPort(at, i int, flip bool) sig {
	inst := &b.m.Insts[at]
	p := &inst.Mod.Ports[i]
	s := sig{b: b}
	if p.Dir == ir.Out {
		s.id = inst.Conns[i]
	} else {
		t := b.m.AddType(inst.Mod.TypeOf(p.Type))
		s.id = b.m.Add(ir.Node{Op: ir.Wire, Type: t, Width: int32(p.Width), Pos: inst.Pos}, ir.None)
		s.lv = b.addTarget(target{kind: instTarget, id: s.id, inst: int32(at), port: int32(i)})
	}
	if flip {
		b.d.flips[flipKey{b, s.id}] = true
	}
	return s
}

// connect joins the ports of an instance with what its parent gives for them;
// unset scalars are left for later.
func connect[P any](m *Module, name string, port, given *P) {
	pl := planOf[P]()
	err := pl.pair(unsafe.Pointer(port), unsafe.Pointer(given), func(_ leafKind, p, g *sig) {
		switch {
		case g.b == nil && g.x == nil:
		case p.lv > 0:
			assign(*p, *g)
		default:
			assign(*g, *p)
		}
	})
	if err != nil {
		m.Errorf("bundle", "Inst %s: %v", name, err)
	}
}

// unusable is the ports of an instance whose module could not be built.
func unusable[P any](b *body, c Component[P]) (p P) {
	defer func() { recover() }() // Ports of invalid parameters may panic; the mistake is reported
	p = c.Ports()
	return walk(p, func(_ leafKind, s *sig) { *s = poisonOf(b, max(s.Width(), 1)) })
}
