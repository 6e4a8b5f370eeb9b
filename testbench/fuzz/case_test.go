package fuzz

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/text"
)

// A seed and a size make one case, and the kinds of case occur.
func TestNewCase(t *testing.T) {
	reasons := map[string]int{}
	long := 0
	for seed := range uint64(320) {
		c := NewCase(seed, 0)
		require.NoError(t, ir.Verify(c.Design), c.Name)
		again := NewCase(seed, 0)
		require.Equal(t, text.String(c.Design), text.String(again.Design))
		require.Equal(t, c.Stim, again.Stim)
		require.Len(t, c.Stim.Steps, steps)
		reasons[portableVerilog(c)]++
		if c.Stim.Long > 0 {
			long++
		}
	}
	require.Len(t, reasons, 4, "%v", reasons)
	require.Greater(t, reasons[""], 250)
	require.Equal(t, 40, long)
	require.Less(t, NewCase(1, 4).size(), NewCase(1, 400).size())
}

func TestStimulusText(t *testing.T) {
	for seed := range uint64(40) {
		st := NewCase(seed, 0).Stim
		var b bytes.Buffer
		require.NoError(t, st.Write(&b))
		back, err := ReadStimulus(&b)
		require.NoError(t, err)
		require.Equal(t, st, back)
	}
	for text, want := range map[string]string{
		"inputs \"a\"\n0 1'h0 1'h1":  "line 2: 2 values for 1 inputs",
		"inputs a":                   "line 1: a is no quoted name",
		"run seed x":                 "line 1:",
		"inputs \"a\"\n\n2 1'h0":     "line 3:",
		"inputs \"a\"\n0 what":       "line 2:",
		"clocks \"c\" // fine\n0 8'": "line 2: 1 values for 0 inputs",
	} {
		_, err := ReadStimulus(strings.NewReader(text))
		require.ErrorContains(t, err, want, text)
	}
}

func TestSaveAndLoad(t *testing.T) {
	dir := t.TempDir()
	c := NewCase(7, 0)
	path, err := c.Save(dir, "case", "seed 7\nand more")
	require.NoError(t, err)
	back, err := Load(path)
	require.NoError(t, err)
	require.Equal(t, text.String(c.Design), text.String(back.Design))
	require.Equal(t, c.Stim, back.Stim)
	_, err = Load(dir + "/none.etch")
	require.ErrorContains(t, err, "none.etch")
	c.Stim.Steps[0].In[0] = c.Stim.Steps[0].In[0].ZExt(200)
	path, err = c.Save(dir, "wide", "")
	require.NoError(t, err)
	_, err = Load(path)
	require.ErrorContains(t, err, "has 200 bits")
}

func TestLookup(t *testing.T) {
	list, err := Lookup("native, interp,native")
	require.NoError(t, err)
	require.Len(t, list, 2)
	_, err = Lookup("interp,spice")
	require.EqualError(t, err, `there is no judge "spice"; judges are interp, native, lanes, passes, iverilog, verilator, yosys, slang, firtool, firrtl`)
	_, err = Lookup("")
	require.Error(t, err)
}

func TestComplaint(t *testing.T) {
	require.Equal(t, complaint("c12.v:3: error: bad `x1` of 12 bits"), complaint("c4.v:99: error: bad `y` of 7 bits"))
	require.NotEqual(t, complaint("c12.v:3: error: bad"), complaint("c12.v:3: error: good"))
	require.False(t, Verdict{Kind: Refused, Text: "a"}.same(Verdict{Kind: Refused, Text: "b"}))
	require.True(t, Verdict{Kind: Differs, Text: "a"}.same(Verdict{Kind: Differs, Text: "b"}))
	require.False(t, Verdict{Kind: Differs, Stage: "fold"}.same(Verdict{Kind: Differs}))
}
