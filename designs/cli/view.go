package cli

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"

	"etch/hw"
	"etch/ir"
	"etch/sim/replay/runfile"
	"etch/testbench/tools"
	"etch/testbench/view"
)

// ViewCommand shows a design, a run or a file of waves in a browser.
var ViewCommand = Command{
	Name: "view", Usage: "DESIGN|FILE.run|FILE.fst|FILE.vcd|FILE… [BODY.v…] [-p name=value]… [-top NAME] [-set PORT=VALUE]… [-mem NAME=FILE]… [-watch] [-addr HOST:PORT] [-open=false]",
	Doc: "shows a design, which can be run and stepped back there, a recorded run or any simulator's file of waves in a browser: hierarchy, source, schematic, waves; a design is reset in cycle 0, by inputs of a reset type and, as those of Verilog, by inputs of one bit named rst, reset_n and the like, which -set can hold; a design that does not build is shown by its errors until its source is mended, where the command finds the source, and else ends it with exit code 1; ends on ctrl-C",
	Examples: []string{
		"view uart -p clocks_per_bit=4",
		"view uart -watch",
		"view core.fir -mem memory=program.hex -set irq=0",
		"view uart_tx-1.run -open=false",
		"view dump.fst",
	},
	Run: func(app *App, args []string, out Output) error {
		f := NewFlags("view", out)
		given, source := f.Values(), f.Verilog()
		top := f.String("top", "", "main module, `name`")
		addr := f.String("addr", "localhost:0", "`address` of this machine to listen on; port 0 is any free one")
		open := f.Bool("open", true, "open a browser, on a terminal")
		watch := f.Bool("watch", false, "build the design again when its source changes; the page keeps selection, inputs and cycle")
		w := viewer{runner: runner{app: app, out: out, given: given, source: source, engine: "auto", memory: 1024}}
		w.stimulus(f)
		files, err := f.rest(args)
		if err != nil {
			return err
		}
		if len(files) == 0 {
			return usagef("DESIGN or FILE is missing; files of type .run, .fst, .vcd, %s are read", extensions())
		}
		w.files, w.top = files, *top
		v, err := w.open(*watch)
		if err != nil {
			return err
		}
		defer w.close()
		l, err := view.Listen(*addr)
		if err != nil {
			return err
		}

		// The page is there until the command is ended, which is how it is meant to end.
		ctx, stop := Interruptible()
		defer stop()
		address := view.Address(l, v)
		if err := w.drive(v); err != nil {
			return err
		}
		fmt.Fprintln(out.Out, address)
		if *open && Terminal(out.Out) {
			openBrowser(ctx, address)
		}
		if w.watcher != nil {
			w.watch(v)
			go w.watcher.run(ctx, v)
		}
		return v.Serve(ctx, l)
	},
}

// viewer opens the subject of a view by the kind of its file.
type viewer struct {
	runner
	watcher *watcher   // nil without -watch, unless the design does not build yet
	dump    *view.Dump // nil unless a file of waves is shown
	broken  bool       // there is no design yet
	resets  []string   // of the top, by type
	named   []namedReset
}

// open opens a recorded run, a file of waves, or a design by its name or in files.
func (w *viewer) open(watch bool) (*view.View, error) {
	kind := map[string]string{".run": "recorded run", ".fst": "file of waves", ".vcd": "file of waves"}[filepath.Ext(w.files[0])]
	if kind != "" {
		if err := w.alone(kind, watch); err != nil {
			return nil, err
		}
	}
	switch kind {
	case "recorded run":
		run, err := runfile.Open(w.files[0])
		if err != nil {
			return nil, err
		}
		return view.Recorded(run), nil
	case "file of waves":
		d, err := view.OpenDump(w.files[0])
		if err != nil {
			return nil, err
		}
		w.dump = d
		return view.Dumped(d), nil
	}

	// With -watch a design that does not build is shown by its errors, to be mended; an unknown name
	// or parameter is none that a change of source mends.
	if watch {
		var err error
		if w.watcher, err = newWatcher(w.runner); err != nil {
			return nil, err
		}
	}
	d, err := w.subject()
	if err != nil {
		return w.mended(err, watch)
	}
	if err := giveBodies(d, nil, w.source); err != nil {
		return nil, err
	}
	if err := bodiless(d, w.files); err != nil {
		return nil, err
	}
	if err := w.filled(d); err != nil {
		return nil, err
	}
	w.resetsOf(d)
	if watch {
		return view.Watched(d, nil)
	}
	return view.Live(d)
}

// watch has the watcher set the inputs of a design that does not build yet when it does; later ones
// take them over.
func (w *viewer) watch(v *view.View) {
	if w.broken {
		w.watcher.first = func(d *ir.Design) error {
			w.broken = false
			w.resetsOf(d)
			return w.drive(v)
		}
	}
}

// mended is the page of the errors of a design that does not build, until it does. An unknown name
// or parameter, a file or a tool that is missing are no mistakes of the design.
func (w *viewer) mended(err error, watch bool) (*view.View, error) {
	var wrong *UsageError
	if errors.As(err, &wrong) || !watch && !w.mistaken(err) {
		return nil, err
	}
	if w.watcher == nil {
		found, none := newWatcher(w.runner)
		if none != nil {
			return nil, err
		}
		w.watcher = found
		fmt.Fprintf(w.out.Err, "%s\nthe page shows this until the source is mended\n", painted(w.out.Err, message(err)))
	}
	w.broken = true
	return view.Watched(nil, err)
}

// mistaken reports whether an error is about the text of the design.
func (w *viewer) mistaken(err error) bool {
	var end *ExitError
	var mistakes hw.Errors
	switch {
	case errors.As(err, &end):
		return false
	case !isFile(w.files[0]):
		return errors.As(err, &mistakes)
	case regular(w.files) != nil:
		return false
	}

	// A missing tool is no mistake of the source.
	if slices.ContainsFunc(w.files, isVerilog) {
		if _, none := tools.Find("yosys"); none != nil {
			return false
		}
	}
	return true
}

// alone refuses flags that do not go with a file of a kind.
func (w *viewer) alone(kind string, watch bool) error {
	name := w.files[0]
	if len(w.files) > 1 {
		return usagef("one %s file is shown at a time", filepath.Ext(name))
	}

	// A run and a dump are finished: nothing of the design can be chosen any more.
	for p := range w.given {
		return usagef("-p %s=…: a %s has its parameters", p, kind)
	}
	switch {
	case w.top != "":
		return usagef("-top is for designs; %s is a %s", name, kind)
	case watch:
		return usagef("-watch is for designs; %s is a %s", name, kind)
	case len(w.sets) > 0:
		return usagef("-set is for designs; %s is a %s", name, kind)
	case len(w.mems) > 0:
		return usagef("-mem is for designs; %s is a %s", name, kind)
	}
	return nil
}

// close closes a file of waves.
func (w *viewer) close() {
	if w.dump != nil {
		w.dump.Close()
	}
}

// openBrowser opens an address with the system's own command; a machine without one has the
// printed address.
func openBrowser(ctx context.Context, address string) {
	name := map[string]string{"darwin": "open", "windows": "explorer"}[runtime.GOOS]
	if name == "" {
		name = "xdg-open"
	}
	if c := exec.CommandContext(ctx, name, address); c.Start() == nil {
		go c.Wait()
	}
}
