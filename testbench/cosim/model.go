package cosim

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"etch/backends/verilog"
	"etch/ir"
	"etch/testbench/tools"
)

// Names of the files of a model, beside those of black boxes.
const (
	designFile  = "design.v"
	shellFile   = "shell.v"
	benchFile   = "bench.v"
	programFile = "main.cpp"
	modelFile   = "model"
)

// Limits of the time of a tool.
const (
	buildLimit = 5 * time.Minute
	runLimit   = 5 * time.Minute
)

// file is a text by its name.
type file = verilog.File

// sources are the files from which a model is built, and the data that it reads when it runs.
type sources struct {
	files  []file
	extern []string // Verilog of black boxes, absolute paths
	data   []file
	falls  bool // some state moves when a clock falls
}

// ErrNoVerilog is the error of a design with a black box whose Verilog is missing.
var ErrNoVerilog = errors.New("no Verilog file")

// sources emits a design and its driver for one simulator.
func (sim *simulator) sources(l *layout, d *ir.Design) (*sources, error) {
	o := verilog.Options{Bare: true, RunOn: true, NoPositions: true, MemFiles: sim.memFiles}
	text, err := verilog.Text(d, o)
	if err != nil {
		return nil, err
	}
	top, err := topName(text)
	if err != nil {
		return nil, err
	}
	s := &sources{data: verilog.DataFiles(d, o), falls: bytes.Contains(text, []byte("always @(negedge "))}
	if s.extern, err = externs(d); err != nil {
		return nil, err
	}

	// The shell and the driver around the design.
	start, err := startTask(d)
	if err != nil {
		return nil, err
	}
	name, driver := sim.driver(l, start != "")
	s.files = []file{
		{Name: designFile, Data: text},
		{Name: shellFile, Data: []byte(l.shell(top, len(d.Top.Ports), start))},
		{Name: name, Data: []byte(driver)},
	}
	return s, nil
}

// externs returns the Verilog files of a design's black boxes, each once.
func externs(d *ir.Design) (paths []string, err error) {
	for _, e := range verilog.Externs(d) {
		if len(e.Files) == 0 {
			return nil, fmt.Errorf("black box %s: %w", e.Module, ErrNoVerilog)
		}
		for _, f := range e.Files {
			// Paths are absolute, since tools run in folders of their own.
			path, err := filepath.Abs(f)
			if err == nil {
				_, err = os.Stat(path)
			}
			if err != nil {
				return nil, fmt.Errorf("black box %s: %w: %w", e.Module, ErrNoVerilog, err)
			}
			if !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
	}
	return paths, nil
}

// topName returns the name of the last module of a text: the top follows all modules that it
// uses.
func topName(text []byte) (string, error) {
	at := bytes.LastIndex(text, []byte("\nmodule "))
	if at < 0 && !bytes.HasPrefix(text, []byte("module ")) {
		return "", errors.New("the emitted Verilog has no module")
	}

	words := bytes.FieldsFunc(text[at+1:], func(r rune) bool { return r == ' ' || r == '\n' || r == '(' || r == '#' || r == ';' })
	if len(words) < 2 {
		return "", errors.New("the emitted Verilog has a module without name")
	}
	return string(words[1]), nil
}

// verilog returns the names of the files that a tool reads as Verilog.
func (s *sources) verilog() (names []string) {
	for _, f := range s.files {
		if filepath.Ext(f.Name) == ".v" {
			names = append(names, f.Name)
		}
	}
	return append(names, s.extern...)
}

// save writes files into a folder.
func save(dir string, files []file) error {
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// command runs a tool in a folder; its error has the end of the tool's output.
func command(cmd *exec.Cmd, dir string) error {
	out := &tools.Tail{Most: 4 << 10}
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, out, out
	if err := cmd.Run(); err != nil {
		text := strings.TrimSpace(out.String())
		if out.Cut() {
			text = "…" + text
		}
		return fmt.Errorf("%s: %w\n%s", filepath.Base(cmd.Path), err, text)
	}
	return nil
}
