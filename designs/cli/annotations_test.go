package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// wired is a circuit whose output is 0 until annotations wire it to the input.
const wired = `circuit Wired :
  module Wired :
    input clock : Clock
    input a : UInt<8>
    output o : UInt<8>
    wire up : UInt<8>
    up <= a
    wire w : UInt<8>
    w <= UInt<8>(0)
    o <= w
`

// The annotations of name.anno.json beside name.fir are the circuit's: it is another
// one without them. Wrong ones name their file and line.
func TestAnnotationsBeside(t *testing.T) {
	dir := t.TempDir()
	fir, annos := filepath.Join(dir, "Wired.fir"), filepath.Join(dir, "Wired.anno.json")
	require.NoError(t, os.WriteFile(fir, []byte(wired), 0o666))
	run := func() (int, string, string) {
		return callSim(t, "sim", fir, "-set", "a=7", "-cycles", "1", "-print", "o")
	}

	code, out, errs := run()
	require.Equal(t, 0, code, errs)
	require.Contains(t, out, "o = 0\n")
	require.NoError(t, os.WriteFile(annos, []byte(`[
  {"class":"firrtl.passes.wiring.SourceAnnotation","target":"Wired.Wired.up","pin":"x"},
  {"class":"firrtl.passes.wiring.SinkAnnotation","target":"Wired.Wired.w","pin":"x"}
]`), 0o666))
	code, out, errs = run()
	require.Equal(t, 0, code, errs)
	require.Contains(t, out, "o = 7\n")

	for text, want := range map[string]string{
		"[\n{\"class\":\"a.B\"}]": annos + ":2: annotation a.B: etch does not know whether it changes the circuit",
		"[\n{]":                   annos + ":2: annotations: ",
	} {
		require.NoError(t, os.WriteFile(annos, []byte(text), 0o666))
		code, _, errs = run()
		require.Equal(t, 1, code)
		require.Contains(t, errs, want)
	}

	// What cannot be read is no file that is missing.
	require.NoError(t, os.Remove(annos))
	require.NoError(t, os.Mkdir(annos, 0o777))
	code, _, errs = run()
	require.Equal(t, 1, code)
	require.Contains(t, errs, annos)
}
