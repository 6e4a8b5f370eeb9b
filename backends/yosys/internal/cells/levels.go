package cells

import (
	"slices"
	"strings"

	"etch/ir"
)

// A clock of the netlist has edges, but no value. Where logic reads one, its level
// is made of two bits: one turns over when the clock rises, the other when it
// falls, and while it is high they differ.

// clockLevel is a signal that is high while a clock is, made of two registers.
type clockLevel struct {
	net        bit
	rose, fell ir.ID // the registers that turn over
	level      ir.ID
}

// clockLevel returns the signal of net's level. A clock has one, made at the first call.
func (l *lowering) clockLevel(net bit) ir.ID {
	for _, k := range l.levels {
		if k.net == net {
			return k.level
		}
	}

	// Each edge turns over one register. The two differ while the clock is high.
	name := l.netText(net)
	k := clockLevel{net: net, rose: l.newReg(name+"_rose", nil, 1), fell: l.newReg(name+"_fell", nil, 1)}
	k.level = l.xor(k.rose, k.fell)
	for i, id := range []ir.ID{k.rose, k.fell} {
		next := k.rose // when it falls, they are the same again
		if i == 0 {
			next = l.not(k.fell)
		}
		r := l.regOf(id)
		r.Next, r.Clk, r.Init = next, l.edge(net, i == 0), l.konst(1, 0)
	}
	l.levels = append(l.levels, k)
	return k.level
}

// levelOf finds a level by its node.
func (l *lowering) levelOf(id ir.ID) *clockLevel {
	for i := range l.levels {
		if l.levels[i].level == id {
			return &l.levels[i]
		}
	}
	return nil
}

// clocksBehind marks as clocks the inputs of one bit behind logic that makes a clock, if
// they have a clock's name. An input such as an enable or a select stays data.
func (l *lowering) clocksBehind(b bit) {
	seen := map[int32]bool{}
	list := []bit{b}

	// Go back through logic to the inputs.
	for len(list) > 0 {
		b := list[len(list)-1]
		list = list[:len(list)-1]
		if b < firstNet {
			continue
		}
		if i := l.inPort[b]; i != 0 {
			if p := &l.j.ports[i-1]; len(p.bits) == 1 && clockByName(p.name) {
				l.clocks[b] = true
			}
			continue
		}
		i, ok := l.logicOf(b)
		if !ok || seen[i] {
			continue
		}
		seen[i] = true
		c := &l.j.cells[i]
		for k := range c.conns {
			list = append(list, l.inputsOf(c, k)...)
		}
	}
}

// clockByName tells whether an input is a clock, by the usual names: clk, clk_i,
// sys_clk, pclk, clock, tck.
func clockByName(name string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r < 'a' || r > 'z' })
	clock := false
	for _, w := range words {
		switch {
		// These words say something about a clock, such as its enable.
		case slices.Contains([]string{"en", "enable", "sel", "select", "ok", "valid", "gate", "rst", "reset", "div", "locked"}, w):
			return false
		case strings.HasSuffix(w, "clk"), strings.HasSuffix(w, "clock"), strings.HasPrefix(w, "clk"), w == "ck", w == "tck", w == "sck", w == "scl":
			clock = clock || !strings.HasSuffix(w, "en")
		}
	}
	return clock
}
