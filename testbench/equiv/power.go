package equiv

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"etch/passes/aig"
)

// powerUp gives every state its start. With paired set, corresponding state gets the same start.
func (p *problem) powerUp(paired bool) {
	p.start = make([]aig.Word, len(p.circuit.States))
	p.place, p.placed = aig.NewRebuilder(p.circuit.Graph, p.sys.Graph), map[int]bool{}
	if !paired || p.o.zero {
		for i := range p.start {
			p.start[i] = p.startOf(i, func(int) (aig.Lit, bool) { return 0, false })
		}
		return
	}

	// Side a comes first: the starts of b refer to it.
	p.seen = p.cone()
	known, other := p.named()
	bits := p.similar(known)
	maps.Copy(bits, p.ports(known))
	maps.Copy(bits, p.correspond(known))
	for _, side := range []byte{'a', 'b'} {
		for i := range p.start {
			// State of neither side goes with a.
			if _, s := twin(p.circuit.States[i].Name); s != side && (s != 0 || side == 'b') {
				continue
			}
			p.start[i] = p.startOf(i, func(k int) (aig.Lit, bool) {
				if j, ok := other[i]; ok && p.start[j] != nil {
					return p.start[j][k], true
				}
				x, ok := bits[[2]int{i, k}]
				if !ok {
					return 0, false
				}
				return p.start[x[0]][x[1]], true
			})
		}
	}
	p.lonely(other, bits)
	p.hints(other, bits)
}

// hints notes the bits of state that may be equal, for the prover to try.
func (p *problem) hints(other map[int]int, bits map[[2]int][2]int) {
	for i := range p.circuit.States {
		for k := range p.circuit.States[i].Q {
			at := [2]int{i, k}

			// Each pair is listed once, at its second member.
			if j, ok := other[i]; ok && j < i {
				p.pairs = append(p.pairs, [2][2]int{{j, k}, at})
			} else if x, ok := bits[at]; ok {
				p.pairs = append(p.pairs, [2][2]int{x, at})
			}
		}
	}
}

// startOf returns the start of a state; like returns the start for an unknown bit that
// corresponds to another.
func (p *problem) startOf(i int, like func(k int) (aig.Lit, bool)) aig.Word {
	s := &p.circuit.States[i]
	w := make(aig.Word, len(s.Init))
	for k, l := range s.Init {
		same, ok := like(k)
		switch {
		case l.IsConst():
			w[k] = l
		case s.Kind == aig.CellAddress:
			w[k] = p.newFree()
			p.place.Set(l, w[k])
			p.placed[l.Node()] = true
		case s.Kind == aig.Cell && (p.placed[l.Node()] || p.circuit.Graph.IsAnd(l.Node())):
			// Its start follows from addresses that have a place.
			w[k] = p.place.Lit(l)
		case p.o.zero:
			w[k] = aig.False
		case ok && !same.IsConst():
			w[k] = same
		default:
			w[k] = p.newFree()
		}
	}
	return w
}

// named pairs states of the same name, place and shape. The first result numbers the pairs, the
// second maps each state to its counterpart.
func (p *problem) named() (pair, other map[int]int) {
	type key struct {
		name            string
		row, width, nth int
		kind            aig.StateKind
	}
	pair, other = map[int]int{}, map[int]int{}
	var sides [2]map[key]int
	for i := range sides {
		sides[i] = map[key]int{}
	}
	for i := range p.circuit.States {
		s := &p.circuit.States[i]
		name, side := twin(s.Name)
		if side == 0 || s.Kind == aig.CellAddress {
			continue
		}
		if s.Kind == aig.Cell { // corresponding memories are in one group
			name = "group " + strconv.Itoa(p.models[s.Name].Group)
		}
		k := key{name: name, row: s.Row, width: len(s.Q), kind: s.Kind}
		mine, its := sides[side-'a'], sides['b'-side]

		// States of one key are numbered in their order.
		for _, taken := mine[k]; taken; _, taken = mine[k] {
			k.nth++
		}
		mine[k] = i
		if j, ok := its[k]; ok {
			pair[i], pair[j] = len(other)/2, len(other)/2
			other[i], other[j] = j, i
		}
	}
	return pair, other
}

// similar pairs states whose names agree but for the additions of tools, if no other state of a
// side has such a name. It adds them to known; like a pair by behaviour, such a pair is a guess.
func (p *problem) similar(known map[int]int) map[[2]int][2]int {
	type key struct {
		name  string
		width int
	}
	sides := map[key]*[2][]int{}
	var order []key
	for i := range p.circuit.States {
		s := &p.circuit.States[i]
		_, side := twin(s.Name)
		if _, taken := known[i]; side == 0 || taken || s.Kind != aig.Register && s.Kind != aig.ReadData {
			continue
		}
		k := key{plain(s.Name), len(s.Q)}
		if sides[k] == nil {
			sides[k] = new([2][]int)
			order = append(order, k)
		}
		sides[k][side-'a'] = append(sides[k][side-'a'], i)
	}

	bits := map[[2]int][2]int{}
	for _, k := range order {
		// A name that stands twice on a side pairs nothing.
		if mine, its := sides[k][0], sides[k][1]; len(mine) == 1 && len(its) == 1 {
			p.guess(known, bits, mine[0], its[0])
		}
	}
	return bits
}

// guess pairs two states of the same width, bit by bit.
func (p *problem) guess(known map[int]int, bits map[[2]int][2]int, i, j int) {
	number := len(known) / 2
	known[i], known[j] = number, number
	for k := range p.circuit.States[i].Q {
		bits[[2]int{j, k}] = [2]int{i, k}
	}
}

// ports pairs the reads of memories of the same name, in their order, if neither side has a read
// of its own: the names of ports are lost in Verilog. It adds them to known; like a pair by
// behaviour, such a pair is a guess.
func (p *problem) ports(known map[int]int) map[[2]int][2]int {
	// List the reads by memory and side.
	reads := map[string]*[2][]int{}
	var order []string
	for i := range p.circuit.States {
		s := &p.circuit.States[i]
		name, side := twin(s.Name)
		_, taken := known[i]
		if s.Kind != aig.ReadData || side == 0 || taken {
			continue
		}

		// The name of the memory, without that of the port.
		mem := name[:max(0, strings.LastIndexByte(name, '.'))]
		if reads[mem] == nil {
			reads[mem] = new([2][]int)
			order = append(order, mem)
		}
		reads[mem][side-'a'] = append(reads[mem][side-'a'], i)
	}

	bits := map[[2]int][2]int{}
	for _, mem := range order {
		mine, its := reads[mem][0], reads[mem][1]
		if len(mine) != len(its) {
			continue
		}
		for n, i := range mine {
			if len(p.circuit.States[i].Q) == len(p.circuit.States[its[n]].Q) {
				p.guess(known, bits, i, its[n])
			}
		}
	}
	return bits
}

// lonely notes the states of unknown start that have no counterpart and whose start can be
// observed.
func (p *problem) lonely(other map[int]int, bits map[[2]int][2]int) {
	taken := map[[2]int]bool{}
	for y, x := range bits {
		taken[x], taken[y] = true, true
	}
	p.alone = map[aig.Lit]string{}
	for i, w := range p.start {
		if _, ok := other[i]; ok || p.circuit.States[i].Kind == aig.CellAddress {
			continue
		}
		for k, l := range w {
			if !l.IsConst() && !taken[[2]int{i, k}] && p.seen[p.circuit.States[i].Q[k].Node()] {
				p.alone[l] = p.circuit.States[i].Name
			}
		}
	}
}

// apart lists the names of such states on which the start of a run depends, as "a.x", a few of
// them.
func (p *problem) apart() (names []string) {
	if len(p.alone) == 0 {
		return nil
	}
	seen := make([]bool, p.sys.Graph.Len())
	for _, l := range p.sys.Latches {
		seen[l.Init.Node()] = true
	}

	// Arguments have smaller numbers, so one pass downwards is complete.
	for n := len(seen) - 1; n > 0; n-- {
		if seen[n] && p.sys.Graph.IsAnd(n) {
			x, y := p.sys.Graph.Args(n)
			seen[x.Node()], seen[y.Node()] = true, true
		}
	}
	const most = 6
	for _, l := range p.sys.Free {
		name, ok := p.alone[l]
		if !ok || !seen[l.Node()] || slices.Contains(names, name) {
			continue
		}
		if names = append(names, name); len(names) > most {
			return append(names[:most], "…")
		}
	}
	return names
}
