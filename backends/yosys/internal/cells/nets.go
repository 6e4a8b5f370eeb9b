package cells

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"etch/backends/yosys/internal/attribute"
	"etch/ir"
)

// Nets with several drivers. mend.go has put a driveCell between each of them and the
// net, so that here a net has no other owner. A net of the netlist is driven as a
// whole, with one enable: where the bits of one go different ways it becomes nets of
// one bit, and an inout ports of one bit.

// cellBit is an output bit of a cell.
type cellBit struct {
	c  *cell
	at int
}

// driveCone finds the cells that drive the bits of a module, back to where z can come from.
type driveCone struct {
	owner  map[bit]cellBit // of cells that let z through, and of registers
	driven map[bit]bool
}

func (r *reader) coneOf(j *jsonModule) *driveCone {
	k := &driveCone{owner: map[bit]cellBit{}, driven: map[bit]bool{}}

	// Inputs and inouts are driven from outside.
	for i := range j.ports {
		if p := &j.ports[i]; p.dir != "output" {
			for _, b := range p.bits {
				k.driven[b] = true
			}
		}
	}

	// z passes through these cells; registers matter because they may keep it.
	for i := range j.cells {
		c := &j.cells[i]
		out := "Y"
		switch c.kind {
		case "$mux", "$pmux", "$tribuf", "$pos", "$buf", "$_MUX_", "$_TBUF_":
		default:
			if f, _ := flipFlop(c); f == nil {
				out = ""
			} else {
				out = "Q"
			}
		}
		if out != "" {
			for n, b := range c.port(out) {
				k.owner[b] = cellBit{c, n}
			}
		}

		// Driven by an output, or by the driver of a net.
		for _, n := range c.conns {
			if c.kind == DriveCell && n.port == "Y" || r.isOutput(c, n.port) {
				for _, b := range n.bits {
					k.driven[b] = true
				}
			}
		}
	}
	return k
}

// isOutput reports whether a cell may drive the net at a port.
func (r *reader) isOutput(c *cell, port string) bool {
	if info, ok := kinds[c.kind]; ok && !strings.HasPrefix(c.kind, "$mem") {
		return slices.Contains(info.out, port)
	}
	if f, ok := flipFlop(c); ok && f != nil {
		return port == "Q"
	}
	if j := r.mods[c.kind]; j != nil {
		return slices.ContainsFunc(j.ports, func(p jsonPort) bool { return p.name == port && p.dir != "input" })
	}

	// Data of memories, and ports that an unknown module declares as outputs.
	return strings.HasSuffix(port, "DATA") || attribute.Find(c.dirs, port) == "output" || attribute.Find(c.dirs, port) == "inout"
}

// behind returns the bits behind buffers.
func (k *driveCone) behind(word []bit) []bit {
	out := slices.Clone(word)
	for i := range out {
		for range maxFormula {
			o := k.owner[out[i]]
			if o.c == nil || o.c.kind != "$pos" && o.c.kind != "$buf" {
				break
			}

			// The bit of the operand, or of its extension.
			a := o.c.port("A")
			switch {
			case o.at < len(a):
				out[i] = a[o.at]
			case o.c.flag("A_SIGNED") && len(a) > 0:
				out[i] = a[len(a)-1]
			default:
				out[i] = bit0
			}
		}
	}
	return out
}

// none reports whether nothing drives a bit.
func (k *driveCone) none(b bit) bool {
	return b == bitX || b == bitZ || b >= firstNet && !k.driven[b]
}

// open reports whether a bit is z some time.
func (k *driveCone) open(b bit, depth int) bool {
	if b = k.behind([]bit{b})[0]; k.none(b) || depth == 0 {
		return k.none(b)
	}

	// A tristate buffer can let go. A multiplexer can if one of its arms can.
	o := k.owner[b]
	if o.c == nil {
		return false
	}
	if o.c.kind == "$tribuf" || o.c.kind == "$_TBUF_" {
		return true
	}
	arms := o.arms()
	return slices.ContainsFunc(arms, func(a bit) bool { return k.open(a, depth-1) })
}

// arms is the bits that a multiplexer chooses from, for one of its outputs.
func (o cellBit) arms() (arms []bit) {
	switch o.c.kind {
	case "$mux", "$pmux", "$_MUX_":
		a, b := o.c.port("A"), o.c.port("B")
		if o.at < len(a) {
			arms = append(arms, a[o.at])
		}

		// B of a pmux holds an arm for each bit of S, one behind the other.
		for at := o.at; at < len(b); at += max(1, len(o.c.port("Y"))) {
			arms = append(arms, b[at])
		}
	case "$tribuf", "$_TBUF_":
		if a := o.c.port("A"); o.at < len(a) {
			arms = append(arms, a[o.at])
		}
	}
	return arms
}

// sameCell is the cell that makes all bits of a word, nil for several.
func (k *driveCone) sameCell(word []bit) *cell {
	c := k.owner[word[0]].c
	for _, b := range word {
		if k.owner[b].c != c {
			return nil
		}
	}
	return c
}

// arm is arm n of a word that one multiplexer makes.
func (k *driveCone) arm(word []bit, n int) []bit {
	out := make([]bit, len(word))
	for i, b := range word {
		if arms := k.owner[b].arms(); n < len(arms) {
			out[i] = arms[n]
		}
	}
	return out
}

// isWhole reports whether all bits of a word are z at the same times.
func (k *driveCone) isWhole(word []bit, depth int) bool {
	word = k.behind(word)
	open := func(b bit) bool { return k.open(b, maxFormula) }
	if len(word) == 1 || !slices.ContainsFunc(word, open) || !slices.ContainsFunc(word, func(b bit) bool { return !k.none(b) }) {
		return true
	}

	// One multiplexer must decide for all bits, and each of its arms be whole.
	c := k.sameCell(word)
	if c == nil || depth == 0 {
		return false
	}
	for n := range k.owner[word[0]].arms() {
		if !k.isWhole(k.arm(word, n), depth-1) {
			return false
		}
	}
	return true
}

// splitPads finds the inouts whose bits go different ways, in the module or in one
// that instantiates it, and makes inouts of one bit of them.
func (r *reader) splitPads(mods []*jsonModule) {
	apart := map[*jsonPort]bool{}
	cones := map[*jsonModule]*driveCone{}
	for _, j := range mods {
		if slices.ContainsFunc(j.cells, func(c cell) bool { return c.kind == DriveCell }) {
			cones[j] = r.coneOf(j)
		}
	}

	// A pad split in one module splits the pads connected to it in others, so repeat to a fixed
	// point.
	for changed := true; changed; {
		changed = false
		for _, j := range mods {
			if !isBlackBox(j) && r.splitIn(j, cones[j], apart) {
				changed = true
			}
		}
	}

	// The ports first, then the instances that connect them.
	for _, j := range mods {
		r.apart(j, func(i int) bool { return apart[&j.ports[i]] })
	}
	for _, j := range mods {
		for i := range j.cells {
			if sub := r.mods[j.cells[i].kind]; sub != nil && len(sub.split) > 0 {
				j.cells[i].splitConns(sub.split)
			}
		}
	}
}

// splitIn does so in one module, and reports whether it has found any.
func (r *reader) splitIn(j *jsonModule, k *driveCone, apart map[*jsonPort]bool) (changed bool) {
	type list struct {
		bits []bit
		port *jsonPort // of this module or of an instance
	}

	// Lists of bits that want to stay one net: of pads, of drivers, and of the pads of instances.
	var lists []list
	single, fixed := map[bit]bool{}, map[*jsonPort]bool{}
	for i := range j.ports {
		if p := &j.ports[i]; p.dir == "inout" {
			lists = append(lists, list{p.bits, p})
		}
	}

	j.pulls = map[bit]ir.Pull{}
	for i := range j.cells {
		if c := &j.cells[i]; c.kind == pullUpCell {
			j.pulls[only(c.port("p"))] = ir.PullUp
		} else if c.kind == pullDownCell {
			j.pulls[only(c.port("p"))] = ir.PullDown
		}
	}

	for i := range j.cells {
		c := &j.cells[i]
		if c.kind == DriveCell {
			y := c.port("Y")
			if lists = append(lists, list{y, nil}); !k.isWhole(c.port("A"), maxFormula) {
				for _, b := range y {
					single[b] = true
				}
			}
		}

		// The pads of a black box stay as they are.
		if sub := r.mods[c.kind]; sub != nil {
			for n := range sub.ports {
				if p := &sub.ports[n]; p.dir == "inout" && len(c.port(p.name)) > 0 {
					lists = append(lists, list{c.port(p.name), p})
					fixed[p] = isBlackBox(sub)
				}
			}
		}
	}

	if len(lists) == 0 {
		return false
	}

	j.single = single

	// Lists that share a bit are equal, or fall apart.
	first := map[bit][]bit{}
	for again := true; again; {
		again = false
		for _, x := range lists {
			split := x.port != nil && apart[x.port]
			for _, b := range x.bits {
				if first[b] == nil {
					first[b] = x.bits
				}
				split = split || single[b] || !slices.Equal(first[b], x.bits) || j.pulls[b] != j.pulls[x.bits[0]]
			}
			for _, b := range x.bits {
				if split && !single[b] && (len(x.bits) > 1 || len(first[b]) > 1) {
					single[b], again = true, true
				}
			}
			if split && x.port != nil && len(x.bits) > 1 && !apart[x.port] && !fixed[x.port] {
				apart[x.port], changed = true, true
			}
		}
	}

	return changed
}

// net is a net with several drivers on its way.
type net struct {
	bits []bit
	id   ir.ID
	port int // that it is, -1 for none
}

// nets finds the nets; ports have theirs first.
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
