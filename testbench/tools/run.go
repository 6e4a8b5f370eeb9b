package tools

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// errNoAnswer is the error of a command that did not end within its limit.
var errNoAnswer = errors.New("no answer")

// run runs an installer's command in dir, for at most limit. Its error is one line, from the
// command's output where possible.
func run(ctx context.Context, limit time.Duration, dir, name string, args ...string) error {
	outer := ctx
	ctx, cancel := context.WithTimeout(outer, limit)
	defer cancel()

	// A child that keeps the output open must not hold up the caller: WaitDelay closes it.
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.WaitDelay = waitDelay
	out := &Tail{Most: 64 << 10}
	cmd.Stdout, cmd.Stderr = out, out
	err := cmd.Run()

	// The reasons by rank: the caller's context, the limit, a missing program, the program's own
	// words.
	switch {
	case err == nil:
		return nil
	case outer.Err() != nil:
		return outer.Err()
	case ctx.Err() != nil:
		return fmt.Errorf("%w from %s in %v", errNoAnswer, filepath.Base(name), limit)
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("no %s on this machine", name)
	}
	if g := gist(out.String()); g != "" {
		return errors.New(g)
	}
	return fmt.Errorf("%s: %w", filepath.Base(name), err)
}

var (
	escapes   = regexp.MustCompile(`\x1b\[[0-9;]*[A-Za-z]`)
	errorLine = regexp.MustCompile(`^(\[ERROR\]|ERROR:|E:|error:)\s*\S`)
)

// gist returns the line of a command's output that tells the error: the first one marked as an
// error, else the last.
func gist(out string) string {
	// Lines without colours, and without blanks around.
	const most = 300
	last := ""
	for line := range strings.Lines(escapes.ReplaceAllString(out, "")) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		last = line
		if errorLine.MatchString(line) {
			break
		}
	}

	// A long line is cut, not in the middle of a character.
	if len(last) > most {
		last = strings.ToValidUTF8(last[:most], "") + "…"
	}
	return last
}
