package sim

import (
	"errors"
	"fmt"
	"sync"

	"etch/ir"
)

// tree lists the instances of the design, breadth first.
func (c *compiler) tree() error {
	p := c.p
	top := p.design.Top
	if top.Extern != nil && !top.Extern.Model {
		return fmt.Errorf("sim: the top %s is a black box", top.Name)
	}
	nodes, err := countNodes(top, map[*ir.Module]int{})
	if err != nil {
		return err
	}
	if nodes > MaxNodes {
		return fmt.Errorf("sim: the instances of %s have more than %d nodes", top.Name, MaxNodes)
	}
	p.insts = []instance{{mod: top, parent: -1, box: -1}}
	base := 0
	for i := 0; i < len(p.insts); i++ {
		m := p.insts[i].mod
		p.insts[i].base, p.insts[i].kids = base, int32(len(p.insts))
		base += m.Len()
		if p.insts[i].box >= 0 {
			continue
		}
		for at := range m.Insts {
			kid := instance{mod: m.Insts[at].Mod, parent: int32(i), at: int32(at), box: -1}
			p.insts = append(p.insts, kid)
			if kid.mod.Extern == nil {
				continue
			}
			if err := c.addBox(int32(len(p.insts) - 1)); err != nil {
				return err
			}
		}
	}
	p.slots = make([]uint32, base)
	return nil
}

// countNodes returns the nodes of m and all instances within, or a number above
// MaxNodes, from those of modules that are known; -1 is one being counted.
func countNodes(m *ir.Module, known map[*ir.Module]int) (int, error) {
	if n, ok := known[m]; ok {
		if n < 0 {
			return 0, fmt.Errorf("sim: module %s holds itself", m.Name)
		}
		return n, nil
	}
	known[m] = -1
	total := m.Len()
	for i := range m.Insts {
		n, err := countNodes(m.Insts[i].Mod, known)
		if err != nil {
			return 0, err
		}
		total = min(total+n, MaxNodes+1)
	}
	known[m] = total
	return total, nil
}

// path returns the full name of an instance, "" for the top.
func (p *program) path(inst int32) string {
	in := &p.insts[inst]
	if in.parent < 0 {
		return ""
	}
	return join(p.path(in.parent), p.mod(in.parent).Insts[in.at].Name)
}

// join puts a name behind a path.
func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// nodeName returns the full name of a node, "u.%12" when it has none.
func (p *program) nodeName(r ref) string {
	name := p.mod(r.inst).NameOf(r.id)
	if name == "" {
		name = fmt.Sprintf("%%%d", r.id)
	}
	return join(p.path(r.inst), name)
}

// describe names a node for an error: its name or else its op, and its line.
func (p *program) describe(r ref) string {
	m := p.mod(r.inst)
	what := p.nodeName(r)
	if m.NameOf(r.id) == "" {
		what = fmt.Sprintf("%s %s", m.Op(r.id), what)
	}
	return what + p.line(r.inst, m.Node(r.id).Pos)
}

// line returns " (file.go:12)", "" for an unknown position.
func (p *program) line(inst int32, pos ir.Pos) string {
	if at := p.location(inst, pos); at.Line != 0 {
		return " (" + at.String() + ")"
	}
	return ""
}

// locating keeps Sims of one design that run in parallel apart: ir.Sources
// resolves a position when it is first asked for.
var locating sync.Mutex

func (p *program) location(inst int32, pos ir.Pos) ir.Location {
	locating.Lock()
	defer locating.Unlock()
	return p.mod(inst).Src.At(pos)
}

// errorList keeps the first errors of many.
type errorList struct {
	errs []error
	more int
}

const maxErrors = 20

func (l *errorList) addf(format string, args ...any) {
	if len(l.errs) == maxErrors {
		l.more++
		return
	}
	l.errs = append(l.errs, fmt.Errorf("sim: "+format, args...))
}

func (l *errorList) err() error {
	if l.more > 0 {
		l.errs = append(l.errs, fmt.Errorf("sim: and %d more errors", l.more))
	}
	return errors.Join(l.errs...)
}
