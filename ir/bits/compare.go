package bits

import "cmp"

// IsZero reports whether no bit is set; true for width 0.
func (v Value) IsZero() bool {
	if v.w <= 64 {
		return v.lo == 0
	}
	return IsZeroWords(*v.wide, int(v.w))
}

// IsOnes reports whether every bit is set; true for width 0.
func (v Value) IsOnes() bool {
	if v.w <= 64 {
		return v.lo == mask(v.w)
	}
	return IsOnesWords(*v.wide, int(v.w))
}

// Equal reports whether v and u have the same width and the same bits.
func (v Value) Equal(u Value) bool {
	if v.w != u.w || v.lo != u.lo {
		return false
	}
	return v.w <= 64 || EqualWords(*v.wide, *u.wide, int(v.w))
}

// Cmp compares v and u as unsigned numbers and returns -1, 0 or +1. The
// widths may differ; the narrower is zero-extended.
// From the top word down; words above a width read 0.
func (v Value) Cmp(u Value) int {
	for i := WordCount(int(max(v.w, u.w))) - 1; i > 0; i-- {
		if c := cmp.Compare(v.Word(i), u.Word(i)); c != 0 {
			return c
		}
	}
	return cmp.Compare(v.lo, u.lo)
}

// CmpS compares v and u as two's complement numbers and returns -1, 0 or +1.
// The widths may differ; the narrower is sign-extended.
func (v Value) CmpS(u Value) int {
	// Narrow values compare as machine integers, equal widths word by word.
	if v.w <= 64 && u.w <= 64 {
		return cmp.Compare(v.Int64(), u.Int64())
	}
	if v.w == u.w {
		return CmpSWords(*v.wide, *u.wide, int(v.w))
	}

	// Else extend to the wider.
	w := int(max(v.w, u.w))
	return CmpSWords(*v.SExt(w).wide, *u.SExt(w).wide, w)
}
