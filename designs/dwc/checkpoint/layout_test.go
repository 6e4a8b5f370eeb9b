package checkpoint

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"
)

// memory is a checkpoint made of numbers: name → shape, then row-major values.
type memory map[string]struct {
	shape  []int
	values []float64
}

func (m memory) set(name string, shape []int, values ...float64) memory {
	m[name] = struct {
		shape  []int
		values []float64
	}{shape, values}
	return m
}

func (m memory) checkpoint(t testing.TB) *Checkpoint {
	t.Helper()
	var tensors []*Tensor
	for name, v := range m {
		raw := []byte{}
		for _, x := range v.values {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(float32(x)))
		}
		x, err := newTensor(F32, v.shape, contiguous(v.shape), 0, int64(len(v.values)), bytes.NewReader(raw), binary.LittleEndian)
		require.NoError(t, err)
		x.Name = name
		tensors = append(tensors, x)
	}
	sort.Slice(tensors, func(i, j int) bool { return tensors[i].Name < tensors[j].Name })
	ck, err := newCheckpoint("pytorch", tensors)
	require.NoError(t, err)
	return ck
}

// tiny is one layer of two 2-input LUTs on 1 × 3 bits, and one action.
func tiny() memory {
	return memory{}.
		set("fc_mean.net.1.luts", []int{2, 4}, 1, -1, 0, 0.5, -1, -1, -1, 1).
		set("fc_mean.net.1.mapping.weights", []int{3, 4}, 0, 1, 5, 2, 0, 3, 5, 2, 0, 3, 6, 1).
		set("fc_mean.net.1._LUTLayer__dummy_mapping", []int{2, 2}, 0, 1, 2, 3).
		set("fc_mean.net.3.log_alpha", []int{1}, -0.5).
		set("fc_mean.net.3.beta", []int{1}, 0.25).
		set("obs_norm.mean", []int{1}, 2).
		set("obs_norm.var", []int{1}, 4).
		set("obs_norm.count", []int{}, 100)
}

func tinyOptions() Options {
	return Options{Bits: 3, SensorBits: 8, SensorMax: []float64{1}, ActionScale: []float64{1}}
}

func TestConvertByHand(t *testing.T) {
	m, err := Convert(tiny().checkpoint(t), tinyOptions())
	require.NoError(t, err)
	require.Equal(t, [][]int{{0, 1}, {2, 0}}, m.Layers[0].Pins) // ties: the lowest row
	require.Equal(t, []uint64{0b1001, 0b1000}, m.Layers[0].Tables)
	require.Equal(t, []float64{-10, 0, 10}, []float64{math.Round(m.Thresholds.Rows[0][0]), m.Thresholds.Rows[0][1], m.Thresholds.Rows[0][2]})
}

func TestConvertRejects(t *testing.T) {
	nan := math.NaN()
	bad := []struct {
		name  string
		spoil func(m memory)
		want  string
	}{
		{"no layers", func(m memory) { delete(m, "fc_mean.net.1.luts") }, "no tensor is named net.1.luts"},
		{"gap", func(m memory) { m["fc_mean.net.3.luts"] = m["fc_mean.net.1.luts"] }, "2 layers, but no fc_mean.net.2.luts"},
		{"no head", func(m memory) { delete(m, "fc_mean.net.3.beta") }, "no fc_mean.net.3.beta: with 1 LUT layers"},
		{"head shape", func(m memory) { m.set("fc_mean.net.3.beta", []int{2}, 1, 1) }, "fc_mean.net.3.log_alpha has 1 numbers, beta 2"},
		{"head scalar", func(m memory) { m.set("fc_mean.net.3.beta", []int{}, 1) }, "fc_mean.net.3.beta: shape []"},
		{"head NaN", func(m memory) { m.set("fc_mean.net.3.beta", []int{1}, nan) }, "head.actions[0].beta: NaN"},
		{"luts NaN", func(m memory) { m.set("fc_mean.net.1.luts", []int{2, 4}, 1, 1, 1, 1, 1, 1, nan, 1) }, "fc_mean.net.1.luts: entry [1, 2] is NaN"},
		{"luts shape", func(m memory) { m.set("fc_mean.net.1.luts", []int{2, 3}, 1, 1, 1, 1, 1, 1) }, "fc_mean.net.1.luts: 3 entries a LUT; must be 2^n with n in 1..6"},
		{"luts 2^7", func(m memory) { m.set("fc_mean.net.1.luts", []int{1, 128}, make([]float64, 128)...) }, "128 entries a LUT"},
		{"luts vector", func(m memory) { m.set("fc_mean.net.1.luts", []int{8}, make([]float64, 8)...) }, "fc_mean.net.1.luts: shape [8]"},
		{"no luts", func(m memory) { m.set("fc_mean.net.1.luts", []int{0, 4}) }, "fc_mean.net.1.luts: shape [0 4]"},
		{"no mapping", func(m memory) { delete(m, "fc_mean.net.1.mapping.weights") }, "neither fc_mean.net.1.mapping nor fc_mean.net.1.mapping.weights"},
		{"two mappings", func(m memory) { m["fc_mean.net.1.mapping"] = m["fc_mean.net.1.luts"] }, "both fc_mean.net.1.mapping.weights and fc_mean.net.1.mapping"},
		{"weights NaN", func(m memory) {
			m.set("fc_mean.net.1.mapping.weights", []int{3, 4}, 0, 1, 5, 2, 0, 3, 5, nan, 0, 3, 6, 1)
		}, "weights: entry [1, 3] is NaN"},
		{"weights shape", func(m memory) { m.set("fc_mean.net.1.mapping.weights", []int{3, 5}, make([]float64, 15)...) }, "weights: shape [3 5]; must be [3, 4]"},
		{"weights vector", func(m memory) { m.set("fc_mean.net.1.mapping.weights", []int{3}, make([]float64, 3)...) }, "weights: shape [3]; must be [3, 4]"},
		{"float mapping", func(m memory) {
			delete(m, "fc_mean.net.1.mapping.weights")
			m.set("fc_mean.net.1.mapping", []int{2, 2}, 0, 1, 2, 0)
		}, "fc_mean.net.1.mapping: elements are F32, not integers"},
		{"groups", func(m memory) {
			m.set("fc_mean.net.3.beta", []int{3}, 1, 1, 1).set("fc_mean.net.3.log_alpha", []int{3}, 1, 1, 1)
		}, "do not divide into 3 equal groups"},
		{"one statistic", func(m memory) { delete(m, "obs_norm.var") }, "obs_norm.mean and obs_norm.var must be there together"},
		{"variance", func(m memory) { m.set("obs_norm.var", []int{1}, -1) }, "obs_norm.var[0] is -1; a variance is 0 or more"},
		{"variance NaN", func(m memory) { m.set("obs_norm.var", []int{1}, nan) }, "obs_norm.var[0] is NaN"},
		{"mean shape", func(m memory) { m.set("obs_norm.mean", []int{2}, 1, 2) }, "obs_norm.mean has 2 numbers, obs_norm.var 1"},
		{"prefix", func(m memory) { rename(m, "student.") }, "give -head (sac, ddpg, ppo, counts or argmax; the layout \"student.net\" does not tell)"},
		{"prefixes", func(m memory) { rename(m, "a."); m["b.net.1.luts"] = m["a.net.1.luts"] }, `several networks, none of them fc_mean or actor_mean: "a.net" and "b.net"`},
	}
	for _, c := range bad {
		t.Run(c.name, func(t *testing.T) {
			m := tiny()
			c.spoil(m)
			got, err := Convert(m.checkpoint(t), tinyOptions())
			require.ErrorContains(t, err, c.want)
			require.Nil(t, got)
		})
	}
}

// rename gives the network another prefix.
func rename(m memory, prefix string) {
	for _, part := range []string{"1.luts", "1.mapping.weights", "3.log_alpha", "3.beta"} {
		m[prefix+"net."+part] = m["fc_mean.net."+part]
		delete(m, "fc_mean.net."+part)
	}
}

func TestPrefixes(t *testing.T) {
	m := tiny()
	m["target.net.1.luts"] = m["fc_mean.net.1.luts"] // another network beside
	got, err := Convert(m.checkpoint(t), tinyOptions())
	require.NoError(t, err)
	require.Equal(t, "fc_mean.net", got.Provenance["layout"])
	m = tiny()
	rename(m, "")
	opt := tinyOptions()
	opt.Head = "sac"
	_, err = Convert(m.checkpoint(t), opt)
	require.NoError(t, err)
}

func TestFixedMappingRange(t *testing.T) {
	raw := make([]byte, 16)
	for i, v := range []int32{0, 2, 1, 3} {
		binary.LittleEndian.PutUint32(raw[4*i:], uint32(v))
	}
	x, err := newTensor(I32, []int{2, 2}, []int{2, 1}, 0, 4, bytes.NewReader(raw), binary.LittleEndian)
	require.NoError(t, err)
	x.Name = "m"
	got, err := fixedMapping(x, 4, 2, 2)
	require.NoError(t, err)
	require.Equal(t, []int{0, 2, 1, 3}, got)
	_, err = fixedMapping(x, 3, 2, 2)
	require.ErrorContains(t, err, "m: entry [1, 1] is input 3, out of range 0..2")
	_, err = fixedMapping(x, 4, 1, 4)
	require.ErrorContains(t, err, "m: shape [2 2]; must be [1, 4]")
}

func TestStatsFiles(t *testing.T) {
	write := func(text string) string {
		path := t.TempDir() + "/stats"
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	for _, text := range []string{
		`{"mean": [1.5, -2], "var": [0, 4], "names": ["x", "y"], "count": 1e-8}`,
		"name,mean,var\nx,1.5,0\ny,-2,4\n",
		"Var, Mean ,name\r\n0, 1.5 ,x\r\n4,-2,y\r\n",
	} {
		s, err := readStats(write(text))
		require.NoError(t, err)
		require.Equal(t, &stats{names: []string{"x", "y"}, mean: []float64{1.5, -2}, variance: []float64{0, 4}}, s)
	}
	for want, text := range map[string]string{
		"mean has 2 numbers, var 1":      `{"mean": [1, 2], "var": [1]}`,
		"mean has 0 numbers":             `{}`,
		"mean[1] is null":                `{"mean": [1, null], "var": [1, 1]}`,
		"var[0] is -1; a variance":       `{"mean": [1], "var": [-1]}`,
		"unknown field":                  `{"mean": [1], "var": [1], "std": [1]}`,
		"something follows":              `{"mean": [1], "var": [1]} {}`,
		"invalid character 'N'":          `{"mean": [NaN], "var": [1]}`,
		"1e999":                          `{"mean": [1e999], "var": [1]}`,
		"1 names for 2 dimensions":       `{"mean": [1, 2], "var": [1, 2], "names": ["x"]}`,
		"needs the columns mean and var": "average,var\n1,2\n",
		"line 3: \"x\" is not a number":  "mean,var\n1,2\nx,2\n",
		"mean[0] is NaN":                 "mean,var\nNaN,2\n",
		"wrong number of fields":         "mean,var\n1\n",
		"expected JSON, or CSV":          "",
	} {
		_, err := readStats(write(text))
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "-stats /")
	}
	path := write("")
	require.NoError(t, os.Truncate(path, 5<<20))
	_, err := readStats(path)
	require.ErrorContains(t, err, "larger than 4 MiB")
}

func TestTensorLimits(t *testing.T) {
	zeros := bytes.NewReader(make([]byte, 64))
	wide, err := newTensor(F32, []int{1 << 12, 1 << 13}, []int{0, 0}, 0, 16, zeros, binary.LittleEndian)
	require.NoError(t, err)
	_, err = wide.Float64s()
	require.ErrorContains(t, err, "33554432 elements are more than")
	require.ErrorContains(t, wide.Rows(func(int, []float64) error { return nil }), "is too large; save a contiguous tensor")
	short := &Tensor{Name: "s", DType: F32, Shape: []int{32}, stride: []int{1}, src: zeros, order: binary.LittleEndian}
	_, err = short.Float64s()
	require.ErrorContains(t, err, "s: unexpected EOF")
	stop := fmt.Errorf("stop")
	m, err := newTensor(F32, []int{4, 4}, []int{4, 1}, 0, 16, zeros, binary.LittleEndian)
	require.NoError(t, err)
	require.Equal(t, stop, m.Rows(func(row int, _ []float64) error {
		if row == 2 {
			return stop
		}
		return nil
	}))
}
