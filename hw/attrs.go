package hw

import (
	"fmt"
	"reflect"
	"strconv"

	"etch/ir"
)

// With is m with an attribute for the tools behind etch: registers, wires, values
// named by [Named], memories and instances made through it carry (* name = value *)
// in Verilog. The value is a string, a bool (1 or 0) or an integer of 32 bits:
//
//	meta := hw.Reg(m.With("ASYNC_REG", "TRUE"), "meta", hw.Bit{})
//
// Views add up; of two attributes of one name the inner one counts. Passes keep
// things with attributes: they do not remove, join, rename or narrow them.
func (m *Module) With(name string, value any) *Module {
	if m.finished("With") {
		return m
	}
	a, ok := m.attribute("With", name, value)
	if !ok {
		return m
	}
	v := *m
	v.attrs = ir.SetAttr(m.attrs, a)
	return &v
}

// Attribute puts an attribute on the module under construction, for every
// instance of it. Values are as for [Module.With].
func (m *Module) Attribute(name string, value any) {
	if m.finished("Attribute") {
		return
	}
	a, ok := m.attribute("Attribute", name, value)
	switch {
	case !ok:
	case m.b.m.Extern != nil:
		m.Errorf("attr", "Attribute: etch does not write the Verilog of %s, a black box; its instances can have attributes", m.b.m.Origin)
	default:
		m.b.m.Attrs = ir.SetAttr(m.b.m.Attrs, a)
	}
}

// Attr puts an attribute on every scalar of x, which are ports of the module
// under construction, registers, wires or values named by [Named]. Values are as
// for [Module.With].
func Attr[T any](m *Module, x T, name string, value any) {
	p := planOf[T]()

	if m.finished("Attr") {
		return
	}
	if p.err != nil {
		m.Errorf("bundle", "Attr: %v", p.err)
		return
	}
	if a, ok := m.attribute("Attr", name, value); ok {
		for _, s := range scalars(&x) {
			m.b.attach(s, a)
		}
	}
}

// attribute checks an attribute and writes its value as Verilog.
func (m *Module) attribute(what, name string, value any) (a ir.Attr, ok bool) {
	// Any valid value will do while the name is checked.
	a = ir.Attr{Name: name, Value: "0"}
	if !a.Valid() {
		m.Errorf("attr", "%s: %q is not the name of an attribute: use letters, digits and _, a letter or _ first", what, name)
		return a, false
	}

	switch v := reflect.ValueOf(value); v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			a.Value = "1"
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		a.Value = strconv.FormatInt(v.Int(), 10)

	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		a.Value = strconv.FormatUint(v.Uint(), 10)
	case reflect.String:
		a.Value, _ = ir.TextAttr(v.String())
	default:
		m.Errorf("attr", "%s: attribute %s has a value of type %T; want a string, a bool or an integer", what, name, value)
		return a, false
	}

	// The value must be one that Verilog takes in an attribute.
	if !a.Valid() {
		m.Errorf("attr", "%s: attribute %s: %s is not a value; want ASCII text without control characters, a bool or an integer of 32 bits", what, name, quoted(value))
		return a, false
	}
	return a, true
}

func quoted(value any) string {
	if v := reflect.ValueOf(value); v.Kind() == reflect.String {
		return strconv.Quote(v.String())
	}
	return fmt.Sprint(value)
}

// marked gives node id, which has a name, the attributes of the view.
func (m *Module) marked(id ir.ID) {
	if m.attrs != nil {
		m.b.m.SetAttrs(id, m.attrs)
	}
}

// attach puts an attribute on a scalar. A port takes it on the port itself, a register,
// wire or named value on its node; anything else is a mistake.
func (b *body) attach(s sig, a ir.Attr) {
	xs := [1]sig{s}
	if b.resolve("Attr", xs[:], false) {
		return
	}

	s = xs[0]
	n := b.m.Node(s.id)

	// An input keeps its attributes at the port, and so does an output, whose wire disappears when
	// the body is finished.
	if n.Op == ir.Input {
		port := &b.m.Ports[n.Aux]
		port.Attrs = ir.SetAttr(port.Attrs, a)
		return
	}

	if s.lv.settable() {
		if t := b.targets.at(s.lv.index()); t.kind == outTarget {
			port := &b.m.Ports[t.port]
			port.Attrs = ir.SetAttr(port.Attrs, a)
			return
		}
	}

	if b.m.NameOf(s.id) == "" || n.Op == ir.Const {
		b.d.report(newDiag("attr", origin(s), "Attr: %s is no port, register or wire and has no name that attribute %s could stand at; hw.Named gives it one", describe(s), a.Name))
		return
	}
	b.m.SetAttrs(s.id, ir.SetAttr(b.m.AttrsOf(s.id), a))
}
