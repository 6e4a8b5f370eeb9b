package yosys

import (
	"fmt"
	"slices"
	"strings"
)

// A clock is a port of its own in the netlist. An input of several bits of which one
// is a clock becomes as many inputs of one bit.

// splitPorts splits the inputs that findClocks has marked.
func (l *lowering) splitPorts() {
	if !slices.Contains(l.apart, true) {
		return
	}
	taken := map[string]bool{}
	for i := range l.j.ports {
		taken[l.j.ports[i].name] = true
	}
	l.j.split = map[string][]string{}
	var ports []jsonPort
	for i := range l.j.ports {
		p := l.j.ports[i]
		if !l.apart[i] {
			ports = append(ports, p)
			continue
		}
		var names []string
		for k, b := range p.bits {
			name := fmt.Sprintf("%s_%d", p.name, k)
			for taken[name] {
				name += "_"
			}
			taken[name] = true
			names = append(names, name)
			ports = append(ports, jsonPort{name: name, dir: p.dir, bits: []bit{b}})
			l.place1(name, p.name)
		}
		l.j.split[p.name] = names
		if find(l.j.attrs, "top") != "" {
			l.r.note(fmt.Sprintf("%sport %s of %d bits has clocks: the ports are %s", l.portPlace(&p), p.name, len(p.bits), strings.Join(names, ", ")))
		}
	}
	l.j.ports = ports
	for i := range ports {
		if ports[i].dir != "input" {
			continue
		}
		for _, b := range ports[i].bits {
			if b >= firstNet {
				l.inPort[b] = int32(i) + 1
			}
		}
	}
	l.apart = make([]bool, len(ports))
}

// place1 gives a new port the line of the old one.
func (l *lowering) place1(name, old string) {
	for i := range l.j.names {
		if n := l.j.names[i]; n.name == old {
			l.j.names = append(l.j.names, netName{name: name, hidden: true, attrs: n.attrs})
			return
		}
	}
}

// splitConns connects an instance to ports that were split.
func (c *cell) splitConns(split map[string][]string) {
	var conns []conn
	for _, k := range c.conns {
		names, ok := split[k.port]
		if !ok {
			conns = append(conns, k)
			continue
		}
		for i, name := range names {
			if i < len(k.bits) {
				conns = append(conns, conn{name, k.bits[i : i+1]})
			}
		}
	}
	c.conns = conns
}
