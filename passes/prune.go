package passes

import (
	"fmt"
	"strings"

	"etch/ir"
)

// Visible is what the outside sees of a design, besides the outputs of its top.
type Visible struct {
	// Names are full names, with dots between instances ("core.regs"), of registers, memories
	// and other values that stay. The name of an instance keeps everything named in it.
	Names []string
	// Silent leaves statements out: assertions, assumptions, covers, prints and stops.
	Silent bool
}

// Prune returns a flat copy of a verified design without everything that has no effect on
// what v says is visible. It keeps outputs, statements, black boxes and everything with
// attributes, as [DCE] does, and what they depend on. Names stay full names.
//
// A simulation of the copy spends no time on registers that nobody reads, but they cannot be
// looked at: other simulators (Verilator, GSIM) do the same by default. Errors: a name that the
// design lacks; more than [MaxFlat] nodes.
func Prune(d *ir.Design, v Visible) (*ir.Design, Count, error) {
	// Flatten leaves the modules alone and makes a new top, unless there is nothing to dissolve.
	flat := *d
	c, err := Flatten(&flat)
	if err != nil {
		return nil, c, err
	}
	if flat.Top == d.Top {
		flat.Top = d.Top.Clone()
	}
	if v.Silent {
		flat.Top.Stmts = nil
	}

	k := newMarker(flat.Top)
	for _, name := range v.Names {
		if !k.seen(name) {
			return nil, c, fmt.Errorf("passes: %s has no register, memory, instance or other value called %q", d.Top.Name, name)
		}
	}
	c.Add(sweep(flat.Top, k, false))
	flat.Modules = append(used(flat.Modules, flat.Top), flat.Top)
	return &flat, c, nil
}

// seen marks what bears a full name, or lies in the instance of that name. It reports whether
// there is anything.
func (k *marker) seen(name string) bool {
	found := false
	named := func(s string) bool {
		rest, ok := strings.CutPrefix(s, name)
		ok = ok && (rest == "" || rest[0] == '.')
		found = found || ok
		return ok
	}

	// Values, then the two kinds of things that are no values.
	for id := ir.ID(1); int(id) < k.m.Len(); id++ {
		if s := k.m.NameOf(id); s != "" && named(s) {
			k.node(id)
		}
	}
	for i := range k.m.Mems {
		if named(k.m.Mems[i].Name) {
			k.memory(i)
		}
	}
	for i := range k.m.Insts {
		if named(k.m.Insts[i].Name) {
			k.instance(i)
		}
	}
	return found
}
