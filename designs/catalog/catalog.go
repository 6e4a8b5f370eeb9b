// Package catalog lists the designs that come with etch.
package catalog

import (
	benchtool "etch/designs/bench/tool"
	"etch/designs/cli"
	"etch/designs/dwc/tool"
	"etch/designs/examples/arbiter"
	"etch/designs/examples/counter"
	"etch/designs/examples/crossing"
	"etch/designs/examples/fifo"
	"etch/designs/examples/fixedmac"
	"etch/designs/examples/pixel"
	"etch/designs/examples/protocol"
	"etch/designs/examples/regfile"
	"etch/designs/examples/rv32i"
	"etch/designs/examples/systolic"
	"etch/designs/examples/uart"
	"etch/hw"
)

// App is the etch command.
func App() cli.App {
	return cli.App{
		Name:    "etch",
		Designs: Designs(),
		Commands: []cli.Command{
			tool.Demo,
			tool.Convert,
			cli.Verb("run", "puts data through a design, cycle by cycle", tool.Run),
			cli.Verb("train", "trains what a design runs", tool.Train),
			cli.Verb("experiment", "repeats a measurement", tool.Size, tool.Noise),
			benchtool.Command,
		},
	}
}

// Designs are all designs, the simplest first.
func Designs() []cli.Design {
	return []cli.Design{
		cli.Component("counter", "counts enabled cycles", counter.Counter{Width: 8}),
		cli.Component("clock", "seconds and minutes from pulses: instances", counter.Clock{}),
		cli.Component("pixel", "a bundle held for a cycle", pixel.Stage{}),
		cli.Component("regfile", "registers with two read ports and one write port", regfile.RegFile{Regs: 32, Width: 32, Bypass: true}),
		cli.Component("arbiter", "round-robin grants", arbiter.RoundRobin{N: 4}),
		cli.Component("fifo", "a queue of words", fifo.FIFO[hw.UInt]{Elem: hw.Unsigned(32), Depth: 16}),
		cli.Component("crossing", "samples from one clock to another", crossing.Bridge{Width: 16, Depth: 8}),
		cli.Component("uart", "a serial transmitter: state machine", uart.Tx{ClocksPerBit: 868}),
		cli.Component("fixedmac", "fixed-point multiply-add", fixedmac.MulAdd{Integer: 4, Fraction: 12}),
		cli.Component("systolic", "matrix-vector products on a grid", systolic.Array{N: 8, PE: systolic.PE{Data: 8, Sum: 24}}),
		cli.Component("protocol", "a reliable link over a serial line: six state machines", protocol.Link{Words: 256, ClocksPerBit: 16, Tries: 4}),
		cli.Component("rv32i", "a RISC-V processor with its memory", rv32i.Core{Words: 1024, Program: rv32i.Idle}),
		tool.Design(),
	}
}
