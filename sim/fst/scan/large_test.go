package scan_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/sim/fst/scan"
)

// large writes a trace of nets of one bit that all change at every time: the most times and the
// longest chains that a block has for its size. Nothing is packed but the names.
func large(w io.Writer, blocks, perBlock, nets int) error {
	be, out := binary.BigEndian, bufio.NewWriterSize(w, 1<<20)
	put := func(kind byte, parts ...[]byte) {
		size := 8
		for _, p := range parts {
			size += len(p)
		}
		out.Write(be.AppendUint64([]byte{kind}, uint64(size)))
		for _, p := range parts {
			out.Write(p)
		}
	}

	head := make([]byte, 321)
	be.PutUint64(head[8:], uint64(blocks*perBlock-1))
	binary.LittleEndian.PutUint64(head[16:], math.Float64bits(math.E))
	put(0, head)

	// The changes are the same in all blocks, the first time of which is the block's.
	chain := append([]byte{0}, bytes.Repeat([]byte{4, 6}, perBlock/2)...)
	chain[1] = 0 // at the first time
	steps := bytes.Repeat([]byte{1}, perBlock-1)
	for i := range blocks {
		begin := uint64(i * perBlock)
		first := be.AppendUint64(nil, begin)
		first = be.AppendUint64(first, begin+uint64(perBlock)-1)
		first = be.AppendUint64(first, 0)
		for range 2 {
			first = binary.AppendUvarint(first, uint64(nets))
		}
		first = binary.AppendUvarint(first, uint64(nets))
		first = append(first, bytes.Repeat([]byte{'x'}, nets)...)
		first = append(binary.AppendUvarint(first, uint64(nets)), '4')

		// The first chain begins behind the byte of the packing.
		parts := [][]byte{first}
		places := []byte{1<<1 | 1}
		for range nets {
			parts = append(parts, chain)
		}
		for range nets - 1 {
			places = binary.AppendUvarint(places, uint64(len(chain))<<1|1)
		}
		times := binary.AppendUvarint(nil, begin)
		size := uint64(len(times) + len(steps))
		last := be.AppendUint64(nil, uint64(len(places)))
		end := be.AppendUint64(nil, size)
		end = be.AppendUint64(be.AppendUint64(end, size), uint64(perBlock))
		put(1, append(parts, places, last, times, steps, end)...)
	}

	put(3, be.AppendUint64(be.AppendUint64(nil, uint64(nets)), uint64(nets)), bytes.Repeat([]byte{1}, nets))
	names := []byte("\xfe\x00top\x00\x00")
	for i := range nets {
		names = append(append(append(names, 16, 0), "n"+strconv.Itoa(i)+"\x00"...), 1, 0)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(names)
	z.Close()
	put(4, be.AppendUint64(nil, uint64(len(names))), packed.Bytes())
	return out.Flush()
}

// TestLarge reads a trace of blocks as large as those of GTKWave's writer, with at most 200 MB from the
// system. ETCH_LARGE is its size in bytes; without it there are two blocks of a tenth.
func TestLarge(t *testing.T) {
	size, err := strconv.ParseFloat(os.Getenv("ETCH_LARGE"), 64)
	perBlock, nets, blocks := 2_000_000, 5, 2
	if err == nil {
		perBlock = 20_000_000
		blocks = max(2, int(size)/(perBlock*(nets+1)))
	} else if testing.Short() {
		perBlock = 200_000
	}

	path := filepath.Join(t.TempDir(), "large.fst")
	out, err := os.Create(path)
	require.NoError(t, err)
	require.NoError(t, large(out, blocks, perBlock, nets))
	info, err := out.Stat()
	require.NoError(t, err)
	require.NoError(t, out.Close())

	f, err := scan.Open(path)
	require.NoError(t, err)
	defer f.Close()
	require.Len(t, f.Vars, nets)
	for net := range nets {
		// All of one net, and the begin, the middle and the end of the others.
		n, last := 0, uint64(0)
		ranges := [][2]uint64{{0, 9}, {f.End / 2, f.End/2 + 9}, {f.End - 9, f.End}}
		if net == 0 {
			ranges = [][2]uint64{{0, f.End}}
		}
		for _, x := range ranges {
			require.NoError(t, f.Changes(net, x[0], x[1], func(c scan.Change) error {
				if c.Value != strconv.FormatUint(c.Time&1, 10) {
					t.Fatalf("net %d is %s at %d", net, c.Value, c.Time)
				}
				n++
				last = c.Time
				return nil
			}))
		}
		require.Equal(t, f.End, last)
		if net == 0 {
			require.Equal(t, blocks*perBlock, n)
		} else {
			require.Equal(t, 30, n)
		}
	}
	took := fromSystem()
	t.Logf("a file of %d MB: %d MB from the system", info.Size()>>20, took>>20)
	require.Less(t, took, uint64(200<<20))
}

// fromSystem is the memory that the heap has from the system, used or not, with that of earlier tests.
func fromSystem() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapSys
}
