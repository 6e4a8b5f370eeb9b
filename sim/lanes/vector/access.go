package vector

// Access is a read or write of a memory that each lane has of its own, at an
// address of its own. Addresses and data are sliced, value k of them is bit k, or
// in word form, elements of 16, 32 or 64 bits. Every address is inside.
type Access struct {
	Write  bool
	Offset int  // bytes from the start of a group's memories to this one
	Stride int  // elements from one lane's part to the next; 0: all share one, or Rows
	Rows   bool // in word form: the memory is rows, each a word of all instances
	Elem   int  // bytes of an element: 2, 4 or 8
	Width  int  // bits of data, at most 8·Elem
	Addr   int  // bits of address
	Masked bool
	// Cond, if it is set, is where it matters: the access may be left out when
	// Cond has no ones. What a read gives elsewhere is anything.
	Cond    Value
	HasCond bool

	In     []Value // address bits, then for a write data bits, then mask bits
	InAt   []int32 // the scratch slots that they go to, parallel to In
	Out    []Value // data bits of a read
	addrAt int32   // rows of address, data and mask in scratch, as many as transposing takes
	dataAt int32
	maskAt int32
	condAt int32
	outs   int
	// addrWidth is the bits of an address in word form; 0: the access is sliced
	addrWidth int
	outAt     int32
}

// rows is the number of rows that k bits take: those of 16, 32 or 64 bits.
func rows(k int) int {
	switch {
	case k <= 16:
		return 16
	case k <= 32:
		return 32
	}
	return 64
}

// Read is a read of a memory; addr is its address.
func (c *Code) Read(a Access, addr []Value) []Value {
	c.setAddr(&a, addr)
	a.dataAt = c.Scratch(8 * a.Elem)
	a.outs, a.outAt = a.Width, a.dataAt
	c.setCond(&a)
	return c.Access(a)
}

// Write is a write. mask, if any, has a one at each bit to change.
func (c *Code) Write(a Access, addr, data, mask []Value) {
	a.Write = true
	c.setAddr(&a, addr)
	a.dataAt = c.put(&a, data, 8*a.Elem)
	if mask != nil {
		a.Masked = true
		a.maskAt = c.put(&a, mask, 8*a.Elem)
	}
	c.setCond(&a)
	c.Access(a)
}

func (c *Code) setAddr(a *Access, addr []Value) {
	a.Addr = len(addr)
	a.addrAt = c.put(a, addr, min(32, rows(len(addr))))
}

// setCond has the condition stored, if there is one.
func (c *Code) setCond(a *Access) {
	if a.HasCond {
		a.condAt = c.put(a, []Value{a.Cond}, 1)
	}
}

// put has values stored to the first of n new scratch slots.
func (c *Code) put(a *Access, vs []Value, n int) int32 {
	at := c.Scratch(n)
	for k, v := range vs {
		a.In, a.InAt = append(a.In, v), append(a.InAt, at-int32(k))
	}
	return at
}
