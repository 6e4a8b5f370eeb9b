package model

import (
	"bufio"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOwnThresholds(t *testing.T) {
	for b := 3; b <= 255; b += 2 {
		got := OwnThresholds(b)
		require.Len(t, got, b)
		require.Equal(t, -10.0, got[0])
		require.Equal(t, 0.0, got[b/2])
		require.Equal(t, 10.0, got[b-1])
		s := 10 / (math.Sqrt2 * math.Erfinv(2*float64(b-1)/float64(b)-1))
		for k := 1; k < b; k++ {
			require.Greater(t, got[k], got[k-1])
			require.Equal(t, -got[k], got[b-1-k])
			i := k // the quantile ½ stands between i = b/2 and b/2 + 1
			if k < b/2 {
				i = k + 1
			}
			if k != b/2 {
				want := s * math.Sqrt2 * math.Erfinv(2*float64(i)/float64(b)-1)
				require.InEpsilon(t, want, got[k], 1e-12, "B %d, threshold %d", b, k)
			}
		}
	}
	require.InDelta(t, 0.0926, OwnThresholds(63)[32], 5e-5) // the figure in the specification
}

func TestOwnThresholdsAreCopies(t *testing.T) {
	OwnThresholds(7)[0] = 3
	require.Equal(t, -10.0, OwnThresholds(7)[0])
}

// TestImportedThresholds holds our float32 expression against the authors'
// thermometer.py under PyTorch 1.13.1 on a CPU, recorded in testdata. Its
// inverse error function is off by a few units in the last place, so equality
// is not to be had; 6 units of 2^-24 relative are.
func TestImportedThresholds(t *testing.T) {
	f, err := os.Open("testdata/torch_thresholds.txt")
	require.NoError(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	tables := 0
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		tables++
		b, err := strconv.Atoi(fields[0])
		require.NoError(t, err)
		got := ImportedThresholds(b)
		require.Len(t, fields[1:], b)
		for k, text := range fields[1:] {
			want, err := strconv.ParseFloat(text, 64)
			require.NoError(t, err)
			require.LessOrEqual(t, math.Abs(float64(got[k])-want), 6*0x1p-24*math.Abs(want), "B %d, threshold %d", b, k)
		}
		want0, _ := strconv.ParseFloat(fields[1], 64)
		require.Equal(t, want0 < -10, float64(got[0]) < -10, "B %d: constant 1", b)
	}
	require.NoError(t, lines.Err())
	require.Equal(t, 4, tables)
	require.Equal(t, float32(-10.000002), ImportedThresholds(31)[0])
	require.Equal(t, float32(0), ImportedThresholds(31)[15])
	require.Equal(t, float32(10), ImportedThresholds(31)[30])
}

func TestCheckB(t *testing.T) {
	for _, b := range []int{-1, 0, 1, 2, 62, 4096, 4097} {
		require.Error(t, CheckB(b), b)
	}
	for _, b := range []int{3, 63, 4095} {
		require.NoError(t, CheckB(b), b)
	}
}
