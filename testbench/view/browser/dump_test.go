package browser

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"etch/designs/examples/uart"
	"etch/hw"
	"etch/sim"
	"etch/sim/fst"
	"etch/testbench/tools"
	"etch/testbench/view"
)

// A file of waves has hierarchy and waves only, changes for steps, and rows for GTKWave beside
// the file. Both kinds of files make the same page.
func TestDump(t *testing.T) {
	d, _, err := hw.Build(uart.Tx{ClocksPerBit: 4})
	require.NoError(t, err)
	s, err := sim.New(d)
	require.NoError(t, err)
	defer s.Close()
	fstFile := filepath.Join(t.TempDir(), "uart.fst")
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
	vcdFile := filepath.Join(t.TempDir(), "uart.vcd")
	require.NoError(t, os.WriteFile(vcdFile, text, 0o666))

	for _, path := range []string{fstFile, vcdFile} {
		t.Run(filepath.Ext(path), func(t *testing.T) {
			dump, err := view.OpenDump(path)
			require.NoError(t, err)
			defer dump.Close()
			p := open(t, view.Dumped(dump), "scope=tx&sel=tx.shift&waves=tx.line,tx.shift")
			require.Equal(t, filepath.Base(path), p.text("#title"))
			require.Equal(t, 2, eval[int](p, "document.querySelectorAll('#rows .row').length"))
			require.True(t, eval[bool](p, "['source', 'schematic', 'fork', 'inputs'].every(id => document.getElementById(id).offsetWidth === 0)"))

			// The byte is taken at one change, and shifted at the next.
			p.focus("u", "#until")
			p.key("tx.shift == 85\r" + kb.Escape)
			require.Equal(t, "85", p.text(row("tx.shift")+" .now"))
			p.key(kb.ArrowRight)
			require.Equal(t, "42", p.text(row("tx.shift")+" .now"))
			p.key(kb.ArrowLeft)
			require.Equal(t, "85", p.text(row("tx.shift")+" .now"))
			p.click("#gtkwave")
			save := path[:len(path)-len(filepath.Ext(path))] + ".gtkw"
			require.Equal(t, "wrote "+save+": gtkwave "+save, p.text("#message"))
			require.FileExists(t, save)
			p.shot("dump")
		})
	}
}
