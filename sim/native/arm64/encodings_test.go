package arm64

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write testdata/encodings.txt anew, by GNU as")

const goldenFile = "testdata/encodings.txt"

// kase is an instruction as we and as GNU as say it.
type kase struct {
	text string
	emit func(a *Asm)
}

func (k kase) code() []byte {
	var a Asm
	k.emit(&a)
	return a.Bytes()
}

type cases struct {
	list []kase
	turn int // makes operands of one instruction differ from those of the next
}

func (c *cases) add(emit func(a *Asm), format string, args ...any) {
	c.list = append(c.list, kase{fmt.Sprintf(format, args...), emit})
}

func readGolden(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile(goldenFile)
	require.NoError(t, err)
	out := map[string]string{}
	for sc := bufio.NewScanner(bytes.NewReader(data)); sc.Scan(); {
		text, code, ok := strings.Cut(sc.Text(), "\t")
		require.True(t, ok, sc.Text())
		out[text] = code
	}
	return out
}

// TestEncodings needs no tools: what as says is in the golden file.
func TestEncodings(t *testing.T) {
	if *update {
		t.Skip("the golden file is being written")
	}
	want := readGolden(t)
	seen := map[string]bool{}
	for _, k := range allCases() {
		require.False(t, seen[k.text], "%s is there twice", k.text)
		seen[k.text] = true
		code, ok := want[k.text]
		require.True(t, ok, "%s is not in the golden file; run with -update", k.text)
		require.Equal(t, code, hex.EncodeToString(k.code()), k.text)
	}
	require.Equal(t, len(want), len(seen), "the golden file has other instructions")
}

// TestGoldenAgainstBinutils assembles every instruction by GNU as: every bit of
// ours has to be the same.
func TestGoldenAgainstBinutils(t *testing.T) {
	list := allCases()
	lines := make([]string, len(list))
	for i, k := range list {
		lines[i] = k.text
	}
	theirs := assemble(t, lines)
	var golden bytes.Buffer
	for i, k := range list {
		if ours := k.code(); !bytes.Equal(ours, theirs[i]) {
			t.Errorf("%s: %x; as says %x", k.text, ours, theirs[i])
		}
		fmt.Fprintf(&golden, "%s\t%x\n", k.text, theirs[i])
	}
	if t.Failed() {
		return
	}
	t.Logf("%d instructions", len(list))
	if *update {
		require.NoError(t, os.WriteFile(goldenFile, golden.Bytes(), 0o644))
		return
	}
	have, err := os.ReadFile(goldenFile)
	require.NoError(t, err)
	require.True(t, bytes.Equal(have, golden.Bytes()), "the golden file is old; run with -update")
}
