package suite

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
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

	// Help that was asked for is no error.
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
	if s.nested, err = nestedModules(root); err != nil {
		fmt.Fprintln(stderr, "check:", err)
		return 1
	}

	// The cheapest steps first; tests come last.
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

	// Outside of a module the command answers with the null device.
	if mod == "" || mod == os.DevNull {
		return "", errors.New("the working directory is not inside a Go module")
	}
	return filepath.Dir(mod), nil
}

// session is one run of the command.
type session struct {
	opts Options
	root string // the module's folder
	// nested are the folders of the modules inside it, which have dependencies of their
	// own: gofmt, vet and test enter them.
	nested []string
	out    io.Writer
	tally  tally
}

// modules are the folders of all modules, the root's first.
func (s *session) modules() []string { return append([]string{s.root}, s.nested...) }

// nestedModules finds the folders below root that have a go.mod, without those that the
// go command ignores.
func nestedModules(root string) (list []string, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		// Folders of a nested module are searched too: it may hold another one.
		switch {
		case err != nil:
			return err
		case path == root:
		case d.IsDir() && ignored(d.Name()):
			return filepath.SkipDir
		case d.Name() == "go.mod" && d.Type().IsRegular() && filepath.Dir(path) != root:
			list = append(list, filepath.Dir(path))
		}
		return nil
	})
	return list, err
}

// ignored reports whether the go command passes by a folder of this name.
func ignored(name string) bool {
	return name == "testdata" || name == "vendor" || name[0] == '.' || name[0] == '_'
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

	// After an interruption the remaining steps are listed all the same.
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

// command returns a go command in the folder of a module. It is interrupted when ctx ends, so that
// go can end its children.
func (s *session) command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	if strict := s.opts.strict(); strict != "" {
		cmd.Env = append(os.Environ(), "ETCH_STRICT="+strict)
	}
	return cmd
}

// stream runs a go command; its output goes to the session's.
func (s *session) stream(ctx context.Context, dir string, args ...string) error {
	cmd := s.command(ctx, dir, args...)
	cmd.Stdout, cmd.Stderr = s.out, s.out
	return cmd.Run()
}
