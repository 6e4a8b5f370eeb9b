package record

import (
	"strings"

	"etch/ir"
	"etch/sim"
)

// Net is a set of values: one for all signals that are always the same and have one width.
// (Constants of several widths may be one net to the simulator.)
type Net struct {
	sim.Signal // the first of its signals
}

// Var is a signal under its name.
type Var struct {
	sim.Signal
	Name string // a word of printable letters
	Net  int    // index of its net
	Port bool
	Dir  ir.Dir // of a port
}

// Scope is an instance.
type Scope struct {
	Name   string // a word of printable letters
	Module string // likewise
	Vars   []Var
	Kids   []*Scope
}

// collector numbers the nets while it walks the hierarchy.
type collector struct {
	nets []Net
	net  map[netKey]int // index in nets
}

// netKey is a Sim net at a width.
type netKey struct{ net, width int }

// Hierarchy returns the scopes of s with all ports and named nodes, and the nets
// in the order in which the variables name them first.
func Hierarchy(s *sim.Sim) (*Scope, []Net) {
	c := &collector{net: map[netKey]int{}}
	return c.scope(s.Root()), c.nets
}

// scope returns a scope with its variables and children. Names become words, different within a
// scope.
func (c *collector) scope(from sim.Scope) *Scope {
	m := from.Module()
	sc := &Scope{Name: Word(from.Name()), Module: Word(m.Name)}

	// Signals are matched to ports by name.
	ports := map[string]ir.Dir{}
	for i := range m.Ports {
		ports[m.Ports[i].Name] = m.Ports[i].Dir
	}

	signals, kids := from.Signals(), from.Children()
	names := make([]string, len(signals))
	for i, sig := range signals {
		names[i] = sig.Base()
	}

	for i, name := range words(names) {
		v := Var{Signal: signals[i], Name: name, Net: c.netOf(signals[i])}
		v.Dir, v.Port = ports[names[i]]
		sc.Vars = append(sc.Vars, v)
	}

	// Children, whose names become words too.
	names = names[:0]
	for _, kid := range kids {
		names = append(names, kid.Name())
	}

	for i, name := range words(names) {
		sub := c.scope(kids[i])
		sub.Name = name
		sc.Kids = append(sc.Kids, sub)
	}
	return sc
}

// netOf returns the index of a signal's net, a new one if the net is new.
func (c *collector) netOf(sig sim.Signal) int {
	key := netKey{sig.Net(), sig.Width()}
	i, ok := c.net[key]
	if !ok {
		i = len(c.nets)
		c.net[key] = i
		c.nets = append(c.nets, Net{sig})
	}
	return i
}

// words makes different words of different names: a name that is a word stays as it is, any
// other gets as many _ behind it as it takes.
func words(names []string) []string {
	// Names that are words have precedence; others avoid them.
	taken := map[string]bool{}
	for _, name := range names {
		taken[name] = Word(name) == name
	}
	all := make([]string, len(names))
	for i, name := range names {
		w := Word(name)
		for w != name && taken[w] {
			w += "_"
		}
		taken[w], all[i] = true, w
	}
	return all
}

// Word makes one word of printable letters of a name: _ for every other letter.
func Word(name string) string {
	if name == "" {
		return "_"
	}
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' {
			return '_'
		}
		return r
	}, name)
}
