package rival_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/designs/bench/rival"
	"etch/designs/examples/counter"
	"etch/hw"
	"etch/testbench/tools"
)

func TestFind(t *testing.T) {
	b := newBin(t)
	find := func(want string) {
		t.Helper()
		_, err := rival.Find()
		require.ErrorContains(t, err, want)
		require.ErrorIs(t, err, tools.ErrNotFound)
		require.NotContains(t, err.Error(), "\n")
	}
	find("verilator")
	b.tool("verilator", "")
	find("make")
	b.tool("make", "")
	find("g++")
	b.tool("g++", "")
	v, err := rival.Find()
	require.NoError(t, err)
	require.Equal(t, "1.2", v.Version)
	require.Len(t, v.Compilers, 1)
	b.tool("clang++", "")
	v, err = rival.Find()
	require.NoError(t, err)
	require.Len(t, v.Compilers, 2)
}

// A model is built once for each text and compiler, and found again.
func TestBuild(t *testing.T) {
	b := newBin(t)
	b.tool("verilator", `echo "$@" > flags`)
	b.tool("make", `echo "$@" >> "`+filepath.Join(b.dir, "log")+`"; `+model("00000000000000ff 0.5 0.75"))
	b.tool("g++", "")
	b.tool("clang++", "")
	v, err := rival.Find()
	require.NoError(t, err)

	for round := range 2 {
		for _, c := range v.Compilers {
			require.Equal(t, round > 0, v.Has(array(t, 2), c))
			m, err := v.Build(t.Context(), array(t, 2), c)
			require.NoError(t, err)
			require.Equal(t, round > 0, m.Cached)
			require.Equal(t, "1.2, "+c.Name+" 1.2", m.String())
			r, err := m.Run(t.Context(), 100)
			require.NoError(t, err)
			require.Equal(t, rival.Result{Cycles: 100, Sum: 255, Seconds: 0.5, Wall: 0.75}, r)
			require.Equal(t, 200.0, r.Rate())
		}
	}
	_, err = v.Build(t.Context(), array(t, 3), v.Compilers[0])
	require.NoError(t, err)
	require.Len(t, b.cached(), 3)

	log, err := os.ReadFile(filepath.Join(b.dir, "log"))
	require.NoError(t, err)
	for _, want := range []string{"OPT_FAST=-O3 -march=native", "OPT_SLOW=-O3 -march=native", "OPT_GLOBAL=-O3 -march=native", "CXX=" + filepath.Join(b.dir, "g++"), "CXX=" + filepath.Join(b.dir, "clang++")} {
		require.Contains(t, string(log), want)
	}
}

// What a tool says comes back in one line, and nothing is left behind.
func TestBuildFails(t *testing.T) {
	for _, c := range []struct{ name, verilator, make, want string }{
		{"verilator", "echo hm; echo %Error: no such thing >&2; echo bye; exit 1", "", "verilator: exit status 1: %Error: no such thing"},
		{"make", "", "echo a.cpp:1: error: what; exit 2", "make: exit status 2: a.cpp:1: error: what"},
		{"nothing made", "", "", "model"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBin(t)
			b.tool("verilator", c.verilator)
			b.tool("make", c.make)
			b.tool("g++", "")
			v, err := rival.Find()
			require.NoError(t, err)
			_, err = v.Build(t.Context(), array(t, 2), v.Compilers[0])
			require.ErrorContains(t, err, c.want)
			require.NotContains(t, err.Error(), "\n")
			require.Empty(t, b.cached())
		})
	}
}

// A build ends with all that it has started: in its time, and when its user interrupts it, which is
// no limit of time.
func TestBuildEnds(t *testing.T) {
	for name, x := range map[string]struct {
		end  func(ctx context.Context, begun string) (context.Context, context.CancelFunc)
		want error
		not  error
	}{
		"time": {func(ctx context.Context, _ string) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, 300*time.Millisecond)
		}, rival.ErrTime, context.Canceled},
		"interruption": {cancelledAt, context.Canceled, rival.ErrTime},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBin(t)
			begun, mark := filepath.Join(b.dir, "begun"), filepath.Join(b.dir, "mark")
			b.tool("verilator", "")
			b.tool("make", "(sleep 1; echo > '"+mark+"') & echo > '"+begun+"'; sleep 60")
			b.tool("g++", "")
			v, err := rival.Find()
			require.NoError(t, err)

			ctx, cancel := x.end(t.Context(), begun)
			defer cancel()
			start := time.Now()
			_, err = v.Build(ctx, array(t, 2), v.Compilers[0])
			require.ErrorIs(t, err, x.want)
			require.NotErrorIs(t, err, x.not)
			require.Less(t, time.Since(start), 20*time.Second)
			require.Empty(t, b.cached())

			// The process in the background would have left its mark by now.
			time.Sleep(1500 * time.Millisecond)
			require.NoFileExists(t, mark)
		})
	}
}

// cancelledAt is a context that is cancelled once a file exists.
func cancelledAt(parent context.Context, file string) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(parent)
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(file); err == nil {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	return ctx, cancel
}

// late is a context that ends too late for the tools to see.
type late struct{ context.Context }

func (late) Done() <-chan struct{} { return nil }

func (late) Err() error { return context.DeadlineExceeded }

// A model that is complete when its time ends is a model.
func TestBuildJustInTime(t *testing.T) {
	b := newBin(t)
	b.tool("verilator", "")
	b.tool("make", model("00000000000000ff 0.5 0.75"))
	b.tool("g++", "")
	v, err := rival.Find()
	require.NoError(t, err)
	_, err = v.Build(late{t.Context()}, array(t, 2), v.Compilers[0])
	require.NoError(t, err)
	require.Len(t, b.cached(), 1)
}

func TestRunFails(t *testing.T) {
	b := newBin(t)
	b.tool("verilator", "")
	b.tool("make", model("what"))
	b.tool("g++", "")
	v, err := rival.Find()
	require.NoError(t, err)
	m, err := v.Build(t.Context(), array(t, 2), v.Compilers[0])
	require.NoError(t, err)
	_, err = m.Run(t.Context(), 1)
	require.ErrorContains(t, err, "1.2, g++ 1.2")
}

// A design that does not make its stimulus itself is refused.
func TestPorts(t *testing.T) {
	b := newBin(t)
	for _, name := range []string{"verilator", "make", "g++"} {
		b.tool(name, "")
	}
	v, err := rival.Find()
	require.NoError(t, err)
	d, _, err := hw.Build(counter.Counter{Width: 64})
	require.NoError(t, err)
	_, err = v.Build(t.Context(), d, v.Compilers[0])
	require.ErrorContains(t, err, "counter")
	require.False(t, v.Has(d, v.Compilers[0]))
}
