package explore

import (
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const board = `[{"name": "board", "family": "ecp5", "lut_inputs": 4, "lut": 100, "ff": 200, "dsp": 2, "dsp_size": "18x18", "bram": 3, "bram_kbit": 18}]`

// A file of the user's adds devices and replaces known ones.
func TestDevices(t *testing.T) {
	ds, err := BuiltIn()
	require.NoError(t, err)
	for _, name := range []string{"ice40up5k", "lfe5u-25f", "lfe5u-45f", "lfe5u-85f", "xc7a35t", "xc7a100t", "xc7z020", "zu7ev", "u50", "u200", "u200-slr"} {
		_, ok := ds.Find(name)
		require.True(t, ok, name)
	}
	file := filepath.Join(t.TempDir(), "mine.json")
	require.NoError(t, os.WriteFile(file, []byte(board), 0o666))
	more, err := ds.WithFile(file)
	require.NoError(t, err)
	require.Len(t, more, len(ds)+1)
	again, err := more.With("x", []byte(strings.Replace(board, "100", "101", 1)))
	require.NoError(t, err)
	require.Len(t, again, len(more))
	d, _ := again.Find("BOARD")
	require.Equal(t, 101, d.LUT)
}

// What does not fit is named with by how much.
func TestMissing(t *testing.T) {
	ds, err := Devices(nil).With("x", []byte(board))
	require.NoError(t, err)
	d, _ := ds.Find("board")
	require.Empty(t, d.Missing(map[string]float64{"lut": 100, "ff": 200, "dsp": 2, "bram": 3}))
	require.Equal(t, "board: needs 96 DSP, the device has 2 (94 too many)", d.Missing(map[string]float64{"dsp": 96}))
	require.Equal(t, "board: needs 101 LUT, the device has 100 (1 too many), and 1 large RAM, the device has 0 (1 too many)",
		d.Missing(map[string]float64{"lut": 101, "uram": 1}))
}

// Files that make no sense are one error with the field.
func TestBadDevices(t *testing.T) {
	for change, want := range map[string]string{
		`"lut": 100|"lut": -100`:                    `x: device 1, "board": lut = -100 (tables): want 1 to`,
		`"dsp": 2|"dsp": -2`:                        "dsp = -2",
		`"bram_kbit": 18|"bram_kbit": 0`:            "bram_kbit = 0",
		`"18x18"|"none"`:                            "dsp_size",
		`"18x18"|"big"`:                             "dsp_size",
		`"lut": 100|"lut": 1.5`:                     "x:1: ",
		`"lut": 100|"luts": 100`:                    `unknown field "luts"`,
		`"board"|""`:                                `name ""`,
		`"ecp5"|"ecp5; rm"`:                         "family",
		`18}]|18}]]`:                                "x: ",
		`18}]|18}`:                                  "x:1: ",
		`18}]|18, "pnr": ["sh", "-c"]}]`:            `pnr by "sh"`,
		`18}]|18, "pnr": ["nextpnr-ecp5", "a b"]}]`: `pnr "a b"`,
		`[{|[` + board[1:len(board)-1] + `,{`:       "is there twice",
	} {
		from, to, _ := strings.Cut(change, "|")
		_, err := Devices(nil).With("x", []byte(strings.Replace(board, from, to, 1)))
		require.ErrorContains(t, err, want, change)
	}
	_, err := Devices(nil).WithFile(filepath.Join(t.TempDir(), "none.json"))
	require.ErrorContains(t, err, "none.json")
}

// The picture is well-formed XML with every candidate and the labels of the front.
func TestSVG(t *testing.T) {
	o := &Outcome{Design: `a<b`, Axes: []Axis{{"lut", false}, {"mhz", true}}, Sweeps: []Sweep{{"k", []string{"1", "2", "3"}}}}
	for i, k := range []string{"1", "2", "3"} {
		o.Rows = append(o.Rows, Row{Values: map[string]string{"k": k}, State: Done, Results: map[string]float64{"lut": float64(10 + 5*i), "mhz": float64([]int{50, 80, 60}[i])}})
	}
	o.Rows = append(o.Rows, Row{Values: map[string]string{"k": "4"}, State: Failed})
	o.MarkFront()
	svg := string(o.SVG())
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		_, err := d.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
	}
	require.Equal(t, 3, strings.Count(svg, "<circle"))
	require.Contains(t, svg, ">k=2</text>")
	require.NotContains(t, svg, ">k=3</text>", "beaten by k=2")
	require.Contains(t, svg, "a&lt;b")
	require.Nil(t, (&Outcome{Axes: o.Axes}).SVG())
	for _, r := range [][2]float64{{0, 1}, {3, 3}, {-5, 1e6}, {1e-9, 2e-9}} {
		n := len(ticks(wider(r[0], r[1])))
		require.True(t, n >= 3 && n <= 11, "%v has %d ticks", r, n)
	}
}
