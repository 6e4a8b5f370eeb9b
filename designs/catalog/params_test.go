package catalog

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/cli"
)

// params visits every parameter of every design.
func params(t *testing.T, f func(t *testing.T, d cli.Design, p cli.Param)) {
	for _, d := range Designs() {
		for _, p := range d.Params {
			t.Run(d.Name+"/"+p.Name, func(t *testing.T) { f(t, d, p) })
		}
	}
}

// Every parameter says what it is, and a number or a word of a few what it may be.
func TestParametersAreDescribed(t *testing.T) {
	params(t, func(t *testing.T, d cli.Design, p cli.Param) {
		require.NotEmpty(t, p.Doc)
		if p.Type != "bool" && p.Type != "[]uint32" {
			require.True(t, p.Range != "" || p.Values != nil || p.Form != "", "what may it be?")
		}

		// In words for people: no type of Go.
		require.NotEmpty(t, p.Allowed())
		require.NotRegexp(t, `\[\]|^[a-z]+\.[A-Z]|^(string|u?int|float)[0-9]*$`, p.Allowed())
	})
}

// Values that are not allowed are refused with the parameter, the value and what is
// allowed, before anything is built.
func TestParametersAreChecked(t *testing.T) {
	params(t, func(t *testing.T, d cli.Design, p cli.Param) {
		for _, bad := range outside(t, p) {
			_, err := d.Build(cli.Values{p.Name: bad})
			require.ErrorContains(t, err, "parameter "+p.Name)
			require.ErrorContains(t, err, bad)
			require.ErrorContains(t, err, "want "+p.Allowed())
			require.ErrorContains(t, err, p.Doc)
			var usage *cli.UsageError
			require.ErrorAs(t, err, &usage)
		}
	})
}

// outside is a value below, between and above the ranges of a parameter, and a word
// that is not among its values.
func outside(t *testing.T, p cli.Param) (bad []string) {
	if p.Values != nil {
		return []string{p.Values[len(p.Values)-1] + "x"}
	}
	if p.Range == "" {
		return nil
	}
	text, power := strings.CutSuffix(p.Range, ", a power of two")
	for _, part := range strings.Split(text, "|") {
		lo, hi, isRange := strings.Cut(part, "..")
		if !isRange {
			hi = lo
		}
		bad = append(bad, beside(t, p, lo, -1), beside(t, p, hi, +1))
		if power {
			bad = append(bad, beside(t, p, lo, +1))
		}
	}
	return bad
}

// beside is the next value, an integer or a half more, in some direction.
func beside(t *testing.T, p cli.Param, limit string, by float64) string {
	if e, ok := strings.CutPrefix(limit, "2^"); ok {
		n, err := strconv.Atoi(e)
		require.NoError(t, err)
		limit = fmt.Sprint(1 << n)
	}
	x, err := strconv.ParseFloat(limit, 64)
	require.NoError(t, err)
	if p.Type == "float64" {
		by /= 2
	}
	return strconv.FormatFloat(x+by, 'f', -1, 64)
}
