package text

import (
	"github.com/alecthomas/participle/v2/lexer"

	"etch/ir"
	"etch/ir/bits"
)

func (b *body) extern(l *externLine) error {
	if b.m.Extern != nil {
		return b.fail(l.Name, "a second extern")
	}
	name, err := b.name(l.Name)
	if err != nil {
		return err
	}
	e := &ir.Extern{Module: name, Model: l.Model}
	for _, f := range l.Files {
		path, err := b.name(f.Text)
		if err != nil {
			return err
		}
		e.Files = append(e.Files, path)
	}
	for _, param := range l.Params {
		name, err := b.name(param.Name)
		if err != nil {
			return err
		}
		v, err := b.name(param.Value)
		if err != nil {
			return err
		}
		e.Params = append(e.Params, ir.Param{Name: name, Value: v})
	}
	b.m.Extern = e
	return nil
}

func (b *body) port(l *portLine) error {
	name, err := b.name(l.Name)
	if err != nil {
		return err
	}
	if b.ports[name] {
		return b.fail(l.Name, "a second port %s", name)
	}
	b.ports[name] = true
	port := ir.Port{Name: name, Dir: ir.In, Node: b.label(l.Node)}
	if l.Dir.Value == ir.Out.String() {
		port.Dir = ir.Out
	}
	if port.Width, port.Type, err = b.shape(&l.Shape); err != nil {
		return err
	}
	if port.Pos, err = b.position(l.At); err != nil {
		return err
	}
	b.m.Ports = append(b.m.Ports, port)
	return nil
}

func (b *body) register(l *regLine) error {
	b.m.Regs = append(b.m.Regs, ir.Register{
		Node: b.label(l.Node), Next: b.label(l.Next), Clk: b.label(l.Clk),
		Rst: b.label(l.Rst), Reset: b.label(l.Reset), Async: l.Async, Init: b.label(l.Init),
	})
	return nil
}

func (b *body) memory(l *memoryLine) error {
	var mem ir.Memory
	var err error
	if mem.Name, err = b.name(l.Name); err != nil {
		return err
	}
	if mem.Depth, err = b.number(l.Depth, "a depth", 1, maxMemoryBits); err != nil {
		return err
	}
	if mem.Width, err = b.number(l.Width, "a width", 1, bits.MaxWidth); err != nil {
		return err
	}
	if mem.Depth > maxMemoryBits/mem.Width {
		return b.fail(l.Depth, "a memory of %d x %d bits; the text form allows 2^33 bits", mem.Depth, mem.Width)
	}
	if mem.Type, err = b.typ(l.Type); err != nil {
		return err
	}
	if mem.Style, err = b.name(l.Style); err != nil {
		return err
	}
	if mem.Pos, err = b.position(l.At); err != nil {
		return err
	}
	b.m.Mems = append(b.m.Mems, mem)
	b.mem = &b.m.Mems[len(b.m.Mems)-1]
	return nil
}

func (b *body) init(l *initLine) error {
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

func (b *body) read(l *readLine) error {
	name, err := b.name(l.Name)
	if err != nil {
		return err
	}
	r := ir.ReadPort{Name: name, Node: b.label(l.Node), Clk: b.label(l.Clk), Addr: b.label(l.Addr), En: b.label(l.En)}
	for r.Under < ir.Undefined && r.Under.String() != l.Under.Value {
		r.Under++
	}
	if r.Pos, err = b.position(l.At); err != nil {
		return err
	}
	b.mem.Reads = append(b.mem.Reads, r)
	return nil
}

func (b *body) write(l *writeLine) error {
	name, err := b.name(l.Name)
	if err != nil {
		return err
	}
	w := ir.WritePort{
		Name: name, Clk: b.label(l.Clk), Addr: b.label(l.Addr), Data: b.label(l.Data),
		En: b.label(l.En), Mask: b.label(l.Mask),
	}
	if w.Pos, err = b.position(l.At); err != nil {
		return err
	}
	b.mem.Writes = append(b.mem.Writes, w)
	return nil
}

func (b *body) stmt(l *stmtLine) error {
	name, err := b.name(l.Name)
	if err != nil {
		return err
	}
	s := ir.Stmt{Name: name, Clk: b.label(l.Clk), En: b.label(l.En), Cond: b.label(l.Cond)}
	for s.Kind < ir.Print && s.Kind.String() != l.Kind.Value {
		s.Kind++
	}
	if s.Kind == ir.Print && s.Cond != ir.None {
		return b.fail(l.Cond, "print has no condition")
	}
	if s.Format, err = b.name(l.Format); err != nil {
		return err
	}
	for _, t := range l.Args {
		s.Args = append(s.Args, b.label(t))
	}
	if s.Pos, err = b.position(l.At); err != nil {
		return err
	}
	b.m.Stmts = append(b.m.Stmts, s)
	return nil
}

func (b *body) instance(l *instanceLine) error {
	name, err := b.name(l.Name)
	if err != nil {
		return err
	}
	of, err := b.name(l.Of)
	if err != nil {
		return err
	}
	mod := b.modules[of]
	if mod == nil {
		return b.fail(l.Of, "no module %s comes before", of)
	}
	inst := ir.Instance{Name: name, Mod: mod, Conns: make([]ir.ID, len(mod.Ports))}
	if err := b.conns(inst, l); err != nil {
		return err
	}
	if inst.Pos, err = b.position(l.At); err != nil {
		return err
	}
	b.m.Insts = append(b.m.Insts, inst)
	return nil
}

func (b *body) conns(inst ir.Instance, l *instanceLine) error {
	at := make(map[string]int, len(inst.Mod.Ports))
	for i, p := range inst.Mod.Ports {
		at[p.Name] = i
	}
	for _, c := range l.Conns {
		name, err := b.name(c.Port)
		if err != nil {
			return err
		}
		i, ok := at[name]
		if !ok {
			return b.fail(c.Port, "module %s has no port %s", inst.Mod.Name, name)
		}
		if inst.Conns[i] != ir.None {
			return b.fail(c.Port, "port %s is connected twice", name)
		}
		inst.Conns[i] = b.label(c.Node)
	}
	for i, p := range inst.Mod.Ports {
		if inst.Conns[i] == ir.None {
			return b.fail(lexer.Token{}, "port %s of %s is not connected", p.Name, inst.Mod.Name)
		}
	}
	return nil
}
