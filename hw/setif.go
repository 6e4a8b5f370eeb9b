package hw

// A conditional Set is a When with one Set in it.

// SetIf is b.Set(v) where c is high: m.When(c, func() { b.Set(v) }) in fewer
// words. It can go on with ElseWhen and Else.
func (b Bit) SetIf(c, v Bit) *Chain { return assignIf("SetIf", b.sig, c, v.sig) }

// SetIf is x.Set(v) where c is high: m.When(c, func() { x.Set(v) }) in fewer
// words. It can go on with ElseWhen and Else.
func (x UInt) SetIf(c Bit, v UInt) *Chain { return assignIf("SetIf", x.sig, c, v.sig) }

// SetIf is x.Set(v) where c is high: m.When(c, func() { x.Set(v) }) in fewer
// words. It can go on with ElseWhen and Else.
func (x SInt) SetIf(c Bit, v SInt) *Chain { return assignIf("SetIf", x.sig, c, v.sig) }

// SetIf is e.Set(v) where c is high: m.When(c, func() { e.Set(v) }) in fewer
// words. It can go on with ElseWhen and Else.
func (e Enum[E]) SetIf(c Bit, v Enum[E]) *Chain { return assignIf("SetIf", e.sig, c, v.sig) }

// GotoIf is e.Goto(v) where c is high:
//
//	case start:
//		state.GotoIf(bitDone, data)
//	case data:
//		state.GotoIf(last, stop).Else(func() { index.Set(index.Inc()) })
func (e Enum[E]) GotoIf(c Bit, v E) *Chain { return assignIf("GotoIf", e.sig, c, Val(v).sig) }

// SetIf is [Set] where c is high, for bundles and vectors. It can go on with
// ElseWhen and Else.
func SetIf[T any](dst T, c Bit, src T) *Chain {
	if planOf[T]().leaf {
		return assignIf("SetIf", *(*sig)(ptr(&dst)), c, *(*sig)(ptr(&src)))
	}

	// The first operand with a module says whose condition it is; the others are
	// held against it one by one.
	b := moduleOf(append(append(scalars(&dst), c.sig), scalars(&src)...)...)
	if b == nil {
		setAll("SetIf", dst, src) // which reports that it has no module
		return &Chain{flushed: true}
	}
	return b.when(nil, c, "SetIf", func() { setAll("SetIf", dst, src) })
}

// assignIf drives one scalar where c is high.
func assignIf(op string, dst sig, c Bit, src sig) *Chain {
	b := moduleOf(dst, c.sig, src)
	if b == nil {
		assign(op, dst, src) // which reports that it has no module
		return &Chain{flushed: true}
	}
	return b.when(nil, c, op, func() { assign(op, dst, src) })
}
