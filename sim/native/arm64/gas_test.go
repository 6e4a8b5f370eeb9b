package arm64

import (
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"etch/testbench/tools"

	"github.com/stretchr/testify/require"
)

// assemble gives the bytes of each line, of one or more instructions. It skips the
// test if GNU as for AArch64 is missing; the golden file still stands in for it in
// TestEncodings.
func assemble(t *testing.T, lines []string) [][]byte {
	t.Helper()
	as := tools.Need(t, "aarch64-linux-gnu-as")[0]
	var src strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&src, "1: %s; 2: .pushsection .lens; .byte 2b-1b; .popsection\n", l)
	}
	dir := t.TempDir()
	in, out := filepath.Join(dir, "x.s"), filepath.Join(dir, "x.o")
	require.NoError(t, os.WriteFile(in, []byte(src.String()), 0o644))
	msg, err := as.Command(t.Context(), "-o", out, in).CombinedOutput()
	require.NoError(t, err, "%s", msg)
	text, lens := section(t, out, ".text"), section(t, out, ".lens")
	require.Len(t, lens, len(lines))
	codes := make([][]byte, len(lines))
	for i, n := range lens {
		codes[i], text = text[:n], text[n:]
	}
	return codes
}

// section reads a section of an object file.
func section(t *testing.T, file, name string) []byte {
	t.Helper()
	f, err := elf.Open(file)
	require.NoError(t, err)
	defer f.Close()
	b, err := f.Section(name).Data()
	require.NoError(t, err)
	return b
}
