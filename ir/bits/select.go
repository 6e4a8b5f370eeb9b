package bits

// Slice returns bits lo to lo+width-1 as a value of width bits. Bits outside
// v, on either side, read 0.
func (v Value) Slice(lo, width int) Value {
	w := checkWidth(width)
	// Negative positions read zeros below bit 0.
	if lo < 0 {
		return v.Slice(0, width).Shl(-uint64(lo))
	}

	if lo >= int(v.w) {
		return Zero(width)
	}

	// Narrow values need one shift; a narrow result straddles at most two words.
	if v.w <= 64 && w <= 64 {
		return Value{w: w, lo: v.lo >> uint(lo) & mask(w)}
	}

	if w <= 64 {
		i, s := lo>>6, uint(lo)&63
		return Value{w: w, lo: (v.Word(i)>>s | v.Word(i+1)<<(64-s)) & mask(w)}
	}

	var one [1]uint64
	ws := newWide(w)
	SliceWords(*ws, v.words(&one), lo, width)
	return owned(w, ws)
}

// Concat returns the operands side by side, the first most significant. The
// result's width is the sum of theirs; no operand gives width 0.
func Concat(vs ...Value) Value {
	// The sum of the widths is checked at each step, so that it cannot overflow.
	width := 0
	for i := range vs {
		width = int(checkWidth(width + int(vs[i].w)))
	}

	if width <= 64 {
		var lo uint64
		for i := range vs {
			lo = lo<<uint(vs[i].w) | vs[i].lo
		}
		return Value{w: int32(width), lo: lo}
	}

	// Operands go to their places from the top down.
	ws, at := newWide(int32(width)), width
	for i := range vs {
		var one [1]uint64
		n := int(vs[i].w)
		at -= n
		PutWords(*ws, vs[i].words(&one), at, n)
	}
	return owned(int32(width), ws)
}

// ZExt returns v with zeros above, width bits in all. It panics if width is
// below v's.
func (v Value) ZExt(width int) Value {
	if width < int(v.w) {
		mismatch("ZExt to fewer bits", v.w, int32(max(width, -1)))
	}
	return v.resize(width)
}

// SExt returns v with copies of its top bit above, width bits in all; of a
// value of width 0 it is zero. It panics if width is below v's.
func (v Value) SExt(width int) Value {
	if width < int(v.w) {
		mismatch("SExt to fewer bits", v.w, int32(max(width, -1)))
	}

	w := checkWidth(width)
	if w <= 64 {
		return Value{w: w, lo: uint64(v.Int64()) & mask(w)}
	}
	var one [1]uint64
	ws := newWide(w)
	SExtWords(*ws, v.words(&one), int(v.w), width)
	return owned(w, ws)
}

// Trunc returns the low width bits of v. It panics if width is above v's.
func (v Value) Trunc(width int) Value {
	if width > int(v.w) {
		mismatch("Trunc to more bits", v.w, int32(min(width, MaxWidth)))
	}
	return v.resize(width)
}

// resize returns the low width bits of v, zeros above its own.
func (v Value) resize(width int) Value {
	// Copies only what changes: a value of the right width is returned as it is.
	w := checkWidth(width)
	switch {
	case w == v.w:
		return v
	case w <= 64:
		return Value{w: w, lo: v.lo & mask(w)}
	case v.w <= 64:
		return New(width, v.lo)
	}
	return FromWords(width, *v.wide)
}
