package tools

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTableIsTotal(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range table {
		t.Run(s.name, func(t *testing.T) {
			assert.False(t, seen[s.name], "listed twice")
			seen[s.name] = true
			assert.NotEmpty(t, s.programs)
			assert.True(t, s.debian != "" || s.cached != nil, "no recipe")
			for _, n := range s.needs {
				_, err := lookup(n)
				assert.NoError(t, err)
			}
			if s.pattern != "" {
				re, err := regexp.Compile(s.pattern)
				require.NoError(t, err)
				assert.Equal(t, 1, re.NumSubexp())
			}
			if s.cached != nil {
				assert.Contains(t, s.cached.programs, s.name)
				checkArtifact(t, s.cached)
			}
		})
	}
	assert.Equal(t, len(table), len(Names()))
}

func checkArtifact(t *testing.T, a *artifact) {
	assert.Regexp(t, `^[0-9a-f]{64}$`, a.sha256)
	assert.Regexp(t, `^\w+/\w+$`, a.platform)
	assert.True(t, a.prefix == "" || strings.HasSuffix(a.prefix, "/"))
	assert.True(t, strings.HasSuffix(a.name, "-"+a.version))
	if a.maven != "" {
		assert.Empty(t, a.wheel)
		assert.Contains(t, a.maven, ":"+a.version+":")
	} else {
		assert.True(t, strings.HasSuffix(a.wheel, "=="+a.version))
		assert.NotEmpty(t, a.pyTag)
	}
	for _, p := range a.parts {
		assert.Regexp(t, `^[0-9a-f]{64}$`, p.sha256)
		assert.Regexp(t, `^[\w-]+==[\w.]+$`, p.wheel)
		assert.NotEmpty(t, p.members)
	}
	for tool, file := range a.programs {
		_, err := lookup(tool)
		assert.NoError(t, err)
		assert.True(t, wanted(file, a.members) || a.scripts[file] != "", "%s is neither unpacked nor written", file)
	}
}

func TestWithNeeds(t *testing.T) {
	got, err := WithNeeds("yosys", "verilator", "yosys")
	require.NoError(t, err)
	assert.Equal(t, []string{"verilator", "yosys", "g++", "make"}, got)
	got, err = WithNeeds()
	require.NoError(t, err)
	assert.Empty(t, got)
	_, err = WithNeeds("iverilog", "vivado")
	assert.ErrorIs(t, err, ErrUnknown)
	assert.ErrorContains(t, err, `"vivado"`)
	assert.ErrorContains(t, err, "yosys")
}

func TestWanted(t *testing.T) {
	assert.NotContains(t, Wanted(), "clang++")
	assert.NotContains(t, Wanted(), "nextpnr-ecp5") // a measurement's, not a test's
	assert.Contains(t, Wanted(), "verilator")
}
