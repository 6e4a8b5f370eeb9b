package floattool

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/cli"
	"etch/designs/float"
	"etch/hw"
	kind "etch/hw/float"
	"etch/testbench/tools"
)

// command runs a command line.
func command(args ...string) (code int, said string) {
	var out bytes.Buffer
	app := cli.App{Name: "etch", Designs: []cli.Design{Design()}, Commands: []cli.Command{
		cli.Verb("run", "design", "", Run), cli.Verb("experiment", "experiment", "", Area, Functions),
	}}
	code = app.Run(args, cli.Output{Out: &out, Err: &out})
	return code, out.String()
}

// run puts a text through a unit.
func run(t *testing.T, text string, params ...string) (code int, said, result string) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.csv"), filepath.Join(dir, "out.csv")
	require.NoError(t, os.WriteFile(in, []byte(text), 0o666))
	args := []string{"run", "float", "-in", in, "-out", out}
	for _, p := range params {
		args = append(args, "-p", p)
	}
	code, said = command(args...)
	data, err := os.ReadFile(out)
	if code != 0 {
		require.ErrorIs(t, err, os.ErrNotExist, "no half-written file")
	}
	return code, strings.ReplaceAll(said, dir+"/", ""), string(data)
}

// Results, values and flags come line by line.
func TestRun(t *testing.T) {
	for _, c := range []struct{ in, out, params string }{
		{"a,b,c\n1.5,0.1,-2\n0x39C0,0xC3FE,0x07FE\n65504,65504,1\n0x7c00,0,0x7e59\n", "y,value,flags\n0xbf66,-1.849609375,01\n0xc1bf,-2.873046875,01\n0x7c00,+Inf,05\n0x7e00,NaN,10\n", "op=fma format=e5m10"},
		{"b,a\n3,1\n", "y,value,flags\n0x3555,0.333251953125,01\n", "op=div format=fp16 stages=0"},
		{"a,b\n3,1\n3,-3\n", "y,value,flags\n0x4000,2,00\n0x4600,6,00\n", "op=sub stages=5"},
		{"a\n2\n-1\n-0\n", "y,value,flags\n0x3fb504f3,1.4142135381698608,01\n0x7fc00000,NaN,10\n0x80000000,-0,00\n", "op=sqrt format=fp32"},
		{"a,b\n3,4\n", "y,value,flags\n0x4500,5,00\n", "op=hypot"},
		{"a,b\n3,nan\n-0,0\n", "y,value,flags\n0x4200,3,00\n0x8000,-0,00\n", "op=min"},
		{"a,b\n-0,0\n", "y,value,flags\n0x0000,0,00\n", "op=max"},
		{"a\n2.5\n", "y,value,flags\n0x4200,3,01\n", "op=rint rounding=rup"},
		{"a\n1\n-0\n65504\n0x7c01\n", "y,value,flags\n0x3c01,1.0009765625,00\n0x0001,5.960464477539063e-08,00\n0x7c00,+Inf,00\n0x7e00,NaN,10\n", "op=nextup"},
		{"a\n0\n", "y,value,flags\n0x8001,-5.960464477539063e-08,00\n", "op=nextdown"},
		{"a\n0.1\n1e5\n", "y,value,flags\n0x2e66,0.0999755859375,01\n0x7bff,65504,05\n", "op=convert format=fp32 to=fp16 rounding=rtz"},
		{"a,b,mode\n1,0x1,2\n1,0x1,3\n", "y,value,flags\n0x3c00,1,01\n0x3c01,1.0009765625,01\n", "op=add rounding=dynamic"},
		{"a,b,mode\n1,0x1,rdn\n1,0x1, rup\n1,0x1,0\n1,0x1,4\n", "y,value,flags\n0x3c00,1,01\n0x3c01,1.0009765625,01\n0x3c00,1,01\n0x3c00,1,01\n", "op=add rounding=dynamic"},
		{"a,b,mode\n1,0.00146484375,7\n1,0.00146484375,0x8\n", "y,value,flags\n0x3c01,1.0009765625,01\n0x3c02,1.001953125,01\n", "op=add rounding=sr4"},
		{"a,b\n0,0\n1,2\n", "y,value,flags\n0x7e00,NaN,\n0x3800,0.5,\n", "op=div flags=false"},
		{"a,b\n1e5,1\n-1e999,1\n-inf,1\n", "y,value,flags\n0x7bff,65504,00\n0xfbff,-65504,00\n0xfc00,-Inf,00\n", "op=mul format=fp16-sat"},
		{"a,b\n1,inf\n", "y,value,flags\n0x1c,+Inf,00\n", "op=add format=e3m2i"},
		{"a,b\n", "y,value,flags\n", "op=mul"},
		{"a,b,c\n1,2,junk\n", "y,value,flags\n0x4000,2,00\n", "op=mul"},
	} {
		code, said, out := run(t, c.in, strings.Fields(c.params)...)
		require.Zero(t, code, said)
		require.Equal(t, c.out, out, c.params)
	}
}

// Columns of other operations may stand in the file, and it is said that they are not read.
func TestRunSays(t *testing.T) {
	code, said, out := run(t, "c,a,b,mode\n,1,2,\n\n", "op=mul")
	require.Zero(t, code, said)
	require.Equal(t, "y,value,flags\n0x4000,2,00\n", out, "an empty line at the end has no result")
	require.Equal(t, "not read: column c, mode; mul has a,b\nmul of e5m10, rne: 1 result, latency 3\n", said)
	code, said, _ = run(t, "a,b\n1,2\n3,4\n", "op=mul")
	require.Zero(t, code, said)
	require.Equal(t, "mul of e5m10, rne: 2 results, latency 3\n", said)
}

// Bad input is one error that names the parameter, or file, line and column.
func TestRunRefuses(t *testing.T) {
	for _, c := range []struct{ in, want, params string }{
		{"", "in.csv: line 1: no header; want a,b", "op=add"},
		{"a,x\n1,2\n", "in.csv: line 1: there is no column b; add has a,b", "op=add"},
		{"a,b,d\n1,2,3\n", `in.csv: line 1: column "d": add has a,b`, "op=add"},
		{"a,b,a\n1,2,3\n", `in.csv: line 1: column "a": add has a,b`, "op=add"},
		{"a,b\n1,2\n1,two\n", `in.csv: line 3: column b: "two" is not a number`, "op=add"},
		{"a,b\n1,\n", `in.csv: line 2: column b: "" is not a number`, "op=add"},
		{"a,b\n1,2\n\n3,4\n", "in.csv: line 3: empty; want a row in every line", "op=add"},
		{"a,b\r\n\r\n3,4\r\n", "in.csv: line 2: empty", "op=add"},
		{"\na,b\n3,4\n", "in.csv: line 1: empty", "op=add"},
		{"a,b,c\n1,2,\"x\ny\"\n1,2,3\n\n1,2,3\n", "in.csv: line 5: empty", "op=add"},
		{"a,b\n1,0x10000\n", "in.csv: line 2: column b: 0x10000 has more than 16 bits", "op=add"},
		{"a,b\n1,0xzz\n", `in.csv: line 2: column b: "0xzz" is not a code such as 0x3c00`, "op=add"},
		{"a,b\n1,70000\n", "in.csv: line 2: column b: 70000 does not fit e5m10, whose greatest number is 65504", "op=add"},
		{"a,b\ninf,1\n", "in.csv: line 2: column a: inf does not fit e4m3fn, whose greatest number is 448", "op=add format=e4m3fn"},
		{"a,b\n1\n", "in.csv: line 2: 1 field; the header has 2: a,b", "op=add"},
		{"a,b,mode\n1,2,0\n1,2,5\n", `in.csv: line 3: column mode: "5" is no rounding: want rne, rtz, rdn, rup, rna, or 0 to 4`, "op=add rounding=dynamic"},
		{"a,b,mode\n1,2,dynamic\n", `line 2: column mode: "dynamic" is no rounding`, "op=add rounding=dynamic"},
		{"a,b,mode\n1,2,7\n", `line 2: column mode: "7" is no rounding`, "op=add rounding=dynamic"},
		{"a,b,mode\n1,2,16\n", `line 2: column mode: 16 has more than 4 bits`, "op=add rounding=sr4"},
		{"a,b\n1,2\n", `parameter op = "pow"`, "op=pow"},
		{"a,b\n1,2\n", "12 exponent bits, want 2 to 11", "format=e12m3"},
		{"a,b\n1,2\n", `"half" is no format`, "format=half"},
		{"a,b\n1,2\n", `parameter rounding = "up"`, "rounding=up"},
		{"a,b\n1,2\n", "parameter stages = 65, want 0 to 64", "stages=65"},
		{"\xff\xfea\x00,\x00", "UTF-16", "op=add"},
	} {
		code, said, _ := run(t, c.in, strings.Fields(c.params)...)
		require.NotZero(t, code, said)
		require.Contains(t, said, c.want)
	}
	code, said := command("run", "float", "-in", "nowhere.csv", "-out", filepath.Join(t.TempDir(), "o.csv"))
	require.NotZero(t, code)
	require.Contains(t, said, "nowhere.csv")
	code, said = command("run", "float", "-in", t.TempDir(), "-out", filepath.Join(t.TempDir(), "o.csv"))
	require.NotZero(t, code)
	require.Contains(t, said, "is a directory")
}

// Every unit builds without warnings, with few and many registers.
func TestUnitsWarnOfNothing(t *testing.T) {
	for _, o := range operations {
		for _, stages := range []int{0, 1, 3, 20} {
			for _, r := range []float.Rounding{float.NearestEven, float.Dynamic} {
				for _, flags := range []bool{true, false} {
					u := Unit{Op: o.name, Format: float.E5M2, To: float.E4M3, Rounding: r, Flags: flags, Stages: stages}
					d, err := u.Build()
					require.NoError(t, err)
					require.Empty(t, hw.Warnings(d), "%s", fmt.Sprint(u))
				}
			}
		}
	}
}

// models are the operations of the command line on codes, as the model of hw/float has them.
var models = map[string]func(u Unit, x []uint64, r kind.Rounding) (uint64, kind.Flags){
	"add": func(u Unit, x []uint64, r kind.Rounding) (uint64, kind.Flags) { return u.Format.Add(x[0], x[1], r) },
	"sub": func(u Unit, x []uint64, r kind.Rounding) (uint64, kind.Flags) { return u.Format.Sub(x[0], x[1], r) },
	"mul": func(u Unit, x []uint64, r kind.Rounding) (uint64, kind.Flags) { return u.Format.Mul(x[0], x[1], r) },
	"fma": func(u Unit, x []uint64, r kind.Rounding) (uint64, kind.Flags) {
		return u.Format.FMA(x[0], x[1], x[2], r)
	},
	"div":      func(u Unit, x []uint64, r kind.Rounding) (uint64, kind.Flags) { return u.Format.Div(x[0], x[1], r) },
	"sqrt":     func(u Unit, x []uint64, r kind.Rounding) (uint64, kind.Flags) { return u.Format.Sqrt(x[0], r) },
	"hypot":    func(u Unit, x []uint64, r kind.Rounding) (uint64, kind.Flags) { return u.Format.Hypot(x[0], x[1], r) },
	"min":      func(u Unit, x []uint64, _ kind.Rounding) (uint64, kind.Flags) { return u.Format.Min(x[0], x[1]) },
	"max":      func(u Unit, x []uint64, _ kind.Rounding) (uint64, kind.Flags) { return u.Format.Max(x[0], x[1]) },
	"rint":     func(u Unit, x []uint64, r kind.Rounding) (uint64, kind.Flags) { return u.Format.RoundToInt(x[0], r) },
	"nextup":   func(u Unit, x []uint64, _ kind.Rounding) (uint64, kind.Flags) { return u.Format.NextUp(x[0]) },
	"nextdown": func(u Unit, x []uint64, _ kind.Rounding) (uint64, kind.Flags) { return u.Format.NextDown(x[0]) },
	"convert":  func(u Unit, x []uint64, r kind.Rounding) (uint64, kind.Flags) { return u.Format.Convert(x[0], u.To, r) },
}

// Every operation in every rounding agrees with the model, value and flags, in formats from
// the narrowest to the widest and in all codes. The tables are of random codes: every
// fourth number is near the one before it, so that sums cancel.
func TestRunAgrees(t *testing.T) {
	formats := strings.Fields("e2m1 e2m3f e3m2 e4m3 e4m3fn e4m3fn-sat e5m2-flush e5m10 e8m7 e6m9 e5m10-sat e2m20 e11m1 e8m23 e7m33 e11m52")
	if testing.Short() {
		formats = []string{"e3m2", "e5m10", "e7m11"}
	}
	random := rand.New(rand.NewPCG(15, 7))
	for i, name := range formats {
		u := Unit{Flags: true, Stages: 2}
		require.NoError(t, u.Format.UnmarshalText([]byte(name)))
		require.NoError(t, u.To.UnmarshalText([]byte(formats[(i+3)%len(formats)])))
		for _, o := range operations {
			u.Op = o.name
			for _, u.Rounding = range []kind.Rounding{kind.NearestEven, kind.TowardZero, kind.Down, kind.Up, kind.NearestAway} {
				agrees(t, u, random)
			}
		}
	}
}

// agrees compares a unit with the model on a table of a file, as the command does.
func agrees(t *testing.T, u Unit, random *rand.Rand) {
	rows := make([][]uint64, 40)
	var in, want strings.Builder
	in.WriteString(strings.Join(u.columns(), ",") + "\n")
	want.WriteString("y,value,flags\n")
	for i := range rows {
		x := make([]uint64, len(u.columns()))
		for k := range x {
			x[k] = random.Uint64() >> (64 - u.Format.Width())
			if k > 0 && i%4 == 0 {
				x[k] = x[0] ^ uint64(random.IntN(4)) ^ 1<<(u.Format.Width()-1)
			}
			fmt.Fprintf(&in, "%s%#x", map[bool]string{true: ","}[k > 0], x[k])
		}
		in.WriteString("\n")
		y, flags := models[u.Op](u, x, u.Rounding)
		fmt.Fprintf(&want, "0x%0*x,%s,%02x\n", (u.result().Width()+3)/4, y, decimal(u.result(), y), uint8(flags))
	}
	said := fmt.Sprint("op=", u.Op, " format=", u.Format, " to=", u.To, " rounding=", u.Rounding, " stages=", u.Stages)
	code, err, out := run(t, in.String(), strings.Fields(said)...)
	require.Zero(t, code, err)
	require.Equal(t, want.String(), out, said)
}

// Stages by depth: the fewest that reach it, and the report says the same.
func TestDepth(t *testing.T) {
	depth := func(u Unit) int {
		d, err := u.Build()
		require.NoError(t, err)
		s, err := cli.StatsOf(d)
		require.NoError(t, err)
		return s.LogicDepth
	}
	u, err := unitOf(cli.Values{"op": "fma", "depth": "40"})
	require.NoError(t, err)
	require.NotZero(t, u.Stages)
	require.LessOrEqual(t, depth(u), 40)
	u.Stages--
	require.Greater(t, depth(u), 40, "a stage fewer is not enough")

	_, err = unitOf(cli.Values{"op": "add", "depth": "2"})
	require.ErrorContains(t, err, "depth 2: the longest path of add has")
}

// The table of functions is written as a package's documentation; what the file of results has
// is not measured again, and gives the same table.
func TestFunctions(t *testing.T) {
	tools.Need(t, "yosys")
	dir := t.TempDir()
	doc, kept := filepath.Join(dir, "area.go"), filepath.Join(dir, "results")
	args := []string{"experiment", "float-functions", "-functions", "recip", "-formats", "e5m2", "-doc", doc, "-results", kept}
	code, said := command(args...)
	require.Zero(t, code, said)
	first, err := os.ReadFile(doc)
	require.NoError(t, err)
	f, err := parser.ParseFile(token.NewFileSet(), doc, first, parser.ParseComments)
	require.NoError(t, err)
	require.Equal(t, "function", f.Name.Name)
	require.Regexp(t, `recip +e5m2 +0.5 +0\.\d+ +0 +4 `, f.Doc.Text())

	// There is no yosys now: the results must do.
	t.Setenv("PATH", dir)
	code, said = command(args...)
	require.Zero(t, code, said)
	second, err := os.ReadFile(doc)
	require.NoError(t, err)
	require.Equal(t, string(first), string(second))

	for want, args := range map[string][]string{
		"-ulp 0.4, want 0.5 to 1":      {"-ulp", "0.5,0.4"},
		`function "gamma" is none of`:  {"-functions", "exp,gamma"},
		"-formats: ":                   {"-formats", "fp15x"},
		"want IEEE codes of 6 to 16 b": {"-formats", "fp32"},
	} {
		code, said := command(append([]string{"experiment", "float-functions"}, args...)...)
		require.NotZero(t, code)
		require.Contains(t, said, want)
	}
}

// Help says which codes a name means, in the words that hw/float has for it.
func TestFormatHelp(t *testing.T) {
	_, said := command("help", "explore", "float")
	require.Contains(t, said, kind.FormatHelp)
	for _, p := range Design().Params {
		if p.Name == "format" {
			require.Contains(t, p.Doc, kind.FormatHelp)
			return
		}
	}
	t.Fatal("no parameter format")
}
