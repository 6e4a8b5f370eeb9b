package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"etch/ir"
	"etch/ir/text"
	"etch/testbench/view"
)

// A program cannot load the changed Go code of its own designs. So view -watch has the go command
// build the program anew from the folder that it runs in, and run the hidden command __netlist, which
// prints the design; the page then gets that netlist. Files are read again.

// watchEvery is the time between two looks at the dates of the sources.
const watchEvery = 300 * time.Millisecond

// rebuildTime bounds a rebuild, which may compile the whole program.
const rebuildTime = 10 * time.Minute

// netlistCommand prints a design as netlist text.
var netlistCommand = Command{
	Name: "__netlist",
	Run: func(app *App, args []string, out Output) error {
		f := NewFlags("__netlist", out)
		given := f.Values()
		_, net, err := app.built(f, args, given)
		if err != nil {
			return err
		}
		return text.Print(out.Out, net)
	},
}

// watcher builds the subject of a view again when its sources have changed.
type watcher struct {
	r       runner
	program string // package of this program, "" for files
	root    string // folder of the module, to be watched

	// first, unless nil, is called with the first design that builds, after that is shown.
	first func(d *ir.Design) error
}

// newWatcher finds the files to watch. Errors: a design from Go whose program was not built from a module
// that is here.
func newWatcher(r runner) (*watcher, error) {
	w := &watcher{r: r}
	if isFile(r.files[0]) {
		return w, nil
	}

	// The go command will need the package's path, and a folder in its module.
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Path == "" || info.Path == "command-line-arguments" {
		return nil, errors.New("-watch: this program does not know its own package: run it by go run PACKAGE or build it by go build PACKAGE")
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}

	// The module's root is the nearest folder upwards with a go.mod.
	for w.root = dir; ; w.root = filepath.Dir(w.root) {
		if _, err := os.Stat(filepath.Join(w.root, "go.mod")); err == nil {
			break
		}
		if w.root == filepath.Dir(w.root) {
			return nil, fmt.Errorf("-watch: %s is in no Go module: start it in the folder of its sources", dir)
		}
	}
	w.program = info.Path
	return w, nil
}

// dates is the newest date of the sources, and their number, which a removal changes.
func (w *watcher) dates() (newest time.Time, n int) {
	see := func(path string) {
		if info, err := os.Stat(path); err == nil {
			n++
			if t := info.ModTime(); t.After(newest) {
				newest = t
			}
		}
	}

	// A module is walked whole, but for tests, for folders that the go command passes over, and for
	// node_modules.
	if w.program == "" {
		for _, f := range w.r.files {
			see(f)
		}
		return newest, n
	}

	filepath.WalkDir(w.root, func(path string, e fs.DirEntry, err error) error {
		name := filepath.Base(path)
		switch {
		case err != nil:
			return nil
		case e.IsDir() && path != w.root && (name[0] == '.' || name[0] == '_' || name == "testdata" || name == "node_modules"):
			return fs.SkipDir
		case !e.IsDir() && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			see(path)
		}
		return nil
	})
	return newest, n
}

// run replaces the design of a view after each change, until ctx ends.
func (w *watcher) run(ctx context.Context, v *view.View) {
	date, n := w.dates()
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}

		// The number shows that a file is gone, which the newest date does not.
		now, many := w.dates()
		if now.Equal(date) && many == n {
			continue
		}
		date, n = now, many

		d, err := w.build(ctx)
		if err == nil {
			err = v.Replace(d)
		}
		if err == nil && w.first != nil {
			err, w.first = w.first(d), nil
		}
		if err != nil && ctx.Err() == nil {
			v.Fail(err)
		}
	}
}

// build is the changed design, with the contents of memories that the command line tells.
func (w *watcher) build(ctx context.Context) (*ir.Design, error) {
	d, err := w.rebuilt(ctx)
	if err == nil {
		err = w.r.filled(d)
	}
	return d, err
}

// rebuilt reads the files again, or has the changed program print its design.
func (w *watcher) rebuilt(ctx context.Context) (*ir.Design, error) {
	if w.program == "" {
		return w.r.subject()
	}
	ctx, stop := context.WithTimeout(ctx, rebuildTime)
	defer stop()
	args := []string{"run", w.program, "__netlist", w.r.files[0]}
	for name, value := range w.r.given {
		args = append(args, "-p", name+"="+value)
	}
	c := exec.CommandContext(ctx, "go", args...)
	c.Dir = w.root
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		// go run adds a line of its own.
		said := strings.TrimSuffix(strings.TrimSpace(errs.String()), "\nexit status 1")
		return nil, fmt.Errorf("%s", message(errors.New(strings.TrimSpace(said+"\n"+notExit(err)))))
	}
	return text.Parse(&out, w.r.files[0])
}

// notExit is an error of starting a program; that it has failed, it says itself.
func notExit(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return ""
	}
	return err.Error()
}
