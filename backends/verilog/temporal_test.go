package verilog_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/backends/verilog"
	"etch/hw"
	"etch/testbench"
	"etch/testbench/tools"
)

type watchedPorts struct {
	En, Load hw.Bit
	In       hw.UInt
	Count    hw.UInt
}

// watched is a counter with statements that look back, or without any.
type watched struct{ Watch bool }

func (watched) ModuleName() string { return "watched" }

func (watched) Ports() watchedPorts {
	return watchedPorts{hw.In(hw.Bit{}), hw.In(hw.Bit{}), hw.In(hw.Unsigned(8)), hw.Out(hw.Unsigned(8))}
}

func (c watched) Build(m *hw.Module, p watchedPorts) {
	count := hw.Reg(m, "count", hw.Unsigned(8), hw.U(7))
	m.When(p.Load, func() { count.Set(p.In) }).
		ElseWhen(p.En, func() { count.Set(count.Inc()) })
	p.Count.Set(count)
	if !c.Watch {
		return
	}

	step := hw.Past(m, p.En).AndNot(hw.Past(m, p.Load)).Named("step")
	m.Assert(step.Implies(count.Eq(hw.Past(m, count).Inc())), "from %d to %d", hw.Past(m, count), count)
	m.Assert(hw.Past(m, p.Load, 2).And(hw.Past(m, p.En.Or(p.Load).Not())).Implies(count.Eq(hw.Past(m, p.In, 2))), "a value is kept")
	run := m.Enabled(p.En)
	run.Cover(hw.Changed(run, p.In).And(m.After(20)), "late")
	rises := hw.Reg(m, "rises", hw.Unsigned(4), hw.U(0)) // read by a statement only
	m.When(p.En, func() { rises.Set(rises.Inc()) })
	m.Cover(rises.Is(15), "fifteen")
	none := m.On(hw.Domain{Clk: m.Domain().Clk})
	none.Cover(hw.Fell(none, p.Load), "fell")
}

// What only statements need stands under their guard: synthesis sees the same
// circuit with and without them, and linters have nothing to say in either case.
func TestStateOfStatementsIsFree(t *testing.T) {
	yosys := tools.Need(t, "yosys")[0]
	var cells [2]string
	for i, watch := range []bool{false, true} {
		d, _, err := hw.Build(watched{watch})
		if err != nil {
			t.Fatal(err)
		}
		text, err := verilog.Text(d, verilog.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if watch {
			guarded(t, string(text))
			lint(t, d, verilog.Options{})
		}

		file := filepath.Join(t.TempDir(), "watched.v")
		require.NoError(t, os.WriteFile(file, text, 0o644))
		out, err := yosys.Command(t.Context(), "-p", "read_verilog "+file+"; synth -top watched; stat").CombinedOutput()
		require.NoError(t, err, "%s", out)
		stat := out[bytes.LastIndex(out, []byte("=== watched")):]
		cells[i] = regexp.MustCompile(`(?s)Number of cells:.*?\n\n|[^\n]* cells\n.*?\n\n`).FindString(string(stat))
	}
	if cells[0] != cells[1] || cells[0] == "" {
		t.Errorf("without statements\n%s\nwith them\n%s", cells[0], cells[1])
	}
}

// guarded checks that registers of the past stand under the guard, and only there.
func guarded(t *testing.T, text string) {
	before, inside, _ := strings.Cut(text, "`ifndef SYNTHESIS")
	for _, name := range []string{"en_past", "load_past_2", "in_past_en", "count_past", "rises", "edges_20", "after_1", "after_1_en", "after_1_free", "load_past_free", "step"} {
		word := regexp.MustCompile(`\b` + name + `\b`)
		if word.MatchString(before) || !word.MatchString(inside) {
			t.Errorf("%s is not under the guard:\n%s", name, text)
		}
	}
}

func TestStatementsLookBack(t *testing.T) {
	s, p := testbench.New(t, watched{true}, testbench.CoSim())
	for n := range 300 {
		s.Set(p.En, n/3%2)
		s.Set(p.Load, n%11/10)
		s.Set(p.In, n*7%256)
		s.Step(1)
	}
}
