package equiv

import "strings"

// choose pairs bits of open classes without evidence: in all classes where names agree but for
// the additions of tools, or else the first bits of one class. Each pair becomes a class of its
// own, and refinement goes on from there.
func (c *correspondence) choose() bool {
	members, chosen := c.members(), false
	for _, m := range members {
		if open(m) && c.alike(m) {
			chosen = true
		}
	}
	if chosen {
		return true
	}

	// Without common names, the first bits of one class: refinement goes on from there.
	for _, m := range members {
		if open(m) {
			c.word(m[0][0], m[1][0])
			return true
		}
	}
	return false
}

// alike pairs bits of a class whose names agree.
func (c *correspondence) alike(m [2][]int) (any bool) {
	type key struct {
		name string
		bit  int
	}
	known := map[key]int{}
	for _, i := range m[0] {
		known[key{c.plain(i), c.bits[i].bit}] = i
	}
	for _, i := range m[1] {
		k := key{c.plain(i), c.bits[i].bit}
		if j, ok := known[k]; ok {
			// Each bit is paired once.
			delete(known, k)
			c.own(j, i)
			any = true
		}
	}
	return any
}

// plain returns the name of a bit's state as plain does.
func (c *correspondence) plain(i int) string { return plain(c.p.circuit.States[c.bits[i].state].Name) }

// plain returns the name of a state without its side, in lower case, without the characters and
// endings that tools change.
func plain(name string) string {
	name, _ = twin(name)
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune(`.[]\/$ `, r) {
			return '_'
		}
		return r
	}, strings.ToLower(name))

	// The order matters: _reg may stand before _q.
	for _, end := range []string{"_reg", "_r", "_q", "_"} {
		name = strings.TrimSuffix(name, end)
	}
	return name
}

// registers pairs the bits of open classes that lie in one register on each side, at the same
// places, if the registers have a pair of bits already and none at different places. It reports
// whether there was such a class.
//
// A register whose bits start equal holds 0 or -1. Then a sum's carry runs through all of it or
// nowhere, and each round of refinement would tell one more bit from the rest.
func (c *correspondence) registers() (any bool) {
	members := c.members()

	// The registers that pairs of bits join, and whether all those bits are at the same places.
	straight := map[[2]int]bool{}
	for _, m := range members {
		if len(m[0]) == 1 && len(m[1]) == 1 {
			x, y := c.bits[m[0][0]], c.bits[m[1][0]]
			at := [2]int{x.state, y.state}
			before, seen := straight[at]
			straight[at] = (before || !seen) && x.bit == y.bit
		}
	}

	for _, m := range members {
		if open(m) && c.abreast(m) && straight[[2]int{c.bits[m[0][0]].state, c.bits[m[1][0]].state}] {
			for k := range m[0] {
				c.own(m[0][k], m[1][k])
			}
			any = true
		}
	}
	return any
}

// abreast reports whether the members of a class are bits of one state on each side, at the same
// places.
func (c *correspondence) abreast(m [2][]int) bool {
	if len(m[0]) != len(m[1]) {
		return false
	}
	for k := range m[0] {
		x, y := c.bits[m[0][k]], c.bits[m[1][k]]
		if x.state != c.bits[m[0][0]].state || y.state != c.bits[m[1][0]].state || x.bit != y.bit {
			return false
		}
	}
	return true
}

// own moves two bits to a new class.
func (c *correspondence) own(i, j int) {
	c.bits[i].class, c.bits[j].class = c.number, c.number
	c.number++
}

// word pairs two bits, and all other bits of their registers too if they are at the same places
// and in the same classes: a register usually corresponds as a whole.
func (c *correspondence) word(i, j int) {
	x, y := c.bits[i], c.bits[j]
	w := len(c.p.circuit.States[x.state].Q)
	whole := w == len(c.p.circuit.States[y.state].Q) && x.bit == y.bit
	var mine, its []int
	if whole {
		mine, its = c.wordOf(i), c.wordOf(j)
		whole = len(mine) == len(its)
	}

	// One bit that is elsewhere, or in another class, and the registers are not the same.
	for k := 0; whole && k < len(mine); k++ {
		whole = c.bits[mine[k]].bit == c.bits[its[k]].bit && c.bits[mine[k]].class == c.bits[its[k]].class
	}
	if !whole {
		c.own(i, j)
		return
	}
	for k := range mine {
		c.own(mine[k], its[k])
	}
}

// wordOf returns the bits of the state of bit i, which are neighbours in the list.
func (c *correspondence) wordOf(i int) (list []int) {
	first := i
	for first > 0 && c.bits[first-1].state == c.bits[i].state {
		first--
	}
	for ; first < len(c.bits) && c.bits[first].state == c.bits[i].state; first++ {
		list = append(list, first)
	}
	return list
}
