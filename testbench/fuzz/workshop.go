package fuzz

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"etch/testbench/tools"
)

// toolLimit is the longest time of one run of a tool.
const toolLimit = 4 * time.Minute

// workshop is the folder in which tools work; each batch has a folder of its own in it.
type workshop struct {
	dir  string // parent of the folders
	keep bool   // they stay
}

// keepEnv is the environment variable that names a folder in which all files for tools stay.
const keepEnv = "ETCH_KEEP"

// newWorkshop makes a temporary folder, or takes the one of keepEnv.
func newWorkshop() (*workshop, error) {
	if dir := os.Getenv(keepEnv); dir != "" {
		return &workshop{dir: dir, keep: true}, os.MkdirAll(dir, 0o777)
	}
	dir, err := os.MkdirTemp("", "etch-fuzz-")
	return &workshop{dir: dir}, err
}

// close removes the folder.
func (w *workshop) close() {
	if !w.keep {
		os.RemoveAll(w.dir)
	}
}

// bench is the folder of one batch.
type bench struct {
	ctx   context.Context
	dir   string
	close func()
}

// bench makes the folder of a batch.
func (w *workshop) bench(ctx context.Context) (*bench, error) {
	dir, err := os.MkdirTemp(w.dir, "etch-fuzz-")
	if err != nil {
		return nil, err
	}
	b := &bench{ctx: ctx, dir: dir, close: func() { os.RemoveAll(dir) }}
	if w.keep {
		b.close = func() {}
	}
	return b, nil
}

// path returns the path of a file in the bench.
func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

// write writes a file in the bench.
func (b *bench) write(name string, data []byte) error {
	return os.WriteFile(b.path(name), data, 0o666)
}

// outcome is the result of a tool's run.
type outcome struct {
	failed   bool // it exited with an error, or did not end
	messages []byte
}

// run runs a tool in the bench's folder. Standard output goes to the file stdout, or with the
// messages if that is "". The error says that the tool could not run at all, or that the whole
// campaign is over.
func (b *bench) run(tool, stdout string, args ...string) (*outcome, error) {
	t, err := tools.Find(tool)
	if err != nil {
		return nil, err
	}
	return b.command(func(ctx context.Context) *exec.Cmd { return t.Command(ctx, args...) }, stdout)
}

// command runs a command within the limit of time.
func (b *bench) command(make func(ctx context.Context) *exec.Cmd, stdout string) (*outcome, error) {
	// A limit for the tool alone, below the campaign's.
	ctx, cancel := context.WithTimeout(b.ctx, toolLimit)
	defer cancel()
	cmd := make(ctx)
	cmd.Dir = b.dir
	var messages bytes.Buffer
	cmd.Stderr, cmd.Stdout = &messages, &messages

	// Output that is an answer goes to a file; else it is a message too.
	if stdout != "" {
		f, err := os.Create(b.path(stdout))
		if err != nil {
			return nil, err
		}
		defer f.Close()
		cmd.Stdout = f
	}
	err := cmd.Run()
	var exit *exec.ExitError

	// An end of the campaign is an error; a tool that fails or hangs is a verdict about
	// circuits.
	switch {
	case b.ctx.Err() != nil:
		return nil, b.ctx.Err()
	case ctx.Err() != nil:
		return &outcome{true, fmt.Appendf(messages.Bytes(), "\nno end after %v", toolLimit)}, nil
	case errors.As(err, &exit):
		if messages.Len() == 0 {
			messages.WriteString(err.Error())
		}
		return &outcome{true, messages.Bytes()}, nil
	}
	return &outcome{false, messages.Bytes()}, err
}

// fileOf matches the file of a circuit in a message.
var fileOf = regexp.MustCompile(`\bc(\d+)\.(?:v|sv|fir)\b`)

// blame attributes the messages of a tool to the circuits whose files they name.
func (o *outcome) blame(n int) map[int]string {
	by := map[int]string{}
	for _, line := range bytes.Split(o.messages, []byte{'\n'}) {
		m := fileOf.FindSubmatch(line)
		if m == nil {
			continue
		}

		// The first message of a circuit tells the cause, later ones follow from it.
		at, err := strconv.Atoi(string(m[1]))
		if _, has := by[at]; err == nil && at < n && !has {
			by[at] = clip(string(line))
		}
	}
	return by
}

// mostText is the length of the longest message in a verdict.
const mostText = 600

// clip cuts a message to mostText.
func clip(s string) string {
	if len(s) > mostText {
		return s[:mostText] + "…"
	}
	return s
}
