package view

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"etch/designs/examples/uart"
	"etch/testbench/tools"

	"github.com/stretchr/testify/require"
)

// saved is an answer of gtkwave.
type saved struct{ Waves, Save string }

// The files for GTKWave: a list of rows in which a stream is a group, and waves that fst2vcd reads,
// with each row's name. Files that are there are kept.
func TestGTKWave(t *testing.T) {
	p := livePage(t, uart.Tx{ClocksPerBit: 4})
	p.v.dir = t.TempDir()
	ask[span](p, "POST", "set", "name", "bytes_valid", "value", "1", "cycle", "1")
	ask[span](p, "POST", "run", "to", "50")
	files := ask[saved](p, "POST", "gtkwave", "signals", "line,bytes_data,bytes_valid,shift,bytes_ready")
	require.Equal(t, filepath.Join(p.v.dir, "tx.fst"), files.Waves)
	require.Equal(t, filepath.Join(p.v.dir, "tx.gtkw"), files.Save)
	save, err := os.ReadFile(files.Save)
	require.NoError(t, err)
	require.Equal(t, `[*] of etch view
[dumpfile] "tx.fst"
[timestart] 0
@28
tx.line
@800200
-bytes
@22
tx.bytes_data[7:0]
@28
tx.bytes_valid
@1000200
-bytes
@22
tx.shift[7:0]
@800200
-bytes
@28
tx.bytes_ready
@1000200
-bytes
`, string(save))

	// A second time, and where only one of the two files is there.
	before, err := os.ReadFile(files.Waves)
	require.NoError(t, err)
	require.Equal(t, filepath.Join(p.v.dir, "tx-2.fst"), ask[saved](p, "POST", "gtkwave", "to", "10").Waves)
	require.NoError(t, os.WriteFile(filepath.Join(p.v.dir, "tx-3.gtkw"), nil, 0o666))
	require.Equal(t, filepath.Join(p.v.dir, "tx-4.gtkw"), ask[saved](p, "POST", "gtkwave", "to", "10").Save)
	after, err := os.ReadFile(files.Waves)
	require.NoError(t, err)
	require.Equal(t, before, after)

	// Mistakes leave no file.
	p.fails("POST", "gtkwave", []string{"from", "60"}, "cycles 60 to 50: the run has cycles 0 to 50")
	p.fails("POST", "gtkwave", []string{"signals", "shft"}, "shift")
	require.NoFileExists(t, filepath.Join(p.v.dir, "tx-5.fst"))

	convert := tools.Need(t, "fst2vcd")[0]
	text, err := convert.Command(t.Context(), files.Waves).Output()
	require.NoError(t, err)
	for _, row := range regexp.MustCompile(`(?m)^tx\.(\w+)`).FindAllStringSubmatch(string(save), -1) {
		require.Regexp(t, `\$var \w+ \d+ \S+ `+row[1]+` `, string(text))
	}
}

// Rows of an instance stand below its name, and a bundle of it is a group of its own.
func TestSaveFile(t *testing.T) {
	rows := []savedRow{
		{"", "in", "top.in_data[7:0]", "22"}, {"a", "a.in", "top.a.in_data[7:0]", "22"}, {"a", "a.out", "top.a.out_data[3:-4]", "420"}, {"", "", "top.x", "28"},
	}
	require.Equal(t, `[*] of etch view
[dumpfile] "x.fst"
[timestart] 0
@800200
-in
@22
top.in_data[7:0]
@1000200
-in
@200
-a
@800200
-a.in
@22
top.a.in_data[7:0]
@1000200
-a.in
@800200
-a.out
@420
top.a.out_data[3:-4]
@1000200
-a.out
@200
-top
@28
top.x
`, string(saveFile("x.fst", rows)))
}

// Of a dump only the rows are written, beside it.
func TestGTKWaveDump(t *testing.T) {
	for _, path := range func() []string { a, b := dumps(t); return []string{a, b} }() {
		d, err := OpenDump(path)
		require.NoError(t, err)
		defer d.Close()
		p := page{t, Dumped(d)}
		for _, name := range []string{"uart.gtkw", "uart-2.gtkw"} {
			files := ask[saved](p, "POST", "gtkwave", "signals", "tx.line,tx.shift")
			require.Equal(t, filepath.Join(filepath.Dir(path), name), files.Save)
			require.Empty(t, files.Waves)
			save, err := os.ReadFile(files.Save)
			require.NoError(t, err)
			require.Equal(t, "[*] of etch view\n[dumpfile] \""+path+"\"\n[timestart] 0\n@200\n-tx\n@28\ntx.line\n@22\ntx.shift[7:0]\n", string(save))
		}
		p.fails("POST", "gtkwave", []string{"signals", "tx.shft"}, "nearest: tx.shift")
	}
}
