package view

import (
	"fmt"
	"slices"
	"strings"

	"etch/ir"
	"etch/sim"
)

// boxesOf lists the named things of an instance with what each depends on.
func boxesOf(c sim.Scope) []*Box {
	s := &boxSet{m: c.Module(), byKey: map[string]*Box{}}
	if c.Path() != "" {
		s.prefix = c.Path() + "."
	}

	// Nodes come before ports: an output may be a node that has a box already.
	s.nodes()
	s.outputs()
	s.memories()
	s.instances()
	return s.linked()
}

// boxSet collects the boxes of a module in the order in which they are found.
type boxSet struct {
	m      *ir.Module
	prefix string // of full names
	list   []*Box
	byKey  map[string]*Box
}

// add keeps a box, unless its key has one.
func (s *boxSet) add(key string, b *Box) {
	if s.byKey[key] == nil {
		b.key, s.byKey[key] = key, b
		s.list = append(s.list, b)
	}
}

// nodes adds inputs, registers and named wires. Clocks and nodes that serve statements only have
// no box; outputs of instances and of memories are part of theirs.
func (s *boxSet) nodes() {
	m := s.m
	hidden := ir.ForStatements(m, m.Stmts)
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		op := m.Op(id)
		clock := m.TypeOf(m.Node(id).Type).Kind == ir.Clock
		if !named(m, id) || clock || hidden[id] || op == ir.InstOut || op == ir.MemOut {
			continue
		}

		// from are keys of the boxes that this box depends on. linked drops the keys that have no
		// box, such as clocks.
		b := &Box{Name: nameOf(m, id), Kind: "wire", Width: m.Width(id), bundle: outermost(m.PathOf(id))}
		b.Full = s.prefix + b.Name
		switch op {
		case ir.Input:
			b.Kind, b.bundle = "input", outermost(m.Ports[m.Node(id).Aux].Path)
		case ir.Reg:
			r := &m.Regs[m.Node(id).Aux]
			b.Kind = "register"
			b.Lines, b.from = wrap(exprText2(m, r.Next)), sources(m, r.Next)
			if r.Rst != ir.None {
				b.from = append(b.from, sources(m, r.Rst)...)
			}
		case ir.NetOut:
			b.Kind = "inout"
		default:
			b.Lines, b.from = wrap(exprText(m, id)), sources(m, m.Args(id)...)
			if op == ir.MemRead {
				b.from = append(b.from, "mem "+m.Mems[m.Node(id).Aux].Name)
			}
		}
		s.add(nodeKey(m, id), b)
	}
}

// outputs adds the outputs. One that a node of its own name drives is that node.
func (s *boxSet) outputs() {
	m := s.m
	for _, p := range m.Ports {
		if p.Dir != ir.Out {
			continue
		}

		if m.NameOf(p.Node) == p.Name {
			if b := s.byKey[nodeKey(m, p.Node)]; b != nil {
				if b.Kind == "wire" {
					b.Kind, b.bundle = "output", outermost(p.Path)
				}
				continue
			}
		}
		s.add("out "+p.Name, &Box{Name: p.Name, Full: s.prefix + p.Name, Kind: "output", Width: p.Width,
			Lines: wrap(exprText2(m, p.Node)), from: sources(m, p.Node), bundle: outermost(p.Path)})
	}
}

// memories adds the memories, which depend on all operands of their ports.
func (s *boxSet) memories() {
	for _, mem := range s.m.Mems {
		b := &Box{Name: mem.Name, Full: s.prefix + mem.Name, Kind: "memory", Lines: []string{fmt.Sprintf("%d × %d bits", mem.Depth, mem.Width)}}
		for _, r := range mem.Reads {
			b.from = append(b.from, sources(s.m, nonzero(r.Addr, r.En)...)...)
		}
		for _, w := range mem.Writes {
			b.from = append(b.from, sources(s.m, nonzero(w.Addr, w.Data, w.En)...)...)
		}
		s.add("mem "+mem.Name, b)
	}
}

// instances adds the instances, which depend on all their inputs but clocks.
func (s *boxSet) instances() {
	m := s.m
	for _, inst := range m.Insts {
		b := &Box{Name: inst.Name, Full: s.prefix + inst.Name, Kind: "instance", Lines: []string{inst.Mod.Name}}
		for i, p := range inst.Mod.Ports {
			if p.Dir == ir.In && m.TypeOf(m.Node(inst.Conns[i]).Type).Kind != ir.Clock {
				b.from = append(b.from, sources(m, inst.Conns[i])...)
			}
		}
		s.add("inst "+inst.Name, b)
	}
}

// linked is the list with bundles in the places of their parts. Sources follow them, each once;
// clocks and hidden nodes have no box and fall out.
func (s *boxSet) linked() []*Box {
	list := whole(s.list, s.byKey)
	for _, b := range list {
		for i, k := range b.from {
			if of := s.byKey[k]; of != nil {
				b.from[i] = of.key
			}
		}

		slices.Sort(b.from)
		b.from = slices.DeleteFunc(slices.Compact(b.from), func(k string) bool { return s.byKey[k] == nil })
	}
	return list
}

// whole makes one box of the parts of a bundle that are of one kind: of a stream, say, the box of its
// inputs and the box of its outputs. byKey then leads from each part to its bundle's box.
func whole(boxes []*Box, byKey map[string]*Box) (list []*Box) {
	type group struct{ bundle, kind string }
	first, many := map[group]*Box{}, map[group]int{}

	// Count first: a bundle with one part of a kind stays that part.
	for _, b := range boxes {
		many[group{b.bundle, b.Kind}]++
	}

	// The bundle's box stands where its first part stood, and has the sources of all parts.
	for _, b := range boxes {
		g := group{b.bundle, b.Kind}
		if b.bundle == "" || many[g] == 1 {
			list = append(list, b)
			continue
		}
		to := first[g]
		if to == nil {
			to = &Box{Name: b.bundle, Full: b.Full, Kind: b.Kind, key: b.key}
			first[g], list = to, append(list, to)
		}
		to.Width += b.Width
		to.from = append(to.from, b.from...)
		to.Parts = append(to.Parts, part{Name: strings.TrimPrefix(b.Name, b.bundle+"_"), Full: b.Full})
		byKey[b.key] = to
	}
	return list
}

// outermost is the bundle or vector of a path, "" of a signal that is no part of one.
func outermost(path string) string {
	bundle, _, part := strings.Cut(path, ".")
	if !part {
		return ""
	}
	return bundle
}
