package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"etch/backends/yosys"
	"etch/ir"
	"etch/ir/bits"
	"etch/testbench/equiv"
)

// leastProof is the time that a proof has when reading took all of it.
const leastProof = time.Second

// proofFlags are the flags of equiv and prove.
type proofFlags struct {
	reset   *int
	time    *time.Duration
	dump    *string
	top     *string
	sets    []string // PORT=VALUE
	verilog *VerilogFlags
	json    *bool
	began   time.Time
}

func (f *Flags) proof() *proofFlags {
	p := &proofFlags{
		reset: f.Int("reset", -1, "`cycles` of reset at the start; -1: one if there is a reset"),
		time:  f.Duration("time", time.Minute, "`time` that is spent at most"),
		json:  f.Bool("json", false, "print one JSON document"),
		dump:  f.String("o", "", "`file`.vcd or .fst for the run that shows a difference or breaks an assertion"),
		began: time.Now(),
		top:   f.String("top", "", "main module of what is read from files, `name`; name,name where it is another one for each"),
	}

	f.Func("set", "an input has a constant value, `PORT=VALUE`; may be repeated", func(s string) error {
		if !strings.Contains(s, "=") {
			return fmt.Errorf("%q has no =", s)
		}
		p.sets = append(p.sets, s)
		return nil
	})
	p.verilog = f.Verilog()
	return p
}

// positional parses args and checks the flags before any work.
func (p *proofFlags) positional(f *Flags, args []string, names ...string) ([]string, error) {
	found, err := f.Positional(args, names...)

	// A file that cannot be written is found before a proof of minutes, not after.
	switch ext := filepath.Ext(*p.dump); {
	case err != nil:
		return nil, err
	case *p.reset < -1 || *p.time <= 0:
		return nil, usagef("-reset %d, -time %v: want -1 and more, and some time", *p.reset, *p.time)
	case strings.Count(*p.top, ",") >= len(names):
		return nil, usagef("-top %s: names for %d designs", *p.top, 1+strings.Count(*p.top, ","))
	case *p.dump == "":
		return found, nil
	case ext != ".vcd" && ext != ".fst":
		return nil, usagef("-o %s: want a name that ends in .vcd or .fst", *p.dump)
	}

	// Nor is a design written over.
	var files []string
	for _, name := range found {
		files = append(files, strings.Split(name, ",")...)
	}
	if err := f.ApartFrom(files, "o"); err != nil {
		return nil, err
	}
	return found, Writable(*p.dump)
}

// design finds a design by its name, or reads it from files: their names have an
// extension, and commas between them. which is its number among the arguments.
func (p *proofFlags) design(a *App, name string, which int, given Values, out Output) (*ir.Design, error) {
	// Files: black boxes take -top in order, Verilog its own flags.
	if isFile(name) {
		files := strings.Split(name, ",")
		o := readOptions{top: *p.top}
		if tops := strings.Split(o.top, ","); len(tops) > 1 {
			o.top = tops[which]
		}
		if isVerilog(files[0]) {
			o.verilog = p.verilog
			o.verilog.source.Time = *p.time
		}
		d, notes, err := readDesign(files, o)
		printNotes(out, notes)
		return d, err
	}

	// A design by name takes those of the parameters that it has: the other design may have
	// others.
	d, err := a.Design(name)
	if err != nil {
		return nil, err
	}
	mine := Values{}
	for _, p := range d.Params {
		if v, ok := given[p.Name]; ok {
			mine[p.Name] = v
		}
	}
	return d.built(mine, out.Err)
}

// options are those of the flags. Inputs that reset by their names, as in Verilog,
// are resets here as they are in etch sim.
func (p *proofFlags) options(out Output, designs ...*ir.Design) ([]equiv.Option, error) {
	// Reading the files counts, but a proof gets some time in any case.
	list := []equiv.Option{equiv.Limit(max(*p.time-time.Since(p.began), leastProof))}
	if *p.reset >= 0 {
		list = append(list, equiv.Reset(*p.reset))
	}
	if *p.dump != "" {
		list = append(list, equiv.Dump(*p.dump))
	}

	// An input that -set holds is no reset, whatever its name.
	held := map[string]bool{}
	for _, set := range p.sets {
		name, digits, _ := strings.Cut(set, "=")
		v, err := portValue(name, digits, designs)
		if err != nil {
			return nil, err
		}
		held[name] = true
		list = append(list, equiv.Hold(name, v))
	}

	for _, r := range namedResets(designs) {
		if held[r.name] {
			continue
		}
		if r.level == yosys.Low && *p.reset != 0 {
			fmt.Fprintf(out.Err, "note: %s is taken for a reset that acts when low\n", r.name)
		}
		list = append(list, equiv.ResetBy(r.name, bits.New(1, uint64(yosys.Low-r.level))))
	}
	return list, nil
}

// working is the line of progress of a proof, with the time that it has, and the option by which the
// proof says how far it has come.
func (p *proofFlags) working(out Output, what string) (*Progress, equiv.Option) {
	w := NewProgress(out.Err, what)
	most := fmt.Sprintf("at most %v", max(*p.time-time.Since(p.began), leastProof).Round(time.Second))
	w.Done(most)
	return w, equiv.Told(func(s equiv.Stage) { w.Done(stageText(s) + most) })
}

// stageText is the stage of a proof in front of more words: "2 of 7 assertions, step 5 of 20, ".
func stageText(s equiv.Stage) (text string) {
	if s.All > 0 {
		text = fmt.Sprintf("%d of %d assertions, ", s.Done, s.All)
	}
	if s.Step > 0 {
		text += fmt.Sprintf("step %d of %d, ", s.Step, s.Depth)
	}
	return text
}

// portValue is a number as a value of an input.
func portValue(name, digits string, designs []*ir.Design) (bits.Value, error) {
	for _, d := range designs {
		if j := d.Top.PortIndex(name); j >= 0 && d.Top.Ports[j].Dir == ir.In {
			return valueOf("-set", digits, name, d.Top.TypeOf(d.Top.Ports[j].Type), d.Top.Ports[j].Width)
		}
	}

	// No design has it: the names of the first help.
	var inputs []string
	for _, p := range designs[0].Top.Ports {
		if p.Dir == ir.In {
			inputs = append(inputs, p.Name)
		}
	}
	return bits.Value{}, usagef("-set: there is no input %s%s", name, suggestion(name, inputs))
}

// namedReset is an input that resets by its name.
type namedReset struct {
	name  string
	level yosys.Level
}

// value is the text of the input's value while it resets, or else while it does not.
func (r namedReset) value(resets bool) string {
	if resets == (r.level == yosys.High) {
		return "1"
	}
	return "0"
}

// namedResets lists the inputs of one bit that are resets by their names and in no
// design by their type.
func namedResets(designs []*ir.Design) (list []namedReset) {
	// A reset by type in one design is one in the other as well.
	typed, seen := map[string]bool{}, map[string]bool{}
	for _, d := range designs {
		for _, p := range d.Top.Ports {
			if k := d.Top.TypeOf(p.Type).Kind; k == ir.Reset || k == ir.AsyncReset || k == ir.Clock {
				typed[p.Name] = true
			}
		}
	}
	for _, d := range designs {
		for _, p := range d.Top.Ports {
			level := yosys.ResetByName(p.Name)
			if p.Dir == ir.In && p.Width == 1 && level != 0 && !typed[p.Name] && !seen[p.Name] {
				seen[p.Name] = true
				list = append(list, namedReset{p.Name, level})
			}
		}
	}
	return list
}
