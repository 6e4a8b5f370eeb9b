package bench

import (
	"fmt"

	"etch/hw"
	"etch/ir"
)

// Design is a design by its name in tables.
type Design struct {
	Name string
	Doc  string
	Make func() (*ir.Design, error)
	// Original gives Verilator its own form of the design, with further arguments; nil: Make's.
	Original func() (d *ir.Design, args []string)
}

func design(name, doc string, c hw.Component[Ports]) Design {
	return Design{Name: name, Doc: doc, Make: func() (*ir.Design, error) {
		d, _, err := hw.Build(c)
		return d, err
	}}
}

// Designs are the designs that simulators are compared by.
func Designs() []Design {
	return []Design{
		design("dwc_2x1024", "weightless network, 2048 random look-up tables", DWC{Layers: 2, Width: 1024}),
		array(16), array(32), array(64),
		design("rv32i", "RISC-V processor with an endless program", RV32I{}),
		cores(4), cores(16),
		design("protocol", "reliable link: six state machines", Protocol{}),
		design("actor_critic", "weightless network beside an array of multipliers", ActorCritic{DWC{Layers: 2, Width: 256}, Systolic{N: 8}}),
		design("quiet_32", "pipelines that seldom have anything new", Quiet{Units: 32, Stages: 8, Ops: 50}),
	}
}

// Small lists the designs whose models Verilator builds in well below a minute.
func Small() []Design {
	var some []Design
	for _, d := range Designs() {
		switch d.Name {
		case "systolic_32x32", "systolic_64x64", "cores_16", "actor_critic", "quiet_32":
		default:
			some = append(some, d)
		}
	}
	return some
}

func array(n int) Design {
	return design(fmt.Sprintf("systolic_%dx%d", n, n), "multiply-accumulate elements", Systolic{N: n})
}

func cores(k int) Design {
	return design(fmt.Sprintf("cores_%d", k), "RISC-V processors, not in lock step", Cores{K: k})
}

// Series is the size series: arrays of about 1k, 10k, 100k and 1M operations,
// three an element: product, sum, choice of the weight.
func Series() []Design {
	return []Design{array(18), array(57), array(182), array(577)}
}
