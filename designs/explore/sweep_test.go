package explore

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseSweep(t *testing.T) {
	for text, want := range map[string]string{
		"k=1,2,4":            "1 2 4",
		"k=1..4":             "1 2 3 4",
		"k=-2..2+2":          "-2 0 2",
		"k=1..64*4":          "1 4 16 64",
		"k=2^3..2^5*2":       "8 16 32",
		"k=1..3,8":           "1 2 3 8",
		"form=direct, cslow": "direct cslow",
		"w=8,8;16,16":        "8,8 16,16",
		"w=8,8;":             "8,8",
		"model=../m.json":    "../m.json",
		"x=0.5,1e3":          "0.5 1e3",
	} {
		s, err := ParseSweep(text)
		require.NoError(t, err, text)
		require.Equal(t, want, strings.Join(s.Values, " "), text)
	}
	for text, want := range map[string]string{
		"k":                 "is not name=",
		"k=":                "is not name=",
		"=1":                "is not name=",
		"k=1,,2":            "an empty value",
		"k=1,2,1":           "1 is there twice; values that are lists stand between semicolons",
		"k=;":               "an empty value",
		"k=4..1":            "4 is above 1",
		"k=0..8*2":          "start from 1",
		"k=1..8*1":          "factor from 2",
		"k=1..8+0":          "step from 1",
		"k=1..":             "is not lo..hi",
		"k=0.5..2":          "is not lo..hi",
		"k=1..99999999999":  "99999999999 is no integer",
		"k=1..2^99":         "2^99 is no integer",
		"k=1..2^31":         "more than 100000 values",
		"k=1..9*2147483648": "", // one step beyond the range
	} {
		_, err := ParseSweep(text)
		if want == "" {
			require.NoError(t, err, text)
			continue
		}
		require.ErrorContains(t, err, want, text)
	}
}

// A sweep's values are bounded and different, whatever the text.
func FuzzParseSweep(f *testing.F) {
	for _, text := range []string{"k=1..8*2", "a=1,2;3", "k=2^31..2^31", "k=-1..1", "k=1^9..3"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSweep(text)
		if err != nil {
			return
		}
		known := map[string]bool{}
		for _, v := range s.Values {
			require.False(t, known[v] || v == "")
			known[v] = true
		}
		require.NotEmpty(t, s.Values)
	})
}

func TestParseAxes(t *testing.T) {
	axes, err := ParseAxes("lut,mhz, max:ops,min:steps_per_s,pnr:lfe5u-25f.mhz")
	require.NoError(t, err)
	require.Equal(t, []Axis{{"lut", false}, {"mhz", true}, {"ops", true}, {"steps_per_s", false}, {"pnr:lfe5u-25f.mhz", true}}, axes)
	for _, bad := range []string{"a,", "a,a", "min:"} {
		_, err := ParseAxes(bad)
		require.Error(t, err, bad)
	}
}
