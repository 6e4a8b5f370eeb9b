package cli

import (
	"context"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/testbench/view"
)

// blinker is a program with a design of its own.
const blinker = `package main

import (
	"etch/designs/cli"
	"etch/hw"
)

type Blinker struct {
	Width int
}

type Ports struct {
	LED hw.UInt ` + "`dir:\"out\"`" + `
}

func (b Blinker) Ports() Ports { return Ports{hw.Unsigned(b.Width)} }

func (b Blinker) Build(m *hw.Module, p Ports) {
	count := hw.Reg(m, "first", hw.Unsigned(b.Width), hw.U(0))
	count.Set(count.Inc())
	p.LED.Set(count)
}

func main() {
	cli.Main(cli.App{Name: "blink", Designs: []cli.Design{cli.Component("blinker", "blinks", Blinker{Width: 3})}})
}
`

// blinkModule writes a module with that program beside the sums of this one's modules.
func blinkModule(t *testing.T) (dir string) {
	t.Helper()
	_, here, _, _ := runtime.Caller(0)
	root := filepath.Join(filepath.Dir(here), "..", "..")
	dir = t.TempDir()
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	text := strings.Replace(string(mod), "module etch\n", "module example.org/blink\n", 1) + "\nrequire etch v0.0.0\n\nreplace etch => " + root + "\n"
	require.Contains(t, text, "module example.org/blink\n")
	fileOf(t, dir, "go.mod", text)
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	fileOf(t, dir, "go.sum", string(sums))
	fileOf(t, dir, "main.go", blinker)
	return dir
}

// TestWatchProgram: the changed source of a program's design is built by the go command, with its
// parameters, and shown; a mistake in it is told.
func TestWatchProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program, several times")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOWORK", "off")
	t.Setenv("GOPROXY", "off")
	dir := blinkModule(t)
	w := &watcher{r: runner{files: []string{"blinker"}, given: Values{"width": "5"}, out: Output{&locked{}, &locked{}}}, program: "example.org/blink", root: dir}

	d, err := w.build(t.Context())
	require.NoError(t, err)
	require.Equal(t, "first", d.Top.NameOf(d.Top.Regs[0].Node))
	require.Equal(t, 5, d.Top.Width(d.Top.Regs[0].Node))

	// The watcher runs beside the page.
	v, err := view.Watched(d, nil)
	require.NoError(t, err)
	l, err := view.Listen("localhost:0")
	require.NoError(t, err)
	defer l.Close()
	address := view.Address(l, v)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { w.run(ctx, v); close(ended) }()
	defer func() { stop(); <-ended }()

	time.Sleep(watchEvery) // the watcher has seen the first date
	fileOf(t, dir, "main.go", strings.Replace(blinker, `"first"`, `"second"`, 1))
	require.Eventually(t, func() bool {
		a := httptest.NewRecorder()
		v.ServeHTTP(a, httptest.NewRequest("GET", address+"api/values", nil))
		return strings.Contains(a.Body.String(), `"second":`)
	}, 5*time.Minute, 50*time.Millisecond)
	stop()
	<-ended

	// What does not compile, and a design that does not build, are errors without go run's own
	// line.
	fileOf(t, dir, "main.go", strings.Replace(blinker, "count.Inc()", "count.Inc(", 1))
	_, err = w.build(t.Context())
	require.ErrorContains(t, err, "main.go:2")
	require.NotContains(t, err.Error(), "exit status")
	fileOf(t, dir, "main.go", strings.Replace(blinker, "	p.LED.Set(count)\n", "", 1))
	_, err = w.build(t.Context())
	require.ErrorContains(t, err, "output led is never set")
	require.NotContains(t, err.Error(), "exit status")
}

// TestWatchDates: a newer, a new and a removed source are seen; tests and hidden folders are passed
// over.
func TestWatchDates(t *testing.T) {
	dir := t.TempDir()
	w := &watcher{program: "x", root: dir}
	a := fileOf(t, dir, "a.go", "")
	date, n := w.dates()
	require.Equal(t, 1, n)
	require.NoError(t, os.Chtimes(a, time.Time{}, date.Add(time.Second)))
	newer, _ := w.dates()
	require.True(t, newer.After(date))

	for _, folder := range []string{".git", "_x", "testdata", "node_modules", "sub"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, folder), 0o777))
		fileOf(t, dir, folder+"/b.go", "")
	}
	fileOf(t, dir, "a_test.go", "")
	fileOf(t, dir, "a.txt", "")
	_, n = w.dates()
	require.Equal(t, 2, n, "a.go and sub/b.go")
	require.NoError(t, os.Remove(a))
	_, n = w.dates()
	require.Equal(t, 1, n)

	// Of files, those that are named.
	fir := fileOf(t, dir, "x.fir", "")
	w, err := newWatcher(runner{files: []string{fir, filepath.Join(dir, "none.v")}})
	require.NoError(t, err)
	_, n = w.dates()
	require.Equal(t, 1, n)
}

// TestWatchFile: a changed file is read again, with the contents of its memories; the first that is
// right sets the inputs.
func TestWatchFile(t *testing.T) {
	fir, hex := machineFiles(t, "5 7 9 0 0 0")
	require.NoError(t, os.WriteFile(fir, []byte("circuit Machine :\n  nothing\n"), 0o666))
	var e locked
	view := &viewer{runner: runner{app: &App{}, source: &VerilogFlags{}, out: Output{&e, &e}, engine: "auto", memory: 1024, files: []string{fir}, mems: []string{"store.words=" + hex}, sets: []string{"bias=-1"}}}
	v, _, ask := opened(t, view)
	view.watch(v)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { view.watcher.run(ctx, v); close(ended) }()
	defer func() { stop(); <-ended }()

	time.Sleep(watchEvery)
	require.NoError(t, os.WriteFile(fir, []byte(machine), 0o666))
	require.Eventually(t, func() bool { return strings.Contains(ask("values?cycle=0"), `"bias":"-1"`) }, time.Minute, 20*time.Millisecond)
	require.Contains(t, ask("memory?name=store.words"), `"words":["5","7"`)
}
