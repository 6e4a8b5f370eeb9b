package verilog

import (
	"cmp"
	"strconv"

	"etch/backends/verilog/internal/names"
	"etch/ir"
)

// labeler names the values that get a wire but have no name.
type labeler struct {
	*view
	*naming
	*uses
	first []int32  // the first user of an unnamed value, which names it: a node, or -1-i for sinks[i]
	sinks []string // the names for values at places that are no nodes: pins, memory ports
	buf   []byte
}

// label names the values that get a wire but have no name, after their first use: sum_add
// is a part of sum, an addition; a second addition there is sum_add_2. A comparison with a
// constant is named after its operands, see term. Thus an edit elsewhere renames nothing.
func (p *labeler) label() {
	p.first, p.sinks = grown(p.first, p.m.Len()), p.sinks[:0]
	p.firstUses()
	p.labelSinks()

	// Numbers count per user and op, so that other ops below the same user change none.
	m := p.m
	type kind struct {
		user int32
		op   ir.Op
	}

	last := map[kind]int{}
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		if !p.used(id, net) || p.names[id] != 0 {
			continue
		}

		// A term names itself. Others take the stem of their user, with the op as suffix
		// unless the value is exactly what the user takes.
		user := p.owner(id)
		stem := p.term(id)
		if stem == nil {
			var direct bool
			if stem, direct = p.stem(id, user); !direct {
				stem = append(append(stem, '_'), suffixes[m.Op(id)]...)
			}
		}

		if name, ok := p.table.Add(stem); ok {
			p.names[id] = name
			continue
		}

		// The stem is taken: number the values of this op below this user.
		n := len(stem)
		k := kind{user, m.Op(id)}
		for last[k] = max(last[k], 1) + 1; ; last[k]++ {
			stem = strconv.AppendInt(append(stem[:n], '_'), int64(last[k]), 10)
			if name, ok := p.table.Add(stem); ok {
				p.names[id] = name
				break
			}
		}
	}
}

// firstUses finds the first use of each value: by registers first, then by nodes in order of ID.
// Places without nodes come behind them, see labelSinks.
func (p *labeler) firstUses() {
	// A value without a name is called after the named node to which its first uses lead. A
	// register's next value is called after the register, whatever else reads it: so registers come
	// first.
	m := p.m
	for i := range m.Regs {
		r := &m.Regs[i]
		p.firstUse(r.Next, int32(r.Node))
		if r.Kind == ir.Latch {
			p.firstUse(r.Reset, int32(r.Node))
		}
	}

	// Users that are part of the text: nodes that are dropped or folded name nothing. A node that stands
	// for another one (to) uses it if it has a name, as an assignment; a slice uses its source,
	// through slices of slices.
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		switch {
		case !p.used(id, seen) && !p.is(id, named|tree) || p.is(id, folded):
		case p.to[id] == id && m.Op(id) == ir.Slice:
			x, _ := p.part(id)
			p.firstUse(x, int32(id))

		case p.to[id] == id:
			for _, a := range m.Args(id) {
				p.firstUse(a, int32(id))
			}

		case p.is(id, named):
			p.firstUse(p.to[id], int32(id))
		}
	}
}

// suffixes name the ops in names of values.
var suffixes = [ir.NumOps]string{
	ir.Const: "const", ir.MemRead: "read", ir.Wire: "wire", ir.Not: "not", ir.And: "and", ir.Or: "or", ir.Xor: "xor",
	ir.Add: "add", ir.Sub: "sub", ir.Mul: "mul", ir.MulS: "mul", ir.Div: "div", ir.DivS: "div", ir.Rem: "rem", ir.RemS: "rem",
	ir.Eq: "eq", ir.Lt: "lt", ir.LtS: "lt", ir.Shl: "shl", ir.Shr: "shr", ir.ShrS: "shr", ir.Mux: "mux", ir.Case: "case",
	ir.Slice: "bits", ir.Cat: "cat", ir.ZExt: "ext", ir.SExt: "ext", ir.RedAnd: "all", ir.RedOr: "any", ir.RedXor: "parity",
	ir.PopCount: "count", ir.Lut: "lut",
}

func (p *labeler) firstUse(id ir.ID, user int32) {
	if id = p.v(id); p.first[id] == 0 && !p.is(id, named) {
		p.first[id] = user
	}
}

// owner follows first uses to a node with a name. It shortens the path for later calls, as
// in union-find.
func (p *labeler) owner(id ir.ID) int32 {
	user := p.first[id]
	for user > 0 && !p.is(ir.ID(user), named) {
		user = p.first[user]
	}

	// The second walk compresses the path.
	for at := id; p.first[at] > 0 && !p.is(ir.ID(p.first[at]), named); {
		next := ir.ID(p.first[at])
		if at != id {
			p.first[at] = user
		}
		at = next
	}
	return user
}

// stem is the beginning of a name, or the whole name (direct) if the value is exactly the
// one that its user takes.
func (p *labeler) stem(id ir.ID, user int32) (stem []byte, direct bool) {
	stem = p.buf[:0]
	switch {
	case user > 0:
		stem = append(stem, p.table.Get(p.names[user])...)

		// The next value of a register is exactly the one that its user takes.
		if p.m.Op(ir.ID(user)) == ir.Reg && p.first[id] == user && p.v(p.reg(ir.ID(user)).Next) == id {
			stem, direct = append(stem, "_next"...), true
		}
	case user < 0:
		stem = append(stem, p.sinks[-1-user]...)
		direct = p.first[id] == user
	default:
		stem, direct = append(stem, "net"...), true
	}
	p.buf = stem
	return stem, direct
}

// labelSinks lists the places without nodes that use values without names.
func (p *labeler) labelSinks() {
	// Each takes its stem from the register, memory, instance or port that it belongs to.
	m := p.m
	for i := range m.Regs {
		r := &m.Regs[i]
		p.sinkFor(r.Clk, p.names[r.Node], "clk")
		p.sinkFor(r.Rst, p.names[r.Node], "rst")
	}

	for i := range m.Mems {
		mem := &m.Mems[i]
		for j := range mem.Reads {
			r := &mem.Reads[j]
			p.portSinks(i, portStem(r.Name, "read", j), r.Clk, r.Addr, ir.None, r.En)
		}
		for j := range mem.Writes {
			w := &mem.Writes[j]
			p.portSinks(i, portStem(w.Name, "write", j), w.Clk, w.Addr, w.Data, w.En, w.Mask)
		}
	}

	for i := range m.Insts {
		for j, c := range m.Insts[i].Conns {
			if m.Insts[i].Mod.Ports[j].Dir == ir.In {
				p.sinkFor(c, p.insts[i], m.Insts[i].Mod.Ports[j].Name)
			}
		}
	}

	for i := range m.Ports {
		if m.Ports[i].Dir == ir.Out && !p.portIs[i] {
			p.sinkFor(m.Ports[i].Node, p.ports[i], "next")
		}
	}

	p.labelNets()
	for i := range m.Stmts {
		s := &m.Stmts[i]
		name := cmp.Or(s.Name, s.Kind.String())
		p.sinkFor(s.Clk, 0, name+"_clk")
		p.sinkFor(s.En, 0, name+"_en")
		p.sinkFor(s.Cond, 0, name+"_cond")
		for j, a := range s.Args {
			p.sinkFor(a, 0, name+"_arg"+strconv.Itoa(j))
		}
	}
}

// portSinks notes the operands of a memory port: clock, address, data, enable, mask.
func (p *labeler) portSinks(mem int, port string, ids ...ir.ID) {
	for i, id := range ids {
		p.sinkFor(id, p.mems[mem], port+[...]string{"_clk", "_addr", "_data", "_en", "_mask"}[i])
	}
}

// portStem is a memory port's name; without one, its kind, with a number from the second
// on.
func portStem(name, what string, i int) string {
	switch {
	case name != "":
		return name
	case i == 0:
		return what
	}
	return what + strconv.Itoa(i+1)
}

// sinkFor notes a place, named after its owner, if it is the first use of a value without a
// name.
func (p *labeler) sinkFor(id ir.ID, owner names.ID, what string) {
	id = p.v(id)
	if id == ir.None || !p.used(id, seen) || p.is(id, named) || p.first[id] != 0 {
		return
	}
	if owner != 0 {
		what = p.text(owner) + "_" + what
	}
	p.sinks = append(p.sinks, names.Legal(what))
	p.first[id] = int32(-len(p.sinks))
}
