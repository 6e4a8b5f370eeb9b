package cells

import (
	"cmp"
	"slices"
	"strings"

	"etch/backends/yosys/internal/attribute"
	"etch/ir"
	"etch/ir/bits"
)

// ram is a memory, whatever cells it was made of.
type ram struct {
	cell        *cell // where it is, for errors
	at          int32 // in the module's Mems; -1: a table, see isTable
	name        string
	width, size int
	offset      int // address of the first word
	style       string
	init        []byte // by bit, '0', '1' or something else for unknown; may be short
	reads       []ramRead
	writes      []ramWrite
	readAt      []ir.ID // the register of a clocked port, None: it is a port of the memory
	given       []*cell // contents that are cells of their own
}

// ramRead is a read port. Without a clock it follows its address.
type ramRead struct {
	clocked, rising bool
	clk, en         bit
	arst, srst      bit
	addr, data      []bit
	sees, open      []bool // by write port: it gives the new word, or anything
	atArst, atSrst  attribute.Value
	atStart         attribute.Value
	enFirst         bool
}

// ramWrite is a write port; en has a bit for each bit of data.
type ramWrite struct {
	clocked, rising bool
	clk             bit
	en, addr, data  []bit
	number          int
}

// LeftBound and RightBound are attributes with the bounds of a memory of more words than
// yosys can count.
const (
	LeftBound  = "etch_left"
	RightBound = "etch_right"
)

// maxWords is the largest memory that is read.
const maxWords = 1 << 36

// bounds takes the size from the attributes, if they are there.
func (m *ram) bounds(attrs []attribute.Pair) {
	from, ok := bound(attrs, LeftBound)
	to, both := bound(attrs, RightBound)
	if !ok || !both {
		return
	}

	// Bounds may come in either order.
	if from > to {
		from, to = to, from
	}
	m.offset, m.size = from, to-from+1
}

// bound is the value of an attribute that is a number of at most 62 bits.
func bound(attrs []attribute.Pair, name string) (n int, ok bool) {
	v := attribute.Find(attrs, name)
	if !v.IsBits() || strings.ContainsAny(string(v), "xz") {
		return 0, false
	}
	for i := range len(v) {
		if v.Bit(i) == '1' {
			if i > 61 {
				return 0, false
			}
			n |= 1 << i
		}
	}
	return n, true
}

// readCell is a cell of logic that stands for a read port without clock.
const readCell = "$etch_read"

// memories finds the memories of the module: whole cells, or ports that are cells
// of their own.
func (l *lowering) memories() {
	parts := map[string]*ram{}

	// Memories first, then the cells that are their ports and contents.
	for i := range l.j.mems {
		j := &l.j.mems[i]
		m := &ram{cell: &cell{name: j.name, attrs: j.attrs}, name: j.name, width: j.width, size: j.size, offset: j.start}
		m.style = style(j.attrs)
		m.bounds(j.attrs)
		parts[j.name] = m
		l.rams = append(l.rams, m)
	}

	for i := range l.j.cells {
		c := &l.j.cells[i]
		switch c.kind {
		case "$mem", "$mem_v2":
			if !l.wholeMemory(c) {
				return
			}
			continue
		case readCell, sharedCell:
			l.fail(c, "cell %s of type %s is not known", c.name, c.kind)
			return
		case "$memrd", "$memrd_v2", "$memwr", "$memwr_v2", "$meminit", "$meminit_v2":
		default:
			continue
		}

		// A port belongs to the memory that it names.
		m := parts[strings.TrimPrefix(c.param("MEMID").Text(), `\`)]
		if m == nil {
			l.fail(c, "cell %s (%s): there is no memory %s", c.name, c.kind, c.param("MEMID").Text())
			return
		}
		l.memoryPart(m, c)
	}

	// Later statements of contents win, and writes are in the order of their numbers. A read
	// without a clock becomes a cell of logic.
	var extra []cell
	for _, m := range l.rams {
		if !l.checkMemory(m) {
			return
		}
		slices.SortStableFunc(m.given, func(a, b *cell) int { return cmp.Compare(a.number("PRIORITY"), b.number("PRIORITY")) })
		for _, c := range m.given {
			l.contents(m, c)
		}
		slices.SortStableFunc(m.writes, func(a, b ramWrite) int { return cmp.Compare(a.number, b.number) })
		for k := range m.reads {
			if p := &m.reads[k]; !p.clocked {
				extra = append(extra, cell{name: m.name, hidden: true, kind: readCell, attrs: m.cell.attrs, ram: m, read: k,
					conns: []conn{{"ADDR", p.addr}, {"DATA", p.data}}})
			}
		}
	}

	l.j.cells = append(l.j.cells, extra...)
}

// style is the kind of memory that the user asked for.
func style(attrs []attribute.Pair) string {
	for _, name := range [...]string{"ram_style", "rom_style", "ramstyle", "syn_ramstyle"} {
		switch t := strings.ToLower(attribute.Find(attrs, name).Text()); t {
		case "block", "block_ram":
			return "block"
		case "ultra":
			return "ultra"
		case "logic", "registers", "distributed":
			return "logic"
		}
	}
	return ""
}

// checkMemory refuses sizes that no memory has.
func (l *lowering) checkMemory(m *ram) bool {
	if m.size < 1 || m.size > maxWords || m.width < 1 || m.width > bits.MaxWidth || m.offset < 0 {
		l.fail(m.cell, "memory %s: %d words of %d bits from address %d", m.name, m.size, m.width, m.offset)
		return false
	}
	for i := range m.reads {
		if p := &m.reads[i]; len(p.data) != m.width {
			l.fail(m.cell, "memory %s: a read port of %d bits for words of %d", m.name, len(p.data), m.width)
			return false
		}
	}
	for i := range m.writes {
		p := &m.writes[i]
		if len(p.data) != m.width || len(p.en) != m.width {
			l.fail(m.cell, "memory %s: a write port of %d bits for words of %d", m.name, len(p.data), m.width)
			return false
		}
		if !p.clocked && slices.ContainsFunc(p.en, func(b bit) bool { return b >= firstNet || b == bit1 }) {
			l.fail(m.cell, "memory %s is written without a clock", m.name)
			return false
		}
	}

	// A write without a clock that is never enabled.
	m.writes = slices.DeleteFunc(m.writes, func(p ramWrite) bool { return !p.clocked })
	return true
}

// wholeMemory reads a cell with all ports of a memory.
func (l *lowering) wholeMemory(c *cell) bool {
	name := strings.TrimPrefix(c.param("MEMID").Text(), `\`)
	m := &ram{cell: c, name: cmp.Or(name, c.name), width: c.number("WIDTH"), size: c.number("SIZE"), offset: c.number("OFFSET"), style: style(c.attrs)}
	if v := c.param("INIT"); v.IsBits() {
		// The parameter has its highest bit first.
		m.init = []byte(v)
		slices.Reverse(m.init)
	}

	if !l.checkMemory(m) {
		return false
	}

	l.rams = append(l.rams, m)

	// The ports are slices of wide signals.
	a, w := c.number("ABITS"), m.width
	reads, writes := c.number("RD_PORTS"), c.number("WR_PORTS")
	if a < 0 || w < 1 || reads < 0 || writes < 0 || len(c.port("RD_ADDR")) < reads*a || len(c.port("RD_DATA")) < reads*w ||
		len(c.port("WR_ADDR")) < writes*a || len(c.port("WR_DATA")) < writes*w || len(c.port("WR_EN")) < writes*w {
		l.fail(c, "memory %s: its ports do not fit its parameters", m.name)
		return false
	}

	part := func(port string, i, n int) []bit { return c.port(port)[i*n:][:n] }
	pin := func(port string, i int) bit {
		if list := c.port(port); i < len(list) {
			return list[i]
		}
		return bit0
	}
	flag := func(name string, i int) bool { return c.param(name).Bit(i) == '1' }
	word := func(name string, i int) attribute.Value { return slicedValue(c.param(name), i*w, w) }

	// The masks say for each pair of ports whether a read sees a write.
	for i := range reads {
		p := ramRead{clocked: flag("RD_CLK_ENABLE", i), rising: flag("RD_CLK_POLARITY", i), clk: pin("RD_CLK", i), en: pin("RD_EN", i),
			arst: pin("RD_ARST", i), srst: pin("RD_SRST", i), data: part("RD_DATA", i, w), enFirst: flag("RD_CE_OVER_SRST", i),
			atArst: word("RD_ARST_VALUE", i), atSrst: word("RD_SRST_VALUE", i), atStart: word("RD_INIT_VALUE", i)}
		p.addr = wideAddress(part("RD_ADDR", i, a), c.param("RD_WIDE_CONTINUATION"), i, reads)
		for k := range writes {
			p.sees = append(p.sees, flag("RD_TRANSPARENCY_MASK", i*writes+k) || flag("RD_TRANSPARENT", i))
			p.open = append(p.open, flag("RD_COLLISION_X_MASK", i*writes+k))
		}
		m.reads = append(m.reads, p)
	}

	for i := range writes {
		p := ramWrite{clocked: flag("WR_CLK_ENABLE", i), rising: flag("WR_CLK_POLARITY", i), clk: pin("WR_CLK", i),
			en: part("WR_EN", i, w), data: part("WR_DATA", i, w), number: i}
		p.addr = wideAddress(part("WR_ADDR", i, a), c.param("WR_WIDE_CONTINUATION"), i, writes)
		m.writes = append(m.writes, p)
	}
	return true
}

// slicedValue is bits lo and up of a parameter; unknown ones stay so.
func slicedValue(v attribute.Value, lo, n int) attribute.Value {
	s := make([]byte, n)
	for i := range n {
		s[n-1-i] = 'x'
		if lo+i < len(v) {
			s[n-1-i] = v.Bit(lo + i)
		}
	}
	return attribute.Value(s)
}

// wideAddress is the address of port i: ports that continue the one before are
// parts of a wide word, and its lowest bits count them.
func wideAddress(addr []bit, continues attribute.Value, i, ports int) []bit {
	// Find the ports of the wide word around port i.
	from, to := i, i+1
	for from > 0 && continues.Bit(from) == '1' {
		from--
	}
	for to < ports && continues.Bit(to) == '1' {
		to++
	}
	if to-from == 1 {
		return addr
	}
	addr = slices.Clone(addr)
	for k, n := 0, i-from; k < len(addr) && 1<<k < to-from; k++ {
		addr[k] = bit0 + bit(n>>k&1)
	}
	return addr
}

// memoryPart adds a port or contents that are a cell of their own.
func (l *lowering) memoryPart(m *ram, c *cell) {
	clocked, rising := c.flag("CLK_ENABLE"), c.flag("CLK_POLARITY")
	switch c.kind {
	case "$memrd", "$memrd_v2":
		p := ramRead{clocked: clocked, rising: rising, clk: only(c.port("CLK")), en: only(c.port("EN")), arst: only(c.port("ARST")),
			srst: only(c.port("SRST")), addr: c.port("ADDR"), data: c.port("DATA"), enFirst: c.flag("CE_OVER_SRST"),
			atArst: c.param("ARST_VALUE"), atSrst: c.param("SRST_VALUE"), atStart: c.param("INIT_VALUE")}
		if clocked && c.flag("TRANSPARENT") { // of the old kind, which yosys makes no more
			l.fail(c, "memory %s: a read port that sees writes: run memory_collect first", m.name)
		}
		p.sees, p.open = mask(c.param("TRANSPARENCY_MASK")), mask(c.param("COLLISION_X_MASK"))
		m.reads = append(m.reads, p)
	case "$memwr", "$memwr_v2":
		m.writes = append(m.writes, ramWrite{clocked: clocked, rising: rising, clk: only(c.port("CLK")), en: c.port("EN"),
			addr: c.port("ADDR"), data: c.port("DATA"), number: max(c.number("PORTID"), c.number("PRIORITY"))})
	default:
		m.given = append(m.given, c)
	}
}

// mask is a parameter with a bit for each write port.
func mask(v attribute.Value) []bool {
	all := make([]bool, len(v))
	for i := range all {
		all[i] = v.Bit(i) == '1'
	}
	return all
}

// contents adds the words of a $meminit. They come in the order of their statements,
// and the last one of a word holds.
func (l *lowering) contents(m *ram, c *cell) {
	addr, data := constBits(c.port("ADDR")), c.port("DATA")
	if addr.Len() > 31 || m.width < 1 || m.size < 1 || m.size > maxWords {
		return
	}
	en := c.port("EN")

	// Contents are counted in bits from the first word.
	at := (int(addr.Uint64()) - m.offset) * m.width
	if end := min(at+len(data), m.size*m.width); end > 1<<30 {
		l.fail(c, "memory %s: contents of more than 2^30 bits", m.name)
		return
	} else if at >= 0 && end > len(m.init) {
		m.init = append(m.init, make([]byte, end-len(m.init))...)
	}

	// A bit without enable keeps its former value.
	for i, b := range data {
		if at+i < 0 || at+i >= len(m.init) || len(en) == m.width && en[i%m.width] != bit1 {
			continue
		}
		m.init[at+i] = 'x' // over the contents of an earlier statement
		if b == bit0 || b == bit1 {
			m.init[at+i] = byte('0' + b - bit0)
		}
	}
}

// words are the initial contents: nil when nothing is known.
func (m *ram) words() []bits.Value {
	// Find the last 1, and whether anything is known at all.
	known, last := false, 0
	for i, c := range m.init {
		if known = known || c == '0' || c == '1'; c == '1' {
			last = i / m.width
		}
	}
	if !known {
		return nil
	}

	// Words behind the last 1 are 0 and left out.
	words := make([]bits.Value, min(last+1, m.size))
	for k := range words {
		ws := make([]uint64, bits.WordCount(m.width))
		for i := range m.width {
			if at := k*m.width + i; at < len(m.init) && m.init[at] == '1' {
				ws[i/64] |= 1 << (i % 64)
			}
		}
		words[k] = bits.FromWords(m.width, ws)
	}
	return words
}
