package rival

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"time"
)

// Result is the time of a run, and two sums by which simulators are compared.
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
		if n, _ := fmt.Sscanf(last, "%x %g %g %x", &r.Sum, &r.Seconds, &r.Wall, &r.Memory); n < 3 {
			err = fmt.Errorf("it ended without a result: does the design stop before cycle %d?", cycles)
		}
	}
	if err != nil {
		return r, fmt.Errorf("running the model of %s %s: %w", m.Simulator, m, err)
	}
	return r, nil
}

// HashStart is the hash of memories before the first word.
const HashStart uint64 = 0xcbf29ce484222325

// HashWord is the hash of memories after one more word of 64 bits. A wider word of a memory is
// several, the lowest first.
func HashWord(hash, word uint64) uint64 {
	hash = (hash ^ word) * 0x100000001b3
	return hash ^ hash>>32
}
