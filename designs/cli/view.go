package cli

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"

	"etch/ir"
	"etch/sim/replay/runfile"
	"etch/testbench/view"
)

// ViewCommand shows a design or a run in a browser.
var ViewCommand = Command{
	Name: "view", Usage: "DESIGN|FILE.run|FILE… [BODY.v…] [-p name=value]… [-top NAME] [-addr HOST:PORT] [-open=false]",
	Doc: "shows a design, which can be run and stepped back there, or a recorded run in a browser: hierarchy, source, schematic, waves; ends on ctrl-C",
	Examples: []string{
		"view uart -p clocks_per_bit=4",
		"view uart_tx-1.run -open=false",
	},
	Run: func(app *App, args []string, out Output) error {
		f := NewFlags("view", out)
		given, source := f.Values(), f.Verilog()
		top := f.String("top", "", "main module, `name`")
		addr := f.String("addr", "localhost:0", "`address` of this machine to listen on; port 0 is any free one")
		open := f.Bool("open", true, "open a browser, on a terminal")
		files, err := f.rest(args)
		if err != nil {
			return err
		}
		if len(files) == 0 {
			return usagef("DESIGN or FILE is missing; files of type .run, %s are read", extensions())
		}
		v, err := viewOf(app, files, given, *top, source, out)
		if err != nil {
			return err
		}
		l, err := view.Listen(*addr)
		if err != nil {
			return err
		}

		// The page is there until the command is ended, which is how it is meant to end.
		ctx, stop := Interruptible()
		defer stop()
		address := view.Address(l, v)
		fmt.Fprintln(out.Out, address)
		if *open && Terminal(out.Out) {
			openBrowser(ctx, address)
		}
		return v.Serve(ctx, l)
	},
}

// viewOf is the view of a recorded run, of a design by its name, or of one in files.
func viewOf(app *App, files []string, given Values, top string, source *VerilogFlags, out Output) (*view.View, error) {
	if filepath.Ext(files[0]) == ".run" {
		if len(files) > 1 {
			return nil, usagef("one .run file is shown at a time")
		}
		for name := range given {
			return nil, usagef("-p %s=…: a recorded run has its parameters", name)
		}
		run, err := runfile.Open(files[0])
		if err != nil {
			return nil, err
		}
		return view.Recorded(run), nil
	}

	// A design without a run is simulated as far as the reader asks.
	r := runner{app: app, out: out, given: given, files: files, top: top, source: source}
	d, err := r.subject()
	if err != nil {
		return nil, err
	}
	return liveView(d, files, source)
}

// liveView is the view of a design with the bodies of its black boxes.
func liveView(d *ir.Design, files []string, source *VerilogFlags) (*view.View, error) {
	if err := giveBodies(d, nil, source); err != nil {
		return nil, err
	}
	if err := bodiless(d, files); err != nil {
		return nil, err
	}
	return view.Live(d)
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
