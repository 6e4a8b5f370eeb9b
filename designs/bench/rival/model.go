package rival

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Model is a program made of a design.
type Model struct {
	Simulator string        // Verilator or GSIM
	Version   string        // of the simulator
	Compiler  Compiler      // of its C++
	BuildTime time.Duration // from the design to the program, when it was built
	Cached    bool          // it was there already
	path      string
}

// String is the versions of the simulator and of the compiler.
func (m *Model) String() string { return fmt.Sprintf("%s, %s", m.Version, m.Compiler) }

// ErrTime is the error of a build that did not end before its context's deadline.
var ErrTime = errors.New("the build takes too long")

// obtain finds the model's program at place, or has build make it in a folder and moves it there.
func (m *Model) obtain(ctx context.Context, place string, build func(dir string) error) (*Model, error) {
	if m.find(place) {
		m.Cached = true
		return m, nil
	}

	err := keep(place, []string{modelFile, timeFile}, func(dir string) error {
		start := time.Now()
		if err := build(dir); err != nil {
			return err
		}
		return saveTime(dir, time.Since(start))
	})
	if err == nil && !m.find(place) {
		err = errors.New("the model is gone")
	}

	// The end of ctx is no fault of the design, and no fault at all once the model is there.
	switch {
	case err == nil:
		return m, nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, ErrTime
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, fmt.Errorf("%s with %s: %w", strings.ToLower(m.Simulator), m.Compiler, err)
}

// run runs a tool with all its children; the error holds the line of its output
// that says most.
func run(cmd *exec.Cmd, dir string) error {
	cmd.Dir = dir
	group(cmd)
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w: %s", filepath.Base(cmd.Path), err, gist(string(out)))
}

// gist is the first line of an output that speaks of an error, else the last.
func gist(out string) string {
	last := "no output"
	for line := range strings.Lines(out) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		last = line
		if strings.Contains(strings.ToLower(line), "error") {
			break
		}
	}
	return last
}
