package amd64

import (
	"fmt"
	"regexp"
	"strings"
)

// vcase is the next case of one row of the table: its operands' registers go
// around over lengths and rows.
type vcase struct {
	*cases
	o    VOp
	d    *vdef
	l    VLen
	x    Evex
	evex bool // the encoding will be EVEX
	r    [4]Vec
	m    Mem
}

// vexRegs and evexRegs reach every bit of the register fields.
var (
	vexRegs  = [][4]Vec{{V1, V2, V3, V4}, {V9, V2, V3, V12}, {V1, V10, V3, V7}, {V1, V2, V11, V15}, {V8, V13, V14, V9}}
	evexRegs = [][4]Vec{{V17, V2, V3}, {V1, V18, V11}, {V1, V2, V19}, {V9, V10, V28}, {V24, V5, V30}, {V31, V30, V29}}
	optional = []Evex{{Mask: K1}, {Mask: K7, Zero: true}, {Mask: K2}, {Mask: K5, Zero: true}}
)

// mems reach the displacements that EVEX shortens and those it does not; n is
// what it counts in.
func memsBy(n int32) []Mem {
	return []Mem{
		At(RAX, 0), At(R13, n), At(RSP, -128*n), AtIndex(R12, R9, 4, 127*n), At(RDX, 128*n),
		AtIndex(RBP, RAX, 1, 0), At(RBX, 5*n+1), At(R9, -129*n), AtIndex(NoReg, R14, 8, 2*n),
	}
}

func (c *cases) vectors() {
	for i := range vdefs {
		for l := V128; l <= V512; l++ {
			d := &vdefs[i]
			if d.f&(len128<<l) == 0 {
				continue
			}
			if d.shape == shGather || d.shape == shScatter {
				c.gathers(VOp(i), d, l)
				continue
			}
			c.row(VOp(i), d, l)
		}
	}
	c.grids()
}

// row makes the cases of a row at one length: VEX, EVEX by a register above V15,
// EVEX by options.
func (c *cases) row(o VOp, d *vdef, l VLen) {
	v := vcase{cases: c, o: o, d: d, l: l}
	v.evex = d.f&hasVEX == 0 || l == V512
	c.turn++
	v.registers(vexRegs, 0)
	v.all()
	if d.f&(commutes|twoWay) != 0 {
		v.r = [4]Vec{V1, V10, V3} // the forms that spare a byte
		v.register()
		v.r = [4]Vec{V1, V2, V11}
		v.register()
	}
	if d.f&hasEVEX == 0 {
		return
	}
	v.evex = true
	v.registers(evexRegs, 0)
	v.all()
	if d.shape&(shFromK|shToK|shInsertG|shToGI|shExtract) != 0 || d.f&noMask != 0 {
		return // masks do not exist, or we do not offer them
	}
	v.registers(vexRegs, 1)
	v.x = optional[c.turn%len(optional)]
	if d.shape&(shCmp|shCmpI) != 0 {
		v.x.Zero = false
	}
	v.all()
	if d.f&bcast != 0 {
		v.x.Bcast = true
		v.registers(vexRegs, 2)
		v.memory()
	}
}

func (v *vcase) registers(sets [][4]Vec, skip int) {
	v.r = sets[(v.turn+skip)%len(sets)]
}

// grids are all combinations of registers and memory for a few rows.
func (c *cases) grids() {
	for _, o := range []VOp{VPADDD, VPSLLVQ} {
		for l := V128; l <= V512; l++ {
			v := vcase{cases: c, o: o, d: &vdefs[o], l: l}
			for _, set := range [][][4]Vec{vexRegs, evexRegs} {
				v.evex = v.d.f&hasVEX == 0 || l == V512 || &set[0] == &evexRegs[0]
				if v.evex && v.d.f&hasEVEX == 0 {
					continue
				}
				for _, v.r = range set {
					v.grid()
				}
			}
		}
	}
	c.unique()
}

// grid adds what is not there already.
func (v *vcase) grid() {
	v.all()
	for _, v.m = range memsBy(16 << v.l) {
		v.memoryAt(v.m)
	}
	if v.evex && v.d.f&bcast != 0 {
		w := *v
		w.x.Bcast = true
		for _, m := range memsBy(1 << w.d.f.unit(w.l, evexBcast)) {
			w.memoryAt(m)
		}
	}
}

// unique drops instructions that came twice.
func (c *cases) unique() {
	seen := map[string]bool{}
	kept := c.list[:0]
	for _, k := range c.list {
		if !seen[k.text] {
			seen[k.text] = true
			kept = append(kept, k)
		}
	}
	c.list = kept
}

// needsEVEX finds the operands that VEX cannot have.
var needsEVEX = regexp.MustCompile(`mm(1[6-9]|2[0-9]|3[01])|zmm|\{`)

// say is the instruction as text. Mnemonics of VEX that EVEX has not are put over.
func (v *vcase) say(operands ...string) string {
	list := strings.Join(operands, ", ")
	name := v.d.name
	if needsEVEX.MatchString(list) {
		switch v.o {
		case VPAND, VPANDN, VPOR, VPXOR:
			name += "q"
		case VMOVDQU, VMOVDQA:
			name += "64"
		}
	}
	return name + " " + list
}

// bytes is the size of the operand in memory.
func (v *vcase) bytes() int {
	switch v.o {
	case VPCOMPRESSD, VPCOMPRESSQ, VPEXPANDD, VPEXPANDQ:
		return 16 << v.l // displacements count elements, but this is what is named
	}
	return 1 << v.d.f.unit(v.l, v.x.bits())
}

// lenOf is the shortest vector of n bytes or more.
func lenOf(n int) VLen {
	switch {
	case n <= 16:
		return V128
	case n == 32:
		return V256
	}
	return V512
}

// opts is the options as text, behind the destination.
func (v *vcase) opts() string {
	s := ""
	if v.x.Mask != K0 {
		s = fmt.Sprintf("{k%d}", v.x.Mask)
	}
	if v.x.Zero {
		s += "{z}"
	}
	return s
}

// all adds the row's cases with the registers and options as they are.
func (v *vcase) all() {
	if v.x.Bcast {
		panic("a broadcast is of memory")
	}
	v.register()
	v.memory()
}

// gpr is a general register and its name, of 64 bits where the row has W.
func (v *vcase) gpr() (Reg, string) {
	r := []Reg{RAX, R9, RSP, R15, RSI}[v.turn%5]
	if v.d.f&(vexW|evexW) != 0 {
		return r, r.in(S64)
	}
	return r, r.in(S32)
}

const imm, immText = 0x5b, "91"

// register adds the cases without memory.
func (v *vcase) register() {
	o, l, x := v.o, v.l, v.x
	d0, s1, s2, s3 := v.r[0], v.r[1], v.r[2], v.r[3]
	small := lenOf(v.bytes())
	first := d0.of(l) + v.opts()
	g, gName := v.gpr()
	k := KReg(d0 & 7)
	kName := fmt.Sprintf("k%d", k)
	for shape := vshape(1); shape <= shScatter; shape <<= 1 {
		switch v.d.shape & shape {
		case sh3:
			v.add(v.say(first, s1.of(l), s2.of(small)), func(a *Asm) { a.V3X(o, l, x, d0, s1, s2) })
		case sh3I:
			v.add(v.say(first, s1.of(l), s2.of(small), immText), func(a *Asm) { a.V3IX(o, l, x, d0, s1, s2, imm) })
		case sh2:
			v.add(v.say(first, s1.of(small)), func(a *Asm) { a.V2X(o, l, x, d0, s1) })
		case sh2I, shShiftI:
			v.add(v.say(first, s1.of(l), immText), func(a *Asm) { a.V2IX(o, l, x, d0, s1, imm) })
		case shNarrow:
			v.add(v.say(d0.of(small)+v.opts(), s1.of(l)), func(a *Asm) { a.V2X(o, l, x, d0, s1) })
		case shExtract:
			v.add(v.say(d0.of(small), s1.of(l), "1"), func(a *Asm) { a.V2I(o, l, d0, s1, 1) })
		case shBlend:
			v.add(v.say(first, s1.of(l), s2.of(l), s3.of(l)), func(a *Asm) { a.VBlendV(o, l, d0, s1, s2, s3) })
		case shFromG:
			v.add(v.say(first, gName), func(a *Asm) { a.VFromGX(o, l, x, d0, g) })
		case shToG, shSigns:
			if v.x == (Evex{}) {
				v.add(v.say(gName, s1.of(l)), func(a *Asm) { a.VToG(o, l, g, s1) })
			}
		case shInsertG:
			v.add(v.say(first, s1.of(l), gName, "1"), func(a *Asm) { a.VInsert(o, d0, s1, g, 1) })
		case shToGI:
			v.add(v.say(gName, s1.of(l), "1"), func(a *Asm) { a.VExtract(o, g, s1, 1) })
		case shCmp:
			v.add(v.say(kName+v.opts(), s1.of(l), s2.of(l)), func(a *Asm) { a.VCmp(o, l, k, x.Mask, s1, s2) })
		case shCmpI:
			v.add(v.say(kName+v.opts(), s1.of(l), s2.of(l), "6"), func(a *Asm) { a.VCmpI(o, l, k, x.Mask, s1, s2, GT) })
		case shFromK:
			v.add(v.say(first, kName), func(a *Asm) { a.VFromK(o, l, d0, k) })
		case shToK:
			v.add(v.say(kName, s1.of(l)), func(a *Asm) { a.VToK(o, l, k, s1) })
		}
	}
}

// memory adds the cases with the next address.
func (v *vcase) memory() {
	n := int32(1) << v.d.f.unit(v.l, v.x.bits())
	all := memsBy(n)
	v.turn++
	v.memoryAt(all[v.turn%len(all)])
}

// where is the address with its size and broadcast.
func (v *vcase) where(m Mem) string {
	if v.x.Bcast {
		n := v.bytes()
		return fmt.Sprintf("%s{1to%d}", m.of(n), 16<<v.l/n)
	}
	return m.of(v.bytes())
}

func (v *vcase) memoryAt(m Mem) {
	o, l, x := v.o, v.l, v.x
	d0, s1, s3 := v.r[0], v.r[1], v.r[3]
	first := d0.of(l) + v.opts()
	at := v.where(m)
	masked := at + strings.TrimSuffix(v.opts(), "{z}")
	stored := x
	stored.Zero = false
	k := KReg(d0 & 7)
	kName := fmt.Sprintf("k%d", k)
	for shape := vshape(1); shape <= shScatter; shape <<= 1 {
		switch v.d.shape & shape {
		case sh3:
			v.add(v.say(first, s1.of(l), at), func(a *Asm) { a.V3MX(o, l, x, d0, s1, m) })
		case sh3I:
			v.add(v.say(first, s1.of(l), at, immText), func(a *Asm) { a.V3MIX(o, l, x, d0, s1, m, imm) })
		case sh2, shLoad:
			v.add(v.say(first, at), func(a *Asm) { a.V2MX(o, l, x, d0, m) })
		case sh2I:
			v.add(v.say(first, at, immText), func(a *Asm) { a.V2MIX(o, l, x, d0, m, imm) })
		case shShiftI:
			if v.d.f&hasEVEX != 0 {
				v.add(v.say(first, at, immText), func(a *Asm) { a.V2MIX(o, l, x, d0, m, imm) })
			}
		case shStored, shNarrow:
			v.add(v.say(masked, s1.of(l)), func(a *Asm) { a.VStoreX(o, l, stored, m, s1) })
		case shExtract, shToGI:
			v.add(v.say(at, s1.of(l), "1"), func(a *Asm) { a.VStoreI(o, l, m, s1, 1) })
		case shMaskMove:
			v.add(v.say(first, s1.of(l), m.of(16<<l)), func(a *Asm) { a.V3M(o, l, d0, s1, m) })
			v.add(v.say(m.of(16<<l), s1.of(l), d0.of(l)), func(a *Asm) { a.VMaskStore(o, l, m, s1, d0) })
		case shBlend:
			v.add(v.say(first, s1.of(l), m.of(16<<l), s3.of(l)), func(a *Asm) { a.VBlendVM(o, l, d0, s1, m, s3) })
		case shInsertG:
			v.add(v.say(first, s1.of(l), at, "1"), func(a *Asm) { a.VInsertM(o, d0, s1, m, 1) })
		case shCmp:
			v.add(v.say(kName+v.opts(), s1.of(l), at), func(a *Asm) { a.VCmpM(o, l, x, k, s1, m) })
		case shCmpI:
			v.add(v.say(kName+v.opts(), s1.of(l), at, "6"), func(a *Asm) { a.VCmpMI(o, l, x, k, s1, m, GT) })
		}
	}
}
