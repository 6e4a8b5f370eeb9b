package hw

import "etch/ir"

// Comparisons with Go numbers. The number must fit the signal, as a literal must. IsLt and
// IsGe also take 2^width, the number just past the greatest, so that at.IsLt(depth) holds
// for every depth that at can address.

// Is reports x == v for a Go number.
func (x UInt) Is(v int) Bit { return equals("Is", ir.UInt, x.sig, v) }

// IsNot reports x != v for a Go number.
func (x UInt) IsNot(v int) Bit { return equals("IsNot", ir.UInt, x.sig, v).Not() }

// IsLt reports x < v for a Go number; v may be 2^width, below which all are.
func (x UInt) IsLt(v int) Bit { return below("IsLt", ir.Lt, ir.UInt, x.sig, v) }

// IsLe reports x <= v for a Go number.
func (x UInt) IsLe(v int) Bit { return above("IsLe", ir.Lt, ir.UInt, x.sig, v).Not() }

// IsGt reports x > v for a Go number.
func (x UInt) IsGt(v int) Bit { return above("IsGt", ir.Lt, ir.UInt, x.sig, v) }

// IsGe reports x >= v for a Go number; v may be 2^width, which none is.
func (x UInt) IsGe(v int) Bit { return below("IsGe", ir.Lt, ir.UInt, x.sig, v).Not() }

// Is reports x == v for a Go number.
func (x SInt) Is(v int) Bit { return equals("Is", ir.SInt, x.sig, v) }

// IsNot reports x != v for a Go number.
func (x SInt) IsNot(v int) Bit { return equals("IsNot", ir.SInt, x.sig, v).Not() }

// IsLt reports x < v for a Go number; v may be 2^(width-1), below which all are.
func (x SInt) IsLt(v int) Bit { return below("IsLt", ir.LtS, ir.SInt, x.sig, v) }

// IsLe reports x <= v for a Go number.
func (x SInt) IsLe(v int) Bit { return above("IsLe", ir.LtS, ir.SInt, x.sig, v).Not() }

// IsGt reports x > v for a Go number.
func (x SInt) IsGt(v int) Bit { return above("IsGt", ir.LtS, ir.SInt, x.sig, v) }

// IsGe reports x >= v for a Go number; v may be 2^(width-1), which none is.
func (x SInt) IsGe(v int) Bit { return below("IsGe", ir.LtS, ir.SInt, x.sig, v).Not() }

func equals(name string, k ir.Kind, x sig, v int) Bit {
	return Bit{compare2(name, ir.Eq, k, x, with(x, k, v))}
}

// below is x < v by op, above is x > v.
func below(name string, op ir.Op, k ir.Kind, x sig, v int) Bit {
	if b := moduleOf(x); b != nil && x.isLive() && pastTop(x, k, v) {
		return Bit{sig{b: b, id: b.high()}}
	}
	return Bit{compare2(name, op, k, x, with(x, k, v))}
}

func above(name string, op ir.Op, k ir.Kind, x sig, v int) Bit {
	return Bit{compare2(name, op, k, with(x, k, v), x)}
}

// pastTop reports whether v is the number just past the greatest of x's width.
func pastTop(x sig, k ir.Kind, v int) bool {
	room := x.Width()
	if k == ir.SInt {
		room--
	}
	return room >= 0 && room < 62 && v == 1<<room
}
