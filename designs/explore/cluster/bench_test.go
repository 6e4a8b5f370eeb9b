package cluster

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// resident is this process's memory in MB, 0 where the system does not say.
func resident() float64 {
	text, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(text)) {
		var kb float64
		if _, err := fmt.Sscanf(line, "VmRSS: %f kB", &kb); err == nil {
			return kb / 1024
		}
	}
	return 0
}

// BenchmarkJob is the cost of a job that measures nothing, with server, asker and one
// worker in this process: locally, and through the server with several jobs at a time.
//
//	go test -run '^$' -bench Job -benchtime 1x .
func BenchmarkJob(b *testing.B) {
	const jobs = 2000
	run := func(b *testing.B, through string, slots int) {
		for b.Loop() {
			p := plan(b, jobs, one)
			p.Workers = slots
			began := time.Now()
			if through == "" {
				_, err := asked(b.TempDir(), p)
				require.NoError(b, err)
			} else {
				_, err := pooled(b, through, b.TempDir(), p, io.Discard)
				require.NoError(b, err)
			}
			b.ReportMetric(float64(time.Since(began).Microseconds())/jobs, "µs/job")
			b.ReportMetric(resident(), "MB")
		}
	}
	b.Run("local", func(b *testing.B) { run(b, "", 1) })
	for _, slots := range []int{1, 4, 16} {
		b.Run(fmt.Sprintf("server/slots=%d", slots), func(b *testing.B) {
			address := serving(b, Server{}, io.Discard)
			working(b, Worker{Dial: Dial{URL: address}, Build: "b", Jobs: slots, Remake: remade(plan(b, jobs, one))}, io.Discard)
			run(b, address, slots)
		})
	}
}
