package cells

import (
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"etch/backends/yosys/internal/attribute"
	"etch/ir"
	"etch/ir/bits"
)

// reader is a whole design.
type reader struct {
	d     *ir.Design
	file  string
	mods  map[string]*jsonModule
	done  map[string]*lowered
	names map[string]bool
	melt  []string // modules that must be dissolved in those that use them
	errs  []error
	note  func(string)

	texts  map[string][]string // lines of Verilog files that were looked into
	failed int                 // how many errors there were, also those that are not told
}

// lowered is a finished module; mod is nil while it is being made.
type lowered struct {
	busy bool
	mod  *ir.Module
	used []bool // the input ports that something reads
}

// dissolve asks for a module to be melted into those that use it.
func (r *reader) dissolve(name string) {
	if strings.ContainsAny(name, "$\\=' ") { // which a script would take apart
		name = "*"
	}
	r.melt = append(r.melt, name)
}

// maxErrors is how many errors are told at once.
const maxErrors = 10

var errTooMany = errors.New("and more")

// Read makes a design of the output of write_json, see yosys.ReadJSON; names and
// positions go with those of another design. It also returns the modules that should be
// melted into those that use them, "*" for all, and calls note with each part left out.
func Read(file, text, top string, with *ir.Design, note func(string)) (*ir.Design, []string, error) {
	mods, err := parse(text)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	r := &reader{d: &ir.Design{Src: with.Src}, file: file, mods: map[string]*jsonModule{},
		done: map[string]*lowered{}, names: map[string]bool{}, texts: map[string][]string{}, note: note}
	if r.d.Src == nil {
		r.d.Src = ir.NewSources()
	}

	// The names of the other design are taken.
	for _, m := range with.Modules {
		r.names[m.Name] = true
	}
	mods = slices.DeleteFunc(mods, func(m *jsonModule) bool { return m.name == pullUpCell || m.name == pullDownCell })
	for _, m := range mods {
		r.mods[m.name] = m
	}

	// From the top down; modules that nothing uses are not read.
	j, err := r.top(mods, top)
	if err != nil {
		return nil, nil, err
	}
	r.splitPads(mods)
	if l := r.module(j); l != nil {
		r.d.Top = l.mod
	}
	if len(r.errs) > 0 {
		return nil, r.melt, errors.Join(r.errs...)
	}

	// Loops through instances appear only in the whole.
	if err := ir.Verify(r.d); err != nil {
		return nil, r.melt, r.loop(err)
	}
	return r.d, nil, nil
}

// loop is the error of a combinational loop that instances close around logic without
// loops of its own.
func (r *reader) loop(err error) error {
	var l *ir.LoopError
	if !errors.As(err, &l) {
		return fmt.Errorf("%s: %w", r.file, err)
	}

	// Flattened, the loop may be none, bit by bit.
	r.melt = append(r.melt, "*")
	var path []string
	for _, id := range l.Nodes {
		if at := l.Mod.Src.At(l.Mod.Node(id).Pos); at.Line > 0 && len(path) < 5 {
			if s := fmt.Sprintf("%s:%d", at.File, at.Line); len(path) == 0 || path[len(path)-1] != s {
				path = append(path, s)
			}
		}
	}
	return fmt.Errorf("module %s: combinational loop through %s", l.Mod.Name, strings.Join(path, ", "))
}

// fail notes an error; a place comes with its ": ".
func (r *reader) fail(place, format string, args ...any) {
	r.failed++
	switch {
	case len(r.errs) < maxErrors:
		if place == "" {
			place = r.file + ": "
		}
		r.errs = append(r.errs, fmt.Errorf("%s%s", place, fmt.Sprintf(format, args...)))
	case len(r.errs) == maxErrors:
		r.errs = append(r.errs, errTooMany)
	}
}

// top finds the module called name. Without a name, top is the module marked so, or the only one
// that nothing instantiates; several are an error.
func (r *reader) top(mods []*jsonModule, name string) (*jsonModule, error) {
	var tops []*jsonModule
	if name != "" {
		for _, m := range mods {
			if m.name != name && userName(m) != name {
				continue
			}
			if attribute.Find(m.attrs, "top") != "" { // among several with other parameters
				return m, nil
			}
			tops = append(tops, m)
		}
		if len(tops) == 0 {
			return nil, fmt.Errorf("%s: no module %s", r.file, name)
		}
		return tops[0], nil
	}

	// Without a name: the module marked as top, or the only one that nothing instantiates.
	inside := map[string]bool{}
	for _, m := range mods {
		if attribute.Find(m.attrs, "top") != "" {
			return m, nil
		}
		for i := range m.cells {
			inside[m.cells[i].kind] = true
		}
	}
	for _, m := range mods {
		if !inside[m.name] && !isBlackBox(m) {
			tops = append(tops, m)
		}
	}
	if len(tops) != 1 {
		return nil, fmt.Errorf("%s: %d modules that nothing instantiates: name the top", r.file, len(tops))
	}
	return tops[0], nil
}

func isBlackBox(m *jsonModule) bool {
	return attribute.Find(m.attrs, "blackbox") != "" || attribute.Find(m.attrs, "whitebox") != ""
}

// module lowers a module and all modules below it. nil after an error.
func (r *reader) module(j *jsonModule) *lowered {
	if l, ok := r.done[j.name]; ok {
		switch {
		case l.busy:
			r.fail(attribute.Where(j.attrs), "module %s instantiates itself", userName(j))
			return nil
		case l.mod == nil: // it has failed
			return nil
		}
		return l
	}
	l := &lowered{busy: true}
	r.done[j.name] = l

	// busy finds a module inside itself.
	lo := &lowering{r: r, j: j, builder: builder{m: ir.NewModule(r.nameOf(j), r.d.Src)}}
	before := len(r.errs)
	lo.run()
	l.busy = false
	if len(r.errs) > before {
		return nil
	}
	l.mod = lo.m
	l.used = usedInputs(lo.m)
	r.d.Modules = append(r.d.Modules, lo.m)
	return l
}

// usedInputs marks the input ports of a module that something reads.
func usedInputs(m *ir.Module) []bool {
	used := make([]bool, len(m.Ports))
	mark := func(id ir.ID) {
		if n := m.Node(id); n.Op == ir.Input {
			used[n.Aux] = true
		}
	}
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		for _, a := range m.Args(id) {
			mark(a)
		}
	}

	// References from statements, registers and memories count, those of the ports themselves
	// do not.
	ports := make(map[*ir.ID]bool, len(m.Ports))
	for i := range m.Ports {
		if m.Ports[i].Dir == ir.In {
			ports[&m.Ports[i].Node] = true
		}
	}
	ir.EachRef(m, func(ref *ir.ID) {
		if !ports[ref] {
			mark(*ref)
		}
	})
	return used
}

// userName is the name that the user gave to a module, without parameters.
func userName(j *jsonModule) string {
	name := j.name
	if h := attribute.Find(j.attrs, "hdlname"); h != "" {
		name = h.Text()
	} else if rest, ok := strings.CutPrefix(name, "$paramod"); ok { // $paramod\name\W=… or $paramod$hash\name
		if i := strings.IndexByte(rest, '\\'); i >= 0 {
			name, _, _ = strings.Cut(rest[i+1:], `\`)
		}
	}
	return strings.TrimPrefix(name, `\`)
}

// nameOf makes the name of a module: the user's, with the values of its
// parameters where there are several.
func (r *reader) nameOf(j *jsonModule) string {
	name := userName(j)
	if strings.HasPrefix(j.name, "$paramod") && attribute.Find(j.attrs, "top") == "" {
		for _, p := range j.param {
			name += "_" + p.Name + paramText(p.Value)
		}

		// Of a long name, the parameters become a hash.
		if len(name) > 80 {
			h := fnv.New32a()
			h.Write([]byte(j.name))
			name = fmt.Sprintf("%s_%08x", userName(j), h.Sum32())
		}
	}
	base := name
	for n := 2; r.names[name]; n++ {
		name = fmt.Sprintf("%s_%d", base, n)
	}
	r.names[name] = true
	return name
}

// paramText is a parameter in a name.
func paramText(v attribute.Value) string {
	if n := v.Int(); n >= 0 {
		return fmt.Sprint(n)
	}
	if v.IsBits() {
		return number(v, len(v)).Hex()
	}
	return strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return c
		}
		return '_'
	}, v.Text())
}

// number is a parameter's value in width bits; x and z are 0.
func number(v attribute.Value, width int) bits.Value {
	if width == 0 {
		return bits.Value{}
	}
	words := make([]uint64, bits.WordCount(width))
	for i := range min(width, len(v)) {
		if v.Bit(i) == '1' {
			words[i/64] |= 1 << (i % 64)
		}
	}
	return bits.FromWords(width, words)
}
