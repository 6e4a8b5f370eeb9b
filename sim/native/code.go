package native

import (
	"slices"

	"etch/sim/net"
)

// kind is the effect of an instruction of scheduled code.
type kind uint8

const (
	kEval   kind = iota // compute node a
	kIf                 // if node a is not 0; kElse and kEnd follow
	kElse               //
	kEnd                //
	kPhi                // the place of mux node a takes the value of node b
	kWrite              // register a takes the value of node b
	kStore              // write a of the net's Writes
	kOut                // output a of the net's Outs is stored
	kStop               // leave before the cycle if node a is not 0
	kBranch             // take the side exit if node a is 0
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

// code is a scheduled net on its way to machine code.
type code struct {
	n    *net.Net
	out  []ins
	fold []bool  // comparisons and bit tests that are computed by the branches that use them
	loc  []where // of nodes
	old  []int32 // by register: the scratch word of its copy from the cycle's start, or -1
	from []int32 // by register: the first instruction that writes it

	gates [2]int32 // registers in this half-open range are flags of gates

	scratch  int32 // scratch words in use
	apart    int32 // scratch words that do not hold values
	work     int32 // the first word of the banks' work area
	workSize int32

	registers int   // machine registers available to values
	spilled   int32 // accesses to scratch words for lack of registers

	used []net.ID // see uses

	guards   []int64
	flagUsed bool // a guard may be written with another value
}

const never = int32(1) << 30

// uses is the values that the instruction reads when it is emitted: folded nodes are replaced by
// their operands. The slice is valid until the next call; buf is that of args.
func (c *code) uses(in ins, buf *[3]net.ID) []net.ID {
	list := c.operands(in, buf)
	if !slices.ContainsFunc(list, func(x net.ID) bool { return x < 0 || c.fold[x] }) {
		return list
	}

	c.used = c.used[:0]
	for _, x := range list {
		c.through(x)
	}
	return c.used
}

// through appends x to the list of used values, or the operands of x if x is folded.
func (c *code) through(x net.ID) {
	switch {
	case x < 0:
	case c.fold[x]:
		var buf [3]net.ID
		for _, y := range args(c.n, x, &buf) {
			c.through(y)
		}
	default:
		c.used = append(c.used, x)
	}
}

// operands is the nodes that the instruction names, some of which may be None. buf is that of
// args.
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

// isGate reports whether x is the flag of a gate.
func (c *code) isGate(x net.ID) bool {
	nd := &c.n.N[x]
	return nd.Op == net.Leaf && int32(nd.Imm) >= c.gates[0] && int32(nd.Imm) < c.gates[1]
}

// arms returns the else and the end of the if at an instruction.
func (c *code) arms(at int32) (otherwise, end int32) {
	depth := 0
	for end = at; ; end++ {
		switch c.out[end].k {
		case kIf:
			depth++
		case kElse:
			if depth == 1 {
				otherwise = end
			}
		case kEnd:
			if depth--; depth == 0 {
				return otherwise, end
			}
		}
	}
}

// traffic adds weight to a register for each of its reads and writes.
func (c *code) traffic(weight float64, of []float64) {
	var buf [3]net.ID
	for _, in := range c.out {
		if in.k == kWrite {
			of[in.a] += weight
		}
		for _, x := range c.uses(in, &buf) {
			if nd := &c.n.N[x]; nd.Op == net.Leaf {
				of[nd.Imm] += weight
			}
		}
	}
}
