package equiv

import (
	"fmt"
	"strings"

	"etch/ir"
	"etch/passes/aig"
)

// compare makes a difference of any output bad, and of any input of a black box that both sides
// have.
func (p *problem) compare(outs []match) error {
	for i := range outs {
		x, y := p.output(outs[i].a), p.output(outs[i].b)
		p.differ(bad{out: &outs[i]}, x, y)
	}

	// Inputs of black boxes are outputs of the circuit; boxes of the two sides are paired by
	// name.
	boxes := map[string]int{}
	for i, out := range p.circuit.Outputs {
		name, side := twin(out.Name)
		if out.Box == "" {
			continue
		}
		j, ok := boxes[name]
		switch {
		case side == 'a':
			boxes[name] = i
		case !ok:
			return fmt.Errorf("black box %s is in b only", strings.TrimPrefix(out.Box, "b."))
		default:
			delete(boxes, name)
			p.differ(bad{out: &match{name: name}, box: [2]int{j, i}}, j, i)
		}
	}
	for _, out := range p.circuit.Outputs {
		if name, _ := twin(out.Name); out.Box != "" {
			if _, left := boxes[name]; left {
				return fmt.Errorf("black box %s is in a only", strings.TrimPrefix(out.Box, "a."))
			}
		}
	}
	return nil
}

// output returns the index of an output of the pair.
func (p *problem) output(name string) int {
	for i, out := range p.circuit.Outputs {
		if out.Box == "" && out.Name == name {
			return i
		}
	}
	panic("equiv: an output of the pair is lost: " + name)
}

// differ makes a difference of two outputs bad.
func (p *problem) differ(b bad, x, y int) {
	g := p.sys.Graph
	equal := g.EqualWords(p.circuit.Outputs[x].Bits, p.circuit.Outputs[y].Bits)
	p.add(b, equal.Not())
}

// add adds a bad literal and its meaning.
func (p *problem) add(b bad, l aig.Lit) {
	p.bads = append(p.bads, b)
	p.sys.Bad = append(p.sys.Bad, l)
}

// statements makes it bad that a statement is hit on one side only.
func (p *problem) statements() error {
	type key struct {
		kind ir.StmtKind
		code int
		name string
		nth  int
	}
	sides := [2]map[key]*aig.Stmt{{}, {}}
	var order []key
	for i := range p.circuit.Stmts {
		s := &p.circuit.Stmts[i]
		name, side := twin(s.Name)
		k := key{s.Kind, s.Code, name, 0}
		m := sides[side-'a']
		for m[k] != nil {
			k.nth++
		}
		m[k] = s
		if side == 'a' {
			order = append(order, k)
		} else if sides[0][k] == nil {
			return fmt.Errorf("%s %s is in b only", k.kind, name)
		}
	}

	// Each statement of a needs its counterpart, and is hit with it.
	for _, k := range order {
		x, y := sides[0][k], sides[1][k]
		if y == nil {
			return fmt.Errorf("%s %s is in a only", k.kind, k.name)
		}
		p.add(bad{stmt: x}, p.sys.Graph.Xor(x.Hit, y.Hit))
	}
	return nil
}

// assertions makes every assertion bad, and every stop with a code other than 0, whose name,
// text or position contains what. It returns their numbers among the statements; the error lists
// all assertions if none matches.
func (p *problem) assertions(what string) (list []int, err error) {
	var names []string
	for i := range p.circuit.Stmts {
		s := &p.circuit.Stmts[i]
		if !s.Fails() {
			continue
		}

		// All names are kept for the error.
		names = append(names, s.Label())
		if strings.Contains(s.Name, what) || strings.Contains(s.Text, what) || strings.Contains(s.At, what) {
			p.add(bad{stmt: s}, s.Hit)
			list = append(list, i)
		}
	}
	switch {
	case len(names) == 0:
		return nil, fmt.Errorf("%s has no assertions", p.design.Top.Name)
	case len(list) == 0:
		return nil, fmt.Errorf("no assertion of %s contains %q; there are: %s", p.design.Top.Name, what, strings.Join(names, "; "))
	}
	return list, nil
}
