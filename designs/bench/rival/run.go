package rival

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// Result holds the results of a run.
type Result struct {
	Cycles  uint64
	Sum     uint64  // the design's, after the last cycle
	Seconds float64 // on the processor, for the cycles alone
	Wall    float64 // the same on the clock
	Memory  uint64  // a hash of the memories of a [Core], see [HashWord]; 0 without
}

// Rate is the number of cycles per second.
func (r Result) Rate() float64 { return float64(r.Cycles) / r.Seconds }

// Run runs the model from power-up: a cycle of reset, then the given number.
func (m *Model) Run(ctx context.Context, cycles uint64) (Result, error) {
	r := Result{Cycles: cycles}
	cmd := exec.CommandContext(ctx, m.path, fmt.Sprint(cycles))

	// A child that keeps the output open must not hold up the end of ctx.
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.Output()
	if err == nil {
		// Text that the design prints comes before the line of the driver.
		lines := bytes.Split(bytes.TrimRight(out, "\n"), []byte("\n"))
		last := string(lines[len(lines)-1])
		_, err = fmt.Sscanf(last, "%x %g %g", &r.Sum, &r.Seconds, &r.Wall)
		if err == nil && len(strings.Fields(last)) > 3 {
			_, err = fmt.Sscanf(last, "%x %g %g %x", &r.Sum, &r.Seconds, &r.Wall, &r.Memory)
		}
	}
	if err != nil {
		return r, fmt.Errorf("running the model of %s: %w", m, err)
	}
	return r, nil
}

// HashWord is a hash of memories with a word of 64 bits behind those before it. The hash begins
// with 0; a wider word of a memory is several, the lowest first.
func HashWord(hash, word uint64) uint64 { return (hash ^ word) * 0x100000001b3 }
