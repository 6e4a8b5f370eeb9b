package verilog

import "etch/ir"

// findSimOnly marks the registers and named values that statements need and the
// hardware does not: outputs, instances and memories are made without them.
func (p *module) findSimOnly() {
	var roots []ir.ID
	for i := range p.m.Stmts {
		if s := &p.m.Stmts[i]; p.acts(*s) {
			roots = append(append(roots, s.Clk, s.En, s.Cond), s.Args...)
		}
	}
	if len(roots) == 0 {
		return
	}

	hardware, statements := make([]bool, p.m.Len()), make([]bool, p.m.Len())
	p.cone(hardware, p.hardwareRoots())
	p.cone(statements, roots)
	for id := ir.ID(1); int(id) < p.m.Len(); id++ {
		if statements[id] && !hardware[id] && (p.m.Op(id) == ir.Reg || p.isNet(id)) {
			p.marks[id] |= simOnly
		}
	}
}

// hardwareRoots lists what the world outside, instances and memories take.
func (p *module) hardwareRoots() (roots []ir.ID) {
	m := p.m
	for i := range m.Ports {
		roots = append(roots, m.Ports[i].Node)
	}
	for i := range m.Insts {
		roots = append(roots, m.Insts[i].Conns...)
	}
	for i := range m.Mems {
		for _, r := range m.Mems[i].Reads {
			roots = append(roots, r.Clk, r.Addr, r.En)
		}
		for _, w := range m.Mems[i].Writes {
			roots = append(roots, w.Clk, w.Addr, w.Data, w.En, w.Mask)
		}
	}
	return roots
}

// cone marks what roots depend on, through registers.
func (p *module) cone(in []bool, roots []ir.ID) {
	work := append(p.stack[:0], roots...)
	for len(work) > 0 {
		id := work[len(work)-1]
		work = work[:len(work)-1]
		if id == ir.None || in[id] {
			continue
		}
		in[id] = true
		work = append(work, p.m.Args(id)...)
		if p.m.Op(id) == ir.Reg {
			r := &p.m.Regs[p.m.Node(id).Aux]
			work = append(work, r.Next, r.Clk, r.Rst, r.Reset)
		}
	}
	p.stack = work
}
