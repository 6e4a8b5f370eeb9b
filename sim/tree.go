package sim

import (
	"errors"
	"fmt"

	"etch/ir"
)

// tree lists the instances of the design, breadth first.
func (c *compiler) tree() error {
	p := c.p
	top := p.design.Top
	if top.Extern != nil && !top.Extern.Model {
		return fmt.Errorf("sim: the top %s is a black box", top.Name)
	}

	first, err := c.kindFor(top)
	if err != nil {
		return err
	}
	if first.nodes > MaxNodes {
		return fmt.Errorf("sim: the instances of %s have more than %d nodes", top.Name, MaxNodes)
	}

	// The slice grows while it is read: children are appended behind all known instances.
	p.insts = make([]instance, 0, first.instances)
	c.addInstance(first, -1, 0)
	base := 0
	for i := 0; i < len(p.insts); i++ {
		in := &p.insts[i]
		in.base, in.kids = int32(base), int32(len(p.insts))
		base += in.mod.Len()
		if in.box >= 0 {
			continue
		}

		k := p.kinds[in.kind]
		k.run++
		for at, kid := range k.kids {
			c.addInstance(kid, int32(i), int32(at))
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

// addInstance adds an instance whose body runs. Kinds are numbered in the order of their first
// instances.
func (c *compiler) addInstance(k *kind, parent, at int32) {
	p := c.p
	if k.number < 0 {
		k.number = int32(len(p.kinds))
		p.kinds = append(p.kinds, k)
	}
	p.insts = append(p.insts, instance{})
	in := &p.insts[len(p.insts)-1]
	in.mod, in.kind, in.parent, in.at, in.box = k.mod, k.number, parent, at, -1
}

// path returns the full name of an instance, "" for the top.
func (p *program) path(inst int32) string {
	in := &p.insts[inst]
	if in.parent < 0 {
		return ""
	}
	return join(p.path(in.parent), p.mod(in.parent).Insts[in.at].Name)
}

// join appends a name to a path.
func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// nodeName returns the full name of a node, "u.%12" without a name.
func (p *program) nodeName(r ref) string {
	name := p.mod(r.inst).NameOf(r.id)
	if name == "" {
		name = fmt.Sprintf("%%%d", r.id)
	}
	return join(p.path(r.inst), name)
}

// describe names a node in an error message: its name or else its op, and its line.
func (p *program) describe(r ref) string {
	m := p.mod(r.inst)
	what := p.nodeName(r)
	if m.NameOf(r.id) == "" {
		what = fmt.Sprintf("%s %s", m.Op(r.id), what)
	}
	return what + p.line(r.inst, m.Node(r.id).Pos)
}

// line returns " (file.go:12)", or "" for an unknown position.
func (p *program) line(inst int32, pos ir.Pos) string {
	if at := p.location(inst, pos); at.Line != 0 {
		return " (" + at.String() + ")"
	}
	return ""
}

func (p *program) location(inst int32, pos ir.Pos) ir.Location { return p.mod(inst).Src.At(pos) }

// errorList keeps the first errors.
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

// isBoxed reports whether an instance is a black box or inside one.
func (p *program) isBoxed(inst int32) bool {
	for in := &p.insts[inst]; in.parent >= 0; in = &p.insts[in.parent] {
		if in.mod.Extern != nil {
			return true
		}
	}
	return false
}
