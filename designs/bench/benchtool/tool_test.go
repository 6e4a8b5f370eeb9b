package benchtool

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/designs/bench"
	"etch/designs/cli"
	"etch/hw"
	"etch/ir"
)

// etch runs a command line.
func etch(args ...string) (code int, out, messages string) {
	var stdout, stderr bytes.Buffer
	app := cli.App{Name: "etch", Commands: []cli.Command{Command}}
	code = app.Run(args, cli.Output{Out: &stdout, Err: &stderr})
	return code, stdout.String(), stderr.String()
}

// rivalless is a machine without any tool.
func rivalless(t *testing.T) (bin string) {
	bin = t.TempDir()
	t.Setenv("PATH", bin)
	t.Setenv("ETCH_CACHE", t.TempDir())
	return bin
}

// rivalSaying is a machine whose Verilator makes models that print a line.
func rivalSaying(t *testing.T, line string) {
	bin := rivalless(t)
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("no /bin/sh")
	}
	for name, script := range map[string]string{
		"verilator": "", "g++": "",
		"make": "printf '#!/bin/sh\\necho " + line + "\\n' > model; chmod +x model",
	} {
		text := "#!/bin/sh\nPATH=/bin:/usr/bin\ncase \"$1\" in --version|-dump*) echo 1.2; exit;; esac\n" + script + "\n"
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte(text), 0o755))
	}
}

// reference is the sum of a design after some cycles, by the first engine.
func reference(t *testing.T, c hw.Component[bench.Ports], cycles int) string {
	d, _, err := hw.Build(c)
	require.NoError(t, err)
	s, err := Engines[0].start(d, false)
	require.NoError(t, err)
	s.Step(cycles)
	return fmt.Sprintf("%016x", s.sum())
}

func rowsOf(t *testing.T, out string) []map[string]any {
	var doc map[string][]map[string]any
	require.NoError(t, json.Unmarshal([]byte(out), &doc))
	require.Len(t, doc, 1)
	return doc["rows"]
}

func keys(m map[string]any) (ks []string) {
	for k := range m {
		ks = append(ks, k)
	}
	return ks
}

var rowKeys = []string{
	"design", "engine", "cycles_per_s", "compile_ms", "verilator_cycles_per_s", "ratio",
	"verilator", "verilator_build_ms", "cycles", "checksum",
}

func TestJSONAlone(t *testing.T) {
	rivalless(t)
	code, out, messages := etch("bench", "-json", "-design", "rv32i,protocol", "-engine", "interp", "-cycles", "200")
	require.Zero(t, code, messages)
	rows := rowsOf(t, out)
	require.Len(t, rows, 2)
	for i, design := range []string{"rv32i", "protocol"} {
		require.ElementsMatch(t, rowKeys, keys(rows[i]))
		require.Equal(t, design, rows[i]["design"])
		require.Equal(t, "interp", rows[i]["engine"])
		require.Positive(t, rows[i]["cycles_per_s"])
		require.Positive(t, rows[i]["compile_ms"])
		require.Nil(t, rows[i]["verilator_cycles_per_s"])
		require.Nil(t, rows[i]["ratio"])
		require.Contains(t, rows[i]["verilator"], "verilator not found")
		require.Equal(t, 200.0, rows[i]["cycles"])
	}
	require.Equal(t, reference(t, bench.RV32I{}, 200), rows[0]["checksum"])
}

func TestJSONAgainstVerilator(t *testing.T) {
	sum := reference(t, bench.RV32I{}, 200)
	rivalSaying(t, sum+" 0.01 0.02")
	code, out, messages := etch("bench", "-json", "-design", "rv32i", "-cycles", "200")
	require.Zero(t, code, messages)
	rows := rowsOf(t, out)
	require.Equal(t, "interp", rows[0]["engine"])
	for _, row := range rows {
		require.ElementsMatch(t, rowKeys, keys(row))
		require.Equal(t, 20_000.0, row["verilator_cycles_per_s"])
		require.InEpsilon(t, row["cycles_per_s"].(float64)/20_000, row["ratio"], 1e-9)
		require.Equal(t, "1.2, g++ 1.2", row["verilator"])
		require.Equal(t, sum, row["checksum"])
	}
	require.Contains(t, messages, "building rv32i with Verilator 1.2 and g++ 1.2")
}

// A checksum that differs is an error, and nothing is printed.
func TestMismatch(t *testing.T) {
	rivalSaying(t, "0000000000000001 0.01 0.02")
	code, out, messages := etch("bench", "-design", "rv32i", "-engine", "interp", "-cycles", "200")
	require.Equal(t, 1, code)
	require.Empty(t, out)
	require.Contains(t, messages, "rv32i: after 200 cycles engine interp has the sum "+reference(t, bench.RV32I{}, 200)+", Verilator 1.2, g++ 1.2 0000000000000001")
}

func TestTable(t *testing.T) {
	sum := reference(t, bench.RV32I{}, 200)
	rivalSaying(t, sum+" 0.01 0.02")
	code, out, messages := etch("bench", "-short", "-design", "rv32i", "-engine", "interp", "-cycles", "200")
	require.Zero(t, code, messages)
	require.Regexp(t, `^design +engine +cycles/s .*\nrv32i +interp .* 20\.0 k .* 1\.2, g\+\+ 1\.2\n$`, out)
}

func TestUsage(t *testing.T) {
	rivalless(t)
	for want, args := range map[string][]string{
		`-design: no design "what"; there are dwc_2x1024, `:        {"-design", "what"},
		`-design: no design ""; there are dwc_2x1024, `:            {"-design", "rv32i,"},
		"-design: rv32i is listed twice":                           {"-design", "rv32i, protocol, rv32i"},
		`-engine: no engine "what"; there are interp`:              {"-engine", "interp,what"},
		"-engine: native is listed twice":                          {"-engine", "native,native"},
		"what is":                                                  {"more"},
		"-cycles":                                                  {"-cycles", "-1"},
		"-cycles: at most":                                         {"-cycles", "2000000000000000000"},
		`-rival: no rival "what"; there are verilator, gsim, none`: {"-rival", "what"},
		"-rival: none excludes others":                             {"-rival", "none,verilator"},
		"-rival gsim goes with -firrtl":                            {"-design", "rv32i", "-rival", "gsim"},
		"not defined":                                              {"scale", "-design", "rv32i"},
	} {
		code, out, messages := etch(append([]string{"bench"}, args...)...)
		require.Equal(t, 2, code, "%v", args)
		require.Empty(t, out)
		require.Contains(t, messages, want)
	}
}

// design is one of the series, small.
func design(n int) bench.Design {
	return bench.Design{Name: fmt.Sprint("array", n), Make: func() (*ir.Design, error) {
		d, _, err := hw.Build(bench.Systolic{N: n})
		return d, err
	}}
}

func TestSeries(t *testing.T) {
	rivalless(t)
	o := &settings{engines: singles(Engines), cycles: 100, why: "none here", log: io.Discard}
	rows, err := o.series(t.Context(), []bench.Design{design(4), design(8)})
	require.NoError(t, err)
	require.Len(t, rows, 2*len(o.engines))
	for _, r := range rows {
		require.Positive(t, r.Ops)
		require.Positive(t, r.BytesPerOp)
		require.Equal(t, r.Engine != "interp", r.CodeBytes > 0)
		require.Equal(t, "none here", r.Verilator)
		text, err := json.Marshal(r)
		require.NoError(t, err)
		var m map[string]any
		require.NoError(t, json.Unmarshal(text, &m))
		require.ElementsMatch(t, append([]string{"ops", "code_bytes", "bytes_per_op"}, rowKeys...), keys(m))
	}
	ops := func(i int) float64 { return float64(rows[i*len(o.engines)].Ops) }
	require.InDelta(t, 4, ops(1)/ops(0), 1)
}

// The series has the sizes that it says.
func TestSeriesSizes(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a million operations")
	}
	o := &settings{log: io.Discard}
	tracks, err := o.lay(t.Context(), bench.Series()...)
	require.NoError(t, err)
	for i, want := range []float64{1e3, 1e4, 1e5, 1e6} {
		require.InEpsilon(t, want, tracks[i].ops, 0.04)
	}
}

// A short run takes less than a minute of a processor, whatever has been built
// before: other work on the machine does not count.
func TestShortIsShort(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	start := processor()
	code, out, messages := etch("bench", "-short", "-json")
	took := processor() - start
	require.Zero(t, code, messages)
	require.Len(t, rowsOf(t, out), len(singles(Engines))*len(bench.Small()))
	t.Logf("%.0f s", took.Seconds())
	require.Less(t, took, time.Minute)
}

func TestFormats(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0.00", 1.234: "1.23", 12.34: "12.3", 99.96: "100", 123.4: "123", 999.4: "999", 999.6: "1.00 k",
		9994: "9.99 k", 9996: "10.0 k", 12_345_678: "12.3 M", 5e9: "5.00 G", 5e12: "5000 G",
	} {
		require.Equal(t, want, rate(x))
	}
	require.Equal(t, "1.50 ms", seconds(1.5))
	require.Equal(t, "250 µs", seconds(0.25))
	require.Equal(t, "94.5 s", seconds(94_500))
}

func TestMeans(t *testing.T) {
	require.Equal(t, 3.0, median([]float64{9, 1, 3, 2, 4}))
	two, eight := 2.0, 8.0
	mean, n := geometricMean([]Row{{Engine: "a", Ratio: &two}, {Engine: "b", Ratio: &two}, {Engine: "a"}, {Engine: "a", Ratio: &eight}}, "a")
	require.Equal(t, 2, n)
	require.InEpsilon(t, 4, mean, 1e-12)
}

// talking prints in every cycle.
type talking struct{}

type talkingPorts struct {
	Sum hw.UInt `dir:"out"`
}

func (talking) Ports() talkingPorts { return talkingPorts{hw.Unsigned(64)} }

func (talking) Build(m *hw.Module, p talkingPorts) {
	sum := hw.Reg(m, "count", hw.Unsigned(64), hw.U(0))
	sum.Set(sum.Inc())
	p.Sum.Set(sum)
	m.Printf("%d\n", sum)
}

// TestSilent: a design's prints must not mix with the table or the document.
func TestSilent(t *testing.T) {
	d, _, err := hw.Build(talking{})
	require.NoError(t, err)
	file, err := os.Create(filepath.Join(t.TempDir(), "stdout"))
	require.NoError(t, err)
	defer file.Close()
	defer func(before *os.File) { os.Stdout = before }(os.Stdout)
	os.Stdout = file

	for _, e := range Engines {
		if e.Lanes == 0 {
			_, _, err = footprint(d, e)
			require.NoError(t, err)
		}
		r, err := e.start(d, true)
		require.NoError(t, err)
		r.Step(3)
		require.NoError(t, r.Close())
		text, err := os.ReadFile(file.Name())
		require.NoError(t, err)
		require.Empty(t, string(text), e.Name)
	}
}

// endless is a simulator whose second call ends the context.
type endless struct {
	runner
	end  context.CancelFunc
	made []int
}

func (e *endless) Step(n int) {
	if e.made = append(e.made, n); len(e.made) == 2 && e.end != nil {
		e.end()
	}
}

// Cycles are made in pieces, between which an end is seen.
func TestStepsEnd(t *testing.T) {
	whole := &endless{}
	require.NoError(t, steps(t.Context(), whole, 2000))
	require.Equal(t, []int{512, 1024, 464}, whole.made)

	ctx, cancel := context.WithCancel(t.Context())
	cut := &endless{end: cancel}
	require.ErrorIs(t, steps(ctx, cut, 1<<40), context.Canceled)
	require.Len(t, cut.made, 2)
}
