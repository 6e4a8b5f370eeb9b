package testbench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/sim"
)

type tally struct{ En, Count hw.UInt }

// tallies counts what En says, and asserts that it never counts 20.
var tallies = hw.Func("tallies", tally{En: hw.In(hw.Unsigned(8)), Count: hw.Out(hw.Unsigned(8))},
	func(m *hw.Module, p tally) {
		n := hw.Reg(m, "n", hw.Unsigned(8), hw.U(0))
		n.Set(n.Add(p.En))
		p.Count.Set(n)
		m.Assert(n.Lt(n.Lit(20)), "below 20")
	})

// lastTime is the last line of a VCD with a time.
func lastTime(text string) string {
	at := strings.LastIndexByte(text, '#')
	line, _, _ := strings.Cut(text[at:], "\n")
	return line
}

func TestWithDump(t *testing.T) {
	dir := t.TempDir()
	text, packed := filepath.Join(dir, "a.vcd"), filepath.Join(dir, "a.fst")
	passes(t, func(t testing.TB) {
		s, p := New(t, tallies, WithDump(text), WithDump(packed))
		s.Set(p.En, 3)
		s.Step(4)
		_, err := os.Stat(text)
		require.ErrorIs(t, err, os.ErrNotExist, "not before the end")
	})
	b, err := os.ReadFile(text)
	require.NoError(t, err)
	require.Contains(t, string(b), "#0\n$dumpvars", "from power-up, before the reset")
	require.Contains(t, string(b), "b1001 ")
	require.Equal(t, "#50", lastTime(string(b)))
	b, err = os.ReadFile(packed)
	require.NoError(t, err)
	require.Greater(t, len(b), 330)
}

func TestDump(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "bug.vcd")
	f := attempt(t, func(t testing.TB) {
		s, p := New(t, tallies)
		s.Dump(path, sim.Window{Trigger: sim.Failed, Before: 2, After: 1})
		s.Dump(filepath.Join(dir, "never.fst"), sim.Window{Trigger: sim.AtCycle(1000)})
		s.Set(p.En, 7)
		s.Step(20)
	})
	require.Contains(t, f.all(), "below 20")
	require.Contains(t, strings.Join(f.logs, "\n"), "never.fst: the window did not open")
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(b), "#30\n$dumpvars") // reset, 0, 7, 14, then 21 fails in the cycle from 40 on
	require.Contains(t, string(b), "b10101 ")
	require.Equal(t, "#70", lastTime(string(b)))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1)
}

func TestDumpErrors(t *testing.T) {
	fails(t, func(t testing.TB) { New(t, tallies, WithDump("waves.txt")) },
		"dump: the name of the file waves.txt does not end in .vcd or .fst")
	fails(t, func(t testing.TB) { New(t, tallies, WithDump(filepath.Join(t.TempDir(), "no", "a.fst"))) }, "a.fst")
	fails(t, func(t testing.TB) {
		s, _ := New(t, tallies)
		s.Dump(filepath.Join(t.TempDir(), "a.fst"), sim.Window{From: 7, To: 3})
	}, "sim: a Window from time 7 to 3")
	require.PanicsWithValue(t, "a dump to a.vcd: an example has no end at which it is complete; package etch/sim/dump has a Close",
		func() { New(Example(), tallies, WithDump("a.vcd")) })
}

// Two benches, or two tests, do not overwrite each other's waves.
func TestDumpTwice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.vcd")
	once := func(t testing.TB) {
		s, _ := New(t, tallies, WithDump(path))
		s.Step(3)
	}
	fails(t, func(t testing.TB) { once(t); once(t) }, "a.vcd is being written already")
	passes(t, once) // with -count the same test comes again
	t.Run("other", func(t *testing.T) {
		fails(t, once, "that of TestDumpTwice is there; give each test a file of its own")
	})
	_, err := os.Stat(path)
	require.NoError(t, err)
}

func TestWavesOfEnvironment(t *testing.T) {
	t.Setenv("ETCH_WAVES", "fst")
	f := passes(t, func(t testing.TB) {
		for range 2 {
			s, _ := New(t, tallies)
			s.Step(3)
		}
	})
	found, err := filepath.Glob(filepath.Join(f.ArtifactDir(), "tallies-*.fst"))
	require.NoError(t, err)
	require.Len(t, found, 2)
	for _, path := range found {
		require.Contains(t, strings.Join(f.logs, "\n"), path)
	}
	s, _ := New(Example(), tallies)
	require.Empty(t, s.environmentDump(), "an example has none")

	t.Setenv("ETCH_WAVES", "png")
	fails(t, func(t testing.TB) { New(t, tallies) }, "does not end in .vcd or .fst")
}
