package gates

// Lit is node Lit/2, negated if Lit is odd.
type Lit int32

// The constants: node 0 is false. None is no literal.
const (
	False Lit = 0
	True  Lit = 1
	None  Lit = -1
)

// Node drops the inversion, which is bit 0.
func (l Lit) Node() int32 { return int32(l >> 1) }

// Neg reports whether l is the negation of its node.
func (l Lit) Neg() bool { return l&1 != 0 }

// Not returns the negation of l.
func (l Lit) Not() Lit { return l ^ 1 }

// Gate is a function of its operands: bit a·4 + b·2 + c of Fn. Missing operands are None, and Fn
// does not depend on them. A leaf has none, and Fn 0. With two operands Fn is And or Xor, and
// operands of And may be negated. With three, no operand is negated and Fn of all zeros is 0.
type Gate struct {
	A, B, C Lit
	Fn      uint8
}

// Functions of a and b, or of a, b and c, as tables.
const (
	And = 0xc0
	Xor = 0x3c
	mux = 0xca // b if a, else c
	maj = 0xe8
	odd = 0x96
)

// Graph is a graph of gates. Use New: the zero value is not usable.
type Graph struct {
	Fanin int // operands of a gate, 2 or 3
	N     []Gate
	table []int32 // hash table with open addressing: node plus one
	known int
}

// New returns a graph for gates of fanin operands, 2 or 3, that only has the constant.
func New(fanin int) *Graph {
	g := &Graph{Fanin: fanin}
	g.N = append(g.N, Gate{None, None, None, 0})
	return g
}

// Leaf adds a gate without inputs: a bit of state, or of an input.
func (g *Graph) Leaf() Lit {
	g.N = append(g.N, Gate{None, None, None, 0})
	return Lit(len(g.N)-1) << 1
}

// IsLeaf reports whether node n is a leaf or the constant.
func (g *Graph) IsLeaf(n int32) bool { return g.N[n].Fn == 0 }

// Gates returns the number of gates.
func (g *Graph) Gates() int {
	k := 0
	for i := range g.N {
		if g.N[i].Fn != 0 {
			k++
		}
	}
	return k
}

// Operands returns the operands of node n.
func (g *Graph) Operands(n int32) []Lit {
	gt := &g.N[n]
	all := [3]Lit{gt.A, gt.B, gt.C}
	k := 0
	for k < 3 && all[k] >= 0 {
		k++
	}
	return all[:k:k]
}

// add appends a gate unless an equal one exists.
func (g *Graph) add(gt Gate) Lit {
	// At most half of the table is in use, so that probes are short.
	if g.known*2 >= len(g.table) {
		g.grow()
	}
	// Linear probing.
	m := uint32(len(g.table) - 1)
	h := gt.hash() & m
	for g.table[h] != 0 {
		if g.N[g.table[h]-1] == gt {
			return Lit(g.table[h]-1) << 1
		}
		h = (h + 1) & m
	}

	g.N = append(g.N, gt)
	g.table[h] = int32(len(g.N))
	g.known++
	return Lit(len(g.N)-1) << 1
}

// hash mixes a gate's fields.
func (gt *Gate) hash() uint32 {
	h := uint64(uint32(gt.A))*0x9e3779b97f4a7c15 ^ uint64(uint32(gt.B))*0xbf58476d1ce4e5b9 ^ uint64(uint32(gt.C))*0x94d049bb133111eb ^ uint64(gt.Fn)<<40
	h *= 0xd6e8feb86659fd93
	return uint32(h >> 32)
}

// grow doubles the table and inserts all gates again.
func (g *Graph) grow() {
	g.table = make([]int32, max(1024, 2*len(g.table)))

	m := uint32(len(g.table) - 1)
	for i := range g.N {
		if g.N[i].Fn == 0 {
			continue
		}
		h := g.N[i].hash() & m
		for g.table[h] != 0 {
			h = (h + 1) & m
		}
		g.table[h] = int32(i + 1)
	}
}
