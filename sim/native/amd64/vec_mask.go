package amd64

// VCmp is dst = src1 op src2, a bit for every element; mask K0 for all of them,
// else bits outside mask are 0.
func (a *Asm) VCmp(o VOp, l VLen, dst, mask KReg, src1, src2 Vec) {
	a.vregs(row(o, shCmp, l).f, l, uint8(mask), uint8(dst), uint8(src1), uint8(src2), 0, 0)
}

// VCmpM is VCmp with src2 in memory; x.Zero must be unset.
func (a *Asm) VCmpM(o VOp, l VLen, x Evex, dst KReg, src1 Vec, m Mem) {
	a.vmem(row(o, shCmp, l).f, l, x.cmpBits(), uint8(dst), uint8(src1), m, 0, 0)
}

// Pred is the comparison that VCmpI makes.
type Pred uint8

// The comparisons.
const (
	EQ    Pred = iota // equal
	LT                // less
	LEQ               // less or equal
	FALSE             // never
	NEQ               // not equal
	GEQ               // greater or equal
	GT                // greater
	TRUE              // always
)

// VCmpI is dst = src1 p src2, a bit for every element; mask is as in VCmp.
func (a *Asm) VCmpI(o VOp, l VLen, dst, mask KReg, src1, src2 Vec, p Pred) {
	a.vregs(row(o, shCmpI, l).f, l, uint8(mask), uint8(dst), uint8(src1), uint8(src2), uint64(p), 1)
}

// VCmpMI is VCmpI with src2 in memory; x.Zero must be unset.
func (a *Asm) VCmpMI(o VOp, l VLen, x Evex, dst KReg, src1 Vec, m Mem, p Pred) {
	a.vmem(row(o, shCmpI, l).f, l, x.cmpBits(), uint8(dst), uint8(src1), m, uint64(p), 1)
}

func (x Evex) cmpBits() uint8 {
	if x.Zero {
		panic("amd64: zeroing in a comparison")
	}
	return x.bits()
}

// VFromK is dst = -1 in the elements with a one in src, else 0.
func (a *Asm) VFromK(o VOp, l VLen, dst Vec, src KReg) {
	a.vregs(row(o, shFromK, l).f, l, 0, uint8(dst), 0, uint8(src), 0, 0)
}

// VToK is dst = the sign bits of src's elements.
func (a *Asm) VToK(o VOp, l VLen, dst KReg, src Vec) {
	a.vregs(row(o, shToK, l).f, l, 0, uint8(dst), 0, uint8(src), 0, 0)
}

// VMem is the addresses Base + Index[i]*Scale + Disp; Base may be NoReg.
type VMem struct {
	Base  Reg
	Index Vec
	Scale uint8 // 1, 2, 4 or 8
	Disp  int32
}

// VGather is dst[i] = memory at m's address i where mask[i] has its sign bit set;
// it clears mask. The three vectors must differ.
func (a *Asm) VGather(o VOp, l VLen, dst Vec, m VMem, mask Vec) {
	f := row(o, shGather, l).f
	if dst == mask || dst == m.Index || mask == m.Index || (dst|mask|m.Index)&16 != 0 {
		panic("amd64: a gather whose vectors are not three different ones below V16")
	}
	p := Mem{Base: m.Base, Scale: m.Scale, Disp: m.Disp}.sib(uint8(m.Index), 0)
	a.put(f.vex3(l, uint8(dst), uint8(mask), p.bx), 4, p.tail|uint64(dst&7<<3), p.n, 0, 0)
}

// VGatherK is VGather under EVEX where mask has ones; it clears mask, not K0.
func (a *Asm) VGatherK(o VOp, l VLen, dst Vec, m VMem, mask KReg) {
	if dst == m.Index {
		panic("amd64: a gather into its own index")
	}
	a.vsib(row(o, shGather, l).f, l, dst, m, mask)
}

// VScatter is memory at m's address i = src[i] where mask has ones, in order; it
// clears mask, not K0.
func (a *Asm) VScatter(o VOp, l VLen, m VMem, src Vec, mask KReg) {
	a.vsib(row(o, shScatter, l).f, l, src, m, mask)
}

func (a *Asm) vsib(f vflag, l VLen, reg Vec, m VMem, mask KReg) {
	if mask == K0 {
		panic("amd64: a gather or scatter without a mask")
	}
	p := Mem{Base: m.Base, Scale: m.Scale, Disp: m.Disp}.sib(uint8(m.Index), f.unit(l, 0))
	// bit 4 of the index has the place of that of v
	w := f.evex(l, uint8(mask), uint8(reg), uint8(m.Index&16), p.bx)
	a.put(w, 5, p.tail|uint64(reg&7<<3), p.n, 0, 0)
}
