package native

import "etch/sim/net"

// kind is what an instruction of scheduled code does.
type kind uint8

const (
	kEval   kind = iota // compute node a
	kIf                 // if node a is not 0 … kElse … kEnd
	kElse               //
	kEnd                //
	kPhi                // mux node a takes the value of node b
	kWrite              // register a takes the value of node b
	kStore              // write a of the net's Writes happens
	kOut                // output a of the net's Outs is stored
	kStop               // leave before the cycle when node a is not 0
	kBranch             // leave the code by its side door when node a is 0
)

// ins is an instruction of scheduled code.
type ins struct {
	k    kind
	a, b int32
}

// where is the place of a node's value.
type where struct {
	k   placeKind
	reg uint8 // machine register
	at  int32 // scratch word
}

type placeKind uint8

const (
	nowhere placeKind = iota
	inReg
	inScratch
)

// code is a net with its schedule, on its way to machine code.
type code struct {
	n    *net.Net
	out  []ins
	fold []bool  // comparisons and bit tests that are done where their result is branched on
	loc  []where // of nodes
	old  []int32 // by register: the scratch word of its copy from the cycle's start, -1 if there is none
	from []int32 // by register: the first instruction that writes it

	gates [2]int32 // the registers from the first on, up to the second, are flags of gates

	scratch  int32 // scratch words in use
	apart    int32 // those of them that are not for values
	work     int32 // the first of those that banks use while they are computed
	workSize int32

	registers int   // that values were given
	spilled   int32 // reads and writes of scratch words by those that got none

	used []net.ID // see uses

	guards   []int64
	flagUsed bool // a guard may be written with another value
}

const never = int32(1) << 30

// uses is the values that the instruction reads as it is emitted: folded nodes are
// looked through. It holds until the next one.
func (c *code) uses(in ins) []net.ID {
	c.used = c.used[:0]
	var buf [3]net.ID
	for _, x := range c.operands(in, &buf) {
		c.use(x)
	}
	return c.used
}

func (c *code) use(x net.ID) {
	switch {
	case x < 0:
	case c.fold[x]:
		var buf [3]net.ID
		for _, y := range args(c.n, x, &buf) {
			c.use(y)
		}
	default:
		c.used = append(c.used, x)
	}
}

// operands is the nodes that the instruction names, of which some may be None; buf is as
// that of args.
func (c *code) operands(in ins, buf *[3]net.ID) []net.ID {
	switch in.k {
	case kEval:
		return args(c.n, net.ID(in.a), buf)
	case kIf, kBranch, kStop:
		buf[0] = net.ID(in.a)
	case kPhi, kWrite:
		buf[0] = net.ID(in.b)
	case kStore:
		w := &c.n.Writes[in.a]
		*buf = [3]net.ID{w.Addr, w.Data, w.Mask}
		return buf[:]
	case kOut:
		buf[0] = c.n.Outs[in.a].Node
	default:
		return nil
	}
	return buf[:1]
}

// foldTests marks comparisons that only conditions consume, and tests of a bit
// of the state: they need no register, the flags carry them. One that is used
// more than once is done again each time when its operands are state.
func (c *code) foldTests() {
	n := c.n
	c.fold = make([]bool, len(n.N))
	uses := make([]int32, len(n.N))
	tests := make([]int32, len(n.N))
	luts := make([]int32, len(n.N))
	var buf [3]net.ID
	for _, in := range c.out {
		for _, x := range c.operands(in, &buf) {
			if x >= 0 {
				uses[x]++
			}
		}
		switch {
		case in.k == kIf || in.k == kBranch || in.k == kStop:
			tests[in.a]++
		case in.k == kEval && n.N[in.a].Op == net.Mux:
			tests[n.N[in.a].A]++
		case in.k == kEval && n.N[in.a].Op == net.Lut:
			nd := &n.N[in.a]
			for _, x := range n.Pool[nd.A : nd.A+nd.B] {
				luts[x]++
			}
		}
	}
	for i := range n.N {
		nd := &n.N[i]
		if uses[i] == 0 {
			continue
		}
		switch {
		case nd.Op.IsCompare() && nd.Op != net.LtS && nd.Op != net.LeS:
			c.fold[i] = tests[i] == uses[i] && (uses[i] == 1 || c.onState(net.ID(i)))
		case nd.Op == net.LtS || nd.Op == net.LeS:
			c.fold[i] = tests[i] == 1 && uses[i] == 1
		case nd.Op == net.Slice && nd.W == 1 && n.N[nd.A].Op == net.Leaf:
			c.fold[i] = tests[i] == uses[i] || luts[i] == uses[i]
		}
	}
	c.foldShifts(uses)
	kept := c.out[:0]
	for _, in := range c.out {
		if in.k != kEval || !c.fold[in.a] {
			kept = append(kept, in)
		}
	}
	c.out = kept
}

func (c *code) onState(x net.ID) bool {
	ok := true
	c.n.Args(x, func(y net.ID) { ok = ok && c.n.N[y].Op.IsLeaf() })
	return ok
}
