package bits

import (
	"math/big"
	"math/bits"
)

// New returns v mod 2^width as a value of that width.
func New(width int, v uint64) Value {
	w := checkWidth(width)
	if w <= 64 {
		return Value{w: w, lo: v & mask(w)}
	}
	ws := newWide(w)
	(*ws)[0] = v
	return owned(w, ws)
}

// FromInt returns v mod 2^width, that is v in two's complement, as a value of
// that width.
func FromInt(width int, v int64) Value {
	w := checkWidth(width)
	if w <= 64 {
		return Value{w: w, lo: uint64(v) & mask(w)}
	}
	ws := newWide(w)
	one := [1]uint64{uint64(v)}
	SExtWords(*ws, one[:], 64, width)
	return owned(w, ws)
}

// FromBig returns v mod 2^width, negative numbers in two's complement.
func FromBig(width int, v *big.Int) Value {
	w := checkWidth(width)
	ws := make([]uint64, WordCount(width))
	setBig(ws, v)
	if v.Sign() < 0 {
		// setBig gives the magnitude; two's complement negates it.
		NegWords(ws, ws, width)
	}
	MaskWords(ws, width)
	return fromOwned(w, ws)
}

// FromWords returns the low width bits of the little-endian words, which are
// copied. Missing words read 0, extra bits are dropped.
func FromWords(width int, words []uint64) Value {
	w := checkWidth(width)
	if w <= 64 {
		// The words may be missing altogether.
		if len(words) == 0 {
			return Value{w: w}
		}
		return Value{w: w, lo: words[0] & mask(w)}
	}
	ws := newWide(w)
	copy(*ws, words)
	MaskWords(*ws, width)
	return owned(w, ws)
}

// FromBools returns a value of len(b) bits; element 0 is bit 0.
func FromBools(b []bool) Value {
	w := checkWidth(len(b))
	if w <= 64 {
		// Narrow values are built in a register, without allocation.
		var lo uint64
		for i, on := range b {
			if on {
				lo |= 1 << uint(i)
			}
		}
		return Value{w: w, lo: lo}
	}
	// Bit i is bit i mod 64 of word i / 64.
	ws := newWide(w)
	for i, on := range b {
		if on {
			(*ws)[i>>6] |= 1 << (uint(i) & 63)
		}
	}
	return owned(w, ws)
}

// Zero returns the value of that width with no bit set.
func Zero(width int) Value { return New(width, 0) }

// Ones returns the value of that width with every bit set.
func Ones(width int) Value { return FromInt(width, -1) }

// fromOwned is owned for any width.
func fromOwned(w int32, ws []uint64) Value {
	switch {
	case w > 64:
		return owned(w, &ws)
	case w == 0:
		return Value{}
	}
	return Value{w: w, lo: ws[0]}
}

// Uint64 returns the low 64 bits.
func (v Value) Uint64() uint64 { return v.lo }

// Int64 returns the low 64 bits of the value sign-extended from its width.
func (v Value) Int64() int64 {
	if v.w >= 64 {
		return int64(v.lo)
	}
	return signExtend(v.lo, v.w)
}

// IsUint64 reports whether the value as an unsigned number is below 2^64.
func (v Value) IsUint64() bool { return v.Len() <= 64 }

// Big returns the value as an unsigned number.
func (v Value) Big() *big.Int {
	var one [1]uint64
	return newBig(v.words(&one))
}

// SignedBig returns the value as a two's complement number.
func (v Value) SignedBig() *big.Int {
	b := v.Big()
	// The top bit counts -2^(w-1): as unsigned it counted 2^w more.
	if v.negative() {
		top := new(big.Int).Lsh(big.NewInt(1), uint(v.w))
		b.Sub(b, top)
	}
	return b
}

// newBig returns little-endian words as a number. Words of math/big have 32 or 64 bits: per
// of them make one of ours.
func newBig(ws []uint64) *big.Int {
	const per = 64 / bits.UintSize
	out := make([]big.Word, per*len(ws))
	for i := range out {
		out[i] = big.Word(ws[i/per] >> uint(i%per*bits.UintSize))
	}
	return new(big.Int).SetBits(out)
}

// setBig sets dst to the low words of the magnitude of v.
func setBig(dst []uint64, v *big.Int) {
	const per = 64 / bits.UintSize
	clear(dst)
	for i, w := range v.Bits() {
		if i/per >= len(dst) {
			return
		}
		dst[i/per] |= uint64(w) << uint(i%per*bits.UintSize)
	}
}
