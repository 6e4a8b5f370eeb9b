package view

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"etch/designs/examples/uart"
	"etch/hw"
	"etch/sim"
	"etch/sim/fst"
	"etch/testbench/tools"

	"github.com/stretchr/testify/require"
)

// dumps writes the same short run as an FST file of etch and as the VCD file that GTKWave makes of it.
func dumps(t *testing.T) (fstFile, vcdFile string) {
	d, _, err := hw.Build(uart.Tx{ClocksPerBit: 4})
	require.NoError(t, err)
	s, err := sim.New(d)
	require.NoError(t, err)
	defer s.Close()
	fstFile = filepath.Join(t.TempDir(), "uart.fst")
	w, err := fst.Create(fstFile)
	require.NoError(t, err)
	require.NoError(t, s.Trace(w))
	s.Reset()
	for name, value := range map[string]uint64{"bytes_data": 0x55, "bytes_valid": 1} {
		sig, err := s.Signal(name)
		require.NoError(t, err)
		require.NoError(t, s.Set(sig, value))
	}
	s.Step(100)
	require.NoError(t, w.Close())
	text, err := tools.Need(t, "fst2vcd")[0].Command(t.Context(), fstFile).Output()
	require.NoError(t, err)
	vcdFile = filepath.Join(t.TempDir(), "uart.vcd")
	require.NoError(t, os.WriteFile(vcdFile, text, 0o666))
	return fstFile, vcdFile
}

// Both forms of a dump give the same names, waves, edges and answers to conditions.
func TestDump(t *testing.T) {
	fstFile, vcdFile := dumps(t)
	var waves [2][]wave
	var edges [2][]uint64
	for i, path := range []string{fstFile, vcdFile} {
		d, err := OpenDump(path)
		require.NoError(t, err)
		defer d.Close()
		p := page{t, Dumped(d)}
		about := ask[struct {
			Dump bool
			Unit string
			Span span
		}](p, "GET", "design")
		require.True(t, about.Dump)
		require.Contains(t, about.Unit, "ns")
		waves[i] = ask[struct{ Waves []wave }](p, "GET", "waves", "signals", "tx.shift,tx.line", "cycle", "50").Waves
		require.Greater(t, len(waves[i][0].Changes), 8)
		require.Equal(t, "85", waves[i][0].Changes[1].Value)

		// Edges forwards, then back over the same times.
		at := about.Span.First
		for {
			next := ask[span](p, "GET", "edge", "name", "tx.line", "cycle", itoa(at)).Cycle
			if next == at {
				break
			}
			back := ask[span](p, "GET", "edge", "name", "tx.line", "cycle", itoa(next), "back", "1").Cycle
			if n := len(edges[i]); n > 0 {
				require.Equal(t, edges[i][n-1], back)
			}
			edges[i], at = append(edges[i], next), next
		}
		require.Greater(t, len(edges[i]), 5)

		found := ask[span](p, "POST", "until", "condition", "tx.shift == 85 && !tx.rst").Cycle
		require.Equal(t, "85", ask[map[string]string](p, "GET", "values", "scope", "tx", "cycle", itoa(found))["shift"])
		again := ask[span](p, "POST", "until", "condition", "tx.shift == 85", "cycle", itoa(about.Span.Last), "back", "1").Cycle
		require.GreaterOrEqual(t, again, found)

		// Names of an enumeration are in etch's own files only: VCD has none.
		state := ask[map[string]string](p, "GET", "values", "scope", "tx", "cycle", itoa(found))["state"]
		if filepath.Ext(path) == ".fst" {
			require.Equal(t, "start", state)
			ask[span](p, "POST", "until", "condition", "tx.state == data")
		} else {
			require.Equal(t, "1", state)
		}

		// What a dump does not have, and mistakes.
		p.fails("GET", "waves", []string{"signals", "tx.shft"}, "has no variable tx.shft; nearest: tx.shift")
		p.fails("GET", "waves", []string{"signals", "tx.shift", "to", "99999999"}, "time 99999999")
		p.fails("POST", "until", []string{"condition", "tx.shift == 300"}, "does not begin to hold behind time")
		code, _, body := p.do("GET", p.path("why", nil), nil)
		require.Equal(t, 404, code)
		require.Contains(t, string(body), "a file of waves has no why")
	}
	require.Equal(t, waves[0], waves[1])
	require.Equal(t, edges[0], edges[1])

	broken := filepath.Join(t.TempDir(), "broken.fst")
	require.NoError(t, os.WriteFile(broken, []byte("no waves"), 0o666))
	_, err := OpenDump(broken)
	require.ErrorContains(t, err, "broken.fst: at byte 0: this is no FST file")
	broken = strings.TrimSuffix(broken, "fst") + "vcd"
	require.NoError(t, os.WriteFile(broken, []byte("$var wire"), 0o666))
	_, err = OpenDump(broken)
	require.ErrorContains(t, err, "broken.vcd:1: ")
}

// A value with x or z is shown by its digits, and fulfils no comparison with a number.
func TestDumpValues(t *testing.T) {
	for _, x := range []struct {
		width  int
		signed bool
		value  string
		want   string
	}{
		{4, false, "0101", "5"}, {4, true, "1101", "-3"}, {4, false, "01x1", "01x1"}, {20, false, "00000000000011111111", "0xff"},
		{1, false, "z", "z"}, {64, false, "0.5", "0.5"}, {0, false, "idle", "idle"},
	} {
		v := dumpVar{width: x.width, signed: x.signed}
		require.Equal(t, x.want, v.text(x.value))
	}
	c := dumpCondition{x: &dumpVar{width: 4}, op: "!="}
	c.want, _ = c.x.number("0001")
	require.False(t, c.holds("00x1"))
	require.True(t, c.holds("0010"))
}
