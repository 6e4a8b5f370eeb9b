package code

import (
	"etch/sim/choose"
	"etch/sim/net"
)

// RandomMixed is a layout and a program in mixed form in which words, memories and
// nodes have forms by chance; words says which nodes may be in word form.
func RandomMixed(n *net.Net, tables [][]uint64, t Target, coin func() bool, words func(net.Op) bool) (*Layout, *staged, error) {
	form := func(may bool) Form {
		if may && coin() {
			return Words
		}
		return Sliced
	}
	d := &division{}
	for range n.Regs {
		d.word = append(d.word, form(true))
	}
	for range n.Mems {
		d.mem = append(d.mem, form(true))
	}
	for i := range n.N {
		switch nd := &n.N[i]; nd.Op {
		case net.Leaf:
			d.node = append(d.node, d.word[nd.Imm])
		case net.Read:
			d.node = append(d.node, d.mem[nd.Imm])
		default:
			d.node = append(d.node, form(words(nd.Op)))
		}
	}
	l := newMixedLayout(n, tables, d, &choose.Standard().LaneCode)
	p, err := compileDivided(n, l, t, d)
	return l, p, err
}
