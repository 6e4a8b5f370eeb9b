// Package catalog lists the designs that come with etch.
package catalog

import (
	"slices"

	"etch/designs/bench/benchtool"
	"etch/designs/cli"
	"etch/designs/dwc/dwctool"
	"etch/designs/examples/arbiter"
	"etch/designs/examples/counter"
	"etch/designs/examples/crossing"
	"etch/designs/examples/fifo"
	"etch/designs/examples/fixedmac"
	"etch/designs/examples/i2c"
	"etch/designs/examples/matmul"
	"etch/designs/examples/pixel"
	"etch/designs/examples/protocol"
	"etch/designs/examples/regfile"
	"etch/designs/examples/rv32i"
	"etch/designs/examples/systolic"
	"etch/designs/examples/uart"
	"etch/designs/float"
	"etch/designs/float/floattool"
	"etch/designs/float/function"
	"etch/designs/gae/gaetool"
	"etch/designs/learner/learnertool"
	"etch/designs/lowprec"
	"etch/designs/lowprec/lowprectool"
	"etch/designs/replay/replaytool"
	"etch/designs/rl/rltool"
	"etch/hw"
	"etch/hw/arith"
)

// App is the etch command.
func App() cli.App {
	return cli.App{
		Name:    "etch",
		Designs: Designs(),
		Commands: []cli.Command{
			withDemos(dwctool.Demo, gaetool.Demo, rltool.Demo, lowprectool.Demo),
			rltool.Convert(dwctool.Convert),
			examples(cli.Verb("run", "design", "puts data through a design, cycle by cycle", dwctool.Run, gaetool.Run, replaytool.Run, floattool.Run, rltool.Run, rltool.RunLearner), "run dwc -in obs.csv -out act.csv", "run gae -in steps.csv -out adv.csv"),
			examples(cli.Verb("train", "design", "trains the network that a design runs", dwctool.Train, rltool.TrainDQN, rltool.TrainDDPG), "train dwc -seed 1 -o model.json", "train dqn -env cartpole -o policy.json"),
			examples(cli.Verb("experiment", "experiment", "repeats a measurement", dwctool.Size, dwctool.Noise, dwctool.Area, dwctool.Clock, gaetool.Quant, gaetool.Area, gaetool.Speed,
				replaytool.Area, replaytool.Speed, replaytool.Draws, floattool.Area, floattool.Functions,
				learnertool.Area, lowprectool.Area, lowprectool.Experiment,
				rltool.Seeds, rltool.Variants, rltool.Formats, rltool.Speed,
				cli.FmaxCommand(slices.Concat(dwctool.Placed(), gaetool.Placed(), replaytool.Placed())...)), "experiment dwc-size", "experiment float-area -units add,mul -formats fp16"),
			benchtool.Command,
			cli.FuzzCommand,
		},
	}
}

// examples adds command lines to the help of a command.
func examples(c cli.Command, lines ...string) cli.Command {
	c.Examples = lines
	return c
}

// withDemos is demo of the controllers, with the demonstrations that have names.
func withDemos(plain cli.Command, named ...cli.Command) cli.Command {
	plain.Subs, plain.Noun = named, "demonstration"
	return plain
}

// Designs are all designs, the simplest first.
func Designs() []cli.Design {
	// Examples and parts by themselves first, then the lists that packages with several designs
	// keep.
	return slices.Concat([]cli.Design{
		cli.Component("counter", "counts enabled cycles", counter.Counter{Width: 8}),
		cli.Component("clock", "seconds and minutes from pulses: instances", counter.Clock{}),
		cli.Component("pixel", "a bundle held for a cycle", pixel.Stage{}),
		cli.Component("regfile", "registers with two read ports and one write port", regfile.RegFile{Regs: 32, Width: 32, Bypass: true}),
		cli.Component("arbiter", "round-robin grants", arbiter.RoundRobin{N: 4}),
		cli.Component("fifo", "a queue of words", fifo.FIFO[hw.UInt]{Elem: hw.Unsigned(32), Depth: 16}),
		cli.Component("crossing", "samples from one clock to another", crossing.Bridge{Width: 16, Depth: 8}),
		cli.Component("uart", "a serial transmitter: state machine", uart.Tx{ClocksPerBit: 868}),
		cli.Component("i2c", "two masters and a memory on a bus: pads, arbitration", i2c.Board{Quarter: 25, Words: 16}),
		cli.Component("fixedmac", "fixed-point multiply-add", fixedmac.MulAdd{Integer: 4, Fraction: 12}),
		cli.Component("divider", "integer division step by step", arith.Division[hw.UInt]{Numerator: 64, Divisor: 32}.Iterative(2)),
		cli.Component("divider_signed", "integer division with signs, step by step", arith.Division[hw.SInt]{Numerator: 64, Divisor: 33, Fraction: 16}.Iterative(2)),
		cli.Component("divider_pipelined", "an integer division every cycle", arith.Division[hw.UInt]{Numerator: 24, Divisor: 24, Fraction: 25, Quotient: 26}.Pipelined(2)),
		cli.Component("root", "integer square root step by step", arith.SquareRoot{Radicand: 64}.Iterative(1)),
		cli.Component("root_pipelined", "an integer square root every cycle", arith.SquareRoot{Radicand: 64}.Pipelined(2)),
		cli.Component("systolic", "matrix-vector products on a grid", systolic.Array{N: 8, PE: systolic.PE{Data: 8, Sum: 24}}),
		cli.Component("matmul", "matrix products on a grid, written once for fixed and floating point; here fp16", matmul.Array[float.Num]{Rows: 2, Cols: 2, Products: 256, Number: float.Units{Format: float.F16, Sum: 2}}),
		cli.Component("protocol", "a reliable link over a serial line: six state machines", protocol.Link{Words: 256, ClocksPerBit: 16, Tries: 4}),
		cli.Component("rv32i", "a RISC-V processor with its memory", rv32i.Core{Words: 1024, Program: rv32i.Idle}),
		floattool.Design(),
		cli.Component("function", "an elementary function of floating-point numbers from tables, correctly rounded", function.Unit{Function: function.Tanh, Format: float.F16}),
		dwctool.Design(),
		cli.Component("optimizer", "hAdam with Kahan sums in fp16, a weight every cycle, its states in block RAM", lowprec.OptimizerMemory{Optimizer: lowprec.Ours(), Weights: 1024}),
		cli.Component("loss_scaler", "scales of the loss for groups of weights: compound loss scaling", lowprec.Scaling(3, 1024)),
	}, learnertool.Designs(), gaetool.Designs(), replaytool.Designs(), rltool.Designs())
}
