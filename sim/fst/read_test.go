package fst_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"etch/ir"
	"etch/sim"
	"etch/sim/fst"
	"etch/sim/internal/vcdtext"
	"etch/sim/vcd"
	"etch/testbench/tools"

	"github.com/stretchr/testify/require"
)

// read has fst2vcd read a file.
func read(t *testing.T, path string) string {
	t.Helper()
	tool := tools.Need(t, "fst2vcd")[0]
	cmd := exec.Command(tool.Path, "-e", path)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	require.NoError(t, cmd.Run(), errs.String())
	require.Empty(t, errs.String())
	return out.String()
}

// parse reads a file.
func parse(t *testing.T, path string) *vcdtext.Dump {
	t.Helper()
	d, err := vcdtext.Parse(read(t, path))
	require.NoError(t, err)
	return d
}

// pair is both formats of one run.
type pair struct {
	fst      *fst.Writer
	vcd      *vcd.Writer
	path     string
	streamed *os.File // nil: made by Create
	text     bytes.Buffer
}

// tracePair traces s in both formats, by blocks of limit bytes (0: the usual)
// and into a stream or a file of its own.
func tracePair(t *testing.T, s *sim.Sim, limit int, stream bool) *pair {
	t.Helper()
	p := newPair(t, limit, stream)
	require.NoError(t, s.Trace(p.fst))
	require.NoError(t, s.Trace(p.vcd))
	return p
}

func newPair(t *testing.T, limit int, stream bool) *pair {
	t.Helper()
	p := &pair{path: filepath.Join(t.TempDir(), "a.fst")}
	var err error
	if stream {
		p.streamed, err = os.Create(p.path)
		require.NoError(t, err)
		p.fst = fst.New(struct{ *os.File }{p.streamed})
	} else {
		p.fst, err = fst.Create(p.path)
		require.NoError(t, err)
	}
	if limit > 0 {
		p.fst.SetLimit(limit)
	}
	p.vcd = vcd.New(&p.text)
	return p
}

// compare ends both and compares what they say; it returns what the FST says.
func (p *pair) compare(t *testing.T, s *sim.Sim) *vcdtext.Dump {
	t.Helper()
	require.NoError(t, p.fst.Close())
	require.NoError(t, p.vcd.Close())
	require.NoError(t, s.Err())
	if p.streamed != nil {
		require.NoError(t, p.streamed.Close())
	}
	want, err := vcdtext.Parse(p.text.String())
	require.NoError(t, err)
	got := parse(t, p.path)
	same(t, want, got)
	return got
}

// same compares an FST with a VCD, whose variables for names the FST has not.
func same(t *testing.T, want, got *vcdtext.Dump) {
	t.Helper()
	require.Equal(t, want.Scale, got.Scale)
	var order []string
	for _, name := range want.Order {
		if want.Vars[name].Kind != "string" {
			order = append(order, name)
		}
	}
	require.Equal(t, order, got.Order)
	for _, name := range order {
		w, g := want.Vars[name], got.Vars[name]
		require.Equal(t, w.Width, g.Width, name)
		require.Equal(t, w.Settled(), g.Settled(), name)
	}
	if len(order) > 0 {
		require.Equal(t, want.Times[0], got.Times[0])
		require.Equal(t, want.Times[len(want.Times)-1], got.Times[len(got.Times)-1])
	}
}

// bench is a small design in the making.
type bench struct{ *ir.Module }

func newBench(name string) bench { return bench{ir.NewModule(name, ir.NewSources())} }

func (b bench) sim(t *testing.T) *sim.Sim {
	t.Helper()
	d := &ir.Design{Top: b.Module, Modules: []*ir.Module{b.Module}, Src: b.Src}
	require.NoError(t, ir.Verify(d))
	s, err := sim.New(d)
	require.NoError(t, err)
	return s
}

// inputs is a design of n inputs of that width.
func inputs(t *testing.T, n, width int) *sim.Sim {
	b := newBench("inputs")
	for i := range n {
		b.AddInput(fmt.Sprintf("in%d", i), width, 0, 0)
	}
	return b.sim(t)
}

// lines is a text without the space around its lines.
func lines(text string) string {
	var all []string
	for _, l := range strings.Split(text, "\n") {
		if l = strings.TrimSpace(l); l != "" {
			all = append(all, l)
		}
	}
	return strings.Join(all, "\n")
}
