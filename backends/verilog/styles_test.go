package verilog_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/backends/verilog"
	"etch/hw"
	"etch/ir"
	"etch/testbench/fuzz"
	"etch/testbench/tools"
)

// styles are designs as people with other habits write them.
var styles = map[string]func() (*ir.Design, error){
	"spi":        built(spi{Divide: 4}),
	"fir":        built(fir{Taps: []int{3, -17, 40, -17, 3}}),
	"divider":    built(divider{Width: 16}),
	"hash":       built(hash{}),
	"receiver":   built(receiver{Divide: 16}),
	"timing":     built(timing{Width: 640, Height: 480, Blank: 16}),
	"grant":      built(grant{N: 4}),
	"timer":      built(timerBlock{}),
	"merge":      built(merge{}),
	"write_back": built(writeBack{}),
}

func built[P any](c hw.Component[P]) func() (*ir.Design, error) {
	return func() (*ir.Design, error) {
		d, _, err := hw.Build(c)
		return d, err
	}
}

// TestStyles writes them as Verilog, to be read as an engineer would.
func TestStyles(t *testing.T) {
	for name, build := range styles {
		t.Run(name, func(t *testing.T) {
			d, err := build()
			require.NoError(t, err)
			got, err := verilog.Text(d, verilog.Options{NoPositions: true})
			require.NoError(t, err)
			file := "testdata/styles/" + name + ".v"
			if *update {
				require.NoError(t, os.WriteFile(file, got, 0o644))
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			if !bytes.Equal(got, want) {
				t.Errorf("not the text of %s (go test -update writes it):\n%s", file, difference(string(want), string(got)))
			}
		})
	}
}

// TestStylesLint has the linters read them.
func TestStylesLint(t *testing.T) {
	for name, build := range styles {
		t.Run(name, func(t *testing.T) {
			d, err := build()
			require.NoError(t, err)
			lint(t, d, verilog.Options{})
		})
	}
}

// TestStylesAgree runs them under Icarus Verilog beside the simulator.
func TestStylesAgree(t *testing.T) {
	tools.Need(t, "iverilog", "vvp")
	judges, err := fuzz.Lookup("iverilog")
	require.NoError(t, err)
	for name, build := range styles {
		d, err := build()
		require.NoError(t, err)
		verdict, err := judges[0].Look(t.Context(), fuzz.CaseOf(d, 1))
		require.NoError(t, err)
		require.Equal(t, fuzz.None, verdict.Kind, "%s: %s", name, verdict.Text)
		require.Empty(t, verdict.Skipped, name)
	}
}

// TestFixedBugs writes netlists that once went wrong.
func TestFixedBugs(t *testing.T) {
	files, err := filepath.Glob("testdata/fixedbugs/*.etch")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		lint(t, parse(t, file), verilog.Options{})
	}
}
