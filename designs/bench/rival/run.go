package rival

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"time"
)

// Result holds the results of a run.
type Result struct {
	Cycles  uint64
	Sum     uint64  // the design's, after the last cycle
	Seconds float64 // on the processor, for the cycles alone
	Wall    float64 // the same on the clock
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
		_, err = fmt.Sscanf(string(lines[len(lines)-1]), "%x %g %g", &r.Sum, &r.Seconds, &r.Wall)
	}
	if err != nil {
		return r, fmt.Errorf("running the model of %s: %w", m, err)
	}
	return r, nil
}
