package checkpoint

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"etch/designs/dwc/model"

	"github.com/stretchr/testify/require"
)

// storageOf answers every storage with zeros, as far as 64 elements go.
type storageOf struct{}

func (storageOf) storage(_ string, dtype DType, numel int64) (*storage, error) {
	if numel < 0 || numel > 64 {
		return nil, fmt.Errorf("no such storage")
	}
	return &storage{dtype: dtype, numel: numel, src: zeroes{}, order: nil}, nil
}

type zeroes struct{}

func (zeroes) ReadAt(p []byte, _ int64) (int, error) { clear(p); return len(p), nil }

// FuzzPickle holds that any pickle gives tensors or an error.
func FuzzPickle(f *testing.F) {
	for _, name := range []string{"sac.pth", "ddpg.pth", "ppo.cleanrl_model", "views.pth"} {
		file, err := os.Open("testdata/" + name)
		require.NoError(f, err)
		info, err := file.Stat()
		require.NoError(f, err)
		a, err := openArchive(file, info.Size())
		require.NoError(f, err)
		pickle, err := a.bytes("data.pkl", maxPickle)
		require.NoError(f, err)
		f.Add(pickle)
		file.Close()
	}
	f.Add([]byte(dictOf(func(p *pickler) { p.tensor(16, 1, []int{2, 2}, []int{1, 4}) })))
	f.Add([]byte(billionLaughs()))
	f.Fuzz(func(t *testing.T, pickle []byte) {
		root, err := unpickle(pickle, storageOf{})
		if err != nil {
			return
		}
		tensors, _, err := flatten(root)
		if err != nil {
			return
		}
		for _, x := range tensors {
			span, err := x.span()
			require.NoError(t, err)
			require.GreaterOrEqual(t, span, int64(0))
		}
	})
}

// FuzzSafetensors holds that any file gives an error or tensors that lie in it.
func FuzzSafetensors(f *testing.F) {
	text, err := os.ReadFile("testdata/sac.safetensors")
	require.NoError(f, err)
	f.Add(text)
	f.Add(safetensors(`{"x": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]}}`))
	f.Add(safetensors(`{"__metadata__": {"a": "b"}, "x": {"dtype": "BF16", "shape": [], "data_offsets": [2, 4]}}`))
	f.Fuzz(fuzzRead)
}

// FuzzOpen is the same for both containers, and converts what it can.
func FuzzOpen(f *testing.F) {
	paths, err := filepath.Glob("testdata/*")
	require.NoError(f, err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(f, err)
		f.Add(text)
	}
	f.Add(archiveOf(dictOf(func(p *pickler) { p.tensor(16, 1, []int{2, 2}, []int{1, 4}) })))
	f.Fuzz(fuzzRead)
}

func fuzzRead(t *testing.T, file []byte) {
	ck, err := readBytes(file)
	if err != nil {
		return
	}
	for _, x := range ck.Tensors {
		v, err := x.Float64s()
		if err == nil {
			require.Len(t, v, x.Len())
		} else {
			require.NotErrorIs(t, err, io.ErrUnexpectedEOF)
		}
	}
	opt := Options{Bits: 7, SensorBits: 12, SensorMax: []float64{1, 1, 1}, ActionScale: []float64{1}}
	m, err := Convert(ck, opt)
	if err == nil {
		require.NoError(t, m.Validate())
		require.Equal(t, model.Imported, m.Thresholds.Kind)
	}
}
