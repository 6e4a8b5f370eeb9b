package checkpoint

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// safetensors returns a file with the given header and 16 bytes of data.
func safetensors(header string) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	b = append(b, header...)
	return append(b, 0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f)
}

func TestSafetensorsTypes(t *testing.T) {
	ck, err := readBytes(safetensors(`{"__metadata__": {"format": "pt"},
		"f32": {"dtype": "F32", "shape": [1, 2], "data_offsets": [0, 8]},
		"f64": {"dtype": "F64", "shape": [], "data_offsets": [8, 16]},
		"bf16": {"dtype": "BF16", "shape": [2], "data_offsets": [0, 4]},
		"f16": {"dtype": "F16", "shape": [1], "data_offsets": [6, 8]},
		"i32": {"dtype": "I32", "shape": [1], "data_offsets": [4, 8]},
		"i64": {"dtype": "I64", "shape": [1], "data_offsets": [8, 16]},
		"u8": {"dtype": "U8", "shape": [1], "data_offsets": [7, 8]},
		"none": {"dtype": "I8", "shape": [0, 5], "data_offsets": [3, 3]}}  `))
	require.NoError(t, err)
	require.Equal(t, "safetensors", ck.Container)
	for name, want := range map[string][]float64{
		"f32": {1, -2}, "f64": {1}, "bf16": {0, 1}, "f16": {-2}, "i32": {-0x40000000}, "i64": {0x3ff << 52}, "u8": {0xc0}, "none": {},
	} {
		got, err := ck.Tensor(name).Float64s()
		require.NoError(t, err)
		require.Equal(t, want, got, name)
	}
}

func TestHostileSafetensors(t *testing.T) {
	one := func(entry string) string { return `{"x": ` + entry + `}` }
	for want, header := range map[string]string{
		"needs dtype, shape":              one(`{"dtype": "F32"}`),
		`dtype "Q4" is not supported`:     one(`{"dtype": "Q4", "shape": [1], "data_offsets": [0, 4]}`),
		"unknown field":                   one(`{"dtype": "F32", "shape": [1], "data_offsets": [0, 4], "strides": [1]}`),
		"data_offsets [0 20] are not":     one(`{"dtype": "F32", "shape": [5], "data_offsets": [0, 20]}`),
		"data_offsets [4 0] are not":      one(`{"dtype": "F32", "shape": [1], "data_offsets": [4, 0]}`),
		"data_offsets [-4 0] are not":     one(`{"dtype": "F32", "shape": [1], "data_offsets": [-4, 0]}`),
		"data_offsets [1 2 3] are not":    one(`{"dtype": "F32", "shape": [1], "data_offsets": [1, 2, 3]}`),
		"F32 of shape [2] needs 8 bytes":  one(`{"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}`),
		"more than 2^31 elements":         one(`{"dtype": "F32", "shape": [2147483647, 2147483647, 2147483647], "data_offsets": [0, 4]}`),
		"has a size out of range":         one(`{"dtype": "F32", "shape": [-1], "data_offsets": [0, 4]}`),
		"cannot unmarshal number 1e999":   one(`{"dtype": "F32", "shape": [1e999], "data_offsets": [0, 4]}`),
		`two tensors are named "x"`:       `{"x": {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]}, "x": {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]}}`,
		"something follows the header":    `{} {}`,
		`header: "x": unexpected EOF`:     `{"x": {"dtype": "U8", "shape": [1]`,
		"__metadata__":                    `{"__metadata__": {"a": 1}}`,
		"9 dimensions; at most 8":         one(`{"dtype": "U8", "shape": [1,1,1,1,1,1,1,1,1], "data_offsets": [0, 1]}`),
		"exceeded max depth":              `{"x": ` + strings.Repeat("[", 100000),
		"cannot unmarshal string into Go": one(`"` + strings.Repeat("x", 100000) + `"`),
		"more than 65536 tensors":         `{` + strings.Repeat(`"`+"x"+`": {"dtype": "U8", "shape": [0], "data_offsets": [0, 0]},`, 65537) + `"y": 0}`,
		"neither a PyTorch zip file":      "[]",
	} {
		_, err := readBytes(safetensors(header))
		require.ErrorContains(t, err, want)
		require.Less(t, len(oneLine(err)), 410)
	}
	good := safetensors(`{"x": {"dtype": "U8", "shape": [16], "data_offsets": [0, 16]}}`)
	for n := range len(good) {
		_, err := readBytes(good[:n])
		require.Error(t, err, "the first %d bytes", n)
	}
	huge := append([]byte{0, 0, 0, 1, 0, 0, 0, 0, '{'}, make([]byte, 17<<20)...)
	_, err := readBytes(huge)
	require.ErrorContains(t, err, "header of 16777216 bytes; at most 8388608")
}
