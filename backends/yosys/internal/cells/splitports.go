package cells

import (
	"fmt"
	"slices"
	"strings"

	"etch/backends/yosys/internal/attribute"
)

// A clock is a port of its own in the netlist, and a pad a net that is driven as a
// whole. A port of several bits that does not fit becomes ports of one bit.

// splitPorts splits the inputs that findClocks has marked.
func (l *lowering) splitPorts() {
	if !slices.Contains(l.apart, true) {
		return
	}
	l.r.apart(l.j, func(i int) bool { return l.apart[i] })

	// The numbers of the ports have moved.
	for i := range l.j.ports {
		if l.j.ports[i].dir != "input" {
			continue
		}
		for _, b := range l.j.ports[i].bits {
			if b >= firstNet {
				l.inPort[b] = int32(i) + 1
			}
		}
	}
	l.apart = make([]bool, len(l.j.ports))
}

// apart makes ports of one bit of some ports of a module.
func (r *reader) apart(j *jsonModule, isApart func(i int) bool) {
	taken := map[string]bool{}
	for i := range j.ports {
		taken[j.ports[i].name] = true
	}
	var ports []jsonPort
	split := map[string][]string{}
	for i := range j.ports {
		p := j.ports[i]
		if !isApart(i) {
			ports = append(ports, p)
			continue
		}

		// Bit k of port p is p_k, with more underscores if that is taken.
		for k, b := range p.bits {
			name := fmt.Sprintf("%s_%d", p.name, k)
			for taken[name] {
				name += "_"
			}
			taken[name] = true
			split[p.name] = append(split[p.name], name)
			ports = append(ports, jsonPort{name: name, dir: p.dir, bits: []bit{b}})
		}
		place := j.nameParts(p.name, split[p.name])
		if attribute.Find(j.attrs, "top") != "" {
			why := "has clocks"
			if p.dir == "inout" {
				why = "is driven in parts"
			}
			r.note(fmt.Sprintf("%sport %s of %d bits %s: the ports are %s", place, p.name, len(p.bits), why, strings.Join(split[p.name], ", ")))
		}
	}
	if len(split) == 0 {
		return
	}

	// Instances need the names of the parts.
	j.ports = ports
	if j.split == nil {
		j.split = map[string][]string{}
	}
	for name, parts := range split {
		j.split[name] = parts
	}
}

// nameParts gives the parts of a port its line, which it returns.
func (j *jsonModule) nameParts(port string, parts []string) string {
	for i := range j.names {
		if n := j.names[i]; n.name == port {
			for _, name := range parts {
				j.names = append(j.names, netName{name: name, hidden: true, attrs: n.attrs})
			}
			return attribute.Where(n.attrs)
		}
	}
	return ""
}

// splitConns connects an instance to ports that were split.
func (c *cell) splitConns(split map[string][]string) {
	if len(split) == 0 {
		return
	}
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
