package hw

import (
	"fmt"
	"hash/fnv"
	"reflect"
	"strings"
)

// slot is where the module of one component with its parameters goes.
type slot struct {
	name string
	b    *body // nil: not begun
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

// moduleFor returns the module of a component, built once per parameter value. A
// component whose parameters can neither be compared nor printed gets a module
// per instance, named after its place.
func moduleFor[P any](d *design, c Component[P], async bool, place string) *body {
	s := d.slot(c, async, place)
	switch {
	case s.b == nil:
		elaborate(d, c, s, async)
	case s.b.open:
		d.report(newDiag("param", nil, "%s contains itself", s.b.m.Origin))
	}
	return s.b
}

func (d *design) slot(c any, async bool, place string) *slot {
	t := reflect.TypeOf(c)
	canCompare := t.Comparable() && (t.Kind() == reflect.Pointer || reflect.ValueOf(c).Comparable())
	if canCompare {
		if s := d.byValue[variant{c, async}]; s != nil {
			return s
		}
	}
	var p params
	printable := t.Kind() != reflect.Pointer && p.of(c)
	var s *slot
	if id := (identity{p.id.String(), async}); printable {
		if s = d.byParams[id]; s == nil {
			s = &slot{name: d.moduleName(c, &p, async)}
			d.byParams[id] = s
		}
	} else {
		p = params{words: []string{snake(place)}}
		s = &slot{name: d.moduleName(c, &p, async)}
	}
	if canCompare {
		d.byValue[variant{c, async}] = s
	}
	return s
}

// moduleName is derived from the type and the parameters only, so that adding a
// use elsewhere renames nothing: counter_8, or fifo_1f3a9c00 for long parameters.
func (d *design) moduleName(c any, p *params, async bool) string {
	suffix := ""
	if async {
		suffix = "_async"
	}
	if n, ok := c.(Namer); ok {
		name := n.ModuleName() + suffix
		_, isFunc := c.(interface{ isFunc() })
		switch {
		case !isName(name):
			d.report(newDiag("name", nil, "ModuleName of %s: %q is not a name: use letters, digits and _, a letter or _ first", baseName(c), name))
		case d.names[name] && !isFunc:
			d.report(newDiag("name", nil, "ModuleName of %s: %s is another module already; other parameters need another name", baseName(c), name))
		}
		return d.fresh(name)
	}
	name, text := snake(baseName(c)), strings.Join(p.words, "_")
	hash := func() string {
		h := fnv.New32a()
		h.Write([]byte(p.id.String()))
		return fmt.Sprintf("_%08x", h.Sum32())
	}
	switch {
	case p.vague || len(text) > 24 && p.id.Len() > 0:
		name += hash()
	case text != "":
		name += "_" + text
	}
	if !d.names[name+suffix] {
		return d.fresh(name + suffix)
	}
	if pkg := packageOf(c) + "_" + name + suffix; !d.names[pkg] {
		return d.fresh(pkg)
	}
	return d.fresh(name + hash() + suffix)
}

// fresh takes a module name, with a number if it is taken.
func (d *design) fresh(name string) string {
	try := name
	for n := 2; d.names[try]; n++ {
		try = Name(name, n)
	}
	d.names[try] = true
	return try
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
