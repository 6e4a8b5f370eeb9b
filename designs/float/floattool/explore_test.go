package floattool

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"etch/testbench/tools"
)

// A table of formats, with the front of bits and errors where no cells are counted.
func TestExplore(t *testing.T) {
	code, said := command("explore", "float", "-expr", "m = a*b; m + 1", "-range", "a=-1..1,b=0.001..1000:log", "-formats", "fp16,bf16,e5m2..3",
		"-samples", "500", "-area=false", "-values")
	require.Zero(t, code, said)
	lines := strings.Split(said, "\n")
	assert.Equal(t, "500 samples, seed 1; errors against float64", lines[1])
	rows := map[string][]string{}
	for _, line := range lines[3:7] {
		rows[strings.Fields(line)[0]] = strings.Fields(line)
	}
	require.Len(t, rows, 4, said)
	assert.NotContains(t, rows["e8m7"], "*", "fp16 has as many bits and is better")
	for _, f := range []string{"e5m10", "e5m2", "e5m3"} {
		assert.Contains(t, rows[f], "*", said)
	}
	assert.Regexp(t, `(?m)^e5m10 +m +\d`, said, "errors by value")

	_, again := command("explore", "float", "-expr", "m = a*b; m + 1", "-range", "a=-1..1,b=0.001..1000:log", "-formats", "fp16,bf16,e5m2..3",
		"-samples", "500", "-area=false", "-values")
	assert.Equal(t, said, again, "equal seeds give equal tables")
}

// Samples of a file, overflows, and the files of a folder.
func TestExploreSamples(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in.csv")
	require.NoError(t, os.WriteFile(in, []byte("a,note,b\n300,x,300\n2,y,3\n"), 0o666))
	code, said := command("explore", "float", "-expr", "a*b", "-in", in, "-formats", "fp16,fp32", "-area=false", "-o", filepath.Join(dir, "out"))
	require.Zero(t, code, said)
	assert.Regexp(t, `e5m10 +none +none +1 +0 +0 +0 +- +- +-`, said)
	assert.Regexp(t, `e8m23 +exact +0.0 +0 `, said)
	for _, name := range []string{"explore.csv", "explore.json", "pareto.svg"} {
		data, err := os.ReadFile(filepath.Join(dir, "out", name))
		require.NoError(t, err)
		assert.NotEmpty(t, data)
	}
}

// Cells are those of yosys.
func TestExploreCells(t *testing.T) {
	tools.Need(t, "yosys")
	code, said := command("explore", "float", "-expr", "a + b", "-formats", "e5m2", "-samples", "100")
	require.Zero(t, code, said)
	assert.Regexp(t, `e5m2 .* [1-9]\d +0 +0 +[1-9]\d* +\*`, said)
}

// Each mistake is one error that names its place.
func TestExploreMistakes(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in.csv")
	for text, want := range map[string]string{
		"a,b\n1,x\n": `in.csv: line 2: column b: "x" is not a number`, "a\n1\n": "line 1: there is no column b", "": "line 1: no header",
		"a,b\n": "no samples", "a,b\n1\n": "line 2", "a,b\n1,inf\n": "not a number", "a,b\n\"": "line 2",
	} {
		require.NoError(t, os.WriteFile(in, []byte(text), 0o666))
		code, said := command("explore", "float", "-expr", "a*b", "-in", in)
		assert.Equal(t, 1, code, said)
		assert.Contains(t, said, want)
		assert.NotContains(t, said, "usage")
	}
	for _, c := range []struct{ args, want string }{
		{"", "-expr is needed"}, {"-expr a*", "-expr: at the end"}, {"-expr a*b -range a=2..1", `"a=2..1"`}, {"-expr a*b -range c=0..1", "one of the inputs a, b"},
		{"-expr a*b -range a=0..1:log", "above 0"}, {"-expr a*b -formats e99m1", "-formats"}, {"-expr a*b -formats e5m3..1", "e5m3..1"}, {"-expr a*b -formats fp16,fp16", "twice"},
		{"-expr a*b -samples 0", "-samples 0"}, {"-expr a*b -rounding sr4", "-rounding sr4"}, {"-expr a*b -stages 65", "-stages 65"}, {"-expr a*b -in x -range a=0..1", "two ways"},
		{"-expr expo(a)", `-expr: column 1: no function "expo"; did you mean exp or exp2?`}, {"-expr exp(a) -ulp 2", "-ulp 2: want 0.5 to 1"},
		{"-expr exp(a) -formats fp32,fp64", "-expr: exp: a table of e11m52: want IEEE codes of 6 to 16 bits"}, {"-expr exp(a) -rounding rtz", "-expr: rounding rtz: exp rounds to nearest even alone"},
		{"-expr b*sqrt(a)", "-expr: column 3: sqrt of -"}, {"-expr a/b -range b=0..0", "column 2: div of"},
	} {
		code, said := command(append([]string{"explore", "float"}, strings.Fields(c.args)...)...)
		assert.Equal(t, 2, code, said)
		assert.Contains(t, said, c.want)
	}
}

// Elementary functions are computed by the format's units; a format without one says so in its row.
func TestExploreFunctions(t *testing.T) {
	code, said := command("explore", "float", "-expr", "e = exp(a); e + sigmoid(a)", "-formats", "fp32,fp16,e5m2", "-samples", "200", "-area=false", "-values")
	require.Zero(t, code, said)
	assert.Regexp(t, `(?m)^e8m23 .* -  +exp: a table of e8m23: want IEEE codes of 6 to 16 bits`, said)
	assert.Regexp(t, `(?m)^e5m10 +[4-8]\d\.\d .* \*$`, said)
	assert.Regexp(t, `(?m)^e5m10 +e +\d+\.\d +0\.[5-9] `, said, "half a unit by exp, and what is lost of a")
	assert.NotRegexp(t, `(?m)^e8m23 +e `, said)
}

// Help and errors are the exploration's own, not those of the verb.
func TestExploreHelp(t *testing.T) {
	code, said := command("help", "explore", "float")
	require.Zero(t, code)
	require.Contains(t, said, "usage: etch explore float -expr")
	require.Regexp(t, "(?s)examples:\n  etch explore float -expr .*\n  etch explore float -expr .*\nflags:\n.*-expr computation", said)
	code, said = command("explore", "float", "-expr", "a*")
	require.Equal(t, 2, code)
	require.Equal(t, "etch explore float: -expr: at the end: want a number, a name or ( (etch help explore float)\n", said)
	_, said = command("help", "explore")
	require.Contains(t, said, "usage: etch explore DESIGN -sweep")
}

// A star has a legend and none stands at a format without a finite result. One expression has no
// table of values.
func TestExploreFront(t *testing.T) {
	const legend = "* on the Pareto front: no other format has as few bits and as high an SNR"
	code, said := command("explore", "float", "-expr", "a*1e6", "-range", "a=1..2", "-formats", "fp16,fp32,e4m3fn-sat", "-samples", "50", "-area=false", "-values")
	require.Zero(t, code, said)
	assert.NotRegexp(t, `(?m)^e5m10 .*\*`, said)
	assert.NotRegexp(t, `(?m)^e4m3fn-sat .*\*`, said, "finite, and wrong for all samples")
	assert.Regexp(t, `(?m)^e8m23 .*\*`, said)
	assert.Contains(t, said, legend)
	assert.Contains(t, said, "no value has a name for -values")
	assert.NotContains(t, said, "format  value")

	code, said = command("explore", "float", "-expr", "a*1e6", "-range", "a=1..2", "-formats", "fp16", "-samples", "50", "-area=false")
	require.Zero(t, code, said)
	assert.NotContains(t, said, "*  on")
	assert.NotContains(t, said, legend)
}
