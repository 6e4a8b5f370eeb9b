package view

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"etch/ir/input"
	fst "etch/sim/fst/scan"
	vcd "etch/sim/vcd/scan"
)

// Dump is a file of waves of any simulator: names and values over time, without source or netlist.
// Where a run has cycles, a dump has units of time. Files are read by blocks, whatever their length.
type Dump struct {
	name       string
	path       string
	unit       string // of time, as "10 ps"
	begin, end uint64
	top        scopeInfo
	note       string     // that a part is not shown
	vars       []*dumpVar // in the order of the file
	byName     map[string]*dumpVar
	scopes     map[string][]*dumpVar
	trace      trace
}

// dumpVar is a variable of a dump.
type dumpVar struct {
	name   string // full
	base   string
	net    int
	width  int
	bits   string // its range as in "[7:0]", "" where the file has none
	signed bool
	real   bool
	names  map[string]string // of an enumeration, by the digits of its values
}

// trace reads the values at from, then the changes behind it up to to, net by net or in the order
// of time.
type trace interface {
	Changes(nets []int, from, to uint64, visit func(net int, time uint64, value string) error) error
	Close() error
}

// mostVars bounds the variables of a dump that the page knows.
const mostVars = 200_000

// OpenDump opens a file of waves by its extension: .fst or .vcd. Errors name the file, and the line or
// offset of a broken part.
func OpenDump(path string) (*Dump, error) {
	d := &Dump{name: filepath.Base(path), path: path, byName: map[string]*dumpVar{}, scopes: map[string][]*dumpVar{}}
	var err error
	if filepath.Ext(path) == ".fst" {
		err = d.openFST(path)
	} else {
		err = d.openVCD(path)
	}
	if err != nil {
		return nil, err
	}
	d.top.Name = d.name
	return d, nil
}

// Close closes the file.
func (d *Dump) Close() error { return d.trace.Close() }

// Dumped shows a waveform file. A dump cannot run, only go back and forth.
func Dumped(d *Dump) *View {
	v := blank()
	v.routes(map[string]answerer{
		"design": d.design, "values": d.values, "waves": d.waves, "source": d.source,
		"schematic": d.schematic, "edge": d.edge,
	}, map[string]answerer{"until": d.until, "gtkwave": d.gtkwave})
	return v
}

// fstTrace is an FST file as a trace.
type fstTrace struct{ *fst.File }

// Changes asks for one net after the other: each has a chain of its own in every block.
func (f fstTrace) Changes(nets []int, from, to uint64, visit func(int, uint64, string) error) error {
	for _, n := range nets {
		err := f.File.Changes(n, from, to, func(c fst.Change) error { return visit(n, c.Time, c.Value) })
		if err != nil {
			return err
		}
	}
	return nil
}

// openFST opens an FST file.
func (d *Dump) openFST(path string) error {
	f, err := fst.Open(path)
	if err != nil {
		return err
	}
	d.trace, d.begin, d.end, d.unit = fstTrace{f}, f.Begin, f.End, unitText(f.Scale)

	b := builder{d: d}
	for _, s := range f.Scopes {
		b.scope(s.Parent, s.Name, s.Component)
	}
	for _, x := range f.Vars {
		if added := b.variable(x.Scope, x.Kind, x.Direction, x.Name, x.Range, x.Width, x.Net); added != nil && x.Enum != nil {
			added.names = x.Enum.Names
		}
	}
	b.finish()
	return nil
}

// openVCD opens a VCD file.
func (d *Dump) openVCD(path string) error {
	f, err := vcd.Open(path)
	if err != nil {
		return err
	}
	d.trace, d.begin, d.end, d.unit = f, f.Begin, f.End, f.Scale

	b := builder{d: d}
	for _, s := range f.Scopes {
		b.scope(s.Parent, s.Name, "")
	}
	for _, x := range f.Vars {
		b.variable(x.Scope, x.Kind, "", x.Name, x.Range, x.Width, x.Net)
	}
	b.finish()
	return nil
}

// unitText is the text of 10^scale seconds: "1ns", or "10^3 s" outside of fs to s.
func unitText(scale int) string {
	if scale > 0 || scale < -15 {
		return fmt.Sprintf("10^%d s", scale)
	}
	units := [...]string{"s", "ms", "us", "ns", "ps", "fs"}
	thousand := (-scale + 2) / 3
	return []string{"1", "10", "100"}[3*thousand+scale] + units[thousand]
}

// builder makes the hierarchy of a dump. Scopes of one path are one: writers open a scope again.
type builder struct {
	d      *Dump
	paths  []string // by number of the scope in the file
	infos  map[string]*scopeInfo
	order  []string // paths, parents first
	parent map[string]string
}

// scope adds the next scope of the file; -1 is the top as its parent.
func (b *builder) scope(parent int, name, module string) {
	if b.infos == nil {
		b.infos, b.parent = map[string]*scopeInfo{}, map[string]string{}
	}
	path, above := name, ""
	if parent >= 0 {
		above = b.paths[parent]
		path = above + "." + name
	}
	b.paths = append(b.paths, path)
	if b.infos[path] == nil {
		b.infos[path] = &scopeInfo{Name: name, Path: path, Module: module, Signals: []signalInfo{}}
		b.order, b.parent[path] = append(b.order, path), above
	}
}

// variable adds a variable and returns it. A name that is there already, as of a port declared
// twice, is not added again.
func (b *builder) variable(scope int, kind, direction, name, rng string, width, net int) *dumpVar {
	d := b.d
	if len(d.byName) == mostVars {
		d.note = fmt.Sprintf("%s has more than %d variables: the first %d are shown", d.name, mostVars, mostVars)
		return nil
	}
	path, full := "", name
	if scope >= 0 {
		path = b.paths[scope]
		full = path + "." + name
	}

	// Without a scope the variable belongs to the file itself.
	info := &d.top
	if path != "" {
		info = b.infos[path]
	}
	if d.byName[full] != nil {
		return nil
	}
	x := &dumpVar{name: full, base: name, net: net, width: width, bits: rng}
	switch kind {
	case "integer", "int", "shortint", "longint":
		x.signed = true
	case "real", "real_parameter", "realtime", "shortreal":
		x.real = true
	}
	d.byName[full], d.vars = x, append(d.vars, x)
	d.scopes[path] = append(d.scopes[path], x)

	// The page tells registers from wires by colour.
	shown := cmp.Or(map[string]string{"input": "input", "output": "output", "inout": "inout"}[direction], map[string]string{"reg": "register"}[kind], "wire")
	info.Signals = append(info.Signals, signalInfo{Name: name, Full: full, Width: width, Kind: shown, Type: strings.TrimSpace(kind + " " + rng)})
	return x
}

// finish puts each scope below its parent, the last ones first, so that each is whole when it goes.
func (b *builder) finish() {
	if b.d.top.Signals == nil {
		b.d.top.Signals = []signalInfo{}
	}
	for _, path := range slices.Backward(b.order) {
		to := &b.d.top
		if above := b.parent[path]; above != "" {
			to = b.infos[above]
		}
		to.Children = append(to.Children, *b.infos[path])
	}

	// The walk from the last scope to the first has listed children backwards.
	var turn func(s *scopeInfo)
	turn = func(s *scopeInfo) {
		slices.Reverse(s.Children)
		for i := range s.Children {
			turn(&s.Children[i])
		}
	}
	turn(&b.d.top)
}

// design answers with the hierarchy and the extent of the dump.
func (d *Dump) design(query) (any, error) {
	return struct {
		Name string    `json:"name"`
		Dump bool      `json:"dump"`
		Unit string    `json:"unit"`
		Note string    `json:"note,omitempty"`
		Span span      `json:"span"`
		Top  scopeInfo `json:"top"`
	}{d.name, true, d.unit, d.note, span{d.begin, d.end, d.begin}, d.top}, nil
}

// variable finds a variable by its full name; the error names the nearest ones.
func (d *Dump) variable(name string) (*dumpVar, error) {
	if x := d.byName[name]; x != nil {
		return x, nil
	}
	return nil, fmt.Errorf("%s has no variable %s%s", d.name, input.Excerpt(name), d.nearest(name))
}

// nearest is "; nearest: …" with up to three names that are like one, or whose last part is.
func (d *Dump) nearest(name string) string {
	if len(name) > 100 {
		return ""
	}

	// A name without its path, or with a wrong one, is compared by its last part; a hit there
	// counts one step farther.
	last := name[strings.LastIndexByte(name, '.')+1:]
	near := input.Nearest(d.vars, max(2, len(last)/3), func(x *dumpVar) int {
		return min(input.Distance(name, x.name, len(name)/3), input.Unlike(last, x.base, len(last)/3)+1)
	})

	var names []string
	for _, x := range near[:min(3, len(near))] {
		names = append(names, x.name)
	}
	if names == nil {
		return ""
	}
	return "; nearest: " + strings.Join(names, ", ")
}

// variables finds the variables of a list with commas.
func (d *Dump) variables(list string) (all []*dumpVar, err error) {
	for name := range strings.SplitSeq(list, ",") {
		if name == "" {
			continue
		}
		x, err := d.variable(name)
		if err != nil {
			return nil, err
		}
		if all = append(all, x); len(all) > mostWaveSignals {
			return nil, fmt.Errorf("more than %d signals", mostWaveSignals)
		}
	}
	return all, nil
}

// nets are the nets of variables, each once.
func nets(vars []*dumpVar) []int {
	list := make([]int, len(vars))
	for i, x := range vars {
		list[i] = x.net
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// time is an argument that is a time of the dump.
func (d *Dump) time(q query, name string, without uint64) (uint64, error) {
	t, err := q.number(name, without)
	if err == nil && (t < d.begin || t > d.end) {
		err = fmt.Errorf("time %d: %s has times %d to %d", t, d.name, d.begin, d.end)
	}
	return t, err
}

// values answers with the values of a scope's variables at a time, by base name.
func (d *Dump) values(q query) (any, error) {
	t, err := d.time(q, "cycle", d.begin)
	if err != nil {
		return nil, err
	}
	vars, list := d.scopes[q.Get("scope")], map[string]string{}
	if len(vars) > 2000 {
		vars = vars[:2000]
	}

	// A range of a single time gives each net its value there, and no changes.
	now := map[int]string{}
	err = d.trace.Changes(nets(vars), t, t, func(net int, _ uint64, value string) error {
		now[net] = value
		return nil
	})
	for _, x := range vars {
		list[x.base] = x.text(now[x.net])
	}
	return list, err
}

// mostSteps is the number of changes of a row beyond which changes are drawn as one: more than pixels.
const mostSteps = 4000

// waves answers with the changes of variables from a time to another. Of changes that lie nearer than a
// pixel only the last is told.
func (d *Dump) waves(q query) (any, error) {
	from, err := d.time(q, "from", d.begin)
	if err != nil {
		return nil, err
	}
	to, err := d.time(q, "to", d.end)
	if err != nil {
		return nil, err
	}
	if from > to {
		return nil, fmt.Errorf("times %d to %d", from, to)
	}
	vars, err := d.variables(q.Get("signals"))
	if err != nil {
		return nil, err
	}

	byNet, err := d.changes(vars, from, to)
	if err != nil {
		return nil, err
	}

	// Values at the cursor, which may lie outside of the range.
	now := map[int]string{}
	if q.Get("cycle") != "" {
		t, err := d.time(q, "cycle", from)
		if err != nil {
			return nil, err
		}
		err = d.trace.Changes(nets(vars), t, t, func(net int, _ uint64, value string) error {
			now[net] = value
			return nil
		})
		if err != nil {
			return nil, err
		}
	}

	// Several variables may be names of one net: each has a row.
	list := []wave{}
	for _, x := range vars {
		w := wave{Now: x.text(now[x.net]), Name: x.name, Width: x.width, Changes: []change{}}
		for _, c := range byNet[x.net] {
			w.Changes = append(w.Changes, change{c.time, x.text(c.value)})
		}
		list = append(list, w)
	}
	return struct {
		From  uint64 `json:"from"`
		To    uint64 `json:"to"`
		Waves []wave `json:"waves"`
	}{from, to, list}, nil
}

// changes gives the changes of the variables' nets, each net's in the order of time, one a pixel.
func (d *Dump) changes(vars []*dumpVar, from, to uint64) (map[int][]netChange, error) {
	step := max(1, (to-from)/mostSteps)
	byNet := map[int][]netChange{}
	err := d.trace.Changes(nets(vars), from, to, func(net int, time uint64, value string) error {
		list := byNet[net]
		if n := len(list); n > 1 && (list[n-1].time-from)/step == (time-from)/step || n == 1 && list[0].time == time {
			list[n-1].value = value
		} else if n == 0 || list[n-1].value != value {
			byNet[net] = append(list, netChange{time, value})
		}
		return nil
	})
	return byNet, err
}

// netChange is a change as the file has it.
type netChange struct {
	time  uint64
	value string
}

// source answers that there is none.
func (d *Dump) source(query) (any, error) {
	return map[string]any{"files": []string{}, "file": "", "text": "", "notes": []note{},
		"note": cmp.Or(d.note, "A dump has names and values only. Open the design or its .run file to see source, schematic and causes.")}, nil
}

// schematic answers with an empty one.
func (d *Dump) schematic(query) (any, error) { return &Graph{Boxes: []*Box{}, Edges: []Edge{}}, nil }

// errFound ends a search.
var errFound = errors.New("found")

// edge answers with the time of the next change of a variable behind a time, or, with back, of the last
// one before. Where there is none, the answer is the time itself.
func (d *Dump) edge(q query) (any, error) {
	t, err := d.time(q, "cycle", d.begin)
	if err != nil {
		return nil, err
	}
	x, err := d.variable(q.Get("name"))
	if err != nil {
		return nil, err
	}

	// The first value of a range is no change. Forwards the first change ends the search;
	// backwards the last one before t is the answer.
	at, before, begun := t, "", false
	visit := func(_ int, time uint64, value string) error {
		if changed := begun && value != before; changed && q.Get("back") == "" {
			at = time
			return errFound
		} else if changed && time < t {
			at = time
		}
		before, begun = value, true
		return nil
	}
	if q.Get("back") == "" {
		err = d.trace.Changes([]int{x.net}, t, d.end, visit)
	} else {
		// Ranges meet at their ends, so that no change falls between two of them.
		err = d.backwards(t, func(from, to uint64) (bool, error) {
			begun = false
			err := d.trace.Changes([]int{x.net}, from, to, visit)
			return at != t, err
		})
	}

	// errFound has only ended the reading.
	if err != nil && err != errFound {
		return nil, err
	}
	return span{d.begin, d.end, at}, nil
}

// backwards calls search with ranges before a time, each twice as long as the one behind it, until it
// has found something.
func (d *Dump) backwards(t uint64, search func(from, to uint64) (bool, error)) error {
	// Doubling: the ranges read in vain sum up to less than the last one.
	for length := uint64(1024); t > d.begin; length *= 2 {
		from := d.begin
		if t-d.begin > length {
			from = t - length
		}
		if found, err := search(from, t); err != nil || found {
			return err
		}
		t = from
	}
	return nil
}
