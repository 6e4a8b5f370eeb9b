package suite

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	var w strings.Builder
	o, err := parse(nil, &w)
	require.NoError(t, err)
	assert.Equal(t, Options{Install: true}, o)

	o, err = parse([]string{"-short", "-v", "-install=false", "-require", "yosys, iverilog"}, &w)
	require.NoError(t, err)
	assert.Equal(t, Options{Short: true, Verbose: true, Require: []string{"iverilog", "vvp", "yosys"}}, o)
	assert.Empty(t, w.String())
}

// A short run with required tools insists on what it installs: those and what they need.
func TestStrictOptions(t *testing.T) {
	for args, want := range map[string]string{
		"":                                   "",
		"-short":                             "",
		"-require yosys":                     "1",
		"-short -require verilator,iverilog": "iverilog,vvp,verilator",
	} {
		o, err := parse(strings.Fields(args), io.Discard)
		require.NoError(t, err)
		got := strings.Split(o.strict(), ",")
		for _, name := range strings.Split(want, ",") {
			assert.Contains(t, got, name, args)
		}
		assert.NotContains(t, got, "firtool", args)
		if o.Short {
			assert.NotContains(t, got, "1", args)
		}
	}
}

func TestUsageErrors(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
		code int
	}{
		{[]string{"-nope"}, "-nope", 2},
		{[]string{"-install=maybe"}, "maybe", 2},
		{[]string{"./ir"}, `unexpected argument "./ir"`, 2},
		{[]string{"-require", "yosys,vivado"}, `unknown tool "vivado"`, 2},
		{[]string{"-require", "yosys,"}, `unknown tool ""`, 2},
		{[]string{"-require"}, "flag needs an argument", 2},
		{[]string{"-h"}, "usage: go run ./testbench/cmd/check", 0},
	} {
		var out, errs strings.Builder
		assert.Equal(t, c.code, Main(t.Context(), c.args, &out, &errs), "%v", c.args)
		assert.Contains(t, errs.String(), c.want)
		assert.Empty(t, out.String(), "no check may run")
	}
}
