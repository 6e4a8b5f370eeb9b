package scan

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// endless is a dump of any length without a file: each time is a row of the same number of bytes, with
// a clock and values of nets of so many bits, most of which change.
type endless struct {
	head        string
	rows        int64
	nets, width int
	row         int64 // bytes
}

// newEndless is a dump of about so many bytes.
func newEndless(size int64, nets, width int) *endless {
	var b strings.Builder
	b.WriteString("$timescale 1ns $end $scope module top $end\n$var wire 1 c clk $end\n")
	for i := range nets {
		fmt.Fprintf(&b, "$var wire %d n%d n%d $end\n", width, i, i)
	}
	b.WriteString("$upscope $end $enddefinitions $end\n")
	e := &endless{head: b.String(), nets: nets, width: width}
	e.row = int64(len(e.text(0)))
	e.rows = size / e.row
	return e
}

// value is that of a net at a time.
func (e *endless) value(net int, time int64) string {
	x := (uint64(time/(1+int64(net)%7)) + uint64(net)) * 0x9e3779b97f4a7c15
	return strings.Repeat(fmt.Sprintf("%064b", x), e.width/64+1)[:e.width]
}

// text is the row of a time.
func (e *endless) text(time int64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#%015d\n%dc\n", time, time&1)
	for i := range e.nets {
		fmt.Fprintf(&b, "b%s n%d\n", e.value(i, time), i)
	}
	return b.String()
}

func (e *endless) size() int64 { return int64(len(e.head)) + e.rows*e.row }

// ReadAt makes the rows anew.
func (e *endless) ReadAt(p []byte, at int64) (n int, err error) {
	for n < len(p) && at+int64(n) < e.size() {
		from := at + int64(n)
		if from < int64(len(e.head)) {
			n += copy(p[n:], e.head[from:])
			continue
		}
		from -= int64(len(e.head))
		n += copy(p[n:], e.text(from / e.row)[from%e.row:])
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// TestLarge reads dumps of nets that are few, many and wide, from the front to the end and then at random
// times, with at most 200 MB from the system. ETCH_LARGE is the size of one in bytes.
func TestLarge(t *testing.T) {
	size := int64(16 << 20)
	if x, err := strconv.ParseFloat(os.Getenv("ETCH_LARGE"), 64); err == nil {
		size = int64(x)
	} else if testing.Short() {
		size = 4 << 20
	}
	for _, shape := range [][2]int{{1, 8}, {20, 64}, {2000, 8}, {300, 1000}} {
		e := newEndless(size, shape[0], shape[1])
		f, err := NewFile("large.vcd", e, e.size())
		require.NoError(t, err)
		require.EqualValues(t, e.rows-1, f.End)

		// The whole once, which leaves marks; then a few short ranges.
		n := int64(0)
		require.NoError(t, f.Changes([]int{0}, 0, f.End, func(_ int, time uint64, value string) error {
			if value != strconv.FormatUint(time&1, 10) {
				t.Fatalf("the clock is %s at %d", value, time)
			}
			n++
			return nil
		}))
		require.Equal(t, e.rows, n)
		for _, at := range []uint64{f.End, f.End / 2, f.End / 3, 0} {
			require.NoError(t, f.Changes([]int{1}, at, at, func(_ int, time uint64, value string) error {
				require.Equal(t, e.value(0, int64(time)), value)
				return nil
			}))
		}

		took := fromSystem()
		t.Logf("%d nets of %d bits, %d MB: %d MB from the system", shape[0], shape[1], e.size()>>20, took>>20)
		require.Less(t, took, uint64(200<<20))
	}
}

// fromSystem is the memory that the heap has from the system, used or not, with that of earlier tests.
func fromSystem() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapSys
}
