package verilog

import (
	"fmt"
	"strconv"

	"etch/backends/verilog/internal/syntax"
	"etch/ir"
)

// A net is a wire with an assignment per driver, 'z while that is disabled; the port of a
// pad is such a wire itself. Pulls are for simulators: on a chip or board, a pull is a
// component of its own or a property of the pin.

// labelNets names the drivers of nets.
func (p *labeler) labelNets() {
	for i := range p.m.Nets {
		n := &p.m.Nets[i]
		for k, d := range n.Drivers {
			// A number tells the drivers of one net apart.
			suffix := ""
			if len(n.Drivers) > 1 {
				suffix = strconv.Itoa(k)
			}
			p.sinkFor(d.Value, p.names[n.Node], "out"+suffix)
			p.sinkFor(d.En, p.names[n.Node], "en"+suffix)
			p.readPad(p.v(d.Value))
		}
	}
}

// readPad names the value of a pad that drives a net, unless the value has its name already.
// Verilator (5.006 to 5.048) mistakes 1'b1 ? pad : 8'bz for a connection of the two wires, and
// the net then follows only the module's own drivers of the pad. A wire with the pad's value
// between them avoids that.
func (p *naming) readPad(pad ir.ID) {
	if p.m.PadOf(pad) >= 0 && p.padReads[pad] == 0 {
		p.padReads[pad] = p.table.Claim(p.text(p.names[pad]) + "_in")
	}
}

// declareNets declares the nets that are not ports, and the wires of readPad.
func (p *declarations) declareNets() {
	for i := range p.m.Nets {
		if id := p.m.Nets[i].Node; p.m.PadOf(id) < 0 {
			p.declare("wire ", id)
		} else if name := p.padReads[id]; name != 0 {
			p.Str("  wire ")
			p.shape(id)
			p.Str(p.text(name) + " = " + p.text(p.names[id]) + ";")
			p.endOf(id)
		}
	}
	p.Blank()
}

// drivers prints the drivers of nets and their pulls.
func (p *module) drivers() {
	for i := range p.m.Nets {
		n := &p.m.Nets[i]
		for k, d := range n.Drivers {
			p.driver(n, d, p.driverOf[i][k])
		}

		// The pull stands in the lowest module that has the wire.
		if n.Pull != ir.PullNone && !pulledBelow(p.m, n) {
			p.pull(n)
		}
	}
	p.Blank()
}

func (p *module) driver(n *ir.Net, d ir.Driver, e *syntax.Expr) {
	p.settle(d.Value, d.En)
	p.Str("  assign ")
	p.ident(n.Node)
	p.Str(" = ")
	e = p.link(e, context{})
	if name := p.padReads[p.v(d.Value)]; name != 0 {
		e.Args[1] = p.trees.Name(name, p.m.Width(n.Node))
	}
	p.Expr(e, 4)
	p.Ch(';')
	p.end(d.Pos)
}

// driven is the value that a driver gives to a net: 'z while it is disabled.
func (p *bodies) driven(net ir.ID, d ir.Driver) *syntax.Expr {
	on := p.operand(d.En, wantNet, context{typ: ir.TypeID(ir.Bool)})
	value := p.operand(d.Value, wantNet, context{typ: p.m.Node(net).Type})
	return p.trees.Choose(on, value, p.trees.Text(fmt.Sprintf("%d'bz", p.m.Width(net))), syntax.BreakNever)
}

// pulledBelow reports whether an instance on a net already has its pull.
func pulledBelow(m *ir.Module, n *ir.Net) bool {
	for i := range m.Insts {
		inst := &m.Insts[i]
		for j, c := range inst.Conns {
			child := inst.Mod
			if child.Ports[j].Dir == ir.InOut && c == n.Node && child.Extern == nil && child.Nets[child.Node(child.Ports[j].Node).Aux].Pull == n.Pull {
				return true
			}
		}
	}
	return false
}

// pull prints a pull, bit by bit: the primitive takes no vectors.
func (p *declarations) pull(n *ir.Net) {
	p.Line(0, "`ifndef SYNTHESIS")
	p.Str("  pull" + n.Pull.String())
	name, w := p.text(p.names[n.Node]), p.m.Width(n.Node)
	if w == 1 {
		p.Str(" (" + name + ")")
	}
	for i := 0; w > 1 && i < w; i++ {
		if i > 0 {
			p.Ch(',')
		}
		p.Wrap(4)
		p.Str("(" + name + "[" + strconv.Itoa(i) + "])")
	}
	p.Ch(';')
	p.end(p.m.Node(n.Node).Pos)
	p.Line(0, "`endif")
}
