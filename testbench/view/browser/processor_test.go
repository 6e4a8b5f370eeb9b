package browser

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// tick is the unit of times in /proc on Linux.
const tick = 10 * time.Millisecond

// browserTime is the processor time that the browser, which is all processes below this one, has taken
// so far. Other programs on the machine do not change it as they change elapsed time.
func browserTime(t testing.TB) time.Duration {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	require.NoError(t, err)
	parents, times := map[int]int{}, map[int]time.Duration{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		// The name, in brackets, may have spaces; behind it are the state, the parent and, as fields
		// 12 and 13 of those, user and system time.
		fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
		number := func(k int) int { n, _ := strconv.Atoi(string(fields[k])); return n }
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		parents[pid], times[pid] = number(1), time.Duration(number(11)+number(12))*tick
	}
	var sum time.Duration
	for pid, spent := range times {
		for at := parents[pid]; at > 1; at = parents[at] {
			if at == os.Getpid() {
				sum += spent
				break
			}
		}
	}
	return sum
}
