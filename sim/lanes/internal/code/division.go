package code

import (
	"etch/sim/choose"
	"etch/sim/native/vector"
	"etch/sim/net"
)

// division is the form of each node, word and memory of a net.
type division struct {
	node, word, mem []Form
	// cost estimates the instructions on vectors of 256 bits per cycle of 256 instances; total
	// the same in a single form.
	cost  float64
	total [2]float64
	found bool // false: the search took too long
}

// divider finds the cheapest division by a minimum cut between the form Sliced, on the source's
// side, and Words, on the sink's.
type divider struct {
	cutter
	pol    *choose.LaneCode
	n      *net.Net
	node   []int32 // vertices
	word   []int32
	mem    []int32
	total  [2]float64
	spread map[net.ID][2]int32 // by value: two vertices that are on the far side once a user there needs the value
}

// newDivision divides a net. If fixed is not nil, it gives the forms of words and memories.
func newDivision(n *net.Net, fixed *division, pol *choose.LaneCode) *division {
	v := &divider{cutter: *newCutter(pol.CutWork), pol: pol, n: n, spread: map[net.ID][2]int32{}}
	// Vertices, costs and users of everything, then the cut.
	v.vertices()
	for i := range n.N {
		v.op(net.ID(i))
	}

	for r := range n.Regs {
		v.next(r)
	}
	for i := range n.Writes {
		v.write(&n.Writes[i])
	}
	if n.Stop >= 0 { // it must leave before anything is stored, in sliced form
		v.takes(source, n.Stop)
	}

	// Nets of one design share a layout, so this net must keep the forms of its words and memories.
	if fixed != nil {
		for r, f := range fixed.word {
			v.pin(v.word[r], f)
		}
		for m, f := range fixed.mem {
			v.pin(v.mem[m], f)
		}
	}
	return v.divide()
}

// vertices makes the vertices. A word shares the vertex of its leaf.
func (v *divider) vertices() {
	for range v.n.N {
		v.node = append(v.node, v.vertex())
	}
	for r := range v.n.Regs {
		if q := v.n.Regs[r].Q; q >= 0 {
			v.word = append(v.word, v.node[q])
		} else {
			v.word = append(v.word, v.vertex())
		}
	}
	for range v.n.Mems {
		v.mem = append(v.mem, v.vertex())
	}
}

// costs adds the cost of a vertex in both forms: instructions per vector of bits, and per vector
// of elements.
func (v *divider) costs(x int32, sliced, words float64) {
	// A vertex on one side pays the edge to the other.
	words *= vector.Subgroups
	v.total[Sliced] += sliced
	v.total[Words] += words
	v.edge(x, sink, int64(sliced))
	v.edge(source, x, int64(words))
}

// together forces two vertices to one side.
func (v *divider) together(x, y int32) {
	v.edge(x, y, unbreakable)
	v.edge(y, x, unbreakable)
}

// pin forces a vertex to form f.
func (v *divider) pin(x int32, f Form) {
	if f == Sliced {
		v.edge(source, x, unbreakable)
	} else {
		v.edge(x, sink, unbreakable)
	}
}

// takes records that vertex x uses value y.
func (v *divider) takes(x int32, y net.ID) {
	if v.n.N[y].Op == net.Const {
		return
	}
	// The conversion (vector.Bits, vector.StoreBits, splitting and joining words) is paid once,
	// however many users are on the other side: they share two helper vertices.
	at, ok := v.spread[y]
	if !ok {
		w := int64(v.n.N[y].W)
		there, back := v.pol.ToWord*w, v.pol.ToBits*w
		if w == 1 {
			there, back = v.pol.ToMask, v.pol.ToBit
		}
		at = [2]int32{v.vertex(), v.vertex()}
		v.edge(v.node[y], at[0], there)
		v.edge(at[1], v.node[y], back)
		v.spread[y] = at
	}

	v.edge(at[0], x, unbreakable)
	v.edge(x, at[1], unbreakable)
}

// op adds a node.
func (v *divider) op(id net.ID) {
	nd := &v.n.N[id]
	sliced, words := estimate(v.n, nd)
	v.costs(v.node[id], sliced, words)
	v.n.Args(id, func(a net.ID) { v.takes(v.node[id], a) })

	// A read is in the form of its memory.
	if nd.Op == net.Read {
		v.together(v.node[id], v.mem[nd.Imm])
	}
}

// next adds the next value of a word.
func (v *divider) next(r int) {
	if reg := &v.n.Regs[r]; reg.Next >= 0 {
		v.costs(v.word[r], v.pol.Next*float64(reg.W), v.pol.Next*float64(vectors(reg.W)))
		v.takes(v.word[r], reg.Next)
	}
}

// write adds a write.
func (v *divider) write(w *net.Write) {
	v.costs(v.mem[w.Mem], v.pol.BitsWrite, v.pol.WordsWrite)
	w.Each(func(x net.ID) { v.takes(v.mem[w.Mem], x) })
}

// divide computes the cut and reads the forms off it.
func (v *divider) divide() *division {
	d := &division{node: make([]Form, len(v.node)), word: make([]Form, len(v.word)), mem: make([]Form, len(v.mem)), total: v.total}
	if len(v.node) > v.pol.MostDivided {
		return d
	}

	cost, ok := v.cut()
	if !ok {
		return d
	}

	d.cost, d.found = float64(cost), true
	for _, side := range []struct {
		vertex []int32
		form   []Form
	}{{v.node, d.node}, {v.word, d.word}, {v.mem, d.mem}} {
		for i, x := range side.vertex {
			// The sink's side has the form Words.
			if !v.onSource(x) {
				side.form[i] = Words
			}
		}
	}
	return d
}
