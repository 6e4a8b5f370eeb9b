package passes

import (
	"encoding/binary"
	"slices"

	"etch/ir"
)

// CSE makes equal nodes one: the same op with the same constants and the same
// arguments, in any order where order does not matter (look-up tables are
// compared with their inputs sorted). Registers become one when they have the
// same clock, reset and initial value, and take equal values, which may depend on
// the register itself through a few operations, as an enable does. Registers
// without an initial value are left alone: nothing says that they start equal.
//
// It needs a verified module. It keeps what [Fold] keeps: of two equal values
// with different names, one keeps its name on a Wire.
func CSE(m *ir.Module) Count { return toFixpoint(m, cseOnce) }

func cseOnce(m *ir.Module) Count {
	c := newCongruence(m)
	c.nodes()
	c.registers()
	if !c.any {
		return Count{}
	}
	return rebuild(m, func(r *rebuilder, id ir.ID, args []ir.ID) ir.ID {
		first := c.first[c.find(id)]
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

// congruence groups nodes into classes of equal value. A class is a tree of
// parents whose root stands for it.
type congruence struct {
	m      *ir.Module
	order  []ir.ID
	rank   []int32 // by node: its place in order
	parent []ir.ID
	size   []int32
	first  []ir.ID // by root: the member that comes first in order, which stays
	seen   map[string]ir.ID
	any    bool // something was joined that is worth a rewriting
	regs   bool // registers were joined
	buf    []byte
	args   []ir.ID
	users  [][]ir.ID // by node; made when the first registers become one
	joined []ir.ID   // members of classes that lost their root, still to be looked at
	kin    [][]ir.ID // by root: the members, once users is there
}

func newCongruence(m *ir.Module) *congruence {
	n := m.Len()
	c := &congruence{
		m: m, order: argumentOrder(m), rank: make([]int32, n), parent: make([]ir.ID, n),
		size: make([]int32, n), first: make([]ir.ID, n), seen: make(map[string]ir.ID, n),
	}
	for i, id := range c.order {
		c.rank[id] = int32(i)
	}
	for i := range c.parent {
		c.parent[i], c.first[i], c.size[i] = ir.ID(i), ir.ID(i), 1
	}
	return c
}

func (c *congruence) find(id ir.ID) ir.ID {
	for c.parent[id] != id {
		c.parent[id] = c.parent[c.parent[id]]
		id = c.parent[id]
	}
	return id
}

// union makes one class of those of a and b. A Wire is in the class of what
// drives it, which is no change worth a rewriting.
func (c *congruence) union(a, b ir.ID, change bool) {
	a, b = c.find(a), c.find(b)
	if a == b {
		return
	}
	c.any = c.any || change
	if c.size[a] < c.size[b] {
		a, b = b, a
	}
	c.parent[b] = a
	c.size[a] += c.size[b]
	if c.rank[c.first[b]] < c.rank[c.first[a]] {
		c.first[a] = c.first[b]
	}
	if c.users != nil {
		c.joined = append(c.joined, c.kin[b]...)
		c.kin[a] = append(c.kin[a], c.kin[b]...)
		c.kin[b] = nil
	}
}

// nodes numbers all nodes but leaves, arguments first.
func (c *congruence) nodes() {
	for _, id := range c.order {
		c.node(id)
	}
}

// node puts a node into the class of an equal one seen before.
func (c *congruence) node(id ir.ID) {
	if c.m.Op(id) == ir.Wire {
		c.union(c.m.Args(id)[0], id, false)
		return
	}
	if c.key(id) {
		c.meet(id)
	}
}

// meet looks the key in buf up and joins id with what has it, if anything has.
func (c *congruence) meet(id ir.ID) bool {
	if other, ok := c.seen[string(c.buf)]; ok {
		c.union(other, id, true)
		return true
	}
	c.seen[string(c.buf)] = id
	return false
}

func (c *congruence) put(n int64) { c.buf = binary.AppendVarint(c.buf, n) }

// key writes into buf what a node has to share with an equal one; false for
// leaves other than constants.
func (c *congruence) key(id ir.ID) bool {
	n := c.m.Node(id)
	if n.Op.Info().Leaf && n.Op != ir.Const {
		return false
	}
	c.buf = append(c.buf[:0], byte(n.Op))
	c.put(int64(n.Width))
	c.put(int64(len(c.m.Args(id))))
	c.args = c.args[:0]
	for _, a := range c.m.Args(id) {
		c.args = append(c.args, c.find(a))
	}
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
	if n.Op.Info().Commute {
		slices.Sort(c.args)
	}
	for _, a := range c.args {
		c.put(int64(a))
	}
	return true
}

// lutKey writes the inputs sorted and the table rearranged to match.
func (c *congruence) lutKey(id ir.ID) {
	sorted := slices.Clone(c.args)
	slices.Sort(sorted)
	t := tableOf(c.m.TableOf(id))
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
