package checkpoint

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/dwc/model"
)

// foreign is what the libraries compute of a checkpoint (make_foreign.py).
type foreign struct {
	Obs     [][]float64
	Counts  [][]int
	Classes []int
}

// grid are the options for observations that are multiples of 1/16.
var grid = Options{SensorBits: 8, SensorScale: []float64{1. / 16}}

func with(o Options, change func(o *Options)) Options {
	change(&o)
	return o
}

// TestForeignLibraries converts checkpoints of torch_dwn and difflogic: the bit-
// exact model gives the library's counts and classes for sensor codes that stand
// for its observations.
func TestForeignLibraries(t *testing.T) {
	for _, c := range []struct {
		file, want, layout string
		opt                Options
	}{
		{"dwn_state.pt", "dwn_state", "dwn state_dict.", with(grid, func(o *Options) { o.Classes = 5 })},
		{"dwn_model.pt", "dwn_model", "dwn model.", grid},
		{"dwn_scaled.pt", "dwn_scaled", "dwn model.", grid},
		{"dwn_bits.pt", "dwn_bits", "dwn", Options{Bits: 1, Inputs: 40, Classes: 10}},
		{"dwn_bits.pt", "dwn_shared", "dwn", with(grid, func(o *Options) {
			o.ThresholdsFile, o.Inputs, o.Classes = "testdata/dwn_thresholds.pt", 20, 10
		})},
		{"logic_model.pt", "logic", "difflogic", Options{}},
		{"logic_state.pt", "logic", "difflogic state_dict.", Options{Inputs: 18, Classes: 4}},
	} {
		t.Run(c.file+"/"+c.want, func(t *testing.T) {
			var all map[string]foreign
			load(t, "foreign.json", &all)
			want := all[c.want]
			m, err := Convert(open(t, c.file), c.opt)
			require.NoError(t, err)
			require.Equal(t, c.layout, m.Provenance["layout"])
			require.Equal(t, model.Argmax, m.Head.Kind)
			f, err := m.Fold()
			require.NoError(t, err)
			eval := model.NewEval(f)
			float, err := model.NewFloatPolicy(m)
			require.NoError(t, err)
			for i, obs := range want.Obs {
				codes := make([]int, len(obs))
				for d, x := range obs {
					codes[d] = m.Quantise(d, x)
					require.Equal(t, x, m.Dequantise(d, codes[d]))
				}
				require.Equal(t, want.Counts[i], eval.Counts(codes), "observation %d", i)
				require.Equal(t, want.Counts[i], float.Counts(obs), "observation %d", i)
				require.Equal(t, want.Classes[i], eval.Class(codes), "observation %d", i)
			}
		})
	}
}

// A wrong guess says which part was missing; a module that the circuit would
// leave out is never dropped silently.
func TestForeignErrors(t *testing.T) {
	for _, c := range []struct {
		file, want string
		opt        Options
	}{
		{"dwn_state.pt", "give -classes", grid},
		{"dwn_state.pt", "give -sensor-bits (width of a sensor code), -sensor-scale", Options{Classes: 5}},
		{"dwn_state.pt", "-bits 7: the stored thresholds are 6 a dimension", with(grid, func(o *Options) { o.Classes, o.Bits = 5, 7 })},
		{"dwn_state.pt", "-head sac: the layout \"dwn state_dict.\" has no log_alpha and beta", with(grid, func(o *Options) { o.Classes, o.Head = 5, "sac" })},
		{"dwn_model.pt", "-classes 5: the checkpoint has 4", with(grid, func(o *Options) { o.Classes = 5 })},
		{"dwn_model.pt", "the thresholds give 40 dimensions × 2 = 80 bits, but the first layer reads 18",
			with(grid, func(o *Options) { o.ThresholdsFile, o.Inputs = "testdata/dwn_thresholds.pt", 40 })},
		{"dwn_bits.pt", "-bits (thresholds per dimension, odd; or 1 for inputs that are bits), -stats", Options{Classes: 10}},
		{"dwn_bits.pt", "give -inputs (number of bits that the first layer reads)", Options{Classes: 10, Bits: 1}},
		{"dwn_bits.pt", "0.mapping: entry [4, 0] is input 12, out of range 0..11", Options{Classes: 10, Bits: 1, Inputs: 12}},
		{"dwn_bits.pt", "no layout fits: difflogic: no tensor of shape [gates, 16]", Options{Layout: "difflogic"}},
		{"dwn_bits.pt", `-layout: unknown layout "onnx"`, Options{Layout: "onnx"}},
		{"dwn_bits.pt", "-thresholds testdata/logic_bare.pt: no tensor is named thresholds", with(grid, func(o *Options) { o.ThresholdsFile, o.Classes = "testdata/logic_bare.pt", 10 })},
		{"dwn_thresholds.pt", "no layout fits: controller: no tensor is named net.1.luts", Options{}},
		{"dwn_thresholds.pt", "dwn: no tensor is named 0.luts, with or without a prefix; difflogic: no tensor of shape", Options{}},
		{"logic_bare.pt", "no layout fits: difflogic: no 1.indices: a state dictionary lacks the connections", Options{}},
		{"logic_state.pt", "give -inputs", Options{Classes: 4}},
		{"dwn_norm.pt", "1.bias is a parameter of a module that is no LUTLayer: the circuit would leave it out", Options{Classes: 2}},
		{"dwn_tanh.pt", "1 is a torch.nn.modules.activation.Tanh, which the circuit would leave out", Options{}},
	} {
		m, err := Convert(open(t, c.file), c.opt)
		require.ErrorContains(t, err, c.want, "%s %+v", c.file, c.opt)
		require.Nil(t, m)
	}
}

// A permutation of the outputs that is none would drop some and count others twice.
func TestPermutation(t *testing.T) {
	whole := []int64{17, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
	for _, c := range []struct {
		order []int64
		want  string
	}{
		{whole, ""},
		{whole[:15], "randperm has 15 elements for 18 outputs"},
		{append(slices.Clone(whole), 3), "randperm has 19 elements for 18 outputs"},
		{append(slices.Clone(whole[:17]), 18), "randperm: element 17 is output 18, out of range 0..17"},
		{append(slices.Clone(whole[:17]), -1), "randperm: element 17 is output -1, out of range 0..17"},
		{append(slices.Clone(whole[:17]), 4), "randperm: elements 5 and 17 are both output 4"},
	} {
		ck := open(t, "dwn_scaled.pt")
		i := slices.IndexFunc(ck.Tensors, func(x *Tensor) bool { return strings.HasSuffix(x.Name, ".randperm") })
		raw := []byte{}
		for _, v := range c.order {
			raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
		}
		x, err := newTensor(I64, []int{len(c.order)}, []int{1}, 0, int64(len(c.order)), bytes.NewReader(raw), binary.LittleEndian)
		require.NoError(t, err)
		x.Name = ck.Tensors[i].Name
		ck.Tensors[i] = x

		_, err = Convert(ck, grid)
		if c.want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, "dwn_scaled.pt: no layout fits: dwn: model.1."+c.want)
	}
}

// The gates of difflogic, by the formulas of its bin_op.
func TestGateTable(t *testing.T) {
	for k, f := range []func(a, b float64) float64{
		func(a, b float64) float64 { return 0 }, func(a, b float64) float64 { return a * b },
		func(a, b float64) float64 { return a - a*b }, func(a, b float64) float64 { return a },
		func(a, b float64) float64 { return b - a*b }, func(a, b float64) float64 { return b },
		func(a, b float64) float64 { return a + b - 2*a*b }, func(a, b float64) float64 { return a + b - a*b },
		func(a, b float64) float64 { return 1 - (a + b - a*b) }, func(a, b float64) float64 { return 1 - (a + b - 2*a*b) },
		func(a, b float64) float64 { return 1 - b }, func(a, b float64) float64 { return 1 - b + a*b },
		func(a, b float64) float64 { return 1 - a }, func(a, b float64) float64 { return 1 - a + a*b },
		func(a, b float64) float64 { return 1 - a*b }, func(a, b float64) float64 { return 1 },
	} {
		for address := range 4 {
			require.Equal(t, f(float64(address&1), float64(address>>1)), float64(gateTable(k)>>address&1), "gate %d at %d", k, address)
		}
	}
}

// Instances of classes are passed over with their contents; a call is refused.
func TestForeignObjects(t *testing.T) {
	object := func(p *pickler) *pickler { return p.global("project.config", "Config").op(")\x81") }
	good := map[string]func(p *pickler){
		"instance": func(p *pickler) { object(p).op("}").text("lr").op("G\x3f\xf0\x00\x00\x00\x00\x00\x00sb") },
		"dict":     func(p *pickler) { object(p).text("lr").op("G\x3f\xf0\x00\x00\x00\x00\x00\x00s") },
		"slots":    func(p *pickler) { object(p).op("N}").text("lr").op("G\x3f\xf0\x00\x00\x00\x00\x00\x00s\x86b") },
		"to itself": func(p *pickler) {
			object(p).op("q\x05}").text("me").op("h\x05s}").text("lr").op("G\x3f\xf0\x00\x00\x00\x00\x00\x00s\x86b")
		},
		"keywords": func(p *pickler) {
			p.global("a", "B").op(")}\x92}").text("lr").op("G\x3f\xf0\x00\x00\x00\x00\x00\x00sb")
		},
		"with names": func(p *pickler) {
			object(p).op("}(").text("f").global("torch.nn", "ReLU").text("lr").op("G\x3f\xf0\x00\x00\x00\x00\x00\x00ub")
		},
	}
	for name, value := range good {
		ck, err := readBytes(archiveOf(dictOf(value)))
		require.NoError(t, err, name)
		v, err := ck.Tensor("x.lr").Float64s()
		require.NoError(t, err)
		require.Equal(t, []float64{1}, v, name)
		require.NotEmpty(t, ck.Classes["x"], name)
	}
	for _, call := range []func(p *pickler){
		func(p *pickler) { p.global("project.config", "load").op("(").text("a").op("tR") },
		func(p *pickler) { p.global("numpy", "fromfile").op(")R") },
		func(p *pickler) { p.global("builtins", "eval").op(")\x81") },
	} {
		_, err := readBytes(archiveOf(dictOf(call)))
		require.ErrorContains(t, err, "which tensors do not need; refused, nothing was run")
	}
}

func TestReadThresholds(t *testing.T) {
	for text, want := range map[string][][]float64{
		"[[1, 2], [3, 4]]":               {{1, 2}, {3, 4}},
		`{"thresholds": [[-1.5, 0, 2]]}`: {{-1.5, 0, 2}},
		"1, 2\n3,4\n":                    {{1, 2}, {3, 4}},
	} {
		path := t.TempDir() + "/t"
		require.NoError(t, writeFile(path, text))
		got, err := readThresholds(path)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	for text, want := range map[string]string{
		"": "no thresholds", "[]": "no thresholds", "1,x\n": `line 1: "x" is not a number`, "1,2\n3\n": "wrong number of fields", "[1": "unexpected end",
	} {
		path := t.TempDir() + "/t"
		require.NoError(t, writeFile(path, text))
		_, err := findThresholds(nil, &Options{ThresholdsFile: path})
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "-thresholds "+path+": ")
	}
	m := memory{}.set("0.luts", []int{1, 4}, 1, 1, 1, -1).set("0.mapping.weights", []int{2, 2}, 1, 0, 0, 1)
	m.set("thresholds", []int{1, 2}, 2, math.NaN())
	_, err := Convert(m.checkpoint(t), Options{SensorBits: 8, SensorScale: []float64{1}, Classes: 1})
	require.ErrorContains(t, err, "thresholds.rows[0][1]: NaN")
	m.set("thresholds", []int{1, 2}, 2, 1)
	_, err = Convert(m.checkpoint(t), Options{SensorBits: 8, SensorScale: []float64{1}, Classes: 1})
	require.ErrorContains(t, err, "1 is less than the threshold before it, 2")
}

func writeFile(path, text string) error { return os.WriteFile(path, []byte(text), 0o644) }
