package arm64

import (
	"math/bits"
	"slices"
)

// allCases are every instruction but those that name labels, with operands that
// reach every special case of the encodings.
func allCases() []kase {
	var c cases
	c.alu()
	c.immediates()
	c.moves()
	c.fields()
	c.products()
	c.choices()
	c.memory()
	c.others()
	c.vectors()
	return c.list
}

func (c *cases) alu() {
	for o := ADD; o <= BICS; o++ {
		for _, s := range sizes {
			for _, t := range triples {
				c.add(func(a *Asm) { a.RRR(o, s, t[0], t[1], t[2]) }, "%s %s, %s, %s", o, t[0].in(s), t[1].in(s), t[2].in(s))
			}
			for by := LSL; by <= ROR; by++ {
				for _, k := range []uint8{1, 17, s.bits() - 1} {
					if d, n, m := c.some(); by != ROR || o.logic() {
						c.add(func(a *Asm) { a.RRS(o, s, d, n, m, by, k) }, "%s %s, %s, %s, %s #%d", o, d.in(s), n.in(s), m.in(s), by, k)
					}
				}
			}
		}
		if !o.logic() {
			c.extended(o)
		}
	}
	c.add(func(a *Asm) { a.Cmp(X, R3, R4) }, "cmp x3, x4")
	c.add(func(a *Asm) { a.Tst(W, R3, R4) }, "tst w3, w4")
	c.add(func(a *Asm) { a.Neg(X, R3, R4) }, "neg x3, x4")
	c.add(func(a *Asm) { a.Not(W, R3, R4) }, "mvn w3, w4")
	c.add(func(a *Asm) { a.Mov(X, R3, R4) }, "mov x3, x4")
}

func (c *cases) extended(o ALU) {
	for by := UXTB; by <= SXTX; by++ {
		for k := range uint8(5) {
			d, n, m := c.some()
			s := W
			if by&3 == 3 {
				s = X // of the source
			}
			c.add(func(a *Asm) { a.RRX(o, X, d, n, m, by, k) }, "%s %s, %s, %s, %s #%d", o, d.in(X), n.in(X), m.in(s), by, k)
			if s == W {
				c.add(func(a *Asm) { a.RRX(o, W, d, n, m, by, k) }, "%s %s, %s, %s, %s #%d", o, d.in(W), n.in(W), m.in(W), by, k)
			}
		}
	}
	d := SP
	if o&1 != 0 {
		d = R1
	}
	c.add(func(a *Asm) { a.RRX(o, X, d, SP, R9, UXTX, 2) }, "%s %s, sp, x9, uxtx #2", o, d.orSP(X))
}

func (c *cases) immediates() {
	for o := ADD; o <= SUBS; o++ {
		for _, s := range sizes {
			for _, imm := range []uint64{0, 1, 0x555, 4095, 4096, 0x555000, 0xfff000} {
				d, n, _ := c.some()
				c.add(func(a *Asm) { a.RRI(o, s, d, n, imm) }, "%s %s, %s, #%d", o, d.in(s), n.in(s), imm)
			}
		}
		d := SP
		if o&1 != 0 {
			d = ZR
		}
		name := d.orSP(X)
		if d == ZR && o&1 != 0 {
			name = "xzr"
		}
		c.add(func(a *Asm) { a.RRI(o, X, d, SP, 16) }, "%s %s, sp, #16", o, name)
	}
	c.add(func(a *Asm) { a.CmpI(X, R3, 7) }, "cmp x3, #7")
	c.add(func(a *Asm) { a.TstI(W, R3, 7) }, "tst w3, #7")
	for _, o := range []ALU{AND, ORR, EOR, ANDS} {
		for _, s := range sizes {
			for _, imm := range someBitmasks(s) {
				d, n, _ := c.some()
				c.add(func(a *Asm) { a.RRI(o, s, d, n, imm) }, "%s %s, %s, #%#x", o, d.in(s), n.in(s), imm)
			}
		}
	}
}

// someBitmasks are runs of ones of every element size, at some rotations.
func someBitmasks(s Size) []uint64 {
	var out []uint64
	for e := 2; e <= int(s.bits()); e *= 2 {
		for _, ones := range []int{1, e / 2, e - 1} {
			for _, at := range []int{0, 1, e - 1} {
				if v := repeated(e, ones, at, s); !slices.Contains(out, v) {
					out = append(out, v)
				}
			}
		}
	}
	return out
}

// repeated is elements of e bits with a run of ones, rotated left by at.
func repeated(e, ones, at int, s Size) uint64 {
	run := ^uint64(0) >> (64 - ones)
	v := uint64(0)
	for i := 0; i < 64; i += e {
		v |= run << i
	}
	v = bits.RotateLeft64(v, at) // what leaves an element enters the next
	if s == W {
		v &= 0xffffffff
	}
	return v
}

func (c *cases) moves() {
	for _, s := range sizes {
		for at := range uint8(2 << s) {
			for _, imm := range []uint16{1, 0xabcd, 0xfffe} {
				d, _, _ := c.some()
				c.add(func(a *Asm) { a.MovZ(s, d, imm, at) }, "movz %s, #%d, lsl #%d", d.in(s), imm, 16*at)
				c.add(func(a *Asm) { a.MovN(s, d, imm, at) }, "movn %s, #%d, lsl #%d", d.in(s), imm, 16*at)
				c.add(func(a *Asm) { a.MovK(s, d, imm, at) }, "movk %s, #%d, lsl #%d", d.in(s), imm, 16*at)
			}
		}
	}
}

func (c *cases) fields() {
	for _, s := range sizes {
		for _, p := range [][2]uint8{{0, 1}, {0, 8}, {3, 5}, {16, 16}, {31, 1}, {1, s.bits() - 1}} {
			lo, w := p[0], min(p[1], s.bits()-p[0])
			d, n, _ := c.some()
			c.add(func(a *Asm) { a.Ubfx(s, d, n, lo, w) }, "ubfx %s, %s, #%d, #%d", d.in(s), n.in(s), lo, w)
			c.add(func(a *Asm) { a.Sbfx(s, d, n, lo, w) }, "sbfx %s, %s, #%d, #%d", d.in(s), n.in(s), lo, w)
			c.add(func(a *Asm) { a.Bfxil(s, d, n, lo, w) }, "bfxil %s, %s, #%d, #%d", d.in(s), n.in(s), lo, w)
			c.add(func(a *Asm) { a.Bfi(s, d, n, lo, w) }, "bfi %s, %s, #%d, #%d", d.in(s), n.in(s), lo, w)
			c.add(func(a *Asm) { a.Ubfiz(s, d, n, lo, w) }, "ubfiz %s, %s, #%d, #%d", d.in(s), n.in(s), lo, w)
		}
		for by := LSL; by <= ROR; by++ {
			for _, k := range []uint8{0, 1, 13, s.bits() - 1} {
				d, n, _ := c.some()
				if by == LSL && k == 0 {
					continue // as makes a move of it
				}
				c.add(func(a *Asm) { a.ShiftI(by, s, d, n, k) }, "%s %s, %s, #%d", by, d.in(s), n.in(s), k)
			}
			for _, t := range triples {
				c.add(func(a *Asm) { a.ShiftR(by, s, t[0], t[1], t[2]) }, "%s %s, %s, %s", by, t[0].in(s), t[1].in(s), t[2].in(s))
			}
		}
		for _, k := range []uint8{0, 7, s.bits() - 1} {
			d, n, m := c.some()
			c.add(func(a *Asm) { a.Extr(s, d, n, m, k) }, "extr %s, %s, %s, #%d", d.in(s), n.in(s), m.in(s), k)
		}
		c.add(func(a *Asm) { a.Clz(s, R7, R19) }, "clz %s, %s", R7.in(s), R19.in(s))
		c.add(func(a *Asm) { a.Rbit(s, R7, R19) }, "rbit %s, %s", R7.in(s), R19.in(s))
	}
}

func (c *cases) products() {
	for _, t := range triples {
		d, n, m := t[0], t[1], t[2]
		for _, s := range sizes {
			for _, k := range []Reg{R3, R25} {
				c.add(func(a *Asm) { a.Madd(s, d, n, m, k) }, "madd %s, %s, %s, %s", d.in(s), n.in(s), m.in(s), k.in(s))
				c.add(func(a *Asm) { a.Msub(s, d, n, m, k) }, "msub %s, %s, %s, %s", d.in(s), n.in(s), m.in(s), k.in(s))
			}
			c.add(func(a *Asm) { a.Mul(s, d, n, m) }, "mul %s, %s, %s", d.in(s), n.in(s), m.in(s))
			c.add(func(a *Asm) { a.Udiv(s, d, n, m) }, "udiv %s, %s, %s", d.in(s), n.in(s), m.in(s))
			c.add(func(a *Asm) { a.Sdiv(s, d, n, m) }, "sdiv %s, %s, %s", d.in(s), n.in(s), m.in(s))
		}
		c.add(func(a *Asm) { a.Umulh(d, n, m) }, "umulh %s, %s, %s", d.in(X), n.in(X), m.in(X))
		c.add(func(a *Asm) { a.Smulh(d, n, m) }, "smulh %s, %s, %s", d.in(X), n.in(X), m.in(X))
	}
}

func (c *cases) choices() {
	for _, s := range sizes {
		for cc := EQ; cc <= LE; cc++ {
			d, n, m := c.some()
			c.add(func(a *Asm) { a.Csel(cc, s, d, n, m) }, "csel %s, %s, %s, %s", d.in(s), n.in(s), m.in(s), cc)
			c.add(func(a *Asm) { a.Csinc(cc, s, d, n, m) }, "csinc %s, %s, %s, %s", d.in(s), n.in(s), m.in(s), cc)
			c.add(func(a *Asm) { a.Csinv(cc, s, d, n, m) }, "csinv %s, %s, %s, %s", d.in(s), n.in(s), m.in(s), cc)
			c.add(func(a *Asm) { a.Csneg(cc, s, d, n, m) }, "csneg %s, %s, %s, %s", d.in(s), n.in(s), m.in(s), cc)
			c.add(func(a *Asm) { a.Cset(cc, s, d) }, "cset %s, %s", d.in(s), cc)
			nzcv := uint8(cc)
			c.add(func(a *Asm) { a.Ccmp(cc, s, n, m, nzcv) }, "ccmp %s, %s, #%d, %s", n.in(s), m.in(s), nzcv, cc)
			c.add(func(a *Asm) { a.CcmpI(cc, s, n, 31-nzcv, nzcv) }, "ccmp %s, #%d, #%d, %s", n.in(s), 31-nzcv, nzcv, cc)
		}
	}
}

func (c *cases) others() {
	c.add(func(a *Asm) { a.BR(R17) }, "br x17")
	c.add(func(a *Asm) { a.BLR(R9) }, "blr x9")
	c.add(func(a *Asm) { a.Ret() }, "ret")
	c.add(func(a *Asm) { a.Brk(0x1234) }, "brk #0x1234")
	c.add(func(a *Asm) { a.Nop() }, "nop")
	for _, v := range []Vec{0, 9, 31} {
		c.add(func(a *Asm) { a.FmovTo(W, v, R21) }, "fmov s%d, w21", v)
		c.add(func(a *Asm) { a.FmovTo(X, v, R10) }, "fmov d%d, x10", v)
		c.add(func(a *Asm) { a.FmovFrom(W, R21, v) }, "fmov w21, s%d", v)
		c.add(func(a *Asm) { a.FmovFrom(X, R10, v) }, "fmov x10, d%d", v)
		c.add(func(a *Asm) { a.Cnt(v, 31-v) }, "cnt v%d.8b, v%d.8b", v, 31-v)
		c.add(func(a *Asm) { a.AddV(v, 31-v) }, "addv b%d, v%d.8b", v, 31-v)
		c.add(func(a *Asm) { a.UaddlV(v, 31-v) }, "uaddlv h%d, v%d.8b", v, 31-v)
	}
}
