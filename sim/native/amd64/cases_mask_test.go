package amd64

import "fmt"

// gathers makes the cases of a gather or scatter: the operand of the shorter
// elements is half a vector where they differ.
func (c *cases) gathers(o VOp, d *vdef, l VLen) {
	index, data, n := l, l, int32(4)
	half := l
	if half > V128 {
		half--
	}
	switch o {
	case VPGATHERDQ, VPSCATTERDQ:
		index, n = half, 8
	case VPGATHERQD, VPSCATTERQD:
		data = half
	case VPGATHERQQ, VPSCATTERQQ:
		n = 8
	}
	at := func(m VMem) string {
		base := ""
		if m.Base != NoReg {
			base = m.Base.in(S64) + "+"
		}
		return fmt.Sprintf("%s ptr [%s%s*%d%+d]", ptrNames[int(n)], base, m.Index.of(index), m.Scale, m.Disp)
	}
	mems := []VMem{{RAX, V4, 4, 0}, {R13, V9, 8, n}, {RSP, V12, 1, -128 * n}, {R12, V1, 2, 128 * n}, {RBP, V7, 4, 0}, {NoReg, V11, 8, 16}}
	for i, m := range mems {
		dst, mask := V2+Vec(i&1)*11, V3+Vec(i>>1&1)*11
		if d.f&hasVEX != 0 && l != V512 {
			c.add(fmt.Sprintf("%s %s, %s, %s", d.name, dst.of(data), at(m), mask.of(data)), func(a *Asm) { a.VGather(o, l, dst, m, mask) })
		}
		m, high := m, dst+Vec(i>>1&1)*16 // others than the closure above has
		m.Index += Vec(i&1) * 16
		k := KReg(i%7 + 1)
		if d.shape == shGather {
			c.add(fmt.Sprintf("%s %s{k%d}, %s", d.name, high.of(data), k, at(m)), func(a *Asm) { a.VGatherK(o, l, high, m, k) })
		} else {
			c.add(fmt.Sprintf("%s %s{k%d}, %s", d.name, at(m), k, high.of(data)), func(a *Asm) { a.VScatter(o, l, m, high, k) })
		}
	}
}

// masks makes the cases of the mask registers.
func (c *cases) masks() {
	name := func(base string, s Size) string { return base + [...]string{"b", "w", "d", "q"}[s] }
	k := func(x KReg) string { return fmt.Sprintf("k%d", x) }
	for _, s := range allSizes {
		for _, o := range []struct {
			o KOp
			n string
		}{{KAND, "kand"}, {KANDN, "kandn"}, {KOR, "kor"}, {KXNOR, "kxnor"}, {KXOR, "kxor"}, {KADD, "kadd"}} {
			c.add(name(o.n, s)+" k1, k6, k7", func(a *Asm) { a.K3(o.o, s, K1, K6, K7) })
			c.add(name(o.n, s)+" k5, k0, k2", func(a *Asm) { a.K3(o.o, s, K5, K0, K2) })
		}
		for _, p := range [][2]KReg{{K1, K6}, {K7, K0}} {
			xy := " " + k(p[0]) + ", " + k(p[1])
			c.add(name("knot", s)+xy, func(a *Asm) { a.KNot(s, p[0], p[1]) })
			c.add(name("kmov", s)+xy, func(a *Asm) { a.KMov(s, p[0], p[1]) })
			c.add(name("kortest", s)+xy, func(a *Asm) { a.KOrTest(s, p[0], p[1]) })
			c.add(name("ktest", s)+xy, func(a *Asm) { a.KTest(s, p[0], p[1]) })
			c.add(name("kshiftl", s)+xy+", 5", func(a *Asm) { a.KShiftL(s, p[0], p[1], 5) })
			c.add(name("kshiftr", s)+xy+", 7", func(a *Asm) { a.KShiftR(s, p[0], p[1], 7) })
		}
		for _, m := range someMems {
			c.add(name("kmov", s)+" k3, "+m.in(s), func(a *Asm) { a.KMovRM(s, K3, m) })
			c.add(name("kmov", s)+" "+m.in(s)+", k6", func(a *Asm) { a.KMovMR(s, m, K6) })
		}
		g := S32
		if s == S64 {
			g = S64
		}
		for _, r := range []Reg{RAX, RSP, R9, R15} {
			c.add(name("kmov", s)+" k2, "+r.in(g), func(a *Asm) { a.KFromG(s, K2, r) })
			c.add(name("kmov", s)+" "+r.in(g)+", k4", func(a *Asm) { a.KToG(s, r, K4) })
		}
	}
	c.add("kunpckbw k1, k6, k7", func(a *Asm) { a.KUnpck(S16, K1, K6, K7) })
	c.add("kunpckwd k1, k6, k7", func(a *Asm) { a.KUnpck(S32, K1, K6, K7) })
	c.add("kunpckdq k1, k6, k7", func(a *Asm) { a.KUnpck(S64, K1, K6, K7) })
}
