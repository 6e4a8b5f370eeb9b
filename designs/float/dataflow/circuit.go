package dataflow

import (
	"fmt"
	"hash/crc32"

	"etch/designs/float"
	"etch/designs/float/function"
	"etch/hw"
	"etch/hw/pipe"
)

// Circuit is a computation as a pipeline: a result in every cycle.
type Circuit struct {
	Text  string      `help:"computation"`
	Ulp   float64     `help:"greatest error of elementary functions in units of the last place; up to 0.5 it is correct rounding" range:"0..1"`
	Units float.Units `help:"format, rounding and latencies"`
}

// Ports are one number of the format for each of [Program.Inputs], in their order, and the
// result. A result comes as many cycles after its operands as the longest path has registers;
// while En is low all of them stand still.
type Ports struct {
	En hw.Bit      `dir:"in"`
	In []float.Num `dir:"in"`
	Y  float.Num   `dir:"out"`
}

func (c Circuit) Validate() error {
	p, err := Parse(c.Text)
	if err != nil {
		return err
	}
	if err := c.Units.Format.Validate(); err != nil {
		return err
	}
	p.Ulp = c.Ulp
	return p.Supports(c.Units.Format, c.Units.Rounding)
}

func (c Circuit) Ports() Ports {
	p, err := Parse(c.Text)
	if err != nil {
		return Ports{} // Validate has said it
	}

	n := float.Of(c.Units.Format)
	return Ports{In: hw.VecOf(len(p.Inputs), n), Y: n}
}

// ModuleName is dataflow_e5m10_1a2b3c4d: a digest of the text is at its end.
func (c Circuit) ModuleName() string {
	return fmt.Sprintf("dataflow_%s_%08x", c.Units.Format.Name(), crc32.ChecksumIEEE([]byte(fmt.Sprintf("%s %v %+v", c.Text, c.Ulp, c.Units))))
}

// combinational tells whether no unit has a register. Units of elementary functions have registers.
func (c Circuit) combinational(p *Program) bool {
	u := c.Units
	return len(p.Elementary()) == 0 && u.Add+u.Mul+u.FMA+u.Div+u.Root+u.Hypot == 0
}

// Build makes a unit for every operation; each lines up its operands by their stages.
func (c Circuit) Build(m *hw.Module, p Ports) {
	program, err := Parse(c.Text)
	if err != nil {
		return
	}

	// A circuit without registers has no clock, and nothing to hold still.
	run := m
	if !c.combinational(program) {
		run = m.Enabled(p.En)
	} else {
		hw.Unused(m, p.En)
	}

	// Operands stand before their users, so that one pass in the order of the nodes does.
	u := c.Units.In(run)
	values := make([]float.Value, len(program.nodes))
	input, calls := 0, 0
	for i, n := range program.nodes {
		switch n.op {
		case "input":
			values[i] = u.Input(hw.Name("x", input), p.In[input])
			input++
		case "const":
			values[i] = pipe.Always(run, float.Of(c.Units.Format).LitBits(c.constant(n.value)))
		default:
			if elementary(n.op) {
				values[i] = instance(run, hw.Name(n.op, calls), unitOf(function.Function(n.op), c.Units.Format, c.Ulp), values[n.args[0]])
				calls++
				continue
			}
			values[i] = operations[n.op].unit(u, of(n, values))
		}
	}

	// The result's stage is the latency. Of other values some registers may have no reader.
	p.Y.Set(values[program.result].At(c.stage(values[program.result])))
	for _, v := range values {
		v.Spare()
	}
}

// stage is where a result is there; a constant is at every stage.
func (c Circuit) stage(v float.Value) int { return max(v.Stage(), 0) }

// constant is the code nearest to v; the model takes the same.
func (c Circuit) constant(v float64) uint64 {
	code, _ := c.Units.Format.FromFloat64(v, float.NearestEven)
	return code
}
