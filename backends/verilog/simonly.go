package verilog

import "etch/ir"

// findSimOnly marks the registers and named values that only statements need.
func (p *view) findSimOnly() {
	// A statement that never acts keeps nothing alive.
	var stmts []ir.Stmt
	for _, s := range p.m.Stmts {
		if p.acts(s) {
			stmts = append(stmts, s)
		}
	}
	if len(stmts) == 0 {
		return
	}

	for id, only := range ir.ForStatements(p.m, stmts) {
		if id := ir.ID(id); only && (p.m.Op(id) == ir.Reg || p.isNet(id)) {
			p.marks[id] |= simOnly
		}
	}
}
