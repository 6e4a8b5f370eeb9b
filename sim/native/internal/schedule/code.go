package schedule

import (
	"slices"

	"etch/sim/net"
)

// Kind is the effect of an instruction of scheduled code.
type Kind uint8

// The kinds of instructions; a and b are the fields A and B.
const (
	KEval   Kind = iota // compute node a
	KIf                 // if node a is not 0; KElse and KEnd follow
	KElse               // the other arm; every KIf has one
	KEnd                // of the if
	KPhi                // the place of mux node a takes the value of node b
	KWrite              // register a takes the value of node b
	KStore              // write a of the net's Writes
	KOut                // output a of the net's Outs is stored
	KStop               // leave before the cycle if node a is not 0
	KBranch             // take the side exit if node a is 0
)

// Ins is an instruction of scheduled code.
type Ins struct {
	K    Kind
	A, B int32
}

// Where is the place of a node's value.
type Where struct {
	K   PlaceKind
	Reg uint8 // machine register
	At  int32 // scratch word
}

// PlaceKind tells what Where is.
type PlaceKind uint8

// The places.
const (
	Nowhere   PlaceKind = iota // no instruction writes it: a constant, or part of another one
	InReg                      // a machine register
	InScratch                  // a word below the state
)

// Code is a scheduled net on its way to machine code.
type Code struct {
	N    *net.Net
	Out  []Ins
	Fold []bool  // comparisons and bit tests that are computed by the branches that use them
	Loc  []Where // of nodes
	// Loose marks bits whose registers have undefined bits above the low byte; nil: none.
	Loose []bool
	Old   []int32 // by register: the scratch word of its copy from the cycle's start, or -1
	from  []int32 // by register: the first instruction that writes it

	Gates [2]int32 // registers in this half-open range are flags of gates

	Scratch  int32 // scratch words in use
	Work     int32 // the first word of the banks' work area
	WorkSize int32

	used []net.ID // see uses

	Guards   []int64
	FlagUsed bool // a guard may be written with another value
}

const never = int32(1) << 30

// uses is the values that the instruction reads when it is emitted: folded nodes are replaced by
// their operands. The slice is valid until the next call; buf is that of args.
func (c *Code) uses(in Ins, buf *[3]net.ID) []net.ID {
	// Most instructions read no folded node, and their operands serve as they are.
	list := c.operands(in, buf)
	if !slices.ContainsFunc(list, func(x net.ID) bool { return x < 0 || c.Fold[x] }) {
		return list
	}

	// Expand folded nodes down to the values that are computed.
	c.used = c.used[:0]
	for _, x := range list {
		c.through(x)
	}
	return c.used
}

// through appends x to the list of used values, or the operands of x if x is folded.
func (c *Code) through(x net.ID) {
	switch {
	case x < 0:
	case c.Fold[x]:
		var buf [3]net.ID
		for _, y := range args(c.N, x, &buf) {
			c.through(y)
		}
	default:
		c.used = append(c.used, x)
	}
}

// operands is the nodes that the instruction names, some of which may be None. buf is that of
// args.
func (c *Code) operands(in Ins, buf *[3]net.ID) []net.ID {
	switch in.K {
	case KEval:
		return args(c.N, net.ID(in.A), buf)
	case KIf, KBranch, KStop:
		buf[0] = net.ID(in.A)
	case KPhi, KWrite:
		buf[0] = net.ID(in.B)
	case KStore:
		w := &c.N.Writes[in.A]
		*buf = [3]net.ID{w.Addr, w.Data, w.Mask}
		return buf[:]
	case KOut:
		buf[0] = c.N.Outs[in.A].Node
	default:
		return nil
	}
	return buf[:1]
}

// IsGate reports whether x is the flag of a gate.
func (c *Code) IsGate(x net.ID) bool {
	nd := &c.N.N[x]
	return nd.Op == net.Leaf && int32(nd.Imm) >= c.Gates[0] && int32(nd.Imm) < c.Gates[1]
}

// Arms returns the else and the end of the if at an instruction.
func (c *Code) Arms(at int32) (otherwise, end int32) {
	depth := 0
	for end = at; ; end++ {
		switch c.Out[end].K {
		case KIf:
			depth++
		case KElse:
			if depth == 1 {
				otherwise = end
			}
		case KEnd:
			if depth--; depth == 0 {
				return otherwise, end
			}
		}
	}
}

// InPlace reports whether value x of an arm is in the place of mux m already.
func (c *Code) InPlace(m, x net.ID) bool { return !c.N.N[x].Op.IsLeaf() && c.Loc[x] == c.Loc[m] }
