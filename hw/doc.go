// Package hw is a hardware-description language in Go.
//
// A component is a parameter struct with two methods: Ports returns a ports
// struct whose fields are shapes with a direction, and Build receives the same
// struct with live signals in those fields and describes the body.
//
//	type Counter struct{ Width int }
//
//	type CounterPorts struct {
//		En    hw.Bit  `dir:"in"`
//		Count hw.UInt `dir:"out"`
//	}
//
//	func (c Counter) Ports() CounterPorts {
//		return CounterPorts{Count: hw.Unsigned(c.Width)}
//	}
//
//	func (c Counter) Build(m *hw.Module, p CounterPorts) {
//		count := hw.Reg(m, "count", hw.Unsigned(c.Width), hw.U(0))
//		m.When(p.En, func() { count.Set(count.Inc()) })
//		p.Count.Set(count)
//	}
//
// The tags of a parameter may describe and limit it: see [Limits].
//
// A direction can stand in Ports instead, as hw.In(shape) or hw.Out(shape). The direction
// of a bundle applies to every field in it, except flipped fields and fields with a tag of
// their own. A field whose zero value is already a shape (Bit, Clock, Reset, Domain) needs
// no value in Ports; messages and Verilog then give the line of the Ports method as its
// position.
//
// [Inst] makes an instance and returns the ports struct again, seen from the
// parent; a test bench returns it seen from the test. One Go type, three points
// of view, never a shared handle.
//
// # Values
//
// Three kinds of value share each Go type. A shape ([Unsigned], [Signed],
// [EnumOf], Bit{}) is a kind and a width. A literal ([U], [S], [B], [Val]) is a
// constant that takes its width from the other operand. A signal is hardware, made
// by ports, [Reg], [Wire], memories and operators.
//
// Widths are strict: operands agree exactly, growing and cutting is spelled
// (AddGrow, Extend, Trunc), nothing is cut silently. Every operation is total;
// package ir has the table. Mixing signed with unsigned does not compile.
//
// # Bundles
//
// A bundle is a Go struct with exported fields, a vector a [Vec], slice or array;
// every function with a type parameter T takes a scalar, a bundle or a vector.
// The name of a field in hardware is its Go name in snake case; the tag hw:"name"
// gives another, hw:",inline" none, hw:"-" leaves the field out. Embedded structs
// add no name. A field marked by [Flip] travels against the others. Fields that
// are not hardware must agree when two bundles meet, which makes kinds of one's
// own, such as fixed point, sound.
//
// # Names
//
// Ports, registers, wires, memories, instances and Named values share the names
// of their module. A register may have the name of the output that it drives. A
// register with the name of another port, or of the implicit clock or reset, is
// called name_reg; an instance with the name of anything else is name_inst; so are
// registers made inside Sync and Delay where the design uses their names itself.
// Nothing else is renamed: two things of one sort with one name are a mistake.
//
// # Statements
//
// Host if and for are the generator's; [Module.When], with SetIf as its short form,
// [Enum.Cases], [UInt.Cases] and [Mux] are the hardware's. Bits and ranges of a target
// can be Set too: r.Range(7, 4).Set(x); the following rules hold bit by bit.
// The last Set whose conditions hold wins. A register without one keeps its value, a wire
// takes its default. A second Set in one block would make the first void, so it is a
// mistake, as is a wire or output that is not set on every path. Reading a wire gives its
// final value, wherever the reading stands.
//
// # Pads
//
// A [Pad] is a port that is input and output at once, declared by [InOut]; [Net] is a
// wire of that kind inside of a module. Each Drive is a driver with an enable, and
// Value reads the wire as all drivers and a pull resolve it:
//
//	p.SDA.DriveLow(low)
//	now := hw.Sync(m, "sda_in", p.SDA.Value(), hw.B(true))
//
// # Mistakes
//
// Mistakes are collected, not panicked: [Build] returns them all as [Errors], each at the
// designer's line with the other place involved. A value made by a mistake is poisoned: it
// has the expected width and suppresses the mistakes that would follow from it. The
// designer's line is the innermost stack frame outside this package and the packages below
// it.
//
// # Terms
//
//	combinational   without state: the output follows the input within the cycle
//	register        a word of state that takes its next value at a clock edge
//	latch           state that follows its input while an enable is high; in a design a mistake
//	wire            a named value that may be Set under conditions; no state
//	port            an input, output or pad of a module
//	pad             a port that is input and output at once
//	net             the wires that are joined into one, as those between pads
//	instance        one use of a module inside another
//	netlist         modules, ports, operations and state as a graph: package ir
//	elaboration     running Build: the Go program makes the netlist
//	clock domain    all state on one clock, with its reset
//	crossing        a value that goes from one clock domain to another
//	glitch          a short wrong value of logic before it settles
//	reset value     the value of a register while its reset is high
//	power-up        the time before the first reset; state without a value is undefined then
//	latency         clock edges from an input to the output that belongs to it
//	initiation interval  cycles from one input to the next that is accepted
//	ready/valid     a handshake: an element moves when both are high
//	read-under-write  the result of a read whose word is written at the same edge
//	black box       a module whose Verilog was written elsewhere
//	synthesis       the translation of a netlist into cells of a chip
//	LUT, FF, DSP, block RAM  an FPGA's cells: look-up table, register, multiplier, memory
//	place and route  the choice of places and wires for the cells; it gives the clock rate
//	co-simulation   the emitted Verilog, run beside the simulator with the same inputs
//
// # Inside
//
// A scalar is a handle (handle.go) of a node in an [ir.Module] under construction (module.go,
// elaborate.go). A plan (plan.go, walk.go) says where the scalars of a type lie in its values.
// Operations check their operands (operands.go) and append nodes. Everything that can be Set is a
// target (target.go); Set and When change its value block by block (assign.go,
// when.go; single bits in part.go). At the end each target gets its driver (finish.go),
// combinational loops are reported (loop.go) and clocks inferred (clocks.go). One module is
// built per component and parameter set (memo.go). The user's lines are found on the stack
// (internal/caller).
//
// The package imports ir, ir/disjoint, hw/internal/caller and the standard library only.
package hw
