package floattool

import (
	"slices"
	"strings"

	"etch/designs/cli"
	"etch/designs/float"
	"etch/hw"
	"etch/ir"
)

// Unit is the parameters of the design float: a unit by its operation.
type Unit struct {
	Op       string         `help:"operation; rint rounds to an integer, convert changes the format" values:"add|sub|mul|fma|div|sqrt|hypot|min|max|rint|nextup|nextdown|convert"`
	Format   float.Format   `help:"format: eXmY with IEEE codes, as e5m10 and e4m3, or fp16, bf16, tf32, fp32, fp64; eXmYfn has a NaN and no infinity (fp8 is e4m3fn), eXmYf neither; e3m2, e2m3 (mxfp6) and e2m1 (mxfp4) have neither too, and IEEE codes as e3m2i, e2m3i, e2m1i; then -flush, -sat" form:"eXmY as e5m10, or fp16, bf16, tf32, fp32 or fp64"`
	To       float.Format   `help:"format of the result of convert" form:"eXmY as e5m10, or fp16, bf16, tf32, fp32 or fp64"`
	Rounding float.Rounding `help:"rounding; with dynamic the mode (0 to 4, as rne to rna), with srN the N random bits are a port" values:"rne|rtz|rdn|rup|rna|dynamic|sr1|sr2|sr3|sr4|sr5|sr6|sr7|sr8|sr9|sr10|sr11|sr12|sr13|sr14|sr15|sr16|sr17|sr18|sr19|sr20|sr21|sr22|sr23|sr24"`
	Flags    bool           `help:"whether there are exceptions; without them run float leaves its column flags empty"`
	Stages   int            `help:"registers that the steps are spread over: the latency in cycles" range:"0..64"`
	Depth    int            `help:"if not 0, instead of stages: so many of them that no path has more operations than this" range:"0..1000"`
}

// defaults are those of the command line.
func defaults() Unit {
	return Unit{Op: "add", Format: float.F16, To: float.F32, Flags: true, Stages: 3}
}

// unitOf is the unit that parameters ask for.
func unitOf(given cli.Values) (Unit, error) {
	u := defaults()
	if err := cli.Fill(&u, given); err != nil {
		return u, err
	}

	// Depth is another way to say Stages.
	if u.Depth > 0 {
		return u.pipelined()
	}
	return u, nil
}

// pipelined is the unit with the fewest stages whose longest path has no more than Depth
// operations.
func (u Unit) pipelined() (Unit, error) {
	// Depths do not fall with every register, since steps are not cut: all numbers of them are
	// tried from 0 on.
	least := 0
	for u.Stages = 0; u.Stages <= 64; u.Stages++ {
		d, err := u.Build()
		if err != nil {
			return u, err
		}
		s, err := cli.StatsOf(d)
		if err != nil {
			return u, err
		}
		if s.LogicDepth <= u.Depth {
			return u, nil
		}

		// For the message, should none do.
		if least == 0 || s.LogicDepth < least {
			least = s.LogicDepth
		}
	}
	return u, cli.Usagef("depth %d: the longest path of %s has %d operations at least, whatever the stages", u.Depth, u.Op, least)
}

// operation is how a unit is made and driven.
type operation struct {
	name     string
	operands []string
	set      map[string]uint64 // other inputs
	build    func(u Unit, o float.Op) (*ir.Design, error)
}

func built[P any](c hw.Component[P]) (*ir.Design, error) {
	d, _, err := hw.Build(c)
	return d, err
}

var two = []string{"a", "b"}

var operations = []operation{
	{"add", two, map[string]uint64{"sub": 0}, func(_ Unit, o float.Op) (*ir.Design, error) { return built(float.Adder{Op: o}) }},
	{"sub", two, map[string]uint64{"sub": 1}, func(_ Unit, o float.Op) (*ir.Design, error) { return built(float.Adder{Op: o}) }},
	{"mul", two, nil, func(_ Unit, o float.Op) (*ir.Design, error) { return built(float.Multiplier{Op: o}) }},
	{"fma", []string{"a", "b", "c"}, map[string]uint64{"neg": 0, "minus_c": 0}, func(_ Unit, o float.Op) (*ir.Design, error) { return built(float.FMA{Op: o}) }},
	{"div", two, nil, func(_ Unit, o float.Op) (*ir.Design, error) { return built(float.Divider{Op: o}) }},
	{"sqrt", two[:1], nil, func(_ Unit, o float.Op) (*ir.Design, error) { return built(float.Root{Op: o}) }},
	{"hypot", two, nil, func(_ Unit, o float.Op) (*ir.Design, error) { return built(float.Hypot{Op: o}) }},
	{"min", two, map[string]uint64{"max": 0}, func(_ Unit, o float.Op) (*ir.Design, error) { return built(float.MinMax{Op: o}) }},
	{"max", two, map[string]uint64{"max": 1}, func(_ Unit, o float.Op) (*ir.Design, error) { return built(float.MinMax{Op: o}) }},
	{"rint", two[:1], nil, func(_ Unit, o float.Op) (*ir.Design, error) { return built(float.RoundToInt{Op: o}) }},
	{"nextup", two[:1], map[string]uint64{"down": 0}, func(_ Unit, o float.Op) (*ir.Design, error) { return built(float.Next{Op: o}) }},
	{"nextdown", two[:1], map[string]uint64{"down": 1}, func(_ Unit, o float.Op) (*ir.Design, error) { return built(float.Next{Op: o}) }},
	{"convert", two[:1], nil, func(u Unit, o float.Op) (*ir.Design, error) {
		o.Format = u.To
		return built(float.Converter{From: u.Format, Op: o})
	}},
}

// operation is how the unit is made.
func (u Unit) operation() operation {
	return operations[slices.IndexFunc(operations, func(o operation) bool { return o.name == u.Op })]
}

func (u Unit) result() float.Format {
	if u.Op == "convert" {
		return u.To
	}
	return u.Format
}

// Build elaborates the unit.
func (u Unit) Build() (*ir.Design, error) {
	o := float.Op{Format: u.Format, Rounding: u.Rounding, Flags: u.Flags, Stages: u.Stages}
	return u.operation().build(u, o)
}

// Design is the unit as a design of the etch command.
func Design() cli.Design {
	return cli.Design{
		Name: "float", Doc: "a floating-point unit of any format: " + strings.Join(names(), ", "),
		Params: cli.ParamsOf(defaults()), Explore: exploreFloat, ExploreHelp: exploreHelp,
		Build: func(given cli.Values) (*ir.Design, error) {
			u, err := unitOf(given)
			if err != nil {
				return nil, err
			}

			d, err := u.Build()
			return d, cli.Parameters(err, given)
		},
		Measures: func(given cli.Values) (map[string]float64, error) {
			u, err := unitOf(given)
			return map[string]float64{"latency": float64(u.Stages)}, err
		},
	}
}

func names() (list []string) {
	for _, o := range operations {
		list = append(list, o.name)
	}
	return list
}
