package vector

// Chain is several pieces of code for one cycle, and how to go from one to the
// next: a body is for instances that all have certain values in certain slots,
// General for any.
type Chain struct {
	General *Program
	Guards  []Equal // what holds for every body
	Top     *Choice // of a body, when nothing is known of the state
	Bodies  []Body
	Pool    *Pool
}

// Body is the code of a cycle.
//
// What a body assumes of the state, and what it makes of that if it is a constant,
// it need not find or leave in memory: bodies that follow assume it too. It is
// written when anything else follows.
type Body struct {
	*Program
	Words []Equal // of memories: otherwise General is right
	Ways  []int   // by way of an Expect: the body that is right, or General
	Begin []Equal // what slots have before the cycle, whatever memory says
	End   []Equal // and behind it
	Next  *Choice // of a body for the cycle behind
}

// Equal says that a vector is the same constant for all instances.
type Equal struct {
	Row  bool  // the vector is one of the memories
	Slot int32 // of state, or vector of the memories
	Want int32 // scratch slot of the constant
}

// Choice is a decision by the first element of a slot, or, where Yes is nil, what
// has been decided.
type Choice struct {
	Slot  int32
	Bits  int // of the element: 16, 32 or 64
	Below bool
	Value uint64  // Yes if the element is Value, or less than it
	Yes   *Choice // nil: Body it is
	No    *Choice

	Body  int     // or General, or AtTop
	Equal []Equal // what has to hold for it, else it is General
}

// What is no body of a Choice.
const (
	General = -1
	AtTop   = -2 // look at the whole state
)

// Pool is constants that several Codes have in common.
type Pool struct {
	consts []Const
	at     map[Const]int32
}

// NewPool returns an empty pool.
func NewPool() *Pool { return &Pool{at: map[Const]int32{}} }

// pooled is the number of the scratch slot of the first constant of a pool, from
// where they are moved behind what else is there when the code is run or assembled.
const pooled = 1 << 24

// Const returns the scratch slot of a constant for Equal.
func (p *Pool) Const(v uint64, bits int) int32 {
	v, bits = shortest(v, bits)
	key := Const{0, bits, v}
	slot, ok := p.at[key]
	if !ok {
		slot = Scratch(pooled + len(p.consts))
		p.at[key] = slot
		p.consts = append(p.consts, Const{slot, bits, v})
	}
	return slot
}

// shortest is equal elements as equal elements that are as short as possible.
func shortest(v uint64, bits int) (uint64, int) {
	for bits > 8 && v&(1<<(bits/2)-1) == v>>(bits/2) {
		bits /= 2
		v &= 1<<bits - 1
	}
	return v, bits
}

// NewCodeIn returns an empty Code whose constants are those of a pool.
func NewCodeIn(p *Pool) *Code {
	c := NewCode()
	c.pool = p
	return c
}

// temps is the number of scratch slots that are no constants.
func (c *Chain) temps() int {
	k := c.General.Scratch
	for _, b := range c.Bodies {
		k = max(k, b.Scratch)
	}
	return k
}

// Scratch is the number of scratch slots.
func (c *Chain) Scratch() int { return c.temps() + len(c.Pool.consts) }

// Fill gives the constants their places in scratch, which has vectors of words
// words.
func (c *Chain) Fill(scratch []uint64, words int) {
	fill(c.Pool.consts, c.temps()-pooled, scratch, words)
}
