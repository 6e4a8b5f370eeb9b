package amd64

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write testdata/encodings.txt anew, by GNU as")

const goldenFile = "testdata/encodings.txt"

// kase is an instruction as we and as Intel's syntax say it.
type kase struct {
	text string
	emit func(a *Asm)
}

// allCases are every instruction but the jumps to labels, with operands that
// reach every special case of the encodings.
func allCases() []kase {
	var c cases
	c.integer()
	c.vectors()
	c.masks()
	return c.list
}

type cases struct {
	list []kase
	turn int // makes operands of one instruction differ from those of the next
}

func (c *cases) add(text string, emit func(a *Asm)) {
	c.list = append(c.list, kase{text, emit})
}

func (k kase) code() []byte {
	var a Asm
	k.emit(&a)
	return a.Code
}

// golden is the encodings of an instruction: that of GNU as, and where ours is
// another one, ours, which objdump reads as the same instruction.
type golden struct{ theirs, ours string }

func readGolden(t *testing.T) map[string]golden {
	t.Helper()
	data, err := os.ReadFile(goldenFile)
	require.NoError(t, err)
	out := map[string]golden{}
	for sc := bufio.NewScanner(bytes.NewReader(data)); sc.Scan(); {
		f := strings.Split(sc.Text(), "\t")
		require.Contains(t, []int{2, 3}, len(f), sc.Text())
		g := golden{theirs: f[1], ours: f[1]}
		if len(f) == 3 {
			g.ours = f[2]
		}
		out[f[0]] = g
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
		g, ok := want[k.text]
		require.True(t, ok, "%s is not in the golden file; run with -update", k.text)
		require.Equal(t, g.ours, hex.EncodeToString(k.code()), k.text)
	}
	require.Equal(t, len(want), len(seen), "the golden file has other instructions")
}

// TestGoldenAgainstBinutils assembles every instruction by GNU as. Where it takes
// other bytes than we do, objdump must read both as the same instruction, or as one
// with the sources of a commutative operation exchanged, which saves us a byte.
func TestGoldenAgainstBinutils(t *testing.T) {
	needBinutils(t)
	list := allCases()
	lines := make([]string, len(list))
	for i, k := range list {
		lines[i] = k.text
	}
	theirs := assemble(t, lines)
	var other []int
	var codes [][]byte
	for i, k := range list {
		if ours := k.code(); !bytes.Equal(ours, theirs[i]) {
			other = append(other, i)
			codes = append(codes, ours, theirs[i])
		}
	}
	read := disassemble(t, codes)
	for j, i := range other {
		ours, as := codes[2*j], codes[2*j+1]
		if read[2*j] != read[2*j+1] && read[2*j] != exchanged(read[2*j+1]) {
			t.Errorf("%s: %x is %s; as says %x, %s", lines[i], ours, read[2*j], as, read[2*j+1])
		}
		if len(ours) > len(as) {
			t.Errorf("%s: %x, as has a shorter one: %x", lines[i], ours, as)
		}
	}
	if t.Failed() {
		return
	}
	t.Logf("%d instructions, %d of them with other bytes and the same meaning", len(list), len(other))
	text := goldenText(list, theirs)
	if *update {
		require.NoError(t, os.WriteFile(goldenFile, text, 0o644))
		return
	}
	have, err := os.ReadFile(goldenFile)
	require.NoError(t, err)
	require.True(t, bytes.Equal(have, text), "the golden file is old; run with -update")
}

// commutative are the operations whose two sources mean the same in both orders.
var commutative = regexp.MustCompile(`^(v(?:pand|por|pxor|padd[bwdq]|paddu?s[bw]|pavg[bw]|pmullw|pmulhu?w|pmuludq|` +
	`pmaddwd|psadbw|pminub|pmaxub|pminsw|pmaxsw|pcmpeq[bwd])) (\w+),(\w+),(\w+);$`)

// exchanged is the text with exchanged sources, if they may be.
func exchanged(text string) string { return commutative.ReplaceAllString(text, "$1 $2,$4,$3;") }

func goldenText(list []kase, theirs [][]byte) []byte {
	var b bytes.Buffer
	for i, k := range list {
		fmt.Fprintf(&b, "%s\t%x", k.text, theirs[i])
		if ours := k.code(); !bytes.Equal(ours, theirs[i]) {
			fmt.Fprintf(&b, "\t%x", ours)
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}
