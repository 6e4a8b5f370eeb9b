package prose

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEmpty(t *testing.T) {
	for _, c := range []struct {
		declaration string
		empty       bool
	}{
		// The words of the name, the receiver, the parameters and the results.
		{"// zeroOf is a zero.\nfunc zeroOf() int { return 0 }", true},
		{"// ActorSizes are the sizes of the actor.\nfunc (c Config) ActorSizes() []int { return nil }", true},
		{"// CellPort is a port of a cell.\ntype CellPort struct{}", true},
		{"// Time writes a time.\nfunc (e *encoder) Time(t uint64) {}", true},
		{"// Validate checks the configuration.\nfunc (c DDPGConfig) Validate() error { return nil }", true},
		{"// Validate checks the configuration.\nfunc (x other) Validate() error { return nil }", true}, // canned
		{"// Build describes the body.\n//\n// A bit takes four quarters.\nfunc (m M) Build() {}", true},
		{"// GetBits returns the value of a signal.\nfunc (s *Sim) GetBits(sig Signal) bits.Value { panic(0) }", true},
		{"// Functions are all functions.\nvar Functions []Function", true},
		{"const (\n\t// Limit is the limit.\n\tLimit = 1\n)", true},
		{"type Mark struct {\n\t// Cycle is the mark's cycle.\n\tCycle int\n}", true},

		// A word of its own: a unit, an order, an error, a range.
		{"// Done returns the first error.\nfunc (e *encoder) Done() error { return nil }", false},
		{"// spillBytes is the size of that room.\nfunc (k *Packs) spillBytes() int32 { return 0 }", false},
		{"// String lists degree, segments and sizes.\nfunc (t *Table) String() string { return \"\" }", false},
		{"// Node drops the inversion, which is bit 0.\nfunc (l Lit) Node() int32 { return 0 }", false},
		{"// ReadFile is [ReadAll] of a file. Errors name the file.\nfunc ReadFile(file string) error { return nil }", false},
		{"// Scale is Start · 2^level.\nfunc (c Scaler) Scale(level int) float64 { return 0 }", false},
		{"// CopySign is x with the sign of y.\nfunc (x Num) CopySign(y Num) Num { return x }", false},
		{"// Word implements [State].\nfunc (s *wordState) Word(r int) uint64 { return 0 }", false},
		{"// limit is a limit\n// found by measurement.\nconst limit = 1", false},

		// No comment, a directive, and the rest of a declaration behind it.
		{"func Time() {}", false},
		{"//go:noinline\nfunc Time() {}", false},
		{"type cost struct {\n\tlines int // of lines\n}", false},
	} {
		file := filepath.Join(t.TempDir(), "x.go")
		require.NoError(t, os.WriteFile(file, []byte("package x\n\n"+c.declaration+"\n"), 0o666))
		got, err := File(file)
		require.NoError(t, err)
		require.Equal(t, c.empty, len(got.Empty) > 0, c.declaration)
	}

	// The place is in the message.
	file := filepath.Join(t.TempDir(), "x.go")
	require.NoError(t, os.WriteFile(file, []byte("package x\n\n// T is a T.\ntype T int\n"), 0o666))
	got, err := File(file)
	require.NoError(t, err)
	require.Equal(t, []string{file + ":3: T is a T."}, got.Empty)
}
