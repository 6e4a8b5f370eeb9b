package yosys

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"etch/backends/yosys/internal/cells"
	"etch/backends/yosys/internal/drivers"
	"etch/ir"
)

// Run makes the command that runs yosys with these arguments.
type Run func(ctx context.Context, args ...string) *exec.Cmd

// Program runs the yosys of that path.
func Program(path string) Run {
	return func(ctx context.Context, args ...string) *exec.Cmd { return exec.CommandContext(ctx, path, args...) }
}

// Source is Verilog and how it is to be read.
type Source struct {
	Files   []string      // .sv files are read as SystemVerilog
	Top     string        // "" when only one module is instantiated by none
	Params  []ir.Param    // of the top; the values are written as Verilog
	Defines []string      // NAME or NAME=VALUE
	Include []string      // folders
	Flatten bool          // melt all modules into the top
	Time    time.Duration // of all runs of yosys, 5 minutes when 0
	Note    func(string)  // is called with each part left out, unless nil
}

const defaultTime = 5 * time.Minute

// files names the files in an error: three at most, since a library may have hundreds.
func (s Source) files() string {
	const most = 3
	if more := len(s.Files) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(s.Files[:most], ", "), more)
	}
	return strings.Join(s.Files, ", ")
}

// Read reads Verilog through yosys. Where a clock is made inside a module, the modules
// concerned are melted into the modules that use them; hierarchy elsewhere stays as it
// is. All mistakes in the files are one error.
func Read(ctx context.Context, run Run, src Source) (*ir.Design, error) {
	return read(ctx, run, src, &ir.Design{})
}

// read is Read into the names and positions of another design.
func read(ctx context.Context, run Run, src Source, with *ir.Design) (*ir.Design, error) {
	if len(src.Files) == 0 {
		return nil, errors.New("no Verilog files")
	}
	if src.Time == 0 {
		src.Time = defaultTime
	}
	ctx, cancel := context.WithTimeout(ctx, src.Time)
	defer cancel()

	// All files for yosys lie in one folder, which goes with the read.
	dir, err := os.MkdirTemp("", "etch-verilog-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)

	// Memories that yosys cannot count are bounded for it once it has failed.
	y := &session{ctx: ctx, run: run, src: src, dir: dir}
	err = y.prepare()
	if err == nil {
		var d *ir.Design
		if d, err = y.design(with); err == nil {
			return d, nil
		}
	}
	if !errors.Is(err, errDeep) {
		return nil, err
	}

	// The notes of preparing were given.
	y = &session{ctx: ctx, run: run, src: src, dir: dir, deep: true}
	y.src.Note = nil
	if err := y.prepare(); err != nil {
		return nil, err
	}
	y.src.Note = src.Note
	return y.design(with)
}

// design reads the files that are prepared.
func (y *session) design(with *ir.Design) (_ *ir.Design, err error) {
	// The top may be found by yosys only.
	if y.src.Top == "" {
		if y.src.Top, err = y.root(); err != nil {
			return nil, err
		}
	}

	// A clock that is made inside a module asks for the module to be melted: first that module,
	// then all.
	src := y.src
	var melt []string
	for {
		text, err := y.json(melt)
		if err != nil {
			return nil, err
		}
		d, more, err := cells.Read(src.files(), text, src.Top, with, y.note)
		if err == nil || src.Flatten || len(more) == 0 || slices.Contains(melt, "*") {
			return d, err
		}

		// At most three rounds: nothing, the modules asked for, then all.
		if len(melt) > 0 || slices.Contains(more, "*") {
			more = []string{"*"}
		}
		melt = more
	}
}

// ReadJSON makes a design of the output of yosys's write_json. file is named in
// errors. top is the name of the top module as the user wrote it, "" to take the
// one that yosys has marked or the only one that nobody instantiates. Modules
// that top does not need are left out. Errors name the line of the Verilog.
func ReadJSON(file, text, top string) (*ir.Design, error) {
	d, _, err := cells.Read(file, text, top, &ir.Design{}, func(string) {})
	return d, err
}

// root is the module that no other one instantiates, if there is one such.
func (y *session) root() (string, error) {
	// Every module is elaborated with its default parameters. Deferred modules, as in the reading
	// proper, would not be in the netlist without a top.
	var b strings.Builder
	if err := y.readFiles(&b); err != nil {
		return "", err
	}
	out := filepath.Join(y.dir, "modules.json")
	fmt.Fprintf(&b, "proc\nwrite_json %s\n", quoted(out))
	if err := y.do(strings.ReplaceAll(b.String(), " -defer", "")); err != nil {
		return "", err
	}
	text, err := os.ReadFile(out)
	if err != nil {
		return "", err
	}

	// The modules that are no cell of another one.
	var doc struct {
		Modules map[string]struct {
			Cells map[string]struct{ Type string }
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		return "", err
	}
	inside := map[string]bool{}
	for _, m := range doc.Modules {
		for _, c := range m.Cells {
			inside[c.Type] = true
		}
	}

	// Without a single root it is the user's choice; sorted, for equal messages in every run.
	var roots []string
	for name := range doc.Modules {
		if !inside[name] {
			roots = append(roots, name)
		}
	}
	slices.Sort(roots)
	files := y.src.files()
	switch len(roots) {
	case 0:
		return "", fmt.Errorf("%s: no module that nothing instantiates: name the top", files)
	case 1:
		return roots[0], nil
	}
	return "", fmt.Errorf("%s: nothing instantiates %s: name the top", files, strings.Join(roots, ", "))
}

// session is the state of one Read.
type session struct {
	ctx context.Context
	run Run
	src Source
	dir string

	inputs    []input
	hasPulls  bool
	pullCount int

	deep bool // memories are bounded for yosys, see errDeep
	read bool // rawFile is there, and its drivers are fine
}

// json lets yosys read the files, and returns its output. The modules of melt, or all
// for "*", are melted into the modules that use them. A text that does not read the
// files for the first time goes on from the netlist that yosys had of them then.
func (y *session) json(melt []string) (string, error) {
	out := filepath.Join(y.dir, "netlist.json")

	// The script is made anew for each run: it begins with the raw netlist once that is there.
	run := func() error {
		script, err := y.script(melt, out)
		if err != nil {
			return err
		}
		return y.do(script)
	}
	err := run()
	if _, missing := os.Stat(y.rawFile()); !y.read && missing == nil {
		// yosys may also stop at a place that is mended then: a pad at a constant, as it flattens.
		y.read = true
		mended, wrong := y.drivers()
		if wrong != nil {
			return "", wrong
		}
		if mended {
			err = run()
		}
	}
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(out)
	return string(text), err
}

// rawFile is the netlist before yosys works on it.
func (y *session) rawFile() string { return filepath.Join(y.dir, "raw.il") }

// drivers fails if nets have drivers that fight, and reports whether it has changed
// the netlist so that yosys does not join nets that only look joined.
func (y *session) drivers() (bool, error) {
	text, err := os.ReadFile(y.rawFile())
	if err != nil {
		return false, err
	}
	mended, err := drivers.Mend(string(text))
	if err != nil || mended == string(text) {
		return false, err
	}
	return true, os.WriteFile(y.rawFile(), []byte(mended), 0o666)
}

// script is the commands that make a netlist. Registers and logic come from proc.
// Of the passes for memories only memory_dff runs, which gives read ports their
// clocks. Not memory_collect: its cell holds all bits of the initial contents, known
// or not, which is 3 GB for a memory of 64 MiB. Nothing is mapped to anything smaller.
func (y *session) script(melt []string, out string) (string, error) {
	var b strings.Builder
	if y.read {
		fmt.Fprintf(&b, "read_rtlil %s\n", quoted(y.rawFile()))
	} else if err := y.elaborate(&b); err != nil {
		return "", err
	}
	b.WriteString("proc\n")
	switch {
	case y.src.Flatten || slices.Contains(melt, "*"):
		b.WriteString("flatten\n")
	// All modules outside of melt keep their hierarchy.
	case len(melt) > 0:
		fmt.Fprintf(&b, "setattr -mod -set keep_hierarchy 1 *\nsetattr -mod -unset keep_hierarchy %s\nflatten\n", strings.Join(melt, " "))
	}
	b.WriteString("opt_expr -keepdc\nopt_clean\n" + clockReads)
	fmt.Fprintf(&b, "write_json %s\n", quoted(out))
	return b.String(), nil
}

// clockReads is the commands that give read ports of memories their clocks.
//
// The registers behind a read get their enables first: memory_dff does not look through
// the multiplexer of an enable, nor, behind it, at one that makes a read undefined while
// the same word is written.
//
// Modules without a read are left alone: cleaning them again is a seventh of the time of
// an AES core.
//
// All other registers change their type for that time. If memory_dff finds no register
// behind a read, it takes the one in front, of the address: then the port reads by the
// address' next value, and the old register stays beside it as a copy.
const clockReads = `select -set memory t:$memrd t:$memrd_v2 %u %m
select -set read t:$memrd t:$memrd_v2 %u %co*:+$memrd,$memrd_v2[DATA]:+$mux[A,B,Y]:+$dff[D] t:$dff %i
opt_dff -keepdc -nosdff @read
opt_clean @memory
chtype -set \etch_register @memory t:$dff %i @read %d
memory_dff @memory
chtype -map \etch_register $dff
opt_clean @memory
`

// elaborate is the commands that read the files and choose the parameters.
func (y *session) elaborate(b *strings.Builder) error {
	if err := y.readFiles(b); err != nil {
		return err
	}
	fmt.Fprintf(b, "hierarchy -check -top %s", y.src.Top)
	for _, p := range y.src.Params {
		v := p.Value
		if text, ok := strings.CutPrefix(v, `"`); ok { // which yosys takes as bits only
			text = strings.TrimSuffix(text, `"`)
			v = fmt.Sprintf("%d'h%x", 8*len(text), text)
		}
		if err := plain("parameter", p.Name, v); err != nil {
			return err
		}
		fmt.Fprintf(b, " -chparam %s %s", p.Name, v)
	}
	fmt.Fprintf(b, "\nwrite_rtlil %s\n", quoted(y.rawFile()))
	return nil
}

func (y *session) readFiles(b *strings.Builder) error {
	var flags strings.Builder
	for _, d := range y.src.Defines {
		// The words stand in the script without quotes.
		if err := plain("definition", d); err != nil {
			return err
		}
		fmt.Fprintf(&flags, " -D%s", d)
	}
	for _, d := range y.src.Include {
		if err := plain("folder", d); err != nil {
			return err
		}
		fmt.Fprintf(&flags, " %s", "-I"+d)
	}
	if y.src.Top != "" {
		if err := plain("top", y.src.Top); err != nil {
			return err
		}
	}

	// Modules are read as deferred, so that each is elaborated with the parameters in use
	// only.
	for _, in := range y.inputs {
		sv, dir := "", ""
		if isSystem(in.file) {
			sv = " -sv"
		}
		if in.dir != "" {
			dir = " -I" + in.dir
		}
		fmt.Fprintf(b, "read_verilog -defer%s%s%s %s\n", sv, flags.String(), dir, quoted(in.path))
	}
	return nil
}

// isSystem reports whether a file ends in .sv, in any case. Yosys reads others as plain Verilog.
func isSystem(file string) bool { return strings.EqualFold(filepath.Ext(file), ".sv") }

// plain refuses a text that a script of yosys would split.
func plain(what string, words ...string) error {
	for _, w := range words {
		if w == "" || strings.ContainsAny(w, "\n\r;\"#") || what != "file" && strings.ContainsAny(w, " \t") {
			return fmt.Errorf("the %s %q cannot be given to yosys", what, w)
		}
	}
	return nil
}

func quoted(s string) string { return `"` + s + `"` }

// command runs a script. yosys may be a script itself: a signal that ends it ends its
// children too.
func (y *session) command(script string) *exec.Cmd {
	cmd := y.run(y.ctx, "-q", "-s", script)
	cmd.WaitDelay = time.Second
	group(cmd)
	return cmd
}

// do runs a script in the session's directory, until the session's time is over. Errors explain
// Yosys's message.
func (y *session) do(script string) error {
	name := filepath.Join(y.dir, "script.ys")
	if err := os.WriteFile(name, []byte(script), 0o666); err != nil {
		return err
	}
	cmd := y.command(name)
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	err := cmd.Run()
	switch {
	// After a timeout, yosys's own error only says that it was killed.
	case errors.Is(y.ctx.Err(), context.Canceled):
		return fmt.Errorf("reading %s was interrupted", y.src.files())
	case y.ctx.Err() != nil:
		return fmt.Errorf("yosys took longer than %v to read %s", y.src.Time, y.src.files())
	case err == nil:
		return nil
	}
	return y.explain(script, text.String(), err)
}
