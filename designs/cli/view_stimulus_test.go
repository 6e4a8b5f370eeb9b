package cli

import (
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/testbench/tools"
	"etch/testbench/view"
)

// opened is the view that a command line opens, and a function that asks it as its page does.
func opened(t *testing.T, w *viewer) (v *view.View, address string, ask func(path string) string) {
	t.Helper()
	v, err := w.open(false)
	require.NoError(t, err)
	l, err := view.Listen("localhost:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	address = view.Address(l, v)
	require.NoError(t, w.drive(v))
	return v, address, func(path string) string {
		a := httptest.NewRecorder()
		v.ServeHTTP(a, httptest.NewRequest("GET", address+"api/"+path, nil))
		return a.Body.String()
	}
}

// TestViewStimulus: -set and -mem of view have the effect that they have in sim, for one instance
// of a module alone.
func TestViewStimulus(t *testing.T) {
	fir, hex := machineFiles(t, "5 7 9 0 0 0")
	newView := func(file string, mems, sets []string) *viewer {
		var e locked
		return &viewer{runner: runner{app: &App{}, source: &VerilogFlags{}, out: Output{&e, &e}, engine: "auto", memory: 1024, files: []string{file}, mems: mems, sets: sets}}
	}
	v, _, ask := opened(t, newView(fir, []string{"store.words=" + hex}, []string{"bias=-1"}))
	require.NoError(t, v.Do("run", url.Values{"to": {"4"}}))
	require.Contains(t, ask("memory?name=store.words"), `"words":["5","7","9","0"`)
	_, out, errs := callSim(t, "sim", fir, "-mem", "store.words="+hex, "-set", "bias=-1", "-cycles", "3", "-print", "io_sum", "-print", "pc", "-print", "reset")
	require.Equal(t, "io_sum = 20\npc = 3\nreset = 0\n", lastLines(out, 3), errs)
	values := ask("values?cycle=4")
	require.Contains(t, values, `"io_sum":"20"`)
	require.Contains(t, values, `"pc":"3"`)
	require.Contains(t, values, `"reset":"0"`)
	require.Contains(t, ask("values?cycle=0"), `"bias":"-1"`, "also in reset")

	// Of two instances, one has the contents.
	two := strings.Replace(machine, "store.addr <= pc", "store.addr <= pc\n    inst other of Store\n    other.clock <= clock\n    other.addr <= pc", 1)
	file := filepath.Join(t.TempDir(), "machine.fir")
	require.NoError(t, os.WriteFile(file, []byte(two), 0o666))
	_, _, ask = opened(t, newView(file, []string{"store.words=" + hex}, nil))
	require.Contains(t, ask("memory?name=store.words"), `"words":["5","7"`)
	require.Contains(t, ask("memory?name=other.words"), `"words":["0","0"`)

	// Mistakes are those of sim.
	for want, w := range map[string]*viewer{
		"-set: there is no input bais; did you mean bias?": newView(fir, nil, []string{"bais=1"}),
		"300 does not fit the 8 bits of bias":              newView(fir, nil, []string{"bias=300"}),
		"-mem: ":                                           newView(fir, []string{"words=" + hex}, nil),
		"none.hex":                                         newView(fir, []string{"store.words=none.hex"}, nil),
	} {
		_, err := w.open(false)
		require.ErrorContains(t, err, want)
	}
	code, _, errs := run(t, "view", "a.run", "-set", "a=1")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "-set is for designs; a.run is a recorded run")
}

// wrong adds numbers of different widths.
type wrong struct{}

type wrongPorts struct {
	A hw.UInt `dir:"in"`
	B hw.UInt `dir:"in"`
	Y hw.UInt `dir:"out"`
}

func (wrong) Ports() wrongPorts {
	return wrongPorts{hw.Unsigned(4), hw.Unsigned(5), hw.Unsigned(4)}
}

func (wrong) Build(m *hw.Module, p wrongPorts) {
	p.Y.Set(p.A.Add(p.B))
}

// lastLines is the end of a text.
func lastLines(text string, n int) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(lines[max(0, len(lines)-n-1):], "")
}

// TestViewBroken: a file that does not parse has its error for a page, with its stimulus for the
// time when it does; what no change of the file mends is an error.
func TestViewBroken(t *testing.T) {
	fir := filepath.Join(t.TempDir(), "machine.fir")
	require.NoError(t, os.WriteFile(fir, []byte(strings.Replace(machine, "tail(", "tial(", 1)+"    x <= nothing(1)\n"), 0o666))
	var e locked
	w := &viewer{runner: runner{app: &App{}, source: &VerilogFlags{}, out: Output{&e, &e}, engine: "auto", memory: 1024, files: []string{fir}, sets: []string{"bias=-1"}}}
	_, address, ask := opened(t, w)
	require.Contains(t, ask("design"), "nothing")
	require.NotNil(t, w.watcher)
	require.Contains(t, e.Buffer.String(), "the page shows this until the source is mended")
	require.NotEmpty(t, address)

	for _, file := range []string{filepath.Join(t.TempDir(), "none.fir"), t.TempDir() + "/x.fir/"} {
		w.files, w.watcher = []string{file}, nil
		_, err := w.open(false)
		require.Error(t, err)
	}

	// So has a design from Go, if its program's source is here; an unknown parameter is an error.
	w.app.Designs = []Design{Component("wrong", "does not build", wrong{})}
	w.files, w.watcher, w.sets = []string{"wrong"}, nil, nil
	_, _, ask = opened(t, w)
	require.Contains(t, ask("design"), "Add: ")
	require.NotEmpty(t, w.watcher.program)
	w.given, w.watcher = Values{"x": "1"}, nil
	_, err := w.open(false)
	require.ErrorContains(t, err, "no parameter x")
	w.given = nil
	t.Chdir(t.TempDir())
	_, err = w.open(false)
	require.ErrorContains(t, err, "Add: ", "no source is here")
}

// TestViewNamedReset: an input of Verilog that resets by its name does so in cycle 0, as in sim, unless
// -set holds it; one of more bits does not.
func TestViewNamedReset(t *testing.T) {
	tools.Need(t, "yosys")
	file := filepath.Join(t.TempDir(), "a.v")
	require.NoError(t, os.WriteFile(file, []byte(`module a(input clk, input rst_n, input [1:0] rst, input rst_i, output reg [3:0] q, output reg [3:0] r);
  always @(posedge clk) begin
    if (!rst_n) q <= 5; else q <= q + 1;
    if (rst_i) r <= 9; else r <= r + rst;
  end
endmodule
`), 0o666))
	newView := func(sets ...string) (*viewer, *locked) {
		var e locked
		return &viewer{runner: runner{app: &App{}, source: &VerilogFlags{err: &e}, out: Output{&e, &e}, engine: "auto", memory: 1024, files: []string{file}, sets: sets}}, &e
	}
	w, said := newView()
	v, _, ask := opened(t, w)
	require.NoError(t, v.Do("run", url.Values{"to": {"3"}}))
	require.Contains(t, said.Buffer.String(), "note: rst_n is taken for a reset that acts when low")
	for cycle, want := range []string{`"rst_n":"0"`, `"q":"5"`, `"q":"6"`} {
		require.Contains(t, ask("values?cycle="+strconv.Itoa(cycle)), want)
	}
	require.Contains(t, ask("values?cycle=0"), `"rst_i":"1"`)
	require.Contains(t, ask("values?cycle=0"), `"rst":"0"`)
	require.Contains(t, ask("values?cycle=3"), `"r":"9"`)
	require.Contains(t, ask("values?cycle=3"), `"rst_i":"0"`)

	w, said = newView("rst_n=1", "rst=2")
	v, _, ask = opened(t, w)
	require.NoError(t, v.Do("run", url.Values{"to": {"3"}}))
	require.NotContains(t, said.Buffer.String(), "note")
	require.Contains(t, ask("values?cycle=0"), `"rst_n":"1"`)
	require.Contains(t, ask("values?cycle=3"), `"q":"3"`)
	require.Contains(t, ask("values?cycle=3"), `"r":"13"`)
}
