package cells

import (
	"fmt"
	"slices"

	"etch/ir"
)

// nameIndex finds the user's names of nets.
type nameIndex struct {
	j     *jsonModule
	of    []int32         // by net: the first public name that has it, plus 1
	first map[bit][]int32 // by lowest net: public names
	taken map[string]bool
}

func (x *nameIndex) build(j *jsonModule, nets int) {
	x.j, x.of, x.first, x.taken = j, make([]int32, nets), map[bit][]int32{}, map[string]bool{}
	for i := range j.names {
		n := &j.names[i]
		if n.hidden || len(n.bits) == 0 {
			continue
		}
		if n.bits[0] >= firstNet {
			x.first[n.bits[0]] = append(x.first[n.bits[0]], int32(i))
		}
		for _, b := range n.bits {
			if b >= firstNet && x.of[b] == 0 {
				x.of[b] = int32(i) + 1
			}
		}
	}
}

// exact returns the first public name of just these bits.
func (x *nameIndex) exact(list []bit) *netName {
	for _, i := range x.first[list[0]] {
		if n := &x.j.names[i]; slices.Equal(n.bits, list) {
			return n
		}
	}
	return nil
}

// bitName names one bit: "count", "data[3]"; "" when it has no name.
func (x *nameIndex) bitName(b bit) string {
	if x.of == nil || x.of[b] == 0 {
		return ""
	}
	n := &x.j.names[x.of[b]-1]
	if len(n.bits) == 1 {
		return n.name
	}
	return fmt.Sprintf("%s[%d]", n.name, slices.Index(n.bits, b))
}

// state names a register that drives these bits: by the net, or by the part of
// one that it is.
func (x *nameIndex) state(list []bit) (name string, n *netName) {
	if list[0] < firstNet {
		return "", nil
	}

	// The name of exactly these bits, else a part of a wider one.
	if n := x.exact(list); n != nil {
		return n.name, n
	}
	i := x.of[list[0]]
	if i == 0 {
		return "", nil
	}
	n = &x.j.names[i-1]
	lo := slices.Index(n.bits, list[0])
	if len(list) == 1 {
		return fmt.Sprintf("%s[%d]", n.name, lo), n
	}
	return fmt.Sprintf("%s[%d:%d]", n.name, lo+len(list)-1, lo), n
}

// nameNets keeps the user's names: a node that is the whole of a net takes its
// name, further names are wires.
func (l *lowering) nameNets() {
	port := map[string]bool{}
	for i := range l.m.Ports {
		port[l.m.Ports[i].Name] = true
	}
	for i := range l.j.names {
		n := &l.j.names[i]
		if n.hidden || len(n.bits) == 0 || port[n.name] || l.index.taken[n.name] || !l.isData(n.bits) {
			continue
		}
		l.pos = l.posOf(n.attrs)
		l.index.taken[n.name] = true
		typ := ir.TypeID(ir.UInt)
		if n.signed {
			typ = ir.TypeID(ir.SInt)
		}

		// The first name of a whole node is the name of the node.
		if d := l.drv[n.bits[0]]; l.isWhole(n.bits) && l.m.NameOf(d.node) == "" && l.m.Op(d.node) != ir.Const {
			l.m.SetName(d.node, n.name)
			l.m.Node(d.node).Type = typ
			continue
		}
		w := l.m.Add(ir.Node{Op: ir.Wire, Width: int32(len(n.bits)), Type: typ, Pos: l.pos}, l.signal(n.bits))
		l.m.SetName(w, n.name)
	}
}

// isData reports whether bits are driven, and not clocks.
func (l *lowering) isData(list []bit) bool {
	driven := false
	for _, b := range list {
		if b < firstNet {
			continue
		}
		if l.clocks[b] || l.drv[b].node == ir.None {
			return false
		}
		driven = true
	}
	return driven
}

// isWhole reports whether bits are all bits of one node.
func (l *lowering) isWhole(list []bit) bool {
	if list[0] < firstNet {
		return false
	}
	d := l.drv[list[0]]
	if d.node == ir.None || d.at != 0 || l.width(d.node) != len(list) {
		return false
	}
	for i, b := range list {
		if b < firstNet || l.drv[b] != (driver{d.node, int32(i)}) {
			return false
		}
	}
	return true
}
