package passes

import (
	"encoding/binary"
	"slices"

	"etch/ir"
	"etch/ir/disjoint"
)

// CSE makes equal nodes one: nodes with the same op, constants and arguments, in any order
// for commutative ops (look-up tables are compared with their inputs sorted). Registers
// become one if they have the same clock, reset and initial value and take equal values;
// these may depend on the register itself through a few operations, as with an enable.
// Registers without an initial value are kept: nothing shows that they start equal.
//
// It needs a verified module. It keeps the same things as [Fold]: of two equal values with
// different names, one keeps its name on a Wire.
func CSE(m *ir.Module) Count { return toFixpoint(m, cseOnce) }

func cseOnce(m *ir.Module) Count {
	// Find the classes of equal values first; the rewriting then replaces each node by the
	// first member of its class.
	c := newCongruence(m)
	c.nodes()
	c.registers()
	if !c.any {
		return Count{}
	}
	return rebuild(m, func(r *rebuilder, id ir.ID, args []ir.ID) ir.ID {
		// The first member is in order before the others, so its new node exists.
		first := c.first[c.class.Find(id)]
		if first == id {
			return ir.None
		}

		switch m.Op(id) {
		case ir.Reg:
			r.count[SharedRegs]++
			r.gone[m.Node(id).Aux] = true
		case ir.Lut:
			r.count[SharedLuts]++
			r.count[Shared]++
		default:
			r.count[Shared]++
			r.shareLines(r.to[first], id)
		}
		return r.to[first]
	})
}

// congruence groups nodes into classes of equal value: a union-find forest with union
// by size. Nodes are hashed by op, constants and classes of arguments, as
// in congruence closure (Downey, Sethi, Tarjan, 1980).
type congruence struct {
	m      *ir.Module
	order  []ir.ID
	rank   []int32 // by node: its place in order
	class  disjoint.Forest[ir.ID]
	size   []int32
	first  []ir.ID // by root: the member that comes first in order, which represents the class
	seen   map[string]ir.ID
	any    bool // some union is worth a rewriting
	regs   bool // registers were joined
	buf    []byte
	args   []ir.ID
	users  [][]ir.ID // by node; made when the first registers become one
	joined []ir.ID   // members of classes that lost their root, whose users must be hashed again
	kin    [][]ir.ID // by root: the members, once users is there
}

func newCongruence(m *ir.Module) *congruence {
	n := m.Len()
	c := &congruence{
		m: m, order: argumentOrder(m), rank: make([]int32, n), class: disjoint.New[ir.ID](n),
		size: make([]int32, n), first: make([]ir.ID, n), seen: make(map[string]ir.ID, n),
	}
	for i, id := range c.order {
		c.rank[id] = int32(i)
	}
	for i := range c.class {
		c.first[i], c.size[i] = ir.ID(i), 1
	}
	return c
}

// union joins the classes of a and b. A Wire is in the class of its driver, which by itself
// is not worth a rewriting.
func (c *congruence) union(a, b ir.ID, change bool) {
	a, b = c.class.Find(a), c.class.Find(b)

	if a == b {
		return
	}
	c.any = c.any || change

	// Union by size; the first member stays the first in order.
	if c.size[a] < c.size[b] {
		a, b = b, a
	}
	c.class[b] = a
	c.size[a] += c.size[b]
	if c.rank[c.first[b]] < c.rank[c.first[a]] {
		c.first[a] = c.first[b]
	}

	// Users of the smaller class have a new key now.
	if c.users != nil {
		c.joined = append(c.joined, c.kin[b]...)
		c.kin[a] = append(c.kin[a], c.kin[b]...)
		c.kin[b] = nil
	}
}

// nodes hashes all nodes except leaves, arguments first.
func (c *congruence) nodes() {
	for _, id := range c.order {
		c.node(id)
	}
}

// node puts a node into the class of an equal one that came before.
func (c *congruence) node(id ir.ID) {
	if c.m.Op(id) == ir.Wire {
		c.union(c.m.Args(id)[0], id, false)
		return
	}
	if c.key(id) {
		c.meet(id)
	}
}

// meet looks up the key in buf and joins id with the node that has it. If there is none, id
// becomes the one.
func (c *congruence) meet(id ir.ID) bool {
	if other, ok := c.seen[string(c.buf)]; ok {
		c.union(other, id, true)
		return true
	}
	c.seen[string(c.buf)] = id
	return false
}

func (c *congruence) put(n int64) { c.buf = binary.AppendVarint(c.buf, n) }

// key writes to buf everything that equal nodes share; false for leaves other than
// constants.
func (c *congruence) key(id ir.ID) bool {
	n := c.m.Node(id)
	if n.Op.Info().Leaf && n.Op != ir.Const {
		return false
	}

	// Op, width and number of arguments,
	c.buf = append(c.buf[:0], byte(n.Op))
	c.put(int64(n.Width))
	c.put(int64(len(c.m.Args(id))))
	c.args = c.args[:0]
	for _, a := range c.m.Args(id) {
		c.args = append(c.args, c.class.Find(a))
	}

	// then constants outside of the arguments,
	switch n.Op {
	case ir.Const:
		c.buf = c.m.ConstOf(id).AppendHex(c.buf)
	case ir.Slice, ir.MemRead:
		c.put(int64(n.Aux))
	case ir.Case:
		for _, k := range c.m.KeysOf(id) {
			c.buf = append(k.AppendHex(c.buf), ',')
		}

	case ir.Lut:
		c.lutKey(id)
		return true
	}

	// then the classes of the arguments, sorted if their order does not matter.
	if n.Op.Info().Commute {
		slices.Sort(c.args)
	}

	for _, a := range c.args {
		c.put(int64(a))
	}

	return true
}

// lutKey writes the inputs sorted and the table permuted to match.
func (c *congruence) lutKey(id ir.ID) {
	sorted := slices.Clone(c.args)
	slices.Sort(sorted)
	t := tableOf(c.m.TableOf(id))
	// from maps a sorted place to the place in the table. Equal inputs are assigned one by
	// one.
	if !slices.Equal(sorted, c.args) {
		from := make([]int, len(sorted)) // by sorted place: the place in the table
		taken := make([]bool, len(sorted))
		for i, s := range sorted {
			for j, a := range c.args {
				if a == s && !taken[j] {
					from[i], taken[j] = j, true
					break
				}
			}
		}

		t = t.remap(t.n, func(a int) int {
			old := 0
			for i, j := range from {
				old |= a >> i & 1 << j
			}
			return old
		})
	}

	for _, a := range sorted {
		c.put(int64(a))
	}

	for _, w := range t.value {
		c.buf = binary.LittleEndian.AppendUint64(c.buf, w)
	}
}
