package printer

import (
	"strconv"

	"etch/ir"
)

func utoa(v uint64) string { return strconv.FormatUint(v, 10) }

// nodeLine writes "  %6 sum: 4 = add %4 %5 @0:12".
func (p *printer) nodeLine(id ir.ID) {
	m, n := p.m, p.m.Node(id)
	p.str(" ").node("", id)
	if name := m.NameOf(id); name != "" {
		p.str(" ").name(name)
	}
	p.shape(int(n.Width), n.Type).str(" = ").str(n.Op.String())
	p.operands(id, n)

	// The tail has the positions at which the values of a Mux, Case or Wire were given.
	p.at(n.Pos).tail(m.PathOf(id), m.ArmPos(id)...).newLine()
}

// Ops whose operands are not just nodes have forms of their own.
func (p *printer) operands(id ir.ID, n *ir.Node) {
	m, args := p.m, p.m.Args(id)

	// A table of names may be shorter than an index in a design that does not verify: at tolerates
	// that.
	switch n.Op {
	case ir.Const:
		p.str(" ").str(m.ConstOf(id).String())
	case ir.Input:
		p.str(" ").str(p.portName(m, int(n.Aux)))
	case ir.MemOut:
		p.str(" ").str(p.mems.at(int(n.Aux)))
		if at := int(n.Aux); at >= 0 && at < len(p.reads) {
			p.str(" ").str(p.reads[at].at(int(n.Aux2)))
		}
	case ir.InstOut:
		p.str(" ").str(p.insts.at(int(n.Aux)))
		if at := int(n.Aux); at >= 0 && at < len(m.Insts) {
			p.str(" ").str(p.portName(m.Insts[at].Mod, int(n.Aux2)))
		}
	case ir.MemRead:
		p.str(" ").str(p.mems.at(int(n.Aux)))
		p.args(args)
	case ir.Lut:
		p.str(" ").str(m.TableOf(id).String())
		p.args(args)
	case ir.Slice:
		p.args(args)
		p.str(" at ").num(int(n.Aux))
	case ir.Case:
		p.caseOperands(id, args)
	default:
		p.args(args)
	}
}

func (p *printer) args(args []ir.ID) {
	for _, a := range args {
		p.node("", a)
	}
}

// caseOperands writes " %3 { 2'h1: %5, 2'h2: %6, else: %7 }".
// A broken node may lack selector or default.
func (p *printer) caseOperands(id ir.ID, args []ir.ID) {
	if len(args) < 2 {
		p.args(args)
		return
	}

	p.node("", args[0]).str(" {")
	keys := p.m.KeysOf(id)
	for i, v := range args[2:] {
		// A broken node may lack keys too.
		if i < len(keys) {
			p.str(" ").str(keys[i].String())
		} else {
			p.str(" ?")
		}
		p.str(":").node("", v).str(",")
	}
	p.str(" else:").node("", args[1]).str(" }")
}

func (p *printer) portName(m *ir.Module, i int) string {
	if i < 0 || i >= len(m.Ports) {
		return "?"
	}
	return string(appendName(nil, m.Ports[i].Name))
}
