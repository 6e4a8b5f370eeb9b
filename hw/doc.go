// Package hw is a hardware-description language in Go.
//
// A component is a parameter struct with two methods: Ports returns a ports
// struct whose fields are shapes with a direction, and Build receives the same
// struct with live signals in those fields and describes the body.
//
//	type Counter struct{ Width int }
//
//	type CounterPorts struct {
//		En    hw.Bit
//		Count hw.UInt
//	}
//
//	func (c Counter) Ports() CounterPorts {
//		return CounterPorts{
//			En:    hw.In(hw.Bit{}),
//			Count: hw.Out(hw.Unsigned(c.Width)),
//		}
//	}
//
//	func (c Counter) Build(m *hw.Module, p CounterPorts) {
//		count := hw.Reg(m, "count", hw.Unsigned(c.Width), hw.U(0))
//		m.When(p.En, func() { count.Set(count.Inc()) })
//		p.Count.Set(count)
//	}
//
// [Inst] makes an instance and returns the ports struct again, seen from the
// parent; a test bench returns it seen from the test. One Go type, three points
// of view, never a shared handle.
//
// Three kinds of value share each Go type. A shape ([Unsigned], [Signed],
// [EnumOf], Bit{}) is a kind and a width. A literal ([U], [S], [B], [Val]) is a
// constant that takes its width from what it meets. A signal is hardware, made
// by ports, [Reg], [Wire], memories and operators. Bundles are Go structs with
// exported fields, vectors are [Vec], slices and arrays, and every function with
// a type parameter T accepts a scalar, a bundle or a vector.
//
// Widths are strict: operands agree exactly, growing and cutting is spelled
// (AddGrow, Extend, Trunc), nothing is cut silently. Every operation is total;
// package ir says what each gives. Host if and for are the generator's;
// [Module.When], [Enum.Cases] and [Mux] are the hardware's.
//
// Mistakes are collected, not panicked: [Build] returns them all as [Errors],
// each at the designer's line with the other place involved. A value made by a
// mistake is poisoned: it has the expected width and silences what it meets.
//
// The package imports ir and the standard library only.
package hw
