//hwvet:ignore -- these mistakes are deliberate

package hw_test

import "etch/hw"

// sealed is a black box that wants an attribute of its own.
type sealed struct{}

func (sealed) Ports() thruPorts {
	return thruPorts{In: hw.In(hw.Unsigned(8)), Out: hw.Out(hw.Unsigned(8))}
}

func (sealed) Build(m *hw.Module, p thruPorts) {
	m.Attribute("keep", true) // want "Attribute: etch does not write the Verilog of sealed, a black box; its instances can have attributes [attr]"
}

func (sealed) Verilog() hw.Verilog { return hw.Verilog{Module: "sealed"} }

// Attributes.
var attrMistakes = []mistake{
	{"names and values of attributes", func(m *hw.Module, p pins) {
		m.With("async-reg", true)                         // want `With: "async-reg" is not the name of an attribute: use letters, digits and _, a letter or _ first [attr]`
		hw.Wire(m.With("keep", 1.5), "r", hw.Bit{}, p.C)  // want "With: attribute keep has a value of type float64; want a string, a bool or an integer [attr]"
		m.Attribute("", "x")                              // want `Attribute: "" is not the name of an attribute`
		m.Attribute("note", "two\nlines")                 // want `Attribute: attribute note: "two\nlines" is not a value; want ASCII text without control characters, a bool or an integer of 32 bits [attr]`
		m.With("area", 1<<40)                             // want "With: attribute area: 1099511627776 is not a value"
		hw.Attr(m, p.A, "max_fanout", uint64(3000000000)) // want "Attr: attribute max_fanout: 3000000000 is not a value"
		hw.Attr(m, p.A, "x", nil)                         // want "Attr: attribute x has a value of type <nil>; want"
		p.Y.Set(p.A)
	}},
	{"places of attributes", func(m *hw.Module, p pins) {
		var unset hw.UInt
		u := hw.Inst(m, "u", pass, thruPorts{In: p.A})
		hw.Attr(m, p.A.Add(u.Out), "keep", true) // want "Attr: add(a, u.out) is no port, register or wire and has no name that attribute keep could stand at; hw.Named gives it one [attr]"
		hw.Attr(m, u.Out, "keep", true)          // want "Attr: u.out is no port, register or wire"
		hw.Attr(m, unset, "keep", true)          // want "Attr: an operand is unset (a zero value of its type) [unset]"
		hw.Attr(m, hw.U(3), "keep", true)        // want "Attr: the literal 3 has nothing to take its width from"
		hw.Attr(m, hw.Unsigned(3), "keep", true) // want "Attr: a shape of 3 bits is not a signal [shape]"
		hw.Inst(m, "box", sealed{}, thruPorts{In: p.A})
		p.Y.Set(p.A)
	}},
	{"attributes after Build", func(m *hw.Module, p pins) {
		var leak *hw.Module
		hw.Inst(m, "u", dut(func(m *hw.Module, q pins) { leak = m; q.Y.Set(q.A) }), p.inputs())
		leak.With("keep", true)          // want "With: module dut_2 is finished [module]"
		leak.Attribute("keep", true)     // want "Attribute: module dut_2 is finished [module]"
		hw.Attr(leak, p.A, "keep", true) // want "Attr: module dut_2 is finished [module]"
		p.Y.Set(p.A)
	}},
}
