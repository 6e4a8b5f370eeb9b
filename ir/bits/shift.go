package bits

// Shl returns v shifted left by n, zeros coming in; the width is kept. An n
// of the width or more gives zero.
func (v Value) Shl(n uint64) Value {
	if v.w <= 64 {
		return Value{w: v.w, lo: v.lo << n & mask(v.w)}
	}
	ws := newWide(v.w)
	ShlWords(*ws, *v.wide, n, int(v.w))
	return owned(v.w, ws)
}

// Shr returns v shifted right by n, zeros coming in; the width is kept. An n
// of the width or more gives zero.
func (v Value) Shr(n uint64) Value {
	if v.w <= 64 {
		return Value{w: v.w, lo: v.lo >> n}
	}
	ws := newWide(v.w)
	ShrWords(*ws, *v.wide, n, int(v.w))
	return owned(v.w, ws)
}

// ShrS returns v shifted right by n, copies of its top bit coming in; the
// width is kept. An n of the width or more gives the top bit everywhere.
func (v Value) ShrS(n uint64) Value {
	if v.w <= 64 {
		return Value{w: v.w, lo: uint64(v.Int64()>>n) & mask(v.w)}
	}
	ws := newWide(v.w)
	ShrSWords(*ws, *v.wide, n, int(v.w))
	return owned(v.w, ws)
}

// ShlBy is Shl by the unsigned number u, of any width.
func (v Value) ShlBy(u Value) Value { return v.Shl(u.amount()) }

// ShrBy is Shr by the unsigned number u, of any width.
func (v Value) ShrBy(u Value) Value { return v.Shr(u.amount()) }

// ShrSBy is ShrS by the unsigned number u, of any width.
func (v Value) ShrSBy(u Value) Value { return v.ShrS(u.amount()) }

// amount returns the value as a shift amount, saturated at 2^64-1.
func (v Value) amount() uint64 {
	if v.IsUint64() {
		return v.lo
	}
	return ^uint64(0)
}
