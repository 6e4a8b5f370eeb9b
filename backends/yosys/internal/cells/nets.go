package cells

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"etch/backends/yosys/internal/attribute"
	"etch/ir"
)

// Nets with several drivers. drivers/mend.go has put a driveCell between each of them and the
// net, so that here a net has no other owner. A net of the netlist is driven as a
// whole, with one enable: where the bits of one go different ways it becomes nets of
// one bit, and an inout ports of one bit.

// net is a net with several drivers, while its module is being made.
type net struct {
	bits []bit
	id   ir.ID
	port int // that it is, -1 for none
}

// findNets finds the nets with several drivers; those of ports come first.
func (l *lowering) findNets() {
	l.netOf = map[bit]*net{}
	for i := range l.j.ports {
		if p := &l.j.ports[i]; p.dir == "inout" {
			for _, b := range p.bits {
				if other := l.netOf[b]; other != nil || b < firstNet {
					l.r.fail(l.portPlace(p), "pad %s is one net with another one or a constant, which no assign can be", p.name)
					return
				}
			}
			l.addNet(p.bits, i)
		}
	}

	// Then the nets inside: of drivers, and of the pads of instances.
	for i := range l.j.cells {
		c := &l.j.cells[i]
		if c.kind == DriveCell {
			if l.cone == nil {
				l.cone = l.r.coneOf(l.j)
			}
			l.joinNet(c.port("Y"))
		}
		if sub := l.r.mods[c.kind]; sub != nil {
			for n := range sub.ports {
				if p := &sub.ports[n]; p.dir == "inout" {
					l.joinNet(c.port(p.name))
				}
			}
		}
	}
}

// joinNet makes the net of some bits unless it is there.
func (l *lowering) joinNet(list []bit) {
	// A list with a constant, or with a bit that is a net by itself, falls apart.
	apart := slices.ContainsFunc(list, func(b bit) bool { return l.j.single[b] || b < firstNet })
	for i, b := range list {
		switch {
		case b < firstNet || l.netOf[b] != nil:
		case apart:
			l.addNet(list[i:i+1], -1)
		default:
			l.addNet(list, -1)
		}
	}
}

func (l *lowering) addNet(list []bit, port int) {
	n := &net{bits: list, port: port}
	for _, b := range list {
		l.netOf[b] = n
	}
	l.allNets = append(l.allNets, n)
}

// makeNets adds the nets that are no ports.
func (l *lowering) makeNets() {
	for _, n := range l.allNets {
		if n.port >= 0 {
			continue
		}
		name, attrs := l.index.state(n.bits)
		if name == "" || l.index.taken[name] {
			name = l.free("net")
		}
		l.index.taken[name] = true
		if l.pos = l.m.Pos; attrs != nil {
			l.pos = l.posOf(attrs.attrs)
		}
		n.id = l.m.AddNet(name, len(n.bits), ir.TypeID(ir.UInt), l.pos)
		l.drive(n.id, n.bits)
	}

	// All bits of a net have one pull: splitIn sees to that.
	for _, n := range l.allNets {
		l.m.Nets[l.m.Node(n.id).Aux].Pull = l.j.pulls[n.bits[0]]
	}

	// Drivers follow, once there is logic.
	for i := range l.j.cells {
		if c := &l.j.cells[i]; c.kind == DriveCell {
			l.later = append(l.later, func() { l.driveNet(c) })
		}
	}
}

// free is a name that nothing has.
func (l *lowering) free(base string) string {
	name := base
	for n := 2; l.index.taken[name] || slices.ContainsFunc(l.j.names, func(x netName) bool { return x.name == name }); n++ {
		name = fmt.Sprintf("%s_%d", base, n)
	}
	return name
}

// driveNet adds the drivers that a driveCell stands for: one for each net that it
// reaches.
func (l *lowering) driveNet(c *cell) {
	l.pos, l.reading = l.posOf(c.attrs), c
	defer func() { l.reading = nil }()
	a, y := c.port("A"), c.port("Y")
	for at := 0; at < len(y) && at < len(a); {
		n := l.netOf[y[at]]

		// A driver covers whole nets.
		to := at + len(n.bits)
		if to > len(y) || to > len(a) || !slices.Equal(y[at:to], n.bits) {
			l.fail(c, "net %s is driven in part", l.netText(y[at]))
			return
		}

		// A net cannot take the value of another net: the netlist joins none.
		word := l.cone.behind(a[at:to])
		if !slices.ContainsFunc(word, func(b bit) bool { return l.netOf[b] == nil }) {
			l.fail(c, "net %s takes the value of %s, which may be z: drive it with an enable", l.netText(y[at]), l.netText(word[0]))
			return
		}

		// A driver that is never enabled is left out.
		en, v := l.driver(c, word, maxFormula)
		if en == ir.None {
			en = l.konst(1, 1)
		}
		if !l.isNever(en) {
			m := &l.m.Nets[l.m.Node(n.id).Aux]
			m.Drivers = append(m.Drivers, ir.Driver{Value: v, En: en, Pos: l.pos})
		}
		at = to
	}
}

// driver takes a word apart into when it is driven, None for always, and its value.
func (l *lowering) driver(user *cell, word []bit, depth int) (en, v ir.ID) {
	word = l.cone.behind(word)
	none := func() (ir.ID, ir.ID) { return l.konst(1, 0), l.konst(len(word), 0) }

	// Never driven, or always driven.
	if !slices.ContainsFunc(word, func(b bit) bool { return !l.cone.none(b) }) {
		return none()
	}

	if !slices.ContainsFunc(word, func(b bit) bool { return l.cone.open(b, maxFormula) }) {
		l.keepsZ(user, word)
		return ir.None, l.signal(word)
	}

	// Else a buffer or a multiplexer decides for all bits at once.
	c := l.cone.sameCell(word)
	if c == nil || depth == 0 {
		l.fail(user, "when net %s is z cannot be told", l.netText(only(user.port("Y"))))
		return none()
	}
	if c.kind == "$tribuf" || c.kind == "$_TBUF_" {
		en, v = l.driver(user, l.cone.arm(word, 0), depth-1)
		return l.both(l.signal([]bit{only(enableOf(c))}), en), v
	}
	en, v = l.driver(user, l.cone.arm(word, 0), depth-1)

	// An arm that is z gives its condition to the enable.
	sel := c.port("S")
	for n := len(sel); n > 0; n-- { // the first that is chosen counts
		e, x := l.driver(user, l.cone.arm(word, n), depth-1)
		s := l.signal(sel[n-1 : n])
		switch {
		case l.isNever(e) && l.isNever(en):
			continue
		case l.isNever(e): // the value does not matter then
			en = l.both(l.not(s), en)
		case l.isNever(en):
			en, v = l.both(s, e), x
		default:
			if e != ir.None || en != ir.None {
				en = l.mux(s, l.orAlways(e), l.orAlways(en))
			}
			v = l.mux(s, x, v)
		}
	}
	return en, v
}

// isNever reports whether an enable is a 0.
func (l *lowering) isNever(en ir.ID) bool {
	if en == ir.None {
		return false
	}
	v, ok := l.isConst(en)
	return ok && v.IsZero()
}

func (l *lowering) orAlways(en ir.ID) ir.ID {
	if en == ir.None {
		return l.konst(1, 1)
	}
	return en
}

var zLiteral = regexp.MustCompile(`'[sS]?[bBoOdDhH]?[0-9a-fA-FxX_]*[zZ?]`)

// keepsZ refuses a register that takes z: there is no such state here. yosys 0.23
// does not tell z from x there, so the text decides.
func (l *lowering) keepsZ(user *cell, word []bit) {
	for _, b := range word {
		o := l.cone.owner[b]
		if o.c == nil {
			continue
		}
		d := o.c.port("D")

		// A register keeps a z only if its input can be one.
		if o.at >= len(d) || !l.cone.open(d[o.at], maxFormula) {
			continue
		}

		// A z in the text of the always block decides.
		file, from, to := attribute.Span(o.c.attrs)
		if lines := attribute.Lines(file); from > 0 && to <= len(lines) && zLiteral.MatchString(strings.Join(lines[from-1:to], "\n")) {
			l.fail(o.c, "register %s keeps a z for net %s: keep the value and its enable, and drive the net from them", l.netText(b), l.netText(only(user.port("Y"))))
			return
		}
	}
}

// connectPad is the net that an instance's inout is connected to.
func (l *lowering) connectPad(c *cell, p ir.Port, list []bit) ir.ID {
	if len(list) == 0 {
		return l.m.AddNet(l.free(c.name+"_"+p.Name), p.Width, p.Type, l.pos)
	}

	// The net must be exactly these bits.
	n := l.netOf[list[0]]
	if n == nil || !slices.Equal(n.bits, list) {
		l.fail(c, "instance %s: its inout %s is connected to parts of nets: connect each net as a whole", c.name, p.Name)
		return l.m.AddNet(l.free(c.name+"_"+p.Name), p.Width, p.Type, l.pos)
	}
	return n.id
}
