package suite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"etch/testbench/tools"
)

// tools installs missing tools, and prints a table of all tools.
func (s *session) tools(ctx context.Context) (string, error) {
	want := append(tools.Wanted(), s.opts.Require...)

	outcomes, err := s.provide(ctx, want)
	if err != nil {
		return "", err
	}

	// A program that does not tell its version counts as missing: it does not run.
	var absent, missing []string
	for _, o := range outcomes {
		version := ""
		if o.Err == nil {
			version, o.Err = o.Tool.Version()
		}
		if o.Err == nil {
			fmt.Fprintf(s.out, "%-14s %-10s %s\n", o.Name, version, o.Tool.Path)
			continue
		}
		fmt.Fprintf(s.out, "%-14s not available: %v\n", o.Name, o.Err)
		absent = append(absent, o.Name)
		if slices.Contains(s.opts.Require, o.Name) {
			missing = append(missing, o.Name)
		}
	}

	if len(missing) > 0 {
		return "required but not available: " + strings.Join(missing, ", "), errFindings
	}

	if len(absent) > 0 {
		return "not available: " + strings.Join(absent, ", "), nil
	}
	return fmt.Sprintf("all %d tools", len(outcomes)), nil
}

// provide finds the wanted tools, after installing those that the options allow.
func (s *session) provide(ctx context.Context, want []string) ([]tools.Outcome, error) {
	want, err := tools.WithNeeds(want...)
	if err != nil {
		return nil, err
	}
	var failed []tools.Outcome
	if s.opts.Install {
		get := want
		if s.opts.Short {
			get = s.opts.Require
		}
		if failed, err = tools.Install(ctx, get, s.out); err != nil {
			return nil, err
		}
	}

	// A tool may be there in spite of a failed install; else the install's error says more
	// than Find's.
	var all []tools.Outcome
	for _, name := range want {
		t, err := tools.Find(name)
		o := tools.Outcome{Name: name, Tool: t, Err: err}
		for _, f := range failed {
			if f.Name == name && err != nil && f.Err != nil {
				o.Err = f.Err // the reason why it could not be installed
			}
		}
		all = append(all, o)
	}
	return all, nil
}

// vet runs go vet in all modules.
func (s *session) vet(ctx context.Context) (string, error) {
	var errs []error
	for _, dir := range s.modules() {
		errs = append(errs, s.stream(ctx, dir, "vet", "./..."))
	}
	return "", errors.Join(errs...)
}

// hwvet builds etch's own vet tool and runs it.
func (s *session) hwvet(ctx context.Context) (string, error) {
	// Another module may run check too.
	if _, err := os.Stat(filepath.Join(s.root, "hw", "cmd", "hwvet")); err != nil {
		return "this module has no hw/cmd/hwvet", errSkipped
	}
	dir, err := os.MkdirTemp("", "etch-check-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)

	// A vet tool must be a program.
	bin := filepath.Join(dir, "hwvet")
	if err := s.stream(ctx, s.root, "build", "-o", bin, "./hw/cmd/hwvet"); err != nil {
		return "hwvet does not build", err
	}
	return "", s.stream(ctx, s.root, "vet", "-vettool="+bin, "./...")
}
