package lower

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"etch/backends/firrtl/syntax"
	"etch/ir"
	"etch/ir/input"
)

// Options control how a circuit is read.
type Options struct {
	// Top is the main module, "" for the one of the circuit's name.
	Top string
	// File returns the content of a file from which an annotation initialises a memory. If
	// it is nil, such memories start empty, with a note.
	File func(name string) ([]byte, error)
	// Annotations is the JSON of a separate annotation file and AnnotationsName its name.
	// The circuit's own annotations are always read.
	Annotations, AnnotationsName string
	// Body, if set, receives the Verilog of black boxes in BlackBoxInlineAnno annotations,
	// with the file names.
	Body func(file, text string)
	// Ignore lists classes of annotations to leave out, in addition to those known to be
	// harmless.
	Ignore []string
}

// Note reports something that was ignored or decided.
type Note struct {
	File string
	Line int // 0: the whole file
	Text string
}

// String is "file:line: text".
func (n Note) String() string {
	if n.Line == 0 {
		return n.File + ": " + n.Text
	}
	return fmt.Sprintf("%s:%d: %s", n.File, n.Line, n.Text)
}

// Error is an invalid or unsupported construct.
type Error struct {
	File string
	Line int
	Msg  string
}

// Error is "file:line: message".
func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg) }

// Lower makes a design of a circuit. Its error joins up to maxErrors *Error values.
func Lower(c *syntax.Circuit, o Options) (d *ir.Design, notes []Note, err error) {
	l := &lowering{c: c, src: ir.NewSources(), types: make([]*typ, len(c.Types)), aliases: map[syntax.Name]*aliasState{},
		budget: maxSignals, byName: map[syntax.Name]int32{}, posOf: make([]ir.Pos, len(c.Infos)), syms: make([]symbol, len(c.Names))}
	for _, n := range c.Notes {
		l.note(n.Line, "%s", n.Text)
	}

	// Too many errors end the work by a panic of the package's own type; any other panic is a bug.
	defer func() {
		if p := recover(); p != nil {
			if _, ok := p.(abort); !ok {
				panic(p)
			}
			d, notes, err = nil, l.notes, errors.Join(l.errs...)
		}
	}()

	d = l.design(o)
	if len(l.errs) > 0 {
		return nil, l.notes, errors.Join(l.errs...)
	}
	return d, l.notes, nil
}

// abort is panicked to stop the work on a circuit that exceeds a limit; the error is
// already recorded.
type abort struct{}

// maxErrors is the number of errors after which further ones are dropped.
const maxErrors = 20

// lowering is the state of one call of Lower.
type lowering struct {
	c       *syntax.Circuit
	src     *ir.Sources
	types   []*typ // by syntax.Type
	aliases map[syntax.Name]*aliasState
	byName  map[syntax.Name]int32 // index of Circuit.Modules
	posOf   []ir.Pos              // by locator, 0: not looked up yet
	linePos [2]int32              // the last line without a locator and its ir.Pos
	syms    []symbol              // by name: its declaration in the current module
	top     int32                 // index of the main module
	mods    []*module             // by index of Circuit.Modules, nil if not reached
	order   []*module             // children first
	vars    []variable            // unknown widths
	edges   []edge
	resets  []resetClass
	cuts    int // connects that truncate
	cutLine int32
	notes   []Note
	errs    []error
	capped  bool
	layered bool
	words   map[string]syntax.Name // names of the fields of memory ports
	epochs  int32
	annos   annotations
	tested  map[*module]bool // those under test, empty: all
	named   int              // total bytes of the leaves' names
	budget  int              // leaves that may still be made
}

type aliasState struct {
	t    syntax.Type
	busy bool
}

func (l *lowering) fail(line int32, format string, args ...any) {
	l.failIn(l.c.File, line, format, args...)
}

// failIn is fail for a line of another file.
func (l *lowering) failIn(file string, line int32, format string, args ...any) {
	// The last entry tells that there were more.
	if len(l.errs) >= maxErrors {
		if !l.capped {
			l.capped = true
			l.errs = append(l.errs, &Error{file, int(line), "and more errors"})
		}
		return
	}

	// The same error twice in a row is reported once.
	e := &Error{file, int(line), input.Message(fmt.Sprintf(format, args...))}
	if n := len(l.errs); n > 0 && *l.errs[n-1].(*Error) == *e {
		return
	}
	l.errs = append(l.errs, e)
}

func (l *lowering) note(line int32, format string, args ...any) {
	l.noteIn(l.c.File, line, format, args...)
}

// noteIn is note for a line of another file.
func (l *lowering) noteIn(file string, line int32, format string, args ...any) {
	l.notes = append(l.notes, Note{file, int(line), input.Message(fmt.Sprintf(format, args...))})
}

func (l *lowering) name(n syntax.Name) string { return l.c.Names[n] }

func itoa(i int32) string { return strconv.Itoa(int(i)) }

// pos is the position of a statement: its locator's if it has one, else its line in the
// FIRRTL file.
func (l *lowering) pos(info syntax.Info, line int32) ir.Pos {
	if info != 0 {
		p := l.posOf[info]
		if p == 0 {
			at := l.c.Infos[info]
			p = l.src.Line(l.name(at.File), int(at.Line))
			l.posOf[info] = p
		}
		return p
	}

	// Only the last line without a locator is remembered.
	if l.linePos[0] != line {
		l.linePos = [2]int32{line, int32(l.src.Line(l.c.File, int(line)))}
	}
	return ir.Pos(l.linePos[1])
}

// design runs all stages. Each stage ends if the one before it reported errors.
func (l *lowering) design(o Options) *ir.Design {
	top := l.declare(o)
	if top < 0 {
		return nil
	}

	l.top = top
	// Types and modules, then the graphs, children first.
	l.reach(top)
	if len(l.errs) > 0 {
		return nil
	}

	l.annotate(o)
	for _, m := range l.order {
		l.body(m)
	}

	if len(l.errs) > 0 {
		return nil
	}

	// Connections through module boundaries: wiring, probes. They need all graphs.
	l.findUses()
	l.wire()
	l.carryProbes()
	for _, m := range l.order {
		m.checkDriven()
	}

	if len(l.errs) > 0 {
		return nil
	}

	// Inference over the whole circuit.
	l.solveWidths()
	l.solveResets()
	if len(l.errs) == 0 {
		l.fullResets()
	}

	if len(l.errs) > 0 {
		return nil
	}

	return l.netlist(o)
}

// netlist writes the modules out. Instances of cells become parts of nets.
func (l *lowering) netlist(o Options) *ir.Design {
	d := &ir.Design{Src: l.src}
	for _, m := range l.order {
		if m.findCell(); m.cell == nil {
			l.emit(m)
			d.Modules = append(d.Modules, m.ir)
		}
	}

	l.order = slices.DeleteFunc(l.order, func(m *module) bool { return m.cell != nil })

	// Contents and attributes need the finished netlist.
	d.Top = l.mods[l.top].ir
	l.fillMemories(o)
	l.attributes()
	if l.cuts > 0 {
		l.note(l.cutLine, "a connect cuts what does not fit (the first of %d)", l.cuts)
	}

	if len(l.errs) == 0 {
		l.findLoops(d)
	}

	return d
}

// declare enters the type aliases and modules by name, and returns the index of the main
// module, -1 if there is none.
func (l *lowering) declare(o Options) int32 {
	c := l.c
	for _, a := range c.Aliases {
		if l.aliases[a.Name] != nil {
			l.fail(a.Line, "a second type %s", l.name(a.Name))
		}
		l.aliases[a.Name] = &aliasState{t: a.Type}
	}

	// The main module has the circuit's name, unless the options name another.
	top, want := int32(-1), l.name(c.Name)
	if o.Top != "" {
		want = o.Top
	}
	for i := range c.Modules {
		m := &c.Modules[i]
		if at, twice := l.byName[m.Name]; twice && l.sameBox(m, &c.Modules[at]) {
			continue // files that were put together declare black boxes twice
		} else if twice {
			l.fail(m.Line, "a second module %s; the first is in line %d", l.name(m.Name), c.Modules[at].Line)
		}
		l.byName[m.Name] = int32(i)
		if l.name(m.Name) == want {
			top = int32(i)
		}
	}
	if top < 0 {
		l.fail(c.Line, "there is no module %s, which would be the main one", clip(want))
		return top
	}
	if m := &c.Modules[top]; m.Kind != syntax.Ordinary {
		l.fail(m.Line, "the main module %s has no body: it is an extmodule or intmodule; name another as the top", clip(want))
		return -1
	}
	return top
}

// sameBox reports whether two external modules have the same name, parameters and ports.
func (l *lowering) sameBox(a, b *syntax.Module) bool {
	if a.Kind != syntax.External || b.Kind != syntax.External || a.DefName != b.DefName ||
		!slices.Equal(a.Params, b.Params) || a.LastPort-a.FirstPort != b.LastPort-b.FirstPort {
		return false
	}
	for i := range a.LastPort - a.FirstPort {
		p, q := &l.c.Ports[a.FirstPort+i], &l.c.Ports[b.FirstPort+i]
		if p.Name != q.Name || p.Output != q.Output || !l.sameType(p.Type, q.Type) {
			return false
		}
	}
	return true
}

// sameType reports whether two types are the same row or equal ground types. Equal
// aggregates in different rows count as different.
func (l *lowering) sameType(a, b syntax.Type) bool {
	x, y := &l.c.Types[a], &l.c.Types[b]
	ground := x.Kind >= syntax.UInt && x.Kind <= syntax.Analog
	return a == b || ground && x.Kind == y.Kind && x.Width == y.Width
}

// reach makes the module of every module below the top, children first: an iterative
// depth-first search, so that a deep hierarchy does not overflow the stack. A module met
// while open contains itself.
func (l *lowering) reach(top int32) {
	l.mods = make([]*module, len(l.c.Modules))
	const (
		open = 1
		done = 2
	)
	state := make([]uint8, len(l.c.Modules))
	type visit struct {
		at   int32
		subs []call
	}

	stack := []visit{{top, l.instances(top)}}
	state[top] = open
	for len(stack) > 0 {
		v := &stack[len(stack)-1]
		if len(v.subs) == 0 {
			state[v.at] = done
			l.mods[v.at] = l.newModule(v.at)
			l.order = append(l.order, l.mods[v.at])
			stack = stack[:len(stack)-1]
			continue
		}

		// A module that is done needs no second visit.
		sub := v.subs[0]
		v.subs = v.subs[1:]
		switch state[sub.mod] {
		case open:
			l.fail(sub.line, "module %s holds an instance of itself", l.name(l.c.Modules[sub.mod].Name))
		case 0:
			state[sub.mod] = open
			stack = append(stack, visit{sub.mod, l.instances(sub.mod)})
		}
	}
}

// call is an instantiation of a module.
type call struct{ mod, line int32 }

// instances lists the modules that a module instantiates.
func (l *lowering) instances(mod int32) []call {
	var list []call
	l.eachStmt(l.c.Modules[mod].Body, func(s *syntax.StmtRow) {
		if s.Kind != syntax.Inst {
			return
		}
		at, ok := l.byName[syntax.Name(s.D)]
		if !ok {
			l.fail(s.Line, "instance %s: there is no module %s", l.name(s.Name), l.name(syntax.Name(s.D)))
			return
		}
		list = append(list, call{at, s.Line})
	})
	return list
}

// eachStmt visits statements and their blocks. Layer blocks are skipped, since they carry
// no hardware.
func (l *lowering) eachStmt(first syntax.Stmt, f func(s *syntax.StmtRow)) {
	for at := first; at != 0; {
		s := &l.c.Stmts[at]
		f(s)
		switch s.Kind {
		case syntax.When:
			l.eachStmt(syntax.Stmt(s.B), f)
			if next := syntax.Stmt(s.C); next != 0 && s.Next == 0 {
				at = next // an else-if chain is a loop, not a recursion
				continue
			}
			l.eachStmt(syntax.Stmt(s.C), f)
		case syntax.Match, syntax.Case:
			l.eachStmt(syntax.Stmt(s.B), f)
		}
		at = s.Next
	}
}
