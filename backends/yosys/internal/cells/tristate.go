package cells

// sharedCell is a line that several tristate buffers drive; A and EN have a bit
// for each of them.
const sharedCell = "$etch_shared"

func isTristate(c *cell) bool { return c.kind == "$tribuf" || c.kind == "$_TBUF_" }

func enableOf(c *cell) []bit {
	if c.kind == "$_TBUF_" {
		return c.port("E")
	}
	return c.port("EN")
}

// mergeTristates makes one cell of the buffers that drive the same net.
func (l *lowering) mergeTristates() {
	var of map[bit][]conn // by net: A and EN of its buffers
	count := map[bit]int{}

	// The number of buffers on each net.
	for i := range l.j.cells {
		if c := &l.j.cells[i]; isTristate(c) {
			for _, b := range c.port("Y") {
				count[b]++
			}
		}
	}

	// A net with several buffers becomes a cell of all of them.
	var cells []cell
	var order []bit
	for i := range l.j.cells {
		c := &l.j.cells[i]
		shared := false
		for _, b := range c.port("Y") {
			shared = shared || isTristate(c) && count[b] > 1
		}
		if !shared {
			continue
		}
		if of == nil {
			of = map[bit][]conn{}
		}
		for k, b := range c.port("Y") {
			if of[b] == nil {
				order = append(order, b)
				of[b] = []conn{{port: "A"}, {port: "EN"}, {port: "Y", bits: []bit{b}}}
				cells = append(cells, cell{name: c.name, hidden: true, kind: sharedCell, attrs: c.attrs})
			}
			if a := c.port("A"); k < len(a) {
				of[b][0].bits = append(of[b][0].bits, a[k])
				of[b][1].bits = append(of[b][1].bits, only(enableOf(c)))
			}
		}

		// Nothing is left of the buffer itself.
		c.kind, c.conns = "$scopeinfo", nil
	}

	// The slices are complete only now.
	for i, b := range order {
		cells[i].conns = of[b]
	}

	l.j.cells = append(l.j.cells, cells...)
}

// tristate is a buffer that is alone on its line, which is 0 when it lets go.
func tristate(l *lowering, c *cell) {
	if n := wide(c, "Y"); n > 0 && l.want(c, "A", n) {
		l.give(c, "Y", l.mux(l.signal([]bit{only(enableOf(c))}), l.in(c, "A"), l.konst(n, 0)))
	}
}

// sharedLine is the or of the values of its buffers.
func sharedLine(l *lowering, c *cell) {
	l.give(c, "Y", l.any(l.and(l.in(c, "A"), l.in(c, "EN"))))
}
