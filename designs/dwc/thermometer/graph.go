package thermometer

import "fmt"

// Pins is the number of inputs of a table.
const Pins = 6

// Node is a lookup table.
type Node struct {
	Pins  []int  // signals: bit i of the code is i, node i is W + i
	Table uint64 // bit a is the output at address a; pin 0 is address bit 0
}

// Graph compares a signed code of W bits with constants: output i is code > T[i].
type Graph struct {
	W     int
	T     []int
	Nodes []Node // a node reads the code and nodes before it
	Out   []int  // a signal per threshold
}

// Run returns the outputs for a code of −2^(W−1) to 2^(W−1)−1.
func (g *Graph) Run(code int) []bool {
	value := make([]bool, g.W+len(g.Nodes))
	for i := range g.W {
		value[i] = code>>i&1 == 1
	}

	// Nodes are in topological order.
	for i, n := range g.Nodes {
		at := 0
		for l, p := range n.Pins {
			if value[p] {
				at |= 1 << l
			}
		}
		value[g.W+i] = n.Table>>at&1 == 1
	}

	out := make([]bool, len(g.Out))
	for i, s := range g.Out {
		out[i] = value[s]
	}
	return out
}

// Depth is the number of tables on the longest path.
func (g *Graph) Depth() int {
	depth, most := make([]int, g.W+len(g.Nodes)), 0
	for i, n := range g.Nodes {
		for _, p := range n.Pins {
			depth[g.W+i] = max(depth[g.W+i], depth[p]+1)
		}
		most = max(most, depth[g.W+i])
	}
	return most
}

// Constant signals of a builder; they never reach a graph.
const (
	low  = -1
	high = -2
)

// builder makes a graph. It works on the code with its sign bit inverted, which
// makes a signed comparison an unsigned one.
type builder struct {
	g     *Graph
	known map[string]int
}

func newBuilder(w int, ts []int) *builder {
	return &builder{g: &Graph{W: w, T: ts, Out: make([]int, len(ts))}, known: map[string]int{}}
}

// bits are the signals of the unsigned code, lowest first.
func (b *builder) bits() []int {
	out := make([]int, b.g.W)
	for i := range out {
		out[i] = i
	}
	return out
}

// lut is the signal that is f of the pins, pin 0 being bit 0 of f's argument.
// Constants among the pins and pins that f ignores are left out, equal tables are
// built once.
func (b *builder) lut(pins []int, f func(a int) bool) int {
	// A pin with a fixed value, or one that f ignores, is left out first: the rest is a smaller
	// table.
	for i, p := range pins {
		if p == low || p == high || ignored(len(pins), i, f) {
			fixed := 0
			if p == high {
				fixed = 1
			}
			rest := append(append([]int(nil), pins[:i]...), pins[i+1:]...)
			return b.lut(rest, func(a int) bool { return f(a&(1<<i-1) | fixed<<i | a>>i<<(i+1)) })
		}
	}

	if len(pins) > Pins {
		panic(fmt.Sprintf("thermometer: a table of %d inputs", len(pins)))
	}

	if len(pins) == 0 {
		if f(0) {
			return high
		}
		return low
	}

	// The table, with the sign bit's inversion folded into it.
	n := Node{Pins: pins}
	for a := range 1 << len(pins) {
		at := a
		for l, p := range pins {
			if p == b.g.W-1 { // the sign bit is the inverse of the unsigned code's
				at ^= 1 << l
			}
		}
		if f(at) {
			n.Table |= 1 << a
		}
	}

	// A table that passes its only pin on, and a table that exists, cost nothing.
	if len(pins) == 1 && n.Table == 2 {
		return pins[0]
	}
	key := fmt.Sprint(n)
	if s, ok := b.known[key]; ok {
		return s
	}
	b.g.Nodes = append(b.g.Nodes, n)
	b.known[key] = b.g.W + len(b.g.Nodes) - 1
	return b.known[key]
}

func ignored(pins, i int, f func(a int) bool) bool {
	for a := range 1 << pins {
		if a>>i&1 == 0 && f(a) != f(a|1<<i) {
			return false
		}
	}
	return true
}

// above is bits > r, unsigned.
func (b *builder) above(bits []int, r int) int {
	n := len(bits)
	if n <= Pins {
		return b.lut(bits, func(a int) bool { return a > r })
	}
	const top = Pins - 1
	rest := b.above(bits[:n-top], r&(1<<(n-top)-1))
	return b.atOrAbove(bits[n-top:], r>>(n-top), rest)
}

// atOrAbove is bits > r, or bits = r and also.
func (b *builder) atOrAbove(bits []int, r, also int) int {
	return b.lut(append([]int{also}, bits...), func(a int) bool { return a>>1 > r || a>>1 == r && a&1 == 1 })
}

// aboveChosen is bits > c[choice], unsigned; the choice is a number of at most
// four signals. Choices without a constant never occur.
func (b *builder) aboveChosen(bits, choice []int, c map[int]int) int {
	// Every choice needs a constant; choices that never occur take a neighbour's.
	s := len(choice)
	constants := make([]int, 1<<s)
	last := -1
	for v := range constants {
		if t, ok := c[v]; ok {
			for u := last + 1; u < v && last < 0; u++ {
				constants[u] = t
			}
			last = v
		}
		if last >= 0 {
			constants[v] = c[last]
		}
	}

	carry := low // the result so far: the bits below are above the constant's
	for at := 0; at < len(bits); {
		n := Pins - 1 - s
		if at == 0 {
			n++ // there is no carry yet
		}
		n = min(n, len(bits)-at)
		pins := append(append([]int{carry}, bits[at:at+n]...), choice...)
		from := at
		carry = b.lut7(pins, func(a int) bool {
			x, t := a>>1&(1<<n-1), constants[a>>(1+n)]>>from&(1<<n-1)
			return x > t || x == t && a&1 == 1
		})
		at += n
	}
	return carry
}

// lut7 is lut for seven pins of which the first is constant.
func (b *builder) lut7(pins []int, f func(a int) bool) int {
	if pins[0] != low && pins[0] != high {
		return b.lut(pins, f)
	}
	fixed := 0
	if pins[0] == high {
		fixed = 1
	}
	return b.lut(pins[1:], func(a int) bool { return f(a<<1 | fixed) })
}
