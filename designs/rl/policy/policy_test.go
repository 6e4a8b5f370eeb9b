package policy

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	learner "etch/designs/learner/model"
)

func random(t testing.TB) (*Policy, *learner.Net) {
	n := learner.NewNet(3, 5, 2)
	n.Init(rand.New(rand.NewPCG(1, 2)), learner.Wide().Weights())
	return Of(DQN, []float64{1, 8, 0.25}, n, learner.Wide()), n
}

// TestBothForms: a policy comes back from either form with the same weights, scales and formats.
func TestBothForms(t *testing.T) {
	p, n := random(t)
	for _, name := range []string{"p.json", "p.safetensors"} {
		data, err := p.Encode(name)
		require.NoError(t, err)
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, data, 0o666))
		back, err := ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, p.Layers, back.Layers)
		require.Equal(t, p.Scale, back.Scales())
		require.Equal(t, p.Kind, back.Kind)
		require.Equal(t, p.Formats, back.Formats)
		got, err := back.Net(learner.Wide().Weights(), []int{3, 5, 2})
		require.NoError(t, err)
		require.Equal(t, n, got)
	}
}

// TestRefused: weights of other shapes and numbers that do not fit have an error that says
// which.
func TestRefused(t *testing.T) {
	p, _ := random(t)
	_, err := p.Net(learner.Wide().Weights(), []int{3, 6, 2})
	require.ErrorContains(t, err, "weights of a network [3 5 2] for one of [3 6 2]")
	p.Layers[1].Weight[1][2] = 16
	_, err = p.Net(learner.Wide().Weights(), p.Sizes)
	require.ErrorContains(t, err, "layer 1: weight 2 of row 1 is 16, outside of the format's -16 to 15.9")

	for text, want := range map[string]string{
		``:                 "not a policy",
		`{`:                "not a policy",
		`{"x":1}`:          "unknown field",
		`{"etch":"other"}`: "want \"policy 1\"",
		`{"etch":"policy 1","sizes":[1],"layers":[]}`:                                            "0 layers for 1 sizes",
		`{"etch":"policy 1","kind":"ppo","sizes":[1,1],"layers":[{"weight":[[1]],"bias":[0]}]}`:  "kind ppo; dqn or ddpg",
		`{"etch":"policy 1","sizes":[1,1],"layers":[{"weight":[[null]],"bias":[0]}]}`:            "null at byte 59 is not a number",
		`{"etch":"policy 1","sizes":[1,1],"layers":[{"weight":[[1,2]],"bias":[0]}]}`:             "row 0 has 2 weights for 1 inputs",
		`{"etch":"policy 1","sizes":[1,1],"layers":[{"weight":[[1]],"bias":[0,1]}]}`:             "1 rows of weights and 2 biases for 1 outputs",
		`{"etch":"policy 1","sizes":[1,1],"scale":[1,2],"layers":[{"weight":[[1]],"bias":[0]}]}`: "2 scales for 1 inputs",
		`{"etch":"policy 1","sizes":[1,1],"scale":[0],"layers":[{"weight":[[1]],"bias":[0]}]}`:   "scale 0 is 0",
		`{"etch":"policy 1","sizes":[1,1],"layers":[{"weight":[[1]],"bias":[0]}]} 1`:             "something follows",
	} {
		_, err := Decode([]byte(text))
		require.ErrorContains(t, err, want)
	}
	path := filepath.Join(t.TempDir(), "x.json")
	require.NoError(t, os.WriteFile(path, []byte(`{"etch":1}`), 0o666))
	_, err = ReadFile(path)
	require.ErrorContains(t, err, path)
	good, _ := random(t)
	data, err := good.Encode("x.safetensors")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(data), "2.bias", "2.bibs", 1)), 0o666))
	_, err = ReadFile(path)
	require.ErrorContains(t, err, "2.weight and 2.bias: only one of them is there")
	require.NoError(t, os.WriteFile(path, data[:len(data)-3], 0o666))
	_, err = ReadFile(path)
	require.Error(t, err)
}

// FuzzDecode: rubbish is an error, and what is a policy can be written and read again.
func FuzzDecode(f *testing.F) {
	p, _ := random(f)
	data, err := p.Encode("p.json")
	require.NoError(f, err)
	f.Add(data)
	f.Add([]byte(`{"etch":"policy 1","sizes":[1,1],"layers":[{"weight":[[1e308]],"bias":[-0]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := Decode(text)
		if err != nil {
			return
		}
		again, err := p.Encode("p.json")
		require.NoError(t, err)
		back, err := Decode(again)
		require.NoError(t, err)
		require.Equal(t, p, back)
	})
}
