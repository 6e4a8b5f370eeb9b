package text

import (
	"github.com/alecthomas/participle/v2/lexer"

	"etch/ir"
)

// attributes attaches attributes to the things that their lines name, after the whole
// module is read.
func (b *body) attributes() error {
	if len(b.attrs) == 0 {
		return nil
	}

	// Every object has its entry by now, so that names can be looked up.
	f := newFinder(b)
	for _, l := range b.attrs {
		a := ir.Attr{Name: l.Name.Value, Value: b.name(l.Value)}
		if !a.Valid() {
			return b.fail(l.Value, "attribute %s has the value %s; expected an integer or a string of Verilog", a.Name, a.Value)
		}
		// A list of the same length shows that the attribute replaced one.
		to, set, err := f.attrList(&l.Of)
		if err != nil {
			return err
		}
		list := ir.SetAttr(to, a)
		if len(list) == len(to) {
			return b.fail(l.Name, "a second attribute %s", a.Name)
		}
		set(list)
	}
	return nil
}

// attrList is the list of attributes of a target, and a function that replaces it.
func (f *finder) attrList(t *attrTarget) (list []ir.Attr, set func([]ir.Attr), err error) {
	// Nodes keep their attributes in the module; all others in a field of their entry.
	to := &f.m.Attrs
	at := 0
	switch {
	case t.Node.Type != 0:
		id := f.nodeOf[f.labels[t.Node.Value]]
		return f.m.AttrsOf(id), func(list []ir.Attr) { f.m.SetAttrs(id, list) }, nil
	case t.Port.Type != 0:
		at, _, err = f.port(t.Port, []lexer.Token{t.Port}, f.ports, f.m)
		if err == nil {
			to = &f.m.Ports[at].Attrs
		}
	case t.Memory != nil:
		if at, err = f.entry(t.Memory, "memory", f.mems); err == nil {
			to = &f.m.Mems[at].Attrs
		}
	case t.Inst != nil:
		if at, err = f.entry(t.Inst, "instance", f.insts); err == nil {
			to = &f.m.Insts[at].Attrs
		}
	}
	return *to, func(list []ir.Attr) { *to = list }, err
}

// entry finds an entry of a table by a reference like ram or ram#2.
func (f *finder) entry(r *reference, what string, at map[string][]int) (int, error) {
	// Names need not be unique; nth tells which.
	name := f.name(r.Name)
	list := at[name]
	if len(list) == 0 {
		return 0, f.fail(r.Name, "there is no %s %s", what, name)
	}
	k, err := f.nth(r.Nth, what, name, len(list))

	if err != nil {
		return 0, err
	}
	return list[k], nil
}
