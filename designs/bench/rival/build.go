package rival

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"etch/backends/verilog"
	"etch/ir"
)

// flags of Verilator; the rest of its defaults are for speed already.
var flags = []string{"--cc", "--exe", "-O3", "--x-assign", "fast", "--x-initial", "fast", "--no-assert",
	"-Wno-fatal", "-Wno-lint", "-Wno-style", "--prefix", prefix, "--Mdir", "."}

// optimize is given to the compiler for every file.
const optimize = "-O3 -march=native"

// Build makes the model of a design, with the Verilog files of its black boxes, or
// finds it in the cache. more is further arguments of Verilator, such as -DNAME.
// Errors: ErrTime at ctx's deadline, context.Canceled when ctx is cancelled; a design
// without the ports that the driver needs; the message of a tool.
func (v *Verilator) Build(ctx context.Context, d *ir.Design, c Compiler, more ...string) (*Model, error) {
	text, place, more, err := v.prepare(d, c, more)
	if err != nil {
		return nil, err
	}

	m := &Model{Simulator: "Verilator", Version: v.Version, Compiler: c}
	return m.obtain(ctx, place, func(dir string) error {
		return v.compile(ctx, dir, verilog.TopName(d), text, c, more)
	})
}

// Has reports whether the model of a design is in the cache.
func (v *Verilator) Has(d *ir.Design, c Compiler, more ...string) bool {
	_, place, _, err := v.prepare(d, c, more)
	return err == nil && (&Model{}).find(place)
}

// prepare is the Verilog of a design, the place of its model in the cache, and
// the arguments with the files of black boxes.
func (v *Verilator) prepare(d *ir.Design, c Compiler, more []string) (text []byte, place string, args []string, err error) {
	if err = checkPorts(d.Top); err != nil {
		return nil, "", nil, err
	}

	// Without positions, so that a source that has moved finds the same model.
	if text, err = verilog.Text(d, verilog.Options{Zero: true, NoPositions: true}); err != nil {
		return nil, "", nil, err
	}

	args = slices.Clone(more)

	// The hash covers the contents of black boxes' files, not their names.
	whole := append(slices.Clone(text), strings.Join(more, "\x00")...)
	for _, e := range verilog.Externs(d) {
		for _, f := range e.Files {
			if f, err = filepath.Abs(f); err != nil {
				return nil, "", nil, err
			}
			if slices.Contains(args, f) {
				continue
			}
			data, err := os.ReadFile(f)
			if err != nil {
				return nil, "", nil, err
			}
			args, whole = append(args, f), append(whole, data...)
		}
	}
	place, err = placeOf("", v.Version, c.String(), fmt.Sprintf("%q %q %s", flags, c.flags, optimize),
		v.tool.Path, c.tool.Path, processor(), driver, string(whole))
	return text, place, args, err
}

// checkPorts looks for the ports that the driver uses.
func checkPorts(top *ir.Module) error {
	widths := map[string]int{}
	for _, p := range top.Ports {
		widths[p.Name] = p.Width
	}
	if len(widths) != 3 || widths["clk"] != 1 || widths["rst"] != 1 || widths["sum"] != 64 {
		return fmt.Errorf("%s has not just the ports clk, rst and a sum of 64 bits", top.Name)
	}
	return nil
}

// compile builds one model in dir.
func (v *Verilator) compile(ctx context.Context, dir, top string, text []byte, c Compiler, more []string) error {
	for name, data := range map[string][]byte{designFile: text, driverFile: []byte(driver)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			return err
		}
	}

	// Verilator writes C++ and a makefile; make compiles and links them.
	args := append(flags[:len(flags):len(flags)], "--top-module", top, "-o", modelFile, designFile, driverFile)
	args = append(args, more...)
	if err := run(v.tool.Command(ctx, args...), dir); err != nil {
		return err
	}

	args = []string{"-s", "-j", fmt.Sprint(runtime.NumCPU()), "-f", prefix + ".mk",
		"CXX=" + c.tool.Path, "LINK=" + c.tool.Path,
		"OPT_FAST=" + optimize, "OPT_SLOW=" + optimize, "OPT_GLOBAL=" + optimize, "VM_TRACE=0"}
	cmd := v.make.Command(ctx, append(append(args, c.flags...), modelFile)...)
	cmd.Env = append(os.Environ(), v.tool.Env()...)
	return run(cmd, dir)
}
