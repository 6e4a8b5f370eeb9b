package suite

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Main runs the command check with these arguments, in the module that the
// working directory belongs to, and returns its exit code.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	opts, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		return 2
	}
	root, err := moduleRoot(ctx)
	if err != nil {
		fmt.Fprintln(stderr, "check:", err)
		return 1
	}
	s := &session{opts: opts, root: root, out: stdout}
	return s.run(ctx, []step{
		{"tools", s.tools},
		{"gofmt", s.gofmt},
		{"vet", s.vet},
		{"hwvet", s.hwvet},
		{"test", s.test},
	})
}

// moduleRoot returns the folder of the module around the working directory.
func moduleRoot(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOMOD: %w", err)
	}
	mod := strings.TrimSpace(string(out))
	if mod == "" || mod == os.DevNull {
		return "", errors.New("the working directory is not inside a Go module")
	}
	return filepath.Dir(mod), nil
}

// session is one run of the command.
type session struct {
	opts  Options
	root  string // the module's folder
	out   io.Writer
	tally tally
}

// step is one check. It writes its findings to the session's output and returns
// a remark for the summary; errSkipped means that it did not apply.
type step struct {
	name string
	run  func(ctx context.Context) (remark string, err error)
}

// errSkipped is the error of a step that does not apply; the remark has the reason.
var errSkipped = errors.New("skipped")

// run runs all steps in order, unless ctx ends, and then prints the summary. It returns the exit
// code.
func (s *session) run(ctx context.Context, steps []step) int {
	code := 0
	var summary strings.Builder
	for _, st := range steps {
		fmt.Fprintf(s.out, "== %s\n", st.name)
		start := time.Now()
		remark, err := "interrupted", ctx.Err()
		if err == nil {
			remark, err = st.run(ctx)
		}
		took := time.Since(start)
		state := "ok"
		switch {
		case errors.Is(err, errSkipped):
			state = "skipped"
		case err != nil:
			state, code = "FAILED", 1
			if remark == "" {
				remark = err.Error()
			}
		}
		line := strings.TrimSpace(fmt.Sprintf("%-6s %-7s %6.1f s  %s", st.name, state, took.Seconds(), remark))
		fmt.Fprintln(&summary, line)
	}
	fmt.Fprintf(s.out, "== summary\n%s\n%s\n", summary.String(), s.tally.closing())
	return code
}

// command returns a go command in the module's folder. It is interrupted when ctx ends, so that
// go can end its children.
func (s *session) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = s.root
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	if strict := s.opts.strict(); strict != "" {
		cmd.Env = append(os.Environ(), "ETCH_STRICT="+strict)
	}
	return cmd
}

// stream runs a go command; its output goes to the session's.
func (s *session) stream(ctx context.Context, args ...string) error {
	cmd := s.command(ctx, args...)
	cmd.Stdout, cmd.Stderr = s.out, s.out
	return cmd.Run()
}
