package model

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func encode(t testing.TB, m *Model) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, m.Write(&b))
	return b.Bytes()
}

func TestJSONRoundTrip(t *testing.T) {
	for i, spec := range evalSpecs() {
		m := mustRandom(t, spec, uint64(i))
		m.Name = "a \"name\" <&> with ünïcode \u2028 and \x00"
		m.Provenance["zebra"], m.Provenance[""] = strings.Repeat("<", MaxText), "empty key"
		m.Obs[0].Mean = math.Copysign(0, -1)
		m.Obs[0].Var = 5e-324
		text := encode(t, m)
		got, err := Read(bytes.NewReader(text))
		require.NoError(t, err)
		require.Equal(t, m, got)
		require.True(t, bytes.Equal(text, encode(t, got)))
	}
}

func TestJSONRoundTripThresholdKinds(t *testing.T) {
	spec := evalSpecs()[3]
	m := mustRandom(t, spec, 1)
	var err error
	m.Thresholds, err = NewThresholds(Imported, 5)
	require.NoError(t, err)
	got, err := Read(bytes.NewReader(encode(t, m)))
	require.NoError(t, err)
	require.Equal(t, m, got)
	m.Thresholds = Thresholds{Kind: Custom, Rows: [][]float64{{-1, -1, 0, 0, 2}, {-3, -2, -1, 0.1, 1e9}}}
	got, err = Read(bytes.NewReader(encode(t, m)))
	require.NoError(t, err)
	require.Equal(t, m, got)
}

// text is a small valid model; the bad cases below edit it.
func goodText(t testing.TB) string {
	spec := RandomSpec{Name: "bad", Obs: 2, Groups: 2, B: 3, Widths: []int{3, 4}, N: []int{2, 3}, SensorBits: 8, DACBits: 8}
	return string(encode(t, mustRandom(t, spec, 3)))
}

func TestReadRejects(t *testing.T) {
	good := goodText(t)
	m, err := Read(strings.NewReader(good))
	require.NoError(t, err)
	pin := fmt.Sprint(m.Layers[1].Pins[2])
	pin = strings.ReplaceAll(pin, " ", ", ")
	for _, c := range []struct{ name, old, new, want string }{
		{"version", `"format": 1`, `"format": 2`, "line 2: model field format: version 2 is not supported; this etch reads version 1"},
		{"version string", `"format": 1`, `"format": "1"`, "format: expected a number, found a string"},
		{"unknown field", `"sensor_bits"`, `"sensor_bitz"`, `"sensor_bitz": unknown field`},
		{"twice", `"dac_bits": 8`, `"dac_bits": 8, "dac_bits": 8`, "dac_bits: given twice"},
		{"missing", `"dac_bits": 8,`, ``, "dac_bits: missing"},
		{"NaN", `"beta": `, `"beta": NaN, "x": `, `head.actions[0].beta: expected a number, found "NaN"`},
		{"Infinity", `"beta": `, `"beta": Infinity, "x": `, `head.actions[0].beta: expected a number, found "Infinity"`},
		{"overflow", `"beta": `, `"beta": 1e999, "x": `, `head.actions[0].beta: 1e999 is out of range`},
		{"NaN string", `"beta": `, `"beta": "NaN", "x": `, `head.actions[0].beta: expected a number, found a string`},
		{"null", `"obs": [`, `"obs": null, "x": [`, `obs: expected an array, found "null"`},
		{"leading zero", `"format": 1`, `"format": 01`, "format: malformed number 01"},
		{"fraction", `"dac_bits": 8`, `"dac_bits": 8.5`, "dac_bits: expected a whole number, found 8.5"},
		{"exponent", `"dac_bits": 8`, `"dac_bits": 8e0`, "dac_bits: expected a whole number, found 8e0"},
		{"huge integer", `"dac_bits": 8`, `"dac_bits": 99999999999999999999`, "dac_bits: 99999999999999999999 is out of range"},
		{"DAC", `"dac_bits": 8`, `"dac_bits": 33`, "dac_bits: 33 is out of range 2..32"},
		{"sensor", `"sensor_bits": 8`, `"sensor_bits": -8`, "sensor_bits: -8 is out of range 2..32"},
		{"n", `"n": 3`, `"n": 7`, "layers[1].n: 7 is out of range 2..6"},
		{"n mismatch", `"n": 3`, `"n": 2`, "layers[1].tables[0]: 2 hexadecimal digits; a table of 2 inputs has 1"},
		{"inputs", `"inputs": 3`, `"inputs": 4`, "layers[1].inputs: 4, but the width of layers[0] gives 3"},
		{"encoder inputs", `"inputs": 6`, `"inputs": 7`, "layers[0].inputs: 7, but dimensions × thresholds gives 6"},
		{"pin range", pin, "[0, 1, 3]", "layers[1].pins[2][2]: input bit 3 is out of range 0..2"},
		{"pin sign", pin, "[0, -1, 2]", "layers[1].pins[2][1]: input bit -1 is out of range 0..2"},
		{"pins short", pin, "[0, 1]", "layers[1].pins[2]: 2 pins, but n is 3"},
		{"pins long", pin, "[0, 1, 1, 1, 1, 1, 1]", "layers[1].pins[2]: more than 6 elements"},
		{"LUT missing", pin + ",", "", "layers[1].pins: pins of 3 LUTs, but tables of 4"},
		{"pins nested", pin, "[[0], 1, 1]", "layers[1].pins[2][0]: expected a number, found an array"},
		{"table", fmt.Sprintf("%q", FormatTable(m.Layers[1].Tables[0], 3)), `"fg"`, `layers[1].tables[0]: "fg" is not a lower-case hexadecimal number`},
		{"B even", "[[-10, 0, 10]]", "[[-10, 0, 5, 10]]", "thresholds.rows[0]: number of thresholds: 4 is not an odd number in 3..4095"},
		{"B empty", "[[-10, 0, 10]]", "[]", "thresholds.rows: 0 rows; must be 1, or one for each of the 2 dimensions"},
		{"not monotone", `"own"`, `"custom"`, ""},
		{"threshold order", "[[-10, 0, 10]]", "[[-10, 11, 10]]", "thresholds.rows[0][2]: 10 is less than the threshold before it, 11"},
		{"threshold kind", "[[-10, 0, 10]]", "[[-10, 1, 10]]", `thresholds.rows[0][1]: 1, but thresholds of kind "own" with B = 3 have 0 here`},
		{"kind", `"own"`, `"foreign"`, `thresholds.kind: unknown kind "foreign"`},
		{"head", `"sac"`, `"dqn"`, `head.kind: unknown kind "dqn"`},
		{"head fields", `"sac"`, `"argmax"`, `head.actions: a "argmax" head has classes, not actions`},
		{"low", `"low": -1`, `"low": 1`, "head.actions[0].low: 1 is not less than high, 1"},
		{"variance", `"var": `, `"var": -`, "obs[0].var: -"},
		{"trailing", "}\n", "}\n{}", "something follows the model"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := good
			text = strings.ReplaceAll(text, "[\n      [-10, 0, 10]\n    ]", "[[-10, 0, 10]]")
			i := strings.Index(text, c.old)
			if c.name == "trailing" {
				i = strings.LastIndex(text, c.old)
			}
			require.GreaterOrEqual(t, i, 0, "the case must edit the text")
			text = text[:i] + c.new + text[i+len(c.old):]
			_, err := Read(strings.NewReader(text))
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.want)
			require.Equal(t, 0, strings.Count(err.Error(), "\n"))
			var field *FieldError
			require.True(t, errors.As(err, &field))
		})
	}
}

func TestReadRejectsEveryTruncation(t *testing.T) {
	good := strings.TrimRight(goodText(t), "\n")
	for n := range len(good) {
		_, err := Read(strings.NewReader(good[:n]))
		require.Error(t, err, "the first %d bytes", n)
	}
}

// TestReadIsBounded gives files whose sizes or nesting are absurd.
func TestReadIsBounded(t *testing.T) {
	good := goodText(t)
	for name, text := range map[string]string{
		"too large":    strings.Repeat(" ", MaxFileSize+1),
		"deep":         `{"format": 1, "obs": ` + strings.Repeat("[", 10<<20),
		"long string":  `{"format": 1, "name": "` + strings.Repeat("x", 10<<20),
		"long number":  `{"format": 1, "dac_bits": ` + strings.Repeat("9", 10<<20),
		"many obs":     `{"format": 1, "obs": [` + strings.Repeat(`{"mean": 0, "var": 1, "scale": 1},`, 300000),
		"many rows":    `{"format": 1, "thresholds": {"rows": [` + strings.Repeat(`[],`, 3<<20),
		"many pins":    `{"format": 1, "layers": [{"pins": [` + strings.Repeat(`[],`, 3<<20),
		"many layers":  `{"format": 1, "layers": [` + strings.Repeat(`{"n":2,"inputs":1,"pins":[],"tables":[]},`, 1<<18),
		"bad encoding": strings.Replace(good, `"bad"`, "\"\xff\"", 1),
		"empty":        "",
		"binary":       "PK\x03\x04\x00",
	} {
		start := time.Now()
		_, err := Read(strings.NewReader(text))
		require.Error(t, err, name)
		require.Less(t, len(err.Error()), 200, name)
		// A second on an idle machine is the aim; 0.1 s is what the slowest takes.
		require.Less(t, time.Since(start), 4*time.Second, name)
	}
}

func TestFilesAreReplacedWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.json")
	m := mustRandom(t, evalSpecs()[0], 1)
	require.NoError(t, m.WriteFile(path))
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	m.Obs[0].Mean = math.NaN()
	require.ErrorContains(t, m.WriteFile(path), "obs[0].mean: NaN is not a number")
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.True(t, bytes.Equal(before, after))
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, entries, 1, "no temporary file is left")
	_, err = ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, before[:100], 0o644))
	_, err = ReadFile(path)
	require.ErrorContains(t, err, path+":")
}

func TestValidateNamesFields(t *testing.T) {
	good := func() *Model { return mustRandom(t, evalSpecs()[0], 1) }
	for want, spoil := range map[string]func(m *Model){
		"obs: 0 dimensions":               func(m *Model) { m.Obs = nil },
		"obs[1].scale: 0 is not a number": func(m *Model) { m.Obs[1].Scale = 0 },
		"obs[2].var: +Inf is not":         func(m *Model) { m.Obs[2].Var = math.Inf(1) },
		"layers: 0 layers":                func(m *Model) { m.Layers = nil },
		"layers[0].tables: 0 LUTs":        func(m *Model) { m.Layers[0].Tables = nil },
		"head.actions: 0 entries":         func(m *Model) { m.Head.Actions = nil },
		"do not divide into 3 equal":      func(m *Model) { m.Head.Actions = make([]Action, 3) },
		"head.actions[0].log_alpha: 1000": func(m *Model) { m.Head.Actions[0].LogAlpha = 1000 },
		"name: text is not valid UTF-8":   func(m *Model) { m.Name = "\xff" },
		"at most 1048576 bits": func(m *Model) {
			m.Obs = make([]Dim, 16384)
			fill(m.Obs)
			m.Thresholds.Rows[0] = make([]float64, 4095)
			m.Thresholds.Kind = Custom
		},
		"layers[0].tables[0]: 0x10 has":    func(m *Model) { m.Layers[0].N = 2; m.Layers[0].Tables[0] = 16; twoPins(m) },
		"provenance[\"k\"]: text of 99999": func(m *Model) { m.Provenance["k"] = strings.Repeat("x", 99999) },
	} {
		m := good()
		spoil(m)
		require.ErrorContains(t, m.Validate(), want)
		_, err := m.Fold()
		require.ErrorContains(t, err, want)
		_, err = NewFloatPolicy(m)
		require.ErrorContains(t, err, want)
	}
}

func fill(obs []Dim) {
	for i := range obs {
		obs[i].Scale = 1
	}
}

func twoPins(m *Model) {
	for j := range m.Layers[0].Pins {
		m.Layers[0].Pins[j] = m.Layers[0].Pins[j][:2]
	}
}

// FuzzRead holds that Read never panics and that what it accepts is valid and
// survives a round trip byte for byte.
func FuzzRead(f *testing.F) {
	good := goodText(f)
	f.Add([]byte(good))
	for _, spec := range evalSpecs() {
		f.Add(encode(f, mustRandom(f, spec, 1)))
	}
	f.Add([]byte(good[:len(good)/2]))
	f.Add([]byte(strings.Replace(good, "-10", "1e999", 1)))
	f.Add([]byte(`{"format": 1, "provenance": {"\u0000": "\ud800"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		text := encode(t, m)
		again, err := Read(bytes.NewReader(text))
		require.NoError(t, err)
		require.True(t, bytes.Equal(text, encode(t, again)))
		f, err := m.Fold()
		require.NoError(t, err)
		NewEval(f).Counts(make([]int, len(m.Obs)))
	})
}

func BenchmarkRead(b *testing.B) {
	text := encode(b, mustRandom(b, Shapes()[3].Spec(1024, 12), 1))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Read(bytes.NewReader(text)); err != nil {
			b.Fatal(err)
		}
	}
}
