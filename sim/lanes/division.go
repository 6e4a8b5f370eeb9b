package lanes

import (
	"etch/sim/lanes/vector"
	"etch/sim/net"
)

// division says which form the nodes, words and memories of a net have.
type division struct {
	node, word, mem []Form
	// cost is about how many instructions on vectors of 256 bits a cycle of 256
	// instances takes, and total what it takes in one form.
	cost  float64
	total [2]float64
	found bool // otherwise it would have taken too long
}

// divider finds the division that costs least: a cut between what is in sliced form,
// on the side of the source, and what is in word form.
type divider struct {
	cutter
	n      *net.Net
	node   []int32 // vertices
	word   []int32
	mem    []int32
	total  [2]float64
	spread map[net.ID][2]int32 // of a value: vertices that are on the other side when somebody there takes it
}

// mostDivided is the nodes of the largest net that is divided.
const mostDivided = 50_000

// newDivision divides a net; words and memories are where fixed has them, if it is
// not nil.
func newDivision(n *net.Net, fixed *division) *division {
	v := &divider{cutter: *newCutter(), n: n, spread: map[net.ID][2]int32{}}
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
	if n.Stop >= 0 { // it leaves before anything is stored, in sliced form
		v.takes(source, n.Stop)
	}
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

// vertices makes the vertices; a word is where its leaf is.
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

// costs says what a vertex takes in the two forms, in instructions for a vector of
// bits and for one of elements.
func (v *divider) costs(x int32, sliced, words float64) {
	words *= vector.Parts
	v.total[Sliced] += sliced
	v.total[Words] += words
	v.edge(x, sink, int64(sliced))
	v.edge(source, x, int64(words))
}

// together has two vertices on one side.
func (v *divider) together(x, y int32) {
	v.edge(x, y, unbreakable)
	v.edge(y, x, unbreakable)
}

// pin has a vertex in form f.
func (v *divider) pin(x int32, f Form) {
	if f == Sliced {
		v.edge(source, x, unbreakable)
	} else {
		v.edge(x, sink, unbreakable)
	}
}

// Instructions that a value takes to the other form, for each bit of 256 instances
// (vector.Bits, vector.StoreBits, and taking words apart and together).
const (
	toMask, toWord = 48, 96
	toBit, toBits  = 64, 80
)

// takes says that vertex x needs value y.
func (v *divider) takes(x int32, y net.ID) {
	if v.n.N[y].Op == net.Const {
		return
	}
	at, ok := v.spread[y]
	if !ok {
		w := int64(v.n.N[y].W)
		there, back := toWord*w, toBits*w
		if w == 1 {
			there, back = toMask, toBit
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
	if nd.Op == net.Read {
		v.together(v.node[id], v.mem[nd.Imm])
	}
}

// next adds a word's next value.
func (v *divider) next(r int) {
	if reg := &v.n.Regs[r]; reg.Next >= 0 {
		v.costs(v.word[r], 2*float64(reg.W), 2*float64(vectors(reg.W)))
		v.takes(v.word[r], reg.Next)
	}
}

// write adds a write.
func (v *divider) write(w *net.Write) {
	v.costs(v.mem[w.Mem], writeSliced, 5)
	w.Each(func(x net.ID) { v.takes(v.mem[w.Mem], x) })
}

// divide cuts.
func (v *divider) divide() *division {
	d := &division{node: make([]Form, len(v.node)), word: make([]Form, len(v.word)), mem: make([]Form, len(v.mem)), total: v.total}
	if len(v.node) > mostDivided {
		return d
	}
	cost, ok := v.cut()
	if !ok {
		return d
	}
	d.cost, d.found = float64(cost), true
	for _, part := range []struct {
		vertex []int32
		form   []Form
	}{{v.node, d.node}, {v.word, d.word}, {v.mem, d.mem}} {
		for i, x := range part.vertex {
			if !v.onSource(x) {
				part.form[i] = Words
			}
		}
	}
	return d
}
