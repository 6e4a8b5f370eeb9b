package hw

import (
	"fmt"
	"hash/fnv"
	"reflect"
	"strings"
)

// slot is where the module of one component with its parameters goes.
type slot struct {
	names []string // of its module, from the shortest to the least ambiguous; see [design.settleNames]
	b     *body    // nil: not begun
}

// variant is a component value that can be compared.
type variant struct {
	c     any
	async bool
}

// identity is a component value by its parameters.
type identity struct {
	params string
	async  bool
}

// moduleFor returns the module of a component, built once per parameter value. A component
// whose parameters can neither be compared nor printed gets a module per instance, named
// after the parent module and the instance.
func moduleFor[P any](d *design, c Component[P], async bool, parent, name string) *body {
	s := d.slot(c, async, parent, name)
	switch {
	case s.b == nil:
		elaborate(d, c, s, async)
	case s.b.open:
		d.report(newDiag("param", nil, "%s contains itself", s.b.m.Origin))
	}
	return s.b
}

// slot finds the slot of a component by two keys: first the Go value, if it can be
// compared, which is quick; then the text of its parameters, which also joins equal values
// behind different pointers or slices.
func (d *design) slot(c any, async bool, parent, name string) *slot {
	t := reflect.TypeOf(c)

	// Step one, by value. The last hit is kept apart, since an array of instances asks for one
	// value again and again.
	canCompare := t.Comparable() && (t.Kind() == reflect.Pointer || reflect.ValueOf(c).Comparable())
	if canCompare {
		v := variant{c, async}
		if d.lastSlot != nil && v == d.lastValue {
			return d.lastSlot
		}
		if s := d.byValue[v]; s != nil {
			d.lastValue, d.lastSlot = v, s
			return s
		}
	}

	// Step two, by text. A pointer has no text: its module is named after the instance.
	var p params
	printable := t.Kind() != reflect.Pointer && p.of(c)
	var s *slot
	if id := (identity{p.id.String(), async}); printable {
		if s = d.byParams[id]; s == nil {
			s = d.newSlot(c, &p, async)
			d.byParams[id] = s
		}
	} else {
		p = params{words: []string{snake(join(parent, name))}}
		s = d.newSlot(c, &p, async)
	}

	if canCompare {
		d.byValue[variant{c, async}] = s
	}
	return s
}

func (d *design) newSlot(c any, p *params, async bool) *slot {
	s := &slot{names: d.moduleNames(c, p, async)}
	d.slots = append(d.slots, s)
	return s
}

// moduleNames lists the names that a module may get, best first. They are derived
// from the type and the parameters only: counter_8, or fifo_1f3a9c00 for long
// parameters; the same with the package in front; that with a hash of the
// parameters. A name that the user chose stands alone.
func (d *design) moduleNames(c any, p *params, async bool) []string {
	// The same parameters with an asynchronous implicit reset are another module.
	suffix := ""
	if async {
		suffix = "_async"
	}
	if n, ok := c.(Namer); ok {
		return []string{d.chosenName(c, n.ModuleName()+suffix)}
	}

	// The words of the parameters tell modules of one type apart where they are short
	// and say everything; else a hash of the parameters does.
	name, text, hash := snake(baseName(c)), strings.Join(p.words, "_"), hashOf(p)
	switch {
	case p.vague || len(text) > 24 && p.id.Len() > 0:
		name += hash
	case text != "":
		name += "_" + text
	}
	long := packageOf(c) + "_" + name
	return []string{name + suffix, long + suffix, long + hash + suffix}
}

// chosenName checks a name that a component gives its module itself. A second
// [Func] of one name gets a number.
func (d *design) chosenName(c any, name string) string {
	_, isFunc := c.(interface{ isFunc() })
	switch {
	case !isName(name):
		d.report(newDiag("name", nil, "ModuleName of %s: %q is not a name: use letters, digits and _, a letter or _ first", baseName(c), name))
	case d.chosen[name] && !isFunc:
		d.report(newDiag("name", nil, "ModuleName of %s: %s is another module already; other parameters need another name", baseName(c), name))
	}
	try := name
	for n := 2; d.chosen[try]; n++ {
		try = Name(name, n)
	}
	d.chosen[try] = true
	return try
}

func hashOf(p *params) string {
	h := fnv.New32a()
	h.Write([]byte(p.id.String()))
	return fmt.Sprintf("_%08x", h.Sum32())
}

// settleNames gives the modules their names once all are known, so that the order in which
// instances are made does not matter. While several modules want one name, each of them
// that has a longer name takes it: of two packages' counter_4, both get their package in
// front. Numbers tell the rest apart, as names chosen by the user may clash with any.
func (d *design) settleNames() {
	// Every round makes at least one name longer, so there are few.
	for clash := true; clash; {
		clash = false
		wanted := map[string]int{}
		for _, s := range d.slots {
			wanted[s.names[0]]++
		}
		for _, s := range d.slots {
			if wanted[s.names[0]] > 1 && len(s.names) > 1 {
				s.names, clash = s.names[1:], true
			}
		}
	}

	// A module that was begun and not finished has a mistake: no name is needed.
	taken := map[string]bool{}
	for _, s := range d.slots {
		name := s.names[0]
		for n := 2; taken[name]; n++ {
			name = Name(s.names[0], n)
		}
		taken[name] = true
		if s.b != nil {
			s.b.m.Name = name
		}
	}
}

func baseName(c any) string {
	t := reflect.TypeOf(c)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	base, _, _ := strings.Cut(t.Name(), "[")

	return or(base, "component")
}

// packageOf is the last part of the path of a component's package.
func packageOf(c any) string {
	t := reflect.TypeOf(c)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return snake(t.PkgPath()[strings.LastIndexAny(t.PkgPath(), "/.-")+1:])
}
