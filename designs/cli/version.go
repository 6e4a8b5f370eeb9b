package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"etch/sim/native"
	"etch/sim/native/cpu"
)

var versionCommand = Command{
	Name: "version", Usage: "[-json]", Doc: "prints the versions of etch and Go, the engine that simulates here, and the processor's extensions it uses",
	Run: func(app *App, args []string, out Output) error {
		f := NewFlags("version", out)
		asJSON := f.Bool("json", false, "print one JSON document")
		if _, err := f.Positional(args); err != nil {
			return err
		}
		v := buildInfo()
		if *asJSON {
			return JSON(out.Out, v)
		}
		fmt.Fprintf(out.Out, "%s %s", app.Name, v.Version)
		if v.Commit != "" {
			fmt.Fprintf(out.Out, ", commit %s", v.Commit)
		}
		fmt.Fprintf(out.Out, "\n%s %s\nengine %s", v.Go, v.Platform, v.Engine)
		if len(v.Features) > 0 {
			fmt.Fprintf(out.Out, " (%s)", strings.Join(v.Features, ", "))
		}
		fmt.Fprintln(out.Out)
		return nil
	},
}

// build is the program and the machine, as far as they decide how etch runs.
type build struct {
	Version  string   `json:"version"` // of the main module; "(devel)" for a checkout
	Commit   string   `json:"commit,omitempty"`
	Go       string   `json:"go"`
	Platform string   `json:"platform"`
	Engine   string   `json:"engine"` // "native" or "interpreter"
	Features []string `json:"features"`
}

// buildInfo reads them from the running program.
func buildInfo() build {
	v := build{Version: "(unknown)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Engine: "interpreter", Features: features(cpu.Host())}
	if native.Supported(cpu.Host()) {
		v.Engine = "native"
	}

	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}

	// The commit is known if the program was built in a checkout.
	v.Version = info.Main.Version
	changed := false
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Commit = s.Value
		case "vcs.modified":
			changed = s.Value == "true"
		}
	}
	if changed && v.Commit != "" {
		v.Commit += " with changes"
	}
	return v
}

// features names the extensions of the instruction set.
func features(f cpu.Features) []string {
	list := []string{}

	for _, x := range []struct {
		has  bool
		name string
	}{{f.Popcnt, "POPCNT"}, {f.BMI, "BMI2"}, {f.AVX2, "AVX2"}, {f.AVX512, "AVX-512"}, {f.VBMI, "AVX512_VBMI"}} {
		if x.has {
			list = append(list, x.name)
		}
	}
	return list
}
