package sim

import (
	"fmt"
	"iter"

	"etch/ir"
)

// scopeNames resolves the names of a module.
type scopeNames struct {
	list  []named          // ports in order, then nodes by ID; every name once
	names map[string]int32 // index in list
	mems  map[string]int32 // index in Mems
	insts map[string]int32 // index in Insts
	long  int              // length of the longest instance name
}

type named struct {
	id   ir.ID
	port int32 // -1: a node
}

// scope returns the names of an instance's module, built at the first call.
func (s *Sim) scope(inst int32) *scopeNames {
	m := s.m.P.Mod(inst)
	if n, ok := s.names[m]; ok {
		return n
	}

	// Modules are shared by instances, and so are the tables of their names.
	n := &scopeNames{names: map[string]int32{}, mems: map[string]int32{}, insts: map[string]int32{}}
	s.names[m] = n

	// Ports come before nodes, so that they win a shared name.
	for i, p := range m.Ports {
		n.add(p.Name, named{p.Node, int32(i)})
	}
	if s.m.P.Insts[inst].Box >= 0 {
		return n // a Model has no insides
	}

	for id := ir.ID(1); int(id) < m.Len(); id++ {
		if name := m.NameOf(id); name != "" {
			n.add(name, named{id, -1})
		}
	}

	for i := range m.Mems {
		addFirst(n.mems, m.Mems[i].Name, int32(i))
	}
	for i := range m.Insts {
		addFirst(n.insts, m.Insts[i].Name, int32(i))
		n.long = max(n.long, len(m.Insts[i].Name))
	}
	return n
}

func (n *scopeNames) add(name string, e named) {
	if addFirst(n.names, name, int32(len(n.list))) {
		n.list = append(n.list, e)
	}
}

// addFirst records a name unless it is taken, and reports whether it did.
func addFirst(names map[string]int32, name string, i int32) bool {
	if _, taken := names[name]; taken {
		return false
	}
	names[name] = i
	return true
}

// Signal returns the port or named node with a full name: "count" for the top's own,
// "seconds.count" for an instance's. A port wins over a node of the same name. The error
// suggests the nearest names.
func (s *Sim) Signal(path string) (Signal, error) {
	// A memory asked for as a signal gets an error that says so.
	inst, base, ok := s.find(path, func(n *scopeNames) map[string]int32 { return n.names })
	if !ok {
		if _, err := s.Mem(path); err == nil {
			return Signal{}, fmt.Errorf("sim: %s is a memory: Mem(%q) gives its words", path, path)
		}
		return Signal{}, fmt.Errorf("sim: no signal %s in %s%s", quote(path), s.m.P.Mod(0).Name, s.suggest(path, false))
	}

	n := s.scope(inst)
	e := n.list[n.names[base]]
	return s.signal(inst, e.id, e.port), nil
}

// Mem returns the memory with a full name. The error suggests the nearest names.
func (s *Sim) Mem(path string) (Mem, error) {
	inst, base, ok := s.find(path, func(n *scopeNames) map[string]int32 { return n.mems })
	if !ok {
		return Mem{}, fmt.Errorf("sim: no memory %s in %s%s", quote(path), s.m.P.Mod(0).Name, s.suggest(path, true))
	}
	return s.memory(inst, s.scope(inst).mems[base]), nil
}

// memory makes the handle of memory number at of an instance.
func (s *Sim) memory(inst, at int32) Mem {
	// Binary search for the instance's first memory.
	lo, hi := 0, len(s.m.P.Mems) // mems is ordered by instance
	for lo < hi {
		if mid := (lo + hi) / 2; s.m.P.Mems[mid].Inst < inst {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return Mem{s, int32(lo) + at}
}

// NodeOf returns node id of the instance at a path, "" for the top. Errors: there is no such
// instance; a Model runs it; it has no such node.
func (s *Sim) NodeOf(instance string, id ir.ID) (Signal, error) {
	// The dot at the end makes descend take the last name as an instance too.
	inst, rest := s.descend(instance + ".")
	if instance == "" {
		inst, rest = 0, ""
	}
	switch {
	case rest != "":
		return Signal{}, fmt.Errorf("sim: no instance %s in %s", quote(instance), s.m.P.Mod(0).Name)
	case s.m.P.Insts[inst].Box >= 0:
		return Signal{}, fmt.Errorf("sim: instance %s is run by a Model and has no nodes", instance)
	case id <= ir.None || int(id) >= s.m.P.Mod(inst).Len():
		return Signal{}, fmt.Errorf("sim: module %s has no node %%%d", s.m.P.Mod(inst).Name, id)
	}
	return s.signal(inst, id, -1), nil
}

// find resolves a full name in one kind of names. Names may contain dots: the shortest instance
// name that leads to a match is taken.
func (s *Sim) find(path string, kind func(*scopeNames) map[string]int32) (inst int32, base string, ok bool) {
	// Depth first: an instance may be called a.b, so that more than one way leads through the dots.
	var walk func(inst int32, rest string) bool
	walk = func(at int32, rest string) bool {
		n := s.scope(at)
		if _, ok := kind(n)[rest]; ok {
			inst, base = at, rest
			return true
		}

		// Try every prefix that is an instance name.
		for i := range min(len(rest), n.long+1) {
			if rest[i] != '.' {
				continue
			}
			if k, ok := n.insts[rest[:i]]; ok && walk(s.m.P.Insts[at].Kids+k, rest[i+1:]) {
				return true
			}
		}
		return false
	}
	ok = walk(0, path)
	return inst, base, ok
}

// descend follows a path through instances as far as possible, and returns the rest.
func (s *Sim) descend(path string) (inst int32, rest string) {
	rest = path

	// Each round descends one instance, by its shortest name.
	for again := true; again; {
		again = false
		n := s.scope(inst)

		for i := range min(len(rest), n.long+1) {
			if rest[i] != '.' {
				continue
			}
			if k, ok := n.insts[rest[:i]]; ok {
				inst, rest, again = s.m.P.Insts[inst].Kids+k, rest[i+1:], true
				break
			}
		}
	}
	return inst, rest
}

// Signals yields every port and named node of every instance, parents first.
func (s *Sim) Signals() iter.Seq[Signal] {
	return func(yield func(Signal) bool) {
		for i := range s.m.P.Insts {
			for _, e := range s.scope(int32(i)).list {
				if !yield(s.signal(int32(i), e.id, e.port)) {
					return
				}
			}
		}
	}
}

// Scope is an instance, for walking the hierarchy.
type Scope struct {
	s    *Sim
	inst int32
}

// Root returns the scope of the top.
func (s *Sim) Root() Scope { return Scope{s, 0} }

// Name returns the instance's name; for the top, the module's.
func (c Scope) Name() string {
	in := &c.s.m.P.Insts[c.inst]
	if in.Parent < 0 {
		return in.Mod.Name
	}
	return c.s.m.P.Mod(in.Parent).Insts[in.At].Name
}

// Path returns the full name of the instance, "" for the top.
func (c Scope) Path() string { return c.s.m.P.Path(c.inst) }

// Module returns the module of which this is an instance.
func (c Scope) Module() *ir.Module { return c.s.m.P.Mod(c.inst) }

// Signals returns the ports in order, then the named nodes by ID. Of several with one name it
// returns the first.
func (c Scope) Signals() []Signal {
	n := c.s.scope(c.inst)
	all := make([]Signal, len(n.list))
	for i, e := range n.list {
		all[i] = c.s.signal(c.inst, e.id, e.port)
	}
	return all
}

// Mems returns the memories in order.
func (c Scope) Mems() []Mem {
	if c.s.m.P.Insts[c.inst].Box >= 0 {
		return nil
	}
	all := make([]Mem, len(c.Module().Mems))
	for i := range all {
		all[i] = c.s.memory(c.inst, int32(i))
	}
	return all
}

// Children returns the scopes of the instances inside, in order.
func (c Scope) Children() []Scope {
	in := &c.s.m.P.Insts[c.inst]
	if in.Box >= 0 {
		return nil
	}
	all := make([]Scope, len(in.Mod.Insts))
	for i := range all {
		all[i] = Scope{c.s, in.Kids + int32(i)}
	}
	return all
}
