package exec_test

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"etch/sim/native/exec"

	"github.com/stretchr/testify/require"
)

// mapping is a line of /proc/self/maps.
type mapping struct {
	from, to uintptr
	perms    string
	file     bool
}

func maps(t *testing.T) []mapping {
	t.Helper()
	text, err := os.ReadFile("/proc/self/maps")
	require.NoError(t, err)
	var out []mapping
	for line := range strings.Lines(string(text)) {
		var m mapping
		f := strings.Fields(line)
		_, err := fmt.Sscanf(f[0], "%x-%x", &m.from, &m.to)
		require.NoError(t, err, line)
		m.perms, m.file = f[1], len(f) > 5
		out = append(out, m)
	}
	return out
}

// permsAt is the permissions at an address, "" if nothing is there.
func permsAt(t *testing.T, at uintptr) string {
	for _, m := range maps(t) {
		if m.from <= at && at < m.to {
			return m.perms
		}
	}
	return ""
}

// executable is the bytes of executable memory that no file backs: Go has none.
func executable(t *testing.T) (n uintptr) {
	for _, m := range maps(t) {
		if !m.file && strings.Contains(m.perms, "x") {
			n += m.to - m.from
		}
	}
	return n
}

func TestNeverWritableAndExecutable(t *testing.T) {
	need(t)
	m, err := exec.New(3 * os.Getpagesize())
	require.NoError(t, err)
	at := m.Addr()
	for _, off := range []uintptr{0, uintptr(2 * os.Getpagesize())} {
		require.Equal(t, "rw-p", permsAt(t, at+off))
		require.NoError(t, m.Seal())
		require.Equal(t, "r-xp", permsAt(t, at+off))
		require.NoError(t, m.Unseal())
	}
	require.Equal(t, "rw-p", permsAt(t, at))
	require.NoError(t, m.Seal())
	before := executable(t)
	require.NoError(t, m.Close())
	require.Equal(t, before-uintptr(3*os.Getpagesize()), executable(t), "the pages are gone")
}

// TestNoLeak closes 10,000 and counts bytes, since the kernel joins neighbours.
func TestNoLeak(t *testing.T) {
	need(t)
	before, lines := executable(t), len(maps(t))
	for range 10000 {
		m, err := exec.New(5000)
		require.NoError(t, err)
		m.Bytes()[4999] = 1
		require.NoError(t, m.Seal())
		require.NoError(t, m.Close())
	}
	require.Equal(t, before, executable(t))
	require.InDelta(t, lines, len(maps(t)), 50, "Go itself maps a little")
}

// TestForgotten: what is not closed is freed when the collector finds it.
func TestForgotten(t *testing.T) {
	need(t)
	before := executable(t)
	func() {
		for range 100 {
			m, err := exec.New(1)
			require.NoError(t, err)
			require.NoError(t, m.Seal())
		}
	}()
	require.Equal(t, before+uintptr(100*os.Getpagesize()), executable(t))
	require.Eventually(t, func() bool {
		runtime.GC()
		return executable(t) == before
	}, 10*time.Second, 10*time.Millisecond)
}
