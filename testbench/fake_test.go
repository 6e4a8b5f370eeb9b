package testbench

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// fake is a testing.TB that keeps what a test is told, and where from.
type fake struct {
	testing.TB
	name     string
	errors   []string
	fatal    string
	logs     []string
	helpers  map[string]bool // functions that called Helper
	lines    []string        // the user's function of each error, Fatal included
	cleanups []func()
	dir      string
	deadline time.Time
}

// attempt runs a test body with a fake and its cleanups after it.
func attempt(t testing.TB, body func(t testing.TB)) *fake {
	t.Helper()
	f := &fake{name: t.Name(), helpers: map[string]bool{}, dir: t.TempDir()}
	inGoroutine := func(body func()) {
		done := make(chan struct{})
		go func() {
			defer close(done)
			body()
		}()
		<-done
	}
	inGoroutine(func() { body(f) })
	for len(f.cleanups) > 0 {
		last := f.cleanups[len(f.cleanups)-1]
		f.cleanups = f.cleanups[:len(f.cleanups)-1]
		inGoroutine(last)
	}
	return f
}

// all is everything that failed the test.
func (f *fake) all() string {
	return strings.Join(append(f.errors[:len(f.errors):len(f.errors)], f.fatal), "\n")
}

// fails runs a body that must fail with a message that has these parts, each
// reported as from the body itself.
func fails(t *testing.T, body func(t testing.TB), parts ...string) {
	t.Helper()
	f := attempt(t, body)
	require.True(t, f.Failed(), "the test passed")
	for _, p := range parts {
		require.Contains(t, f.all(), p)
	}
	for _, line := range f.lines {
		require.Contains(t, line, "testbench.Test", "an error is reported as from %s", line)
	}
}

// passes runs a body that must not fail.
func passes(t *testing.T, body func(t testing.TB)) *fake {
	t.Helper()
	f := attempt(t, body)
	require.False(t, f.Failed(), f.all())
	return f
}

func (f *fake) Deadline() (time.Time, bool) { return f.deadline, !f.deadline.IsZero() }

func (f *fake) Name() string        { return f.name }
func (f *fake) Failed() bool        { return len(f.errors) > 0 || f.fatal != "" }
func (f *fake) Skipped() bool       { return false }
func (f *fake) Cleanup(g func())    { f.cleanups = append(f.cleanups, g) }
func (f *fake) ArtifactDir() string { return f.sub("artifacts") }
func (f *fake) TempDir() string     { return f.sub(fmt.Sprintf("temp%d", len(f.cleanups))) }
func (f *fake) Log(args ...any)     { f.logs = append(f.logs, fmt.Sprint(args...)) }
func (f *fake) Error(args ...any)   { f.fail(fmt.Sprint(args...), false) }
func (f *fake) Fatal(args ...any)   { f.fail(fmt.Sprint(args...), true) }
func (f *fake) sub(name string) string {
	dir := f.dir + "/" + name
	if err := os.MkdirAll(dir, 0o777); err != nil {
		panic(err)
	}
	return dir
}

func (f *fake) Logf(format string, args ...any)   { f.Log(fmt.Sprintf(format, args...)) }
func (f *fake) Errorf(format string, args ...any) { f.fail(fmt.Sprintf(format, args...), false) }
func (f *fake) Fatalf(format string, args ...any) { f.fail(fmt.Sprintf(format, args...), true) }

func (f *fake) Helper() {
	pc, _, _, _ := runtime.Caller(1)
	f.helpers[runtime.FuncForPC(pc).Name()] = true
}

// fail keeps a message and the first function on the stack that is no helper, as
// the testing package would name it.
func (f *fake) fail(text string, fatal bool) {
	pcs := make([]uintptr, 50)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for more := true; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		if strings.Contains(frame.Function, "(*fake)") || f.helpers[frame.Function] {
			continue
		}
		if !strings.Contains(frame.Function, ".attempt.func") { // a cleanup, whose line testing finds by other means
			f.lines = append(f.lines, frame.Function)
		}
		break
	}
	if !fatal {
		f.errors = append(f.errors, text)
		return
	}
	f.fatal = text
	runtime.Goexit()
}
