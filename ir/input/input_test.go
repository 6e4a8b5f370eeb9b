package input_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir/input"
)

// endless gives one byte for ever, and counts what was taken.
type endless struct {
	c     byte
	taken int
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.c
	}
	e.taken += len(p)
	return len(p), nil
}

func TestReadAll(t *testing.T) {
	text := strings.Repeat("0123456789abcde\n", 20000)
	got, err := input.ReadAll(strings.NewReader(text), int64(len(text)))
	require.NoError(t, err)
	require.Equal(t, text, string(got))
	_, err = input.ReadAll(strings.NewReader(text), int64(len(text)-1))
	require.EqualError(t, err, "more than 319999 bytes")
	_, err = input.ReadAll(io.MultiReader(strings.NewReader(text), strings.NewReader("a\nb\x00")), 1<<20)
	require.EqualError(t, err, "line 20002 has a byte that is 0: this is no text")

	zero, x := &endless{}, &endless{c: 'x'}
	_, err = input.ReadAll(zero, 1<<40)
	require.EqualError(t, err, "line 1 has a byte that is 0: this is no text")
	require.Less(t, zero.taken, 1<<20)
	_, err = input.ReadAll(x, 1<<21)
	require.EqualError(t, err, "more than 2 MiB")
	require.Less(t, x.taken, 1<<22)

	wrong := errors.New("wrong")
	_, err = input.ReadAll(io.MultiReader(strings.NewReader("a"), failing{wrong}), 100)
	require.Equal(t, wrong, err)
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestReadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	require.NoError(t, os.WriteFile(path, []byte("12\n34"), 0o666))
	got, err := input.ReadFile(path, 5)
	require.NoError(t, err)
	require.Equal(t, "12\n34", string(got))
	_, err = input.ReadFile(path, 4)
	require.EqualError(t, err, path+": more than 4 bytes")
	_, err = input.ReadFile(path+"b", 4)
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = input.ReadFile(filepath.Dir(path), 4)
	require.ErrorContains(t, err, filepath.Dir(path))
}

func TestLines(t *testing.T) {
	all := func(r io.Reader) (string, error) {
		b, err := io.ReadAll(input.Lines(r, 10))
		return string(b), err
	}
	got, err := all(strings.NewReader("0123456789\n0123456789\n"))
	require.NoError(t, err)
	require.Equal(t, "0123456789\n0123456789\n", got)
	_, err = all(strings.NewReader("a\n0123456789a\n"))
	require.EqualError(t, err, "line 2 has more than 10 bytes")
	_, err = all(&endless{})
	require.EqualError(t, err, "line 1 has a byte that is 0: this is no text")
}

func TestExcerpt(t *testing.T) {
	for s, want := range map[string]string{
		"":                         `""`,
		"word":                     "word",
		"gr\u00fcn":                "gr\u00fcn",
		"a\x1b[31m":                `"a\x1b[31m"`,
		"\xff\xfe":                 `"\xff\xfe"`,
		strings.Repeat("x", 1<<20): strings.Repeat("x", 80) + "…",
		"\n":                       `"\n"`,
	} {
		require.Equal(t, want, input.Excerpt(s))
	}
}

func TestMessage(t *testing.T) {
	for s, want := range map[string]string{
		"a: b\nc: d":   "a: b\nc: d",
		"a \x1b[31m b": `a \x1b[31m b`,
		"a\xffb\u00fc": `a\xffb` + "\u00fc",
		"a\tb\r":       `a\tb\r`,
	} {
		require.Equal(t, want, input.Message(s))
	}
	long := input.Message("name " + strings.Repeat("x", 50<<20) + " where ',' is wanted")
	require.Less(t, len(long), 2100)
	require.True(t, strings.HasPrefix(long, "name xxx") && strings.HasSuffix(long, "xxx where ',' is wanted"), long)
}

// A name that is a part of a known one is near, however long the rest is.
func TestUnlike(t *testing.T) {
	for _, c := range []struct {
		name, known string
		want        int
	}{
		{"data", "data", 0},
		{"dato", "data", 1},
		{"data", "bytes_data", 1},
		{"dat", "push_data", 1},
		{"rea", "out.ready[3]", 1},
		{"count", "counter", 1},
		{"a", "x_abc", 4}, // too short to be a hint: farther than most
		{"data", "bytes_valid", 4},
	} {
		require.Equal(t, c.want, min(4, input.Unlike(c.name, c.known, 3)), "%s, %s", c.name, c.known)
	}
}

// TestNearest: the nearest first, equally near ones in their order, none beyond the limit.
func TestNearest(t *testing.T) {
	far := func(x int) int { return x % 10 }
	require.Equal(t, []int{30, 11, 21, 2, 12}, input.Nearest([]int{2, 11, 30, 4, 21, 12}, 2, far))
	require.Empty(t, input.Nearest([]int{3}, 2, far))
}

// TestClosest: only the least unlike names, whatever their case.
func TestClosest(t *testing.T) {
	known := []string{"", "Sqrt", "sort", "fma", "square"}
	require.Equal(t, []string{"Sqrt"}, input.Closest("sqrt", known, 2))
	require.Equal(t, []string{"Sqrt", "sort"}, input.Closest("srt", known, 2))
	require.Empty(t, input.Closest("divide", known, 2))
}
