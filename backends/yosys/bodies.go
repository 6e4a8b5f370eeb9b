package yosys

import (
	"context"
	"fmt"
	"slices"

	"etch/ir"
)

// Bodies reads the Verilog of the black boxes of d that have files and no model, with their
// parameters, and makes it their model: from then on simulators run them, and back ends go on to
// write the instances only. Of flags, only Defines, Include and Time are used. d is changed; an
// error leaves it as it was. Errors are as in [Read], and: the box's ports differ from the
// Verilog's.
func Bodies(ctx context.Context, run Run, d *ir.Design, flags Source) error {
	var mods []*ir.Module
	var bodies []*ir.Design

	// The names of the design and of the bodies so far are taken.
	with := &ir.Design{Src: d.Src, Modules: slices.Clone(d.Modules)}

	// Read all bodies first, so that an error leaves the design as it was.
	for _, m := range d.Modules {
		if !NeedsBody(m) {
			continue
		}
		src := Source{Files: m.Extern.Files, Top: m.Extern.Module, Params: m.Extern.Params,
			Defines: flags.Defines, Include: flags.Include, Time: flags.Time}
		body, err := read(ctx, run, src, with)
		if err == nil {
			err = fits(m, body.Top)
		}
		if err != nil {
			return fmt.Errorf("black box %s: %w", m.Name, err)
		}
		with.Modules = append(with.Modules, body.Modules...)
		mods, bodies = append(mods, m), append(bodies, body)
	}

	// Then the modules below a body go in front of it.
	for i, m := range mods {
		adopt(m, bodies[i].Top)
		at := slices.Index(d.Modules, m)
		d.Modules = slices.Insert(d.Modules, at, bodies[i].Modules[:len(bodies[i].Modules)-1]...) // the last is the top
	}
	return nil
}

// NeedsBody reports whether a module is a black box with files and without model.
func NeedsBody(m *ir.Module) bool {
	return m.Extern != nil && !m.Extern.Model && len(m.Extern.Files) > 0
}

// fits compares the ports of a black box with its Verilog's.
func fits(m, body *ir.Module) error {
	for i := range m.Ports {
		p := &m.Ports[i]

		// Ports are matched by name, as in Verilog's connections.
		k := body.PortIndex(p.Name)
		if k < 0 {
			return fmt.Errorf("module %s has no port %s", m.Extern.Module, p.Name)
		}
		q := &body.Ports[k]
		clock := ir.TypeID(ir.Clock)
		switch {
		case q.Dir != p.Dir:
			return fmt.Errorf("port %s is an %s, in module %s an %s", p.Name, p.Dir, m.Extern.Module, q.Dir)
		case q.Width != p.Width:
			return fmt.Errorf("port %s has %d bits, in module %s %d", p.Name, p.Width, m.Extern.Module, q.Width)
		case q.Type == clock && p.Type != clock && p.Dir == ir.In:
			return fmt.Errorf("port %s is a clock in module %s: declare it as one", p.Name, m.Extern.Module)
		}
	}

	// An input that the black box lacks would float.
	for i := range body.Ports {
		if q := &body.Ports[i]; q.Dir == ir.In && m.PortIndex(q.Name) < 0 {
			return fmt.Errorf("module %s has an input %s that the black box has not", m.Extern.Module, q.Name)
		}
	}
	return nil
}

// adopt gives a black box the body of a module; it keeps its name and its ports.
func adopt(m, body *ir.Module) {
	// The box stays the module that instances point to: its contents change.
	old := *m
	*m = *body
	m.Name, m.Origin, m.Pos, m.Src = old.Name, old.Origin, old.Pos, old.Src
	m.Ports = slices.Clone(old.Ports)
	extern := *old.Extern
	extern.Model = true
	m.Extern = &extern
	for i := range m.Ports {
		p := &m.Ports[i]
		p.Node = body.Ports[body.PortIndex(p.Name)].Node
		p.Type = m.AddType(old.TypeOf(p.Type))
		if p.Dir == ir.In {
			m.Node(p.Node).Aux = int32(i)
			m.Node(p.Node).Type = p.Type
		}
	}
}
