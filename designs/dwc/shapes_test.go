package dwc

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/dwc/model"
	"etch/sim"
	"etch/testbench"
)

// flattened are the ways in which shaped makes tables say less.
var flattened = []struct {
	name  string
	layer func(r *rand.Rand, m *model.Model, at int)
}{
	{"random", func(*rand.Rand, *model.Model, int) {}},
	{"last constant", func(r *rand.Rand, m *model.Model, at int) {
		if at == len(m.Layers)-1 {
			constant(r, &m.Layers[at], len(m.Layers[at].Tables))
		}
	}},
	{"last equal", func(r *rand.Rand, m *model.Model, at int) {
		if at == len(m.Layers)-1 {
			equal(&m.Layers[at])
		}
	}},
	{"all groups but the last constant", func(r *rand.Rand, m *model.Model, at int) {
		if at == len(m.Layers)-1 {
			constant(r, &m.Layers[at], len(m.Layers[at].Tables)-m.GroupSize())
		}
	}},
	{"some of each layer constant, some equal", func(r *rand.Rand, m *model.Model, at int) {
		l := &m.Layers[at]
		constant(r, l, 1+r.IntN(len(l.Tables)))
		for range len(l.Tables) / 2 {
			i, j := r.IntN(len(l.Tables)), r.IntN(len(l.Tables))
			l.Tables[i], l.Pins[i] = l.Tables[j], l.Pins[j]
		}
	}},
	{"first constant", func(r *rand.Rand, m *model.Model, at int) {
		if at == 0 {
			constant(r, &m.Layers[at], len(m.Layers[at].Tables))
		}
	}},
	{"all equal", func(r *rand.Rand, m *model.Model, at int) { equal(&m.Layers[at]) }},
	{"one pin", func(r *rand.Rand, m *model.Model, at int) {
		for _, pins := range m.Layers[at].Pins {
			for i := range pins {
				pins[i] = pins[0]
			}
		}
	}},
}

func constant(r *rand.Rand, l *model.Layer, n int) {
	for j := range n {
		l.Tables[j] = uint64(r.IntN(2)) * (^uint64(0) >> (64 - 1<<l.N))
	}
}

func equal(l *model.Layer) {
	for j := range l.Tables {
		l.Tables[j], l.Pins[j] = l.Tables[0], l.Pins[0]
	}
}

// shaped is a random model of 1–5 layers, n 2–6, widths 1–64 and B 1–13, made to
// say less by flattened[flat].
func shaped(t *testing.T, head model.HeadKind, seed uint64, flat int) *model.Model {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 14))
	spec := model.RandomSpec{Obs: 3, Groups: 1 + r.IntN(5), Head: head, B: 1 + r.IntN(13), SensorBits: 8, DACBits: 10}
	for range 1 + r.IntN(5) {
		spec.Widths = append(spec.Widths, 1+r.IntN(64))
		spec.N = append(spec.N, 2+r.IntN(5))
	}
	m, err := model.Random(spec, seed)
	require.NoError(t, err)
	for at := range m.Layers {
		flattened[flat].layer(r, m, at)
	}
	return m
}

// TestShapes drives random networks of every shape through every head, reduced
// and whole, in both forms, in the three judges: the interpreter or the native engine, Icarus
// Verilog one of eight, Verilator, which takes long to build, two. ETCH_SLOW=1
// gives more seeds, both engines in lock step and Icarus Verilog to all of them,
// Verilator to one of eight.
func TestShapes(t *testing.T) {
	slow := os.Getenv("ETCH_SLOW") != ""
	seeds := uint64(8)
	if slow {
		seeds = 16
	}
	for seed := range seeds {
		for flat, kind := range flattened {
			for _, whole := range []bool{false, true} {
				t.Run(fmt.Sprintf("seed=%d/%s/whole=%v", seed, kind.name, whole), func(t *testing.T) {
					if slow {
						t.Parallel()
					}
					net := func(h model.HeadKind) (*Net, *model.Eval) {
						m := shaped(t, h, seed, flat)
						f, err := m.Fold()
						require.NoError(t, err)
						if whole {
							return Whole(m), model.NewEval(f)
						}
						return Reduced(m), model.NewEval(f)
					}
					form := []Form{Plain, LUT6}[(int(seed)+flat/2)%2]
					follow(t, pipelines[(int(seed)+flat)%len(pipelines)], form, net, judges(seed, flat, whole, slow)...)
				})
			}
		}
	}
}

func judges(seed uint64, flat int, whole, all bool) []testbench.Option {
	if all {
		tools := []string{"iverilog"}
		if int(seed)%len(flattened) == flat {
			tools = append(tools, "verilator")
		}
		return []testbench.Option{testbench.CoSim(tools...), testbench.WithSim(sim.WithEngine(sim.Lockstep))}
	}
	engine := sim.Native
	if (int(seed)+flat)%2 == 0 {
		engine = sim.Interpreter
	}
	opts := []testbench.Option{testbench.WithSim(sim.WithEngine(engine))}
	switch {
	case !whole && flat == 4 && seed < 2 && !testing.Short():
		opts = append(opts, testbench.CoSim("verilator"))
	case (int(seed)+flat)%8 == 0:
		opts = append(opts, testbench.CoSim("iverilog"))
	}
	return opts
}

// follow holds the three heads of one network against the Go model.
func follow(t *testing.T, pipe Pipeline, form Form, net func(model.HeadKind) (*Net, *model.Eval), judges ...testbench.Option) {
	n, eval := net(model.SAC)
	c := Controller{Net: n, Pipeline: pipe, Form: form}
	s, p := testbench.New(t, c, judges...)
	want := make([]int, len(p.Act))
	lockstep(t, s, p.Valid, p.Obs, p.ActValid, c.Latency(), func(codes []int) {
		eval.Act(codes, want)
		for a := range want {
			s.Expect(p.Act[a], want[a])
		}
	})

	n, voter := net(model.Counts)
	v := Voter{Net: n, Pipeline: pipe, Form: form}
	s2, q := testbench.New(t, v, judges...)
	lockstep(t, s2, q.Valid, q.Obs, q.CountValid, v.Latency(), func(codes []int) {
		for g, want := range voter.Counts(codes) {
			s2.Expect(q.Count[g], want)
		}
	})

	n, class := net(model.Argmax)
	k := Classifier{Net: n, Pipeline: pipe, Form: form}
	s3, r := testbench.New(t, k, judges...)
	lockstep(t, s3, r.Valid, r.Obs, r.ClassValid, k.Latency(), func(codes []int) { s3.Expect(r.Class, class.Class(codes)) })
}
