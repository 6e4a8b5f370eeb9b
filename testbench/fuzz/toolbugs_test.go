package fuzz

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/testbench/tools"
)

// toolBug is a circuit that a tool mistakes.
func toolBug(t *testing.T, name string) *Case {
	t.Helper()
	c, err := Load("testdata/toolbugs/" + name + netlistExt)
	require.NoError(t, err)
	return c
}

// TestToolBugs: the judges get along with what tools mistake.
func TestToolBugs(t *testing.T) {
	cases := []*Case{toolBug(t, "negated_bool"), toolBug(t, "unequal_writes")}
	for _, j := range Judges() {
		t.Run(j.Name, func(t *testing.T) {
			tools.Need(t, j.Tools...)
			verdicts, err := j.look(t.Context(), &workshop{dir: t.TempDir()}, cases)
			require.NoError(t, err)
			for i, v := range verdicts {
				require.Equal(t, None, v.Kind, "%s: %s", cases[i].Name, v.Text)
			}
		})
	}
}

// askVerilator has Verilator judge a circuit.
func askVerilator(t *testing.T, c *Case) Verdict {
	t.Helper()
	verdicts, err := runVerilator(t.Context(), &workshop{dir: t.TempDir()}, []*Case{c})
	require.NoError(t, err)
	return verdicts[0]
}

// TestVerilatorMend: what stands before Verilator's C++ helps, and is needed.
func TestVerilatorMend(t *testing.T) {
	tools.Need(t, find("verilator").Tools...)
	c := toolBug(t, "negated_bool")
	require.Equal(t, Verdict{}, askVerilator(t, c))

	defer func(text string) { verilatorMend = text }(verilatorMend)
	verilatorMend = ""
	require.Equal(t, Differs, askVerilator(t, c).Kind, "nothing is to mend any more")
}

// TestVerilatorUnequalWrites: what keeps Verilator from mixing up writes of several
// widths helps, and is needed, if it does not inline the instances.
func TestVerilatorUnequalWrites(t *testing.T) {
	tools.Need(t, find("verilator").Tools...)
	t.Cleanup(mend)
	verilogText = wrongText("  reg [63:0] m ", "  /* verilator no_inline_module */\n  reg [63:0] m ")
	c := toolBug(t, "unequal_writes")
	require.Equal(t, Verdict{}, askVerilator(t, c))

	defer func(flags []string) { verilatorFlags = flags }(verilatorFlags)
	verilatorFlags = slices.DeleteFunc(slices.Clone(verilatorFlags), func(f string) bool { return f == "-fno-gate" })
	require.Equal(t, Differs, askVerilator(t, c).Kind, "-fno-gate need not be there any more")
}
