package dwc

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/dwc/model"
	"etch/designs/dwc/network"
	"etch/hw"
	"etch/testbench"
)

func random(t testing.TB, head model.HeadKind, seed uint64, n int) *model.Model {
	t.Helper()
	m, err := model.Random(model.RandomSpec{Obs: 3, Groups: 3, Head: head, B: 7, Widths: []int{30, 20, 24},
		N: []int{n, min(n+1, 6), n}, SensorBits: 8, DACBits: 10}, seed)
	require.NoError(t, err)
	return m
}

// lockstep drives random observations with gaps through a circuit and calls
// check for each valid output with the observation it belongs to.
func lockstep(t *testing.T, s *testbench.Bench, valid hw.Bit, obs hw.Vec[hw.SInt], outValid hw.Bit, latency int, check func(codes []int)) {
	r := rand.New(rand.NewPCG(uint64(latency), 9))
	var sent [][]int
	seen := 0
	for range 200 {
		codes := []int{r.IntN(256) - 128, r.IntN(256) - 128, r.IntN(256) - 128}
		if r.IntN(4) == 0 {
			codes = nil
			s.Set(valid, 0)
		} else {
			s.Set(valid, 1)
			for i, c := range codes {
				s.Set(obs[i], c)
			}
		}
		sent = append(sent, codes)
		if latency == 0 {
			s.Expect(outValid, btoi(codes != nil))
		}
		if at := len(sent) - 1 - latency; at >= 0 {
			if s.Expect(outValid, btoi(sent[at] != nil)); sent[at] != nil {
				check(sent[at])
				seen++
			}
		} else {
			s.Expect(outValid, 0)
		}
		s.Step(1)
	}
	require.Greater(t, seen, 100)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

var pipelines = []Pipeline{{Votes: true, Sums: true}, {}, {Output: true}, {Encoder: true, Layers: true}, Registered, Full, {Counts: 1}, {Counts: 3, Output: true}}

// inVerilog has the emitted Verilog follow some of the tests, so that every
// pipeline and every n is among them; Verilator, which takes long to build,
// those of full pipelines only.
func inVerilog(n, pipeline int) testbench.Option {
	switch {
	case pipelines[pipeline] == Full && n%2 == 0:
		return testbench.CoSim("iverilog", "verilator")
	case (n+pipeline)%3 == 0:
		return testbench.CoSim("iverilog")
	}
	return testbench.WithSim() // nothing
}

func TestController(t *testing.T) {
	for n := 2; n <= 6; n++ {
		for i, pipe := range pipelines {
			for _, whole := range []bool{false, true} {
				rom := Logic
				if pipe.Output && n%2 == 0 {
					rom = Block
				}
				t.Run(fmt.Sprintf("n=%d/%+v/whole=%v/%s", n, pipe, whole, rom), func(t *testing.T) {
					m := random(t, model.SAC, uint64(n), n)
					net := Reduced(m)
					if whole {
						net = Whole(m)
					}
					c := Controller{Net: net, Pipeline: pipe, ROM: rom}
					s, p := testbench.New(t, c, inVerilog(n, i))
					f, _ := m.Fold()
					eval, want := model.NewEval(f), make([]int, 3)
					lockstep(t, s, p.Valid, p.Obs, p.ActValid, c.Latency(), func(codes []int) {
						eval.Act(codes, want)
						for a := range want {
							s.Expect(p.Act[a], want[a])
						}
					})
				})
			}
		}
	}
}

func TestVoterAndClassifier(t *testing.T) {
	for _, pipe := range pipelines {
		m := random(t, model.Counts, 5, 4)
		f, _ := m.Fold()
		eval := model.NewEval(f)

		v := Voter{Net: Reduced(m), Pipeline: pipe}
		s, p := testbench.New(t, v, testbench.CoSim("iverilog"))
		lockstep(t, s, p.Valid, p.Obs, p.CountValid, v.Latency(), func(codes []int) {
			for g, want := range eval.Counts(codes) {
				s.Expect(p.Count[g], want)
			}
		})

		c := Classifier{Net: Reduced(random(t, model.Argmax, 5, 4)), Pipeline: pipe}
		s2, q := testbench.New(t, c, testbench.CoSim("iverilog"))
		lockstep(t, s2, q.Valid, q.Obs, q.ClassValid, c.Latency(), func(codes []int) { s2.Expect(q.Class, eval.Class(codes)) })
	}
}

func TestValidate(t *testing.T) {
	m := random(t, model.SAC, 1, 2)
	for _, c := range []Controller{
		{},
		{Net: Reduced(nil)},
		{Net: Reduced(&model.Model{})},
		{Net: Reduced(m), ROM: "flash"},
		{Net: Reduced(m), ROM: Block},
		{Net: Reduced(m), Pipeline: Pipeline{Counts: -1}},
		{Net: Reduced(random(t, model.Counts, 1, 2))},
	} {
		_, _, err := hw.Build(c)
		require.Error(t, err)
		t.Log(err)
	}
	require.Equal(t, 8, Controller{Net: Reduced(m), Pipeline: Full}.Latency())
	require.Equal(t, 7, Controller{Net: Reduced(m), Pipeline: Full}.AuthorsLatency())
}

// A network whose every table is constant still gives the right counts.
func TestAllConstant(t *testing.T) {
	m := random(t, model.SAC, 7, 2)
	for j := range m.Layers[2].Tables {
		m.Layers[2].Tables[j] = uint64(j%2) * 0xf
	}
	net := Reduced(m)
	require.Zero(t, net.Network().Luts())
	c := Controller{Net: net, Pipeline: Full}
	s, p := testbench.New(t, c, testbench.CoSim())
	s.Set(p.Valid, 1)
	s.Step(c.Latency())
	s.Expect(p.ActValid, 1)
	for a := range p.Act {
		s.Expect(p.Act[a], m.ROM(a)[4])
	}
	require.NotEqual(t, network.Counts{}, net.Counts())
}
