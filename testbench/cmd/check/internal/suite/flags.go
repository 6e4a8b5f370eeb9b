package suite

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"etch/testbench/tools"
)

// Options are the settings of the command line.
type Options struct {
	Short   bool     // the quick part: go test -short, install only what is required
	Install bool     // install missing tools
	Verbose bool     // all output of the tests
	Require []string // tools whose absence is an error, with their needs
}

// parse reads the command line. Errors and the help text go to w.
func parse(args []string, w io.Writer) (Options, error) {
	var o Options
	var require string

	fs := flag.NewFlagSet("check", flag.ContinueOnError)
	fs.SetOutput(w)
	fs.BoolVar(&o.Short, "short", false, "only the quick part: short tests, and no tool installed but the required ones")
	fs.BoolVar(&o.Install, "install", true, "install missing tools as far as this machine allows")
	fs.BoolVar(&o.Verbose, "v", false, "show all output of the tests")
	fs.StringVar(&require, "require", "", "comma-separated `tools` that must be there; sets ETCH_STRICT, to 1, with -short to their names")
	fs.Usage = func() {
		fmt.Fprintln(w, "usage: go run ./testbench/cmd/check [flags]")
		fs.PrintDefaults()
		fmt.Fprintln(w, "tools:", strings.Join(tools.Names(), ", "))
	}

	if err := fs.Parse(args); err != nil {
		return o, err
	}

	// Tools that a required one needs are required too.
	var err error
	if fs.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q", fs.Arg(0))
	} else if require != "" {
		o.Require, err = tools.WithNeeds(names(require)...)
		if err != nil {
			err = fmt.Errorf("-require: %w", err)
		}
	}
	if err != nil {
		fmt.Fprintln(w, "check:", err)
	}
	return o, err
}

// strict returns ETCH_STRICT for the tests, "" to leave it as it is. A run that installs all
// tools requires all; a short one installs the required ones, and requires only these.
func (o *Options) strict() string {
	switch {
	case len(o.Require) == 0:
		return ""
	case o.Short:
		return strings.Join(o.Require, ",")
	}
	return "1"
}

// names splits a comma-separated list.
func names(list string) []string {
	parts := strings.Split(list, ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}
