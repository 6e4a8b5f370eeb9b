package dwc

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/dwc/model"
	"etch/testbench"
)

// shaped is a random model of 1–5 layers, n 2–6 and widths 1–64. flat makes the
// tables of the last layer constant (1), equal to one another (2), or constant
// in all groups but the last (3).
func shaped(t *testing.T, head model.HeadKind, seed uint64, flat int) *model.Model {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 14))
	spec := model.RandomSpec{Obs: 3, Groups: 1 + r.IntN(5), Head: head, B: 3 + 2*r.IntN(6), SensorBits: 8, DACBits: 10}
	for range 1 + r.IntN(5) {
		spec.Widths = append(spec.Widths, 1+r.IntN(64))
		spec.N = append(spec.N, 2+r.IntN(5))
	}
	m, err := model.Random(spec, seed)
	require.NoError(t, err)

	last := &m.Layers[len(m.Layers)-1]
	full := ^uint64(0) >> (64 - 1<<last.N)
	for j := range last.Tables {
		switch {
		case flat == 2:
			last.Tables[j], last.Pins[j] = last.Tables[0], last.Pins[0]
		case flat == 1, flat == 3 && j < len(last.Tables)-m.GroupSize():
			last.Tables[j] = uint64(r.IntN(2)) * full
		}
	}
	return m
}

// TestShapes drives random networks of every shape through every head, reduced
// and whole: the native engine and the emitted Verilog follow the Go model. The
// popcounts of all, some or none of the groups are constant after reduction. One
// network of four is co-simulated.
func TestShapes(t *testing.T) {
	for seed := range uint64(12) {
		for flat := range 4 {
			for _, whole := range []bool{false, true} {
				t.Run(fmt.Sprintf("seed=%d/flat=%d/whole=%v", seed, flat, whole), func(t *testing.T) {
					pipe := pipelines[(int(seed)+flat)%len(pipelines)]
					net := func(h model.HeadKind) (*Net, *model.Eval) {
						m := shaped(t, h, seed, flat)
						f, err := m.Fold()
						require.NoError(t, err)
						if whole {
							return Whole(m), model.NewEval(f)
						}
						return Reduced(m), model.NewEval(f)
					}
					var judges []testbench.Option
					if (int(seed)+flat)%4 == 0 {
						judges = append(judges, testbench.CoSim("iverilog"))
					}
					follow(t, pipe, net, judges...)
				})
			}
		}
	}
}

// follow holds the three heads of one network against the Go model.
func follow(t *testing.T, pipe Pipeline, net func(model.HeadKind) (*Net, *model.Eval), judges ...testbench.Option) {
	n, eval := net(model.SAC)
	c := Controller{Net: n, Pipeline: pipe}
	s, p := testbench.New(t, c, judges...)
	want := make([]int, len(p.Act))
	lockstep(t, s, p.Valid, p.Obs, p.ActValid, c.Latency(), func(codes []int) {
		eval.Act(codes, want)
		for a := range want {
			s.Expect(p.Act[a], want[a])
		}
	})

	n, voter := net(model.Counts)
	v := Voter{Net: n, Pipeline: pipe}
	s2, q := testbench.New(t, v, judges...)
	lockstep(t, s2, q.Valid, q.Obs, q.CountValid, v.Latency(), func(codes []int) {
		for g, want := range voter.Counts(codes) {
			s2.Expect(q.Count[g], want)
		}
	})

	n, class := net(model.Argmax)
	k := Classifier{Net: n, Pipeline: pipe}
	s3, r := testbench.New(t, k, judges...)
	lockstep(t, s3, r.Valid, r.Obs, r.ClassValid, k.Latency(), func(codes []int) { s3.Expect(r.Class, class.Class(codes)) })
}
