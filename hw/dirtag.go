package hw

import (
	"reflect"
	"strings"
	"unsafe"

	"etch/ir"
)

// meantDir guesses the direction that a mistaken tag was meant to give.
func meantDir(tag string) string {
	switch tag = strings.ToLower(strings.TrimSpace(tag)); {
	case strings.HasPrefix(tag, "in"):
		return `"in"`
	case strings.HasPrefix(tag, "out"):
		return `"out"`
	}
	return `"in" or "out"`
}

// direct gives the scalars of a ports struct the directions of their fields' tags, as In
// and Out do. A shape without direction gets it; a shape with another one is a mistake. A
// zero handle whose kind is its own shape (a Bit, a Clock, a Reset) needs no value.
func (p *plan) direct(m *Module, what, root string, base unsafe.Pointer, around string) (good bool) {
	good = true
	for i := range p.parts {
		q := &p.parts[i]
		at, path, dir := unsafe.Add(base, q.off), partOf(root, q.name), or(q.dir, around)
		if q.elem == nil {
			good = directScalar(m, what, path, dir, q.kind, (*sig)(at)) && good
			continue
		}

		// The elements of a vector, one by one.
		h := (*sliceHeader)(at)
		for j := range h.len {
			good = q.elem.direct(m, what, partOf(path, itoa(j)), unsafe.Add(h.data, uintptr(j)*q.size), dir) && good
		}
	}
	return good
}

func directScalar(m *Module, what, path, tag string, k leafKind, s *sig) bool {
	x := s.x
	if !s.isSet() {
		x = zeroShape(k)
	}

	if tag == "" || x == nil || x.is != shape || x.directed && x.dir == ir.InOut {
		return true // without a tag, a pad, or reported where its form is looked at
	}

	// A flipped field travels against the tag of the bundle around it.
	c := *x
	c.dir = ir.In
	if (tag == "out") != c.flip {
		c.dir = ir.Out
	}

	// In or Out may repeat the tag, not contradict it.
	if x.directed && x.dir != c.dir {
		m.Errorf("direction", "%s: %s has the tag dir:%q and is given by hw.%s", what, or(flat(path), "port"), tag, map[bool]string{true: "Out", false: "In"}[tag == "in"])
		return false
	}
	c.directed = true
	*s = sig{x: &c}
	return true
}

// portsPC is the program counter of a component's method Ports, for ports whose
// shape has no line of its own; 0 if it has none.
func portsPC(c any) uintptr {
	f, ok := reflect.TypeOf(c).MethodByName("Ports")
	if !ok {
		return 0
	}
	return f.Func.Pointer() + 1
}
