package cosim

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
)

// ports is a top with a clock and ports of odd widths.
func ports(t *testing.T) layout {
	m := ir.NewModule("top", nil)
	m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	a := m.AddInput("a", 5, ir.TypeID(ir.UInt), 0)
	b := m.AddInput("b", 70, ir.TypeID(ir.UInt), 0)
	m.AddOutput("x", 5, ir.TypeID(ir.UInt), a, 0)
	m.AddOutput("y", 70, ir.TypeID(ir.UInt), b, 0)
	l, err := newLayout(m)
	require.NoError(t, err)
	return l
}

func TestLayout(t *testing.T) {
	l := ports(t)
	require.Equal(t, []int{0}, l.clocks)
	require.Equal(t, 20, l.outs.digits)
	require.Equal(t, 80, l.outs.bits())
	require.Equal(t, "1f", string(l.outs.fields[0].appendWords(nil, []uint64{31})))
	require.Equal(t, "210123456789abcdef", string(l.outs.fields[1].appendWords(nil, []uint64{0x0123456789abcdef, 0x21})))
	require.Equal(t, 72, l.outs.low(l.outs.fields[0]))
	require.Equal(t, 0, l.outs.low(l.outs.fields[1]))

	narrow := ir.NewModule("narrow", nil)
	narrow.AddOutput("x", 1, ir.TypeID(ir.Bool), narrow.AddInput("a", 1, ir.TypeID(ir.Bool), 0), 0)
	l, err := newLayout(narrow)
	require.NoError(t, err)
	require.Equal(t, leastDigits, l.outs.digits)
	require.Contains(t, l.shell("narrow", 2, ""), "assign response[71:1] = {71{1'b0}};")

	many := ir.NewModule("many", nil)
	for range mostClocks + 1 {
		many.AddInput("c", 1, ir.TypeID(ir.Clock), 0)
	}
	_, err = newLayout(many)
	require.ErrorContains(t, err, "many has 65 clocks")
}

const (
	stim = "0 00\n1 00\n2 00\n"
	good = "010000000000000000aa\n020000000000000000aa\n030000000000000000aa\n040000000000000000aa\n050000000000000000aa\n"
)

func compareText(t *testing.T, response string) ([]Difference, int, error) {
	l := ports(t)
	return l.compare(strings.NewReader(stim), strings.NewReader(good), strings.NewReader(response))
}

func TestCompare(t *testing.T) {
	all, n, err := compareText(t, good)
	require.NoError(t, err)
	require.Empty(t, all)
	require.Equal(t, 5, n)

	all, _, err = compareText(t, strings.Replace(strings.Replace(good, "03", "0x", 1), "050000000000000000aa", "1f0000000000000000zX", 1))
	require.NoError(t, err)
	require.Equal(t, []Difference{
		{Cycle: 0, After: true, Port: "x", Got: "5'h0x", Want: "5'h03"},
		{Cycle: 1, After: true, Port: "x", Got: "5'h1f", Want: "5'h05"},
		{Cycle: 1, After: true, Port: "y", Got: "70'h0000000000000000zX", Want: "70'h0000000000000000aa"},
	}, all)
	require.Equal(t, "cycle 0, after the edge: x = 5'h0x, want 5'h03", all[0].String())

	for _, short := range []string{"", good[:21], good[:len(good)-3], strings.Replace(good, "04", "4", 1)} {
		_, _, err = compareText(t, short)
		require.ErrorIs(t, err, errShort)
	}
}

// A response that is all wrong gives a few differences, not all.
func TestCompareStops(t *testing.T) {
	l := ports(t)
	many := func(line string) *strings.Reader { return strings.NewReader(strings.Repeat(line, 1000)) }
	all, n, err := l.compare(many("0 00\n"), many("010000000000000000aa\n"), many("020000000000000000aa\n"))
	require.NoError(t, err)
	require.Len(t, all, mostDifferences)
	require.Equal(t, mostDifferences, n)
}

func TestTopName(t *testing.T) {
	for text, want := range map[string]string{
		"module a (\n":                           "a",
		"module b(x);\nendmodule\n\nmodule c();": "c",
		"// c\nmodule d\n(x);\n":                 "d",
	} {
		name, err := topName([]byte(text))
		require.NoError(t, err)
		require.Equal(t, want, name)
	}
	for _, text := range []string{"", "// no module here\n", "module "} {
		_, err := topName([]byte(text))
		require.Error(t, err, text)
	}
}
