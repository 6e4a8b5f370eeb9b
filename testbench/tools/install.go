package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Outcome is the result of [Install] for one tool.
type Outcome struct {
	Name    string
	Tool    Tool  // the tool, if Err is nil
	Err     error // why it is not available: one line
	Changed bool  // Install brought it
}

// Install makes the named tools, and their needs ([WithNeeds]), available as
// far as this machine allows: a pinned copy into the cache folder where the
// table has one, else a Debian package. Tools that are there are left alone. It
// writes a line to log for each package that it fetches or that fails, and
// returns an outcome for each tool, in the table's order. Only a name that is
// not in the table is an error of the call itself.
//
// Each command that it runs has a time limit, and all end with ctx.
func Install(ctx context.Context, names []string, log io.Writer) ([]Outcome, error) {
	names, err := WithNeeds(names...)
	if err != nil {
		return nil, err
	}

	// Each tool by itself: one that fails does not stop the others.
	in := newInstaller(log)
	out := make([]Outcome, 0, len(names))
	for _, name := range names {
		s, err := lookup(name)
		if err != nil {
			return nil, err
		}
		out = append(out, in.install(ctx, s))
	}
	return out, nil
}

// installer carries the state of one call of Install.
type installer struct {
	log io.Writer
	apt aptClient
	got map[string]error // results by package, for packages that bring several tools
}

// newInstaller begins a call of Install.
func newInstaller(log io.Writer) *installer {
	return &installer{log: log, got: map[string]error{}}
}

// install brings one tool: the pinned copy, else the program on PATH, else the Debian package.
func (in *installer) install(ctx context.Context, s spec) Outcome {
	tool, err := Find(s.name)
	want := s.cached.fits()

	// Pinned already, or without a pinned copy for this machine.
	if err == nil && (tool.Cached || !want) {
		return Outcome{Name: s.name, Tool: tool}
	}
	var failed []string

	// The pinned copy, where this machine can run it.
	if want {
		if e := in.fetch(ctx, s.cached.name, s.cached.client(), s.cached.ensure); e != nil {
			failed = append(failed, e.Error())
		} else if tool, e := Find(s.name); e == nil {
			return Outcome{Name: s.name, Tool: tool, Changed: true}
		}
	}
	if err == nil { // the copy on PATH serves
		return Outcome{Name: s.name, Tool: tool}
	}

	// Debian last: its version is not ours.
	if s.debian != "" {
		get := func(ctx context.Context, _ func(string)) error { return in.apt.install(ctx, s.debian) }
		if e := in.fetch(ctx, s.debian, "Debian", get); e != nil {
			failed = append(failed, e.Error())
		} else if tool, e := Find(s.name); e == nil {
			return Outcome{Name: s.name, Tool: tool, Changed: true}
		} else {
			failed = append(failed, fmt.Sprintf("Debian package %s brought no %s", s.debian, s.name))
		}
	}

	// No package at all for this machine.
	if len(failed) == 0 {
		failed = append(failed, s.source()+"; install it by hand")
	}
	return Outcome{Name: s.name, Err: errors.New(strings.Join(failed, "; "))}
}

// fetch gets a package once, and logs the result.
func (in *installer) fetch(ctx context.Context, pkg, client string,
	get func(ctx context.Context, note func(string)) error) error {
	key := client + " " + pkg

	// One package may bring several tools, and is tried once.
	if err, done := in.got[key]; done {
		return err
	}
	start := time.Now()
	err := get(ctx, func(s string) { fmt.Fprintf(in.log, "%s package %s: %s\n", client, pkg, s) })
	if err != nil {
		err = fmt.Errorf("%s package %s: %w", client, pkg, err)
		fmt.Fprintln(in.log, err)
	} else {
		fmt.Fprintf(in.log, "%s package %s: installed in %.1f s\n", client, pkg, time.Since(start).Seconds())
	}
	in.got[key] = err
	return err
}
