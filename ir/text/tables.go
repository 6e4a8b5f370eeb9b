package text

import (
	"math"

	"github.com/alecthomas/participle/v2/lexer"

	"etch/ir"
	"etch/ir/bits"
)

func (b *body) extern(l *externLine) error {
	if b.m.Extern != nil {
		return b.fail(l.Name, "a second extern")
	}

	e := &ir.Extern{Module: b.name(l.Name), Model: l.Model}
	for _, f := range l.Files {
		e.Files = append(e.Files, b.name(f.Text))
	}
	for _, param := range l.Params {
		e.Params = append(e.Params, ir.Param{Name: b.name(param.Name), Value: b.name(param.Value)})
	}
	b.m.Extern = e
	return nil
}

func (b *body) port(l *portLine) (err error) {
	port := ir.Port{Name: b.name(l.Name), Dir: ir.In, Node: b.label(l.Node)}
	// Names of ports are unique, so that connections can use them.
	if b.ports[port.Name] {
		return b.fail(l.Name, "a second port %s", port.Name)
	}
	b.ports[port.Name] = true
	// The grammar has checked the word.
	for port.Dir < ir.InOut && port.Dir.String() != l.Dir.Value {
		port.Dir++
	}
	if port.Width, port.Type, err = b.shape(&l.Shape); err != nil {
		return err
	}
	if port.Pos, err = b.position(l.At); err != nil {
		return err
	}

	if l.Tail != nil {
		port.Path = b.name(l.Tail.Path)
		port.SetAt, err = b.setAt(l.Tail)
	}
	b.m.Ports = append(b.m.Ports, port)
	return err
}

// setAt reads the position of one value.
func (b *body) setAt(l *tail) (ir.Pos, error) {
	if l == nil {
		return 0, nil
	}
	pos, err := b.positions(l.Set, 1)
	if pos == nil {
		return 0, err
	}
	return pos[0], err
}

func (b *body) register(l *regLine) error {
	at, err := b.setAt(l.Tail)
	b.m.Regs = append(b.m.Regs, ir.Register{
		Node: b.label(l.Node), Next: b.label(l.Next), Clk: b.label(l.Clk),
		Rst: b.label(l.Rst), Reset: b.label(l.Reset), Async: l.Async || l.Latch, Init: b.label(l.Init), SetAt: at,
	})
	if l.Latch {
		b.m.Regs[len(b.m.Regs)-1].Kind = ir.Latch
	}
	return err
}

func (b *body) memory(l *memoryLine) (err error) {
	mem := ir.Memory{Name: b.name(l.Name), Style: b.name(l.Style)}
	if mem.Depth, err = b.number(l.Depth, "a depth", 1, maxDepth); err != nil {
		return err
	}
	if mem.Width, err = b.number(l.Width, "a width", 1, bits.MaxWidth); err != nil {
		return err
	}
	// Both factors are bounded, so the product does not overflow.
	if int64(mem.Depth)*int64(mem.Width) > maxMemoryBits {
		return b.fail(l.Depth, "a memory of %d x %d bits; the text form allows 2^33 bits", mem.Depth, mem.Width)
	}
	if mem.Type, err = b.typ(l.Type); err != nil {
		return err
	}

	mem.Pos, err = b.position(l.At)
	b.m.Mems = append(b.m.Mems, mem)
	b.mem = &b.m.Mems[len(b.m.Mems)-1]
	return err
}

func (b *body) init(l *initLine) error {
	// No words at all still means zeros, unlike a memory without an init line.
	if b.mem.Init == nil {
		b.mem.Init = []bits.Value{}
	}
	for _, t := range l.Words {
		v, err := b.value(t)
		if err != nil {
			return err
		}
		if v.Width() != b.mem.Width {
			return b.fail(t, "a word of %d bits in a memory of %d", v.Width(), b.mem.Width)
		}
		b.mem.Init = append(b.mem.Init, v)
	}

	if len(b.mem.Init) > b.mem.Depth {
		return b.fail(l.Words[0], "more than %d words", b.mem.Depth)
	}
	return nil
}

func (b *body) read(l *readLine) (err error) {
	r := ir.ReadPort{
		Name: b.name(l.Name), Node: b.label(l.Node), Clk: b.label(l.Clk), Addr: b.label(l.Addr), En: b.label(l.En),
	}
	// The grammar has checked the word.
	for r.Under < ir.Undefined && r.Under.String() != l.Under.Value {
		r.Under++
	}
	r.Pos, err = b.position(l.At)
	b.mem.Reads = append(b.mem.Reads, r)
	return err
}

func (b *body) write(l *writeLine) (err error) {
	w := ir.WritePort{
		Name: b.name(l.Name), Clk: b.label(l.Clk), Addr: b.label(l.Addr), Data: b.label(l.Data),
		En: b.label(l.En), Mask: b.label(l.Mask),
	}
	w.Pos, err = b.position(l.At)
	b.mem.Writes = append(b.mem.Writes, w)
	return err
}

func (b *body) netLine(l *netLine) error {
	n := ir.Net{Node: b.label(l.Node)}

	// The words of pulls, from the last kind down to none.
	for n.Pull = ir.PullDown; n.Pull > ir.PullNone && n.Pull.String() != l.Pull.Value; {
		n.Pull--
	}
	b.m.Nets = append(b.m.Nets, n)
	b.net = &b.m.Nets[len(b.m.Nets)-1]
	return nil
}

func (b *body) drive(l *driveLine) (err error) {
	d := ir.Driver{Value: b.label(l.Value), En: b.label(l.En)}
	d.Pos, err = b.position(l.At)
	b.net.Drivers = append(b.net.Drivers, d)
	return err
}

func (b *body) stmt(l *stmtLine) (err error) {
	s := ir.Stmt{
		Name: b.name(l.Name), Clk: b.label(l.Clk), En: b.label(l.En), Cond: b.label(l.Cond), Format: b.name(l.Format),
	}
	// The grammar has checked the word.
	for s.Kind < ir.Stop && s.Kind.String() != l.Kind.Value {
		s.Kind++
	}

	// The form of a statement depends on its kind.
	if !s.Kind.HasCond() && s.Cond != ir.None {
		return b.fail(l.Cond, "%s has no condition", s.Kind)
	}

	if l.Code.Value != "" {
		if s.Kind != ir.Stop {
			return b.fail(l.Code, "%s has no exit code", s.Kind)
		}
		if s.Code, err = b.number(l.Code, "an exit code", 0, math.MaxInt32); err != nil {
			return err
		}
	}

	for _, t := range l.Args {
		s.Args = append(s.Args, b.label(t))
	}
	s.Pos, err = b.position(l.At)
	b.m.Stmts = append(b.m.Stmts, s)
	return err
}

func (b *body) instance(l *instanceLine) (err error) {
	of := b.name(l.Of)

	// A child is read before its parent.
	mod := b.modules[of]
	if mod == nil {
		return b.fail(l.Of, "no module %s comes before", of)
	}
	inst := ir.Instance{Name: b.name(l.Name), Mod: mod, Conns: make([]ir.ID, len(mod.Ports))}
	if err := b.conns(inst, l); err != nil {
		return err
	}
	if inst.Pos, err = b.position(l.At); err != nil {
		return err
	}
	if l.Tail != nil {
		inst.SetAt, err = b.positions(l.Tail.Set, len(inst.Conns))
	}
	b.m.Insts = append(b.m.Insts, inst)
	return err
}

func (b *body) conns(inst ir.Instance, l *instanceLine) error {
	// Ports may come in any order, but each once.
	at := portsOf(inst.Mod)
	for _, c := range l.Conns {
		name := b.name(c.Port)
		i, ok := at[name]
		if !ok {
			return b.fail(c.Port, "module %s has no port %s", inst.Mod.Name, name)
		}
		if inst.Conns[i] != ir.None {
			return b.fail(c.Port, "port %s is connected twice", name)
		}
		inst.Conns[i] = b.label(c.Node)
	}

	// Each port needs a connection.
	for i, p := range inst.Mod.Ports {
		if inst.Conns[i] == ir.None {
			return b.fail(lexer.Token{}, "port %s of %s is not connected", p.Name, inst.Mod.Name)
		}
	}
	return nil
}
