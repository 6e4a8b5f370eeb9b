package amd64

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"etch/testbench/tools"

	"github.com/stretchr/testify/require"
)

// needBinutils skips the test if GNU as or objdump is missing; the golden file
// still stands in for them in TestEncodings.
func needBinutils(t *testing.T) {
	t.Helper()
	for _, name := range []string{"as", "objdump"} {
		if _, err := exec.LookPath(name); err != nil {
			if tools.Strict(name) {
				t.Fatalf("%s is missing (ETCH_STRICT)", name)
			}
			t.Skipf("%s is missing", name)
		}
	}
}

// gas assembles the source and returns the file.
func gas(t *testing.T, source string) string {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "x.s"), filepath.Join(dir, "x.o")
	require.NoError(t, os.WriteFile(in, []byte(source), 0o644))
	msg, err := exec.Command("as", "--64", "-o", out, in).CombinedOutput()
	if err != nil {
		t.Fatalf("as: %v\n%s", err, firstLines(explain(string(msg), source), 30))
	}
	return out
}

// explain puts the source line behind each message of as.
func explain(msg, source string) string {
	lines := strings.Split(source, "\n")
	return regexp.MustCompile(`(?m)^.*:(\d+): (.*)$`).ReplaceAllStringFunc(msg, func(m string) string {
		var n int
		at := regexp.MustCompile(`:(\d+): `).FindStringSubmatch(m)
		fmt.Sscan(at[1], &n)
		return m + "   <- " + lines[n-1]
	})
}

func firstLines(s string, n int) string {
	l := strings.SplitN(s, "\n", n+1)
	return strings.Join(l[:min(n, len(l))], "\n")
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

// assemble gives the bytes of each instruction, one a line in Intel's syntax.
func assemble(t *testing.T, lines []string) [][]byte {
	t.Helper()
	var src strings.Builder
	src.WriteString(".intel_syntax noprefix\n")
	for _, l := range lines {
		fmt.Fprintf(&src, "1: %s; 2: .pushsection .lens; .byte 2b-1b; .popsection\n", l)
	}
	obj := gas(t, src.String())
	text, lens := section(t, obj, ".text"), section(t, obj, ".lens")
	require.Len(t, lens, len(lines))
	out := make([][]byte, len(lines))
	for i, n := range lens {
		out[i], text = text[:n], text[n:]
	}
	return out
}

// disassemble gives the text of each piece of code, of one instruction each.
func disassemble(t *testing.T, code [][]byte) []string {
	t.Helper()
	if len(code) == 0 {
		return nil
	}
	var src strings.Builder
	for i, c := range code {
		fmt.Fprintf(&src, "f%d: .byte ", i)
		for j, b := range c {
			if j > 0 {
				src.WriteByte(',')
			}
			fmt.Fprintf(&src, "%d", b)
		}
		src.WriteByte('\n')
	}
	msg, err := exec.Command("objdump", "-d", "-w", "-Mintel", "--no-show-raw-insn", gas(t, src.String())).CombinedOutput()
	require.NoError(t, err, string(msg))
	out := make([]string, len(code))
	at := -1
	for line := range bytes.Lines(msg) {
		s := strings.TrimSpace(string(line))
		if strings.HasSuffix(s, ">:") {
			at++
		} else if _, insn, ok := strings.Cut(s, ":\t"); ok && at >= 0 {
			out[at] += strings.Join(strings.Fields(insn), " ") + ";"
		}
	}
	return out
}
