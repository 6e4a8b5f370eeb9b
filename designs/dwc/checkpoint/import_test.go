package checkpoint

import (
	"encoding/json"
	"math"
	"math/big"
	"os"
	"strings"
	"testing"

	"etch/designs/dwc/model"

	"github.com/stretchr/testify/require"
)

// expectation is what make_fixtures.py had PyTorch compute of a checkpoint.
type expectation struct {
	Bits     int
	Mean     []float64
	Var      []float64
	Pins     [][][]int
	Tables   [][]string // '0' and '1', entry 0 first
	LogAlpha []float64  `json:"log_alpha"`
	Beta     []float64
	Obs      [][]float64
	Counts   [][]int
	Actions  [][]float64
}

func load(t testing.TB, name string, into any) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, into))
}

func open(t testing.TB, name string) *Checkpoint {
	t.Helper()
	ck, err := Open("testdata/" + name)
	require.NoError(t, err)
	t.Cleanup(func() { ck.Close() })
	return ck
}

func ones(n int, v float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = v
	}
	return out
}

// TestConvert converts what PyTorch and safetensors wrote and compares
// parameters, counts and actions with PyTorch's.
func TestConvert(t *testing.T) {
	for _, c := range []struct {
		file, want string
		head       model.HeadKind
		stats      bool
	}{
		{"sac.pth", "sac.json", model.SAC, false},
		{"sac.safetensors", "sac.json", model.SAC, false},
		{"ddpg.pth", "ddpg.json", model.DDPG, false},
		{"ppo.cleanrl_model", "ppo.json", model.PPO, true},
		{"views.pth", "views.json", model.SAC, false},
	} {
		t.Run(c.file, func(t *testing.T) {
			var want expectation
			load(t, c.want, &want)
			opt := Options{
				Bits: want.Bits, SensorBits: 12, SensorMax: ones(len(want.Mean), 8), ActionScale: []float64{1},
			}
			if c.head == model.DDPG {
				opt.Head = "ddpg"
			}
			if c.stats {
				opt.StatsFile = statsFile(t, want.Mean, want.Var)
			}
			m, err := Convert(open(t, c.file), opt)
			require.NoError(t, err)
			require.Equal(t, c.head, m.Head.Kind)
			require.Equal(t, c.file, m.Name)
			compareParameters(t, &want, m)
			compareBehaviour(t, &want, m)
		})
	}
}

func statsFile(t *testing.T, mean, variance []float64) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{"mean": mean, "var": variance, "count": 12})
	require.NoError(t, err)
	path := t.TempDir() + "/stats.json"
	require.NoError(t, os.WriteFile(path, text, 0o644))
	return path
}

func compareParameters(t *testing.T, want *expectation, m *model.Model) {
	t.Helper()
	for d := range m.Obs {
		require.Equal(t, want.Mean[d], m.Obs[d].Mean)
		require.Equal(t, want.Var[d], m.Obs[d].Var)
		require.Equal(t, model.SensorScale(8, 12), m.Obs[d].Scale)
	}
	require.Len(t, m.Layers, len(want.Pins))
	for i, l := range m.Layers {
		require.Equal(t, want.Pins[i], l.Pins, "layer %d", i)
		for j, table := range l.Tables {
			for a, bit := range want.Tables[i][j] {
				require.Equal(t, bit == '1', table>>a&1 == 1, "layer %d, LUT %d, entry %d", i, j, a)
			}
		}
	}
	for a := range m.Head.Actions {
		require.Equal(t, want.LogAlpha[a], m.Head.Actions[a].LogAlpha)
		require.Equal(t, want.Beta[a], m.Head.Actions[a].Beta)
	}
}

// compareBehaviour runs the float policy on the observations that PyTorch saw.
// Actions differ by float32 rounding alone.
func compareBehaviour(t *testing.T, want *expectation, m *model.Model) {
	t.Helper()
	p, err := model.NewFloatPolicy(m)
	require.NoError(t, err)
	varied := map[int]bool{}
	for i, obs := range want.Obs {
		require.Equal(t, want.Counts[i], p.Counts(obs), "observation %d", i)
		for a, v := range p.Act(obs) {
			require.InDelta(t, want.Actions[i][a], v, 1e-6)
			varied[want.Counts[i][a]] = true
		}
	}
	require.Greater(t, len(varied), 1, "the observations must make a difference")
}

// TestFoldAgainstFloat32Normaliser compares folded thresholds with the
// comparisons that PyTorch made in float32 on every code. They may differ only
// where the exact value lies within float32 rounding of the threshold, and
// there by the codes in that interval.
func TestFoldAgainstFloat32Normaliser(t *testing.T) {
	var cases []struct {
		SensorBits int `json:"sensor_bits"`
		Bits       int
		Mean, Var  []float64
		Max        []float64
		LastZero   [][]int `json:"last_zero"`
	}
	load(t, "normaliser.json", &cases)
	compared, differ := 0, 0
	for _, c := range cases {
		m := foldModel(t, c.SensorBits, c.Bits, c.Mean, c.Var, c.Max)
		f, err := m.Fold()
		require.NoError(t, err)
		for d, row := range f.Bits {
			for k, bit := range row {
				compared++
				got := lastZero(bit, c.SensorBits)
				want := c.LastZero[d][k]
				for code := min(got, want) + 1; code <= max(got, want); code++ {
					differ++
					require.True(t, withinRounding(&m.Obs[d], m.Thresholds.Row(d)[k], code),
						"W %d, B %d, dimension %d, threshold %d: folded %v, PyTorch last 0 at %d", c.SensorBits, c.Bits, d, k, bit, want)
				}
			}
		}
	}
	require.Greater(t, compared, 1500)
	require.LessOrEqual(t, differ, compared/100, "codes that differ")
	t.Logf("%d thresholds compared, %d codes differ, all within rounding", compared, differ)
}

// lastZero returns the largest code at which a bit is 0, −2^(W−1)−1 if none.
func lastZero(b model.EncoderBit, w int) int {
	switch b.Kind {
	case model.Zero:
		return 1<<(w-1) - 1
	case model.One:
		return -1<<(w-1) - 1
	}
	return b.T
}

// withinRounding bounds the error of the float32 chain at a code: u = 2^-24 of
// the observation for its conversion; of the normalised value, one u each for
// the difference, the quotient and the root and half for the sum under it; of
// the threshold, 6 u for PyTorch's inverse error function and the products
// after it (see TestImportedThresholds in package model).
func withinRounding(d *model.Dim, tau float64, code int) bool {
	const u = 0x1p-24
	x := float64(code) * d.Scale
	exact := new(big.Float).SetPrec(200).SetFloat64(float64(code))
	exact.Mul(exact, big.NewFloat(d.Scale)).Sub(exact, big.NewFloat(d.Mean)).Quo(exact, big.NewFloat(d.Std()))
	n, _ := exact.Float64()
	return math.Abs(n-tau) <= u*(math.Abs(x)/d.Std()+3.5*math.Abs(n)+6*math.Abs(tau))*1.01
}

func foldModel(t *testing.T, w, b int, mean, variance, largest []float64) *model.Model {
	t.Helper()
	m, err := model.Random(model.RandomSpec{
		Obs: len(mean), Groups: 1, B: b, Widths: []int{1}, N: []int{2}, SensorBits: w, DACBits: 8,
	}, 1)
	require.NoError(t, err)
	m.Thresholds, err = model.NewThresholds(model.Imported, b)
	require.NoError(t, err)
	for d := range m.Obs {
		m.Obs[d] = model.Dim{Mean: mean[d], Var: variance[d], Max: largest[d], Scale: model.SensorScale(largest[d], w)}
	}
	return m
}

// TestOpenReadsEveryKindOfValue looks at the parts of views.pth that Convert
// does not use.
func TestOpenReadsEveryKindOfValue(t *testing.T) {
	ck := open(t, "views.pth")
	require.Equal(t, "pytorch", ck.Container)
	for name, want := range map[string][]float64{
		"tail":           {99, 99, 99, 99, 99, 99, 99},
		"step":           {1e6},
		"seed":           {-3},
		"big":            {1 << 40},
		"lr":             {3e-4},
		"obs_norm.count": {12.5},
		"fortran":        {0, 1, 2, 3, 4, 5},
	} {
		require.NotNil(t, ck.Tensor(name), name)
		got, err := ck.Tensor(name).Float64s()
		require.NoError(t, err)
		require.Equal(t, want, got, name)
	}
	require.Equal(t, []int{2, 3}, ck.Tensor("fortran").Shape)
	require.Equal(t, BF16, ck.Tensor("fc_mean.net.1.luts").DType)
	require.Equal(t, F64, ck.Tensor("fc_mean.net.3.beta").DType)
	require.Nil(t, ck.Tensor("name"))
	var names []string
	for _, x := range ck.Tensors {
		names = append(names, x.Name)
	}
	require.IsIncreasing(t, names)
}

func TestOldSerializationIsNamed(t *testing.T) {
	_, err := Open("testdata/old.pth")
	require.ErrorContains(t, err, "testdata/old.pth: written by PyTorch's old serialization; save it again")
}

// TestConvertNamesTheMissingFlags gives fewer and fewer options.
func TestConvertNamesTheMissingFlags(t *testing.T) {
	full := Options{Bits: 7, SensorBits: 12, SensorMax: ones(3, 1), ActionScale: []float64{1, 2}}
	for want, spoil := range map[string]func(o *Options){
		"give -bits (thresholds per dimension, odd; layer 1 reads 21 bits for 3 dimensions, which would be 7)": func(o *Options) { o.Bits = 0 },
		"give -sensor-bits (":  func(o *Options) { o.SensorBits = 0 },
		"give -sensor-max (":   func(o *Options) { o.SensorMax = nil },
		"give -action-scale (": func(o *Options) { o.ActionScale = nil },
		"-bits 5 and the statistics give 3 dimensions × 5 = 15 bits, but the first layer reads 21": func(o *Options) { o.Bits = 5 },
		"-bits: 8 is not an odd number":                 func(o *Options) { o.Bits = 8 },
		"-sensor-bits: 64 is out of range":              func(o *Options) { o.SensorBits = 64 },
		"-dac-bits: 1 is out of range":                  func(o *Options) { o.DACBits = 1 },
		"-sensor-max: 2 numbers for 3 dimensions":       func(o *Options) { o.SensorMax = ones(2, 1) },
		"-sensor-max: number 1, 0, is not a positive":   func(o *Options) { o.SensorMax = []float64{1, 0, 1} },
		"-sensor-max: number 0, NaN, is not a positive": func(o *Options) { o.SensorMax = ones(3, math.NaN()) },
		"-action-scale: 3 numbers for 2 actions":        func(o *Options) { o.ActionScale = ones(3, 1) },
		"-action-scale: number 0, -1, is not":           func(o *Options) { o.ActionScale = []float64{-1} },
		"-action-bias: 3 numbers for 2 actions":         func(o *Options) { o.ActionBias = ones(3, 1) },
		"-action-bias: number 0, +Inf, is not":          func(o *Options) { o.ActionBias = ones(1, math.Inf(1)) },
		`-head: unknown head "dqn"`:                     func(o *Options) { o.Head = "dqn" },
		"-stats: open /nonexistent":                     func(o *Options) { o.StatsFile = "/nonexistent" },
	} {
		opt := full
		spoil(&opt)
		m, err := Convert(open(t, "sac.pth"), opt)
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "testdata/sac.pth: ")
		require.Nil(t, m)
	}
	_, err := Convert(open(t, "ppo.cleanrl_model"), Options{})
	for _, flag := range []string{"-bits", "-stats", "-sensor-bits", "-sensor-max", "-action-scale"} {
		require.ErrorContains(t, err, flag+" (")
	}
	require.Equal(t, 0, strings.Count(err.Error(), "\n"))
}

func TestConvertHeads(t *testing.T) {
	opt := Options{Bits: 7, SensorBits: 12, SensorMax: ones(3, 1), Head: "argmax"}
	m, err := Convert(open(t, "sac.pth"), opt)
	require.NoError(t, err)
	require.Equal(t, []string{"class_0", "class_1"}, m.Head.Classes)
	opt.Head, opt.ActionScale, opt.ActionBias, opt.DACBits = "ppo", []float64{2, 3}, []float64{0.5}, 10
	m, err = Convert(open(t, "sac.pth"), opt)
	require.NoError(t, err)
	require.Equal(t, 10, m.DACBits)
	a := m.Head.Actions[1]
	require.Equal(t, []float64{3, 0.5, -2.5, 3.5}, []float64{a.Scale, a.Bias, a.Low, a.High})
}
