package vector

// Chain is several pieces of code for one cycle, and the transitions between them. A body
// requires certain values in certain slots of all instances; General runs any state.
type Chain struct {
	General *Program
	Guards  []Equal // must hold for every body
	Top     *Choice // of a body, without knowledge of the state
	Bodies  []Body
	Pool    *Pool
}

// Body is the code of a cycle.
//
// A body neither reads nor writes the values that it assumes of the state, nor new values of
// these slots that are constants: following bodies assume them too. They are written on leaving
// to any other code.
type Body struct {
	*Program
	Words []Equal // of memories; otherwise General runs
	Ways  []int   // by way of an Expect: the body to run, or General
	Begin []Equal // values of slots before the cycle, even if memory has others
	End   []Equal // and after the cycle
	Next  *Choice // of the body for the next cycle
}

// Equal requires a vector to equal a constant in all instances.
type Equal struct {
	Row  bool  // Slot is a vector of the memories
	Slot int32 // of the state, or vector of the memories
	Want int32 // scratch slot of the constant
}

// Choice is a decision by the first element of a slot; with Yes nil it is the result.
type Choice struct {
	Slot  int32
	Bits  int // of the element: 16, 32 or 64
	Below bool
	Value uint64  // Yes if the element is Value, or below it
	Yes   *Choice // nil: the result is Body
	No    *Choice

	Body  int     // or General, or AtTop
	Equal []Equal // must hold for Body, otherwise General
}

// Results of a Choice that are no bodies.
const (
	General = -1
	AtTop   = -2 // dispatch from the whole state
)

// Pool is constants shared by several Codes.
type Pool struct {
	consts []Const
	at     map[Const]int32
}

// NewPool returns an empty pool.
func NewPool() *Pool { return &Pool{at: map[Const]int32{}} }

// pooled is the number of the first pool constant's scratch slot. When code is run or assembled,
// the constants move behind all other scratch slots.
const pooled = 1 << 24

// Const returns the scratch slot of a constant, for Equal.
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

// shortest rewrites equal elements as equal elements of the least width, so that equal vectors
// are one constant.
func shortest(v uint64, bits int) (uint64, int) {
	for bits > 8 && v&(1<<(bits/2)-1) == v>>(bits/2) {
		bits /= 2
		v &= 1<<bits - 1
	}
	return v, bits
}

// NewCodeIn returns an empty Code with constants in a pool.
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

// Scratch returns the number of scratch slots.
func (c *Chain) Scratch() int { return c.temps() + len(c.Pool.consts) }

// Fill stores the constants in scratch, whose vectors have words 64-bit words.
func (c *Chain) Fill(scratch []uint64, words int) {
	fill(c.Pool.consts, c.temps()-pooled, scratch, words)
}
