package scan

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// dumpOf is a dump of random changes of nets of several forms, of so many times.
func dumpOf(r *rand.Rand, times int) string {
	var b strings.Builder
	b.WriteString("$timescale 1ps $end $scope module top $end\n")
	for i := range 6 {
		fmt.Fprintf(&b, "$var wire %d %c n%d $end\n", 1+3*i, 'a'+i, i)
	}
	b.WriteString("$var real 64 r r $end $var string 0 s s $end $upscope $end $enddefinitions $end\n#3\n")
	now := 3
	for range times {
		for range r.IntN(4) {
			switch i := r.IntN(8); i {
			case 0:
				fmt.Fprintf(&b, "%c%c\n", "01xz"[r.IntN(4)], 'a')
			case 6:
				fmt.Fprintf(&b, "r%d.5 r\n", r.IntN(100))
			case 7:
				fmt.Fprintf(&b, "st%d s\n", r.IntN(10))
			default:
				fmt.Fprintf(&b, "b%b %c\n", r.IntN(1<<(1+3*i)), 'a'+i)
			}
		}
		now += 1 + r.IntN(5)
		fmt.Fprintf(&b, "#%d\n", now)
	}
	return b.String()
}

// TestFile asks for ranges in any order, which must be as the stream from the front has them, also
// where marks are so near and so many that they are thinned out.
func TestFile(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := dumpOf(r, 5000)
	f, err := NewFile("a.vcd", strings.NewReader(text), int64(len(text)))
	require.NoError(t, err)
	f.every = 100

	type change struct {
		net   int
		time  uint64
		value string
	}
	whole, err := New("a.vcd", strings.NewReader(text))
	require.NoError(t, err)
	var all []change
	for {
		c, err := whole.Next()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		all = append(all, change{c.Net, c.Time, string(c.Value)})
	}
	require.Equal(t, all[0].time, f.Begin)
	require.Equal(t, whole.Time(), f.End)

	for range 300 {
		nets := r.Perm(8)[:1+r.IntN(4)]
		from := r.Uint64N(f.End + 2)
		to := from + r.Uint64N(60)
		state := map[int]string{}
		var want, got []change
		for _, c := range all {
			if c.time <= from {
				state[c.net] = c.value
			}
		}
		for _, n := range nets {
			if v, ok := state[n]; ok {
				want = append(want, change{n, from, v})
			}
		}
		for _, c := range all {
			for _, n := range nets {
				if n == c.net && c.time > from && c.time <= to {
					want = append(want, c)
				}
			}
		}
		require.NoError(t, f.Changes(nets, from, to, func(net int, time uint64, value string) error {
			got = append(got, change{net, time, value})
			return nil
		}))
		require.Equal(t, want, got, "%v from %d to %d", nets, from, to)
	}
	require.Greater(t, len(f.marks), 100)
}

// TestFileCut reads a dump without its end: each cut is an error of a line, or a shorter run.
func TestFileCut(t *testing.T) {
	text := dumpOf(rand.New(rand.NewPCG(3, 4)), 30)
	for n := range text {
		f, err := NewFile("a.vcd", strings.NewReader(text[:n]), int64(n))
		if err == nil {
			err = f.Changes([]int{0, 1}, 0, f.End, func(int, uint64, string) error { return nil })
		}
		if err != nil {
			require.Regexp(t, `^a\.vcd:\d+: `, err.Error())
		}
	}
	_, err := NewFile("a.vcd", bytes.NewReader(nil), 0)
	require.ErrorContains(t, err, "a.vcd:1: the file ends before $enddefinitions")
}

// TestFileEnd finds the last time among texts that look like one.
func TestFileEnd(t *testing.T) {
	head := "$timescale 1ps $end $var wire 1 a a $end $enddefinitions $end\n#3\n$dumpvars\n0a\n$end\n#7\n1a\n"
	for tail, want := range map[string]uint64{
		"":                                        7,
		"#9\n":                                    9,
		"#9\n$comment\n#50\n$end\n":               9,
		"$comment\n#50\n$end\n#9\n":               9,
		"#9\n$comment\n#later\n$end\n":            9,
		"#9\n$comment #1 $end\n0a\n":              9,
		"#9\n$dumpoff\nxa\n$end\n":                9,
		"#8\n0a\n#9 1a\n":                         9,
		"#9\n$comment\n#50\n$end\n0a\n#10\n1a\n":  10,
		"#9\n$comment\n#50 $dumpoff\n#60\n$end\n": 9,
	} {
		text := head + tail
		f, err := NewFile("a.vcd", strings.NewReader(text), int64(len(text)))
		require.NoError(t, err, "%q", tail)
		require.EqualValues(t, 3, f.Begin)
		require.Equal(t, want, f.End, "%q", tail)
	}

	// A comment that begins before the part of the file that is looked at.
	text := head + "$comment\n" + strings.Repeat("#50 and more\n", tail/8) + "#60\n$end\n"
	f, err := NewFile("a.vcd", strings.NewReader(text), int64(len(text)))
	require.NoError(t, err)
	require.EqualValues(t, 7, f.End)
}
