package program

import (
	"errors"
	"fmt"

	"etch/ir"
)

// tree lists the instances of the design, breadth first.
func (c *compiler) tree() error {
	p := c.p
	top := p.Design.Top
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
	p.Insts = make([]Instance, 0, first.instances)
	c.addInstance(first, -1, 0)
	base := 0
	for i := 0; i < len(p.Insts); i++ {
		in := &p.Insts[i]
		in.base, in.Kids = int32(base), int32(len(p.Insts))
		base += in.Mod.Len()
		if in.Box >= 0 {
			continue
		}

		k := p.kinds[in.kind]
		k.run++
		for at, kid := range k.kids {
			c.addInstance(kid, int32(i), int32(at))

			// A black box needs a decision: a Model runs it, or its body.
			if kid.mod.Extern == nil {
				continue
			}
			if err := c.addBox(int32(len(p.Insts) - 1)); err != nil {
				return err
			}
		}
	}
	p.slots = make([]uint32, base)
	return nil
}

// addInstance adds an instance whose body runs. Kinds are numbered in the order of their first
// instances.
func (c *compiler) addInstance(k *Kind, parent, at int32) {
	p := c.p
	if k.number < 0 {
		k.number = int32(len(p.kinds))
		p.kinds = append(p.kinds, k)
	}
	p.Insts = append(p.Insts, Instance{})
	in := &p.Insts[len(p.Insts)-1]
	in.Mod, in.kind, in.Parent, in.At, in.Box = k.mod, k.number, parent, at, -1
}

// Path returns the full name of an instance, "" for the top.
func (p *Program) Path(inst int32) string {
	in := &p.Insts[inst]
	if in.Parent < 0 {
		return ""
	}
	return Join(p.Path(in.Parent), p.Mod(in.Parent).Insts[in.At].Name)
}

// Join appends a name to a path.
func Join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// NodeName returns the full name of a node, "u.%12" without a name.
func (p *Program) NodeName(r Ref) string {
	name := p.Mod(r.Inst).NameOf(r.ID)
	if name == "" {
		name = fmt.Sprintf("%%%d", r.ID)
	}
	return Join(p.Path(r.Inst), name)
}

// describe names a node in an error message: its name or else its op, and its line.
func (p *Program) describe(r Ref) string {
	m := p.Mod(r.Inst)
	what := p.NodeName(r)
	if m.NameOf(r.ID) == "" {
		what = fmt.Sprintf("%s %s", m.Op(r.ID), what)
	}
	return what + p.Line(r.Inst, m.Node(r.ID).Pos)
}

// Line returns " (file.go:12)", or "" for an unknown position.
func (p *Program) Line(inst int32, pos ir.Pos) string {
	if at := p.Location(inst, pos); at.Line != 0 {
		return " (" + at.String() + ")"
	}
	return ""
}

// Location is the source line of a position in the module of an instance.
func (p *Program) Location(inst int32, pos ir.Pos) ir.Location { return p.Mod(inst).Src.At(pos) }

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

// IsBoxed reports whether an instance is a black box or inside one.
func (p *Program) IsBoxed(inst int32) bool {
	for in := &p.Insts[inst]; in.Parent >= 0; in = &p.Insts[in.Parent] {
		if in.Mod.Extern != nil {
			return true
		}
	}
	return false
}
