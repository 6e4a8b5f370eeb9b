package vector

// Access is a read or write of a memory that each lane has of its own, at its own address.
// Addresses and data are sliced (value k is bit k), or in word form (elements of 16, 32 or 64
// bits). All addresses are valid.
type Access struct {
	Write  bool
	Offset int  // bytes from the start of a group's memories
	Stride int  // elements from one lane's subgroup to the next; 0: shared, or Rows
	Rows   bool // in word form: stored in rows, each a word of all instances
	Elem   int  // bytes per element: 2, 4 or 8
	Width  int  // bits of data, at most 8·Elem
	Addr   int  // bits of address
	Masked bool
	// Cond, if set, has ones where the access matters: it may be skipped if Cond has none. A
	// read gives undefined data elsewhere.
	Cond    Value
	HasCond bool

	In     []Value // address bits, then for a write data bits, then mask bits
	InAt   []int32 // by In: the scratch slot that it goes to
	Out    []Value // data bits of a read
	addrAt int32   // rows of address, data and mask in scratch, as many as the transposition needs
	dataAt int32
	maskAt int32
	condAt int32
	outs   int
	// addrWidth is the width of addresses in word form; 0: the access is sliced.
	addrWidth int
	outAt     int32
}

// rows is the number of rows that k bits occupy after transposition: 16, 32 or 64.
func rows(k int) int {
	switch {
	case k <= 16:
		return 16
	case k <= 32:
		return 32
	}
	return 64
}

// Read appends a read of a memory and returns its data bits, lowest first.
func (c *Code) Read(a Access, addr []Value) []Value {
	c.setAddr(&a, addr)
	a.dataAt = c.Scratch(8 * a.Elem)
	a.outs, a.outAt = a.Width, a.dataAt
	c.setCond(&a)
	return c.Access(a)
}

// Write appends a write. mask, unless nil, has a one at each bit to change.
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

// setAddr stores the address bits in scratch.
func (c *Code) setAddr(a *Access, addr []Value) {
	a.Addr = len(addr)
	a.addrAt = c.put(a, addr, min(32, rows(len(addr))))
}

// setCond stores the condition, if there is one.
func (c *Code) setCond(a *Access) {
	if a.HasCond {
		a.condAt = c.put(a, []Value{a.Cond}, 1)
	}
}

// put stores values to the first of n new scratch slots.
func (c *Code) put(a *Access, vs []Value, n int) int32 {
	at := c.Scratch(n)

	// Scratch slots are complements, so the next slot is at - 1.
	for k, v := range vs {
		a.In, a.InAt = append(a.In, v), append(a.InAt, at-int32(k))
	}
	return at
}
