package arm64

import "fmt"

var elems = []Elem{E8, E16, E32, E64}

// of is a vector register's name with its elements.
func (v Vec) of(e Elem) string {
	return fmt.Sprintf("v%d.%s", v, [...]string{"16b", "8h", "4s", "2d"}[e])
}

// low is that with the elements of its low half.
func (v Vec) low(e Elem) string { return fmt.Sprintf("v%d.%s", v, [...]string{"8b", "4h", "2s"}[e]) }

var vectorNames = []struct {
	op   VOp
	name string
	most Elem
}{
	{VADD, "add", E64}, {VSUB, "sub", E64}, {VMUL, "mul", E32}, {VMLA, "mla", E32}, {VCMTST, "cmtst", E64}, {VCMEQ, "cmeq", E64},
	{VCMGT, "cmgt", E64}, {VCMGE, "cmge", E64}, {VCMHI, "cmhi", E64}, {VCMHS, "cmhs", E64}, {VSSHL, "sshl", E64}, {VUSHL, "ushl", E64},
	{VADDP, "addp", E64}, {VSMAX, "smax", E32}, {VSMIN, "smin", E32}, {VUMAX, "umax", E32}, {VUMIN, "umin", E32},
	{VUMAXP, "umaxp", E32}, {VUABD, "uabd", E32}, {VTRN1, "trn1", E64}, {VTRN2, "trn2", E64},
	{VUZP1, "uzp1", E64}, {VUZP2, "uzp2", E64}, {VZIP1, "zip1", E64}, {VZIP2, "zip2", E64},
}

var vectorLogicNames = []struct {
	op   VLogic
	name string
}{{VAND, "and"}, {VBIC, "bic"}, {VORR, "orr"}, {VORN, "orn"}, {VEOR, "eor"}, {VBSL, "bsl"}, {VBIT, "bit"}, {VBIF, "bif"}}

var vectorShiftNames = []struct {
	op   VShift
	name string
}{{VSHL, "shl"}, {VUSHR, "ushr"}, {VSSHR, "sshr"}, {VSLI, "sli"}, {VSRI, "sri"}}

// someV is three vector registers that reach every bit of every place.
func (c *cases) someV() (d, n, m Vec) {
	c.turn++
	t := [...][3]Vec{{0, 1, 31}, {30, 15, 8}, {17, 28, 3}}[c.turn%3]
	return t[0], t[1], t[2]
}

func (c *cases) vectors() {
	for _, o := range vectorNames {
		for e := E8; e <= o.most; e++ {
			d, n, m := c.someV()
			c.add(func(a *Asm) { a.VRRR(o.op, e, d, n, m) }, "%s %s, %s, %s", o.name, d.of(e), n.of(e), m.of(e))
		}
	}
	for _, o := range vectorLogicNames {
		for range 2 {
			d, n, m := c.someV()
			c.add(func(a *Asm) { a.VBits(o.op, d, n, m) }, "%s %s, %s, %s", o.name, d.of(E8), n.of(E8), m.of(E8))
		}
	}
	for _, e := range elems {
		c.ofOne(e)
		for _, o := range vectorShiftNames {
			for _, k := range []uint8{0, 1, 5, e.bits() - 1, e.bits()} {
				if o.op.right() == (k == 0) || !o.op.right() && k == e.bits() {
					continue
				}
				d, n, _ := c.someV()
				c.add(func(a *Asm) { a.VShiftI(o.op, e, d, n, k) }, "%s %s, %s, #%d", o.name, d.of(e), n.of(e), k)
			}
		}
	}
	c.tables()
	c.vectorMemory()
}

func (c *cases) ofOne(e Elem) {
	d, n, _ := c.someV()
	if e == E8 {
		c.add(func(a *Asm) { a.VRR(VNOT, e, d, n) }, "not %s, %s", d.of(e), n.of(e))
		c.add(func(a *Asm) { a.VRR(VCNT, e, d, n) }, "cnt %s, %s", d.of(e), n.of(e))
	}
	c.add(func(a *Asm) { a.VRR(VNEG, e, d, n) }, "neg %s, %s", d.of(e), n.of(e))
	c.add(func(a *Asm) { a.VRR(VABS, e, d, n) }, "abs %s, %s", d.of(e), n.of(e))
	c.add(func(a *Asm) { a.VRR(VCMEQ0, e, d, n) }, "cmeq %s, %s, #0", d.of(e), n.of(e))
	c.add(func(a *Asm) { a.VRR(VCMLT0, e, d, n) }, "cmlt %s, %s, #0", d.of(e), n.of(e))
	if e < E64 {
		c.add(func(a *Asm) { a.VRR(VXTN, e, d, n) }, "xtn %s, %s", d.low(e), n.of(e+1))
		c.add(func(a *Asm) { a.VRR(VXTN2, e, d, n) }, "xtn2 %s, %s", d.of(e), n.of(e+1))
		c.add(func(a *Asm) { a.VRR(VSQXTN, e, d, n) }, "sqxtn %s, %s", d.low(e), n.of(e+1))
		c.add(func(a *Asm) { a.VRR(VSQXTN2, e, d, n) }, "sqxtn2 %s, %s", d.of(e), n.of(e+1))
		c.add(func(a *Asm) { a.VRR(VSQXTUN, e, d, n) }, "sqxtun %s, %s", d.low(e), n.of(e+1))
		c.add(func(a *Asm) { a.VRR(VSQXTUN2, e, d, n) }, "sqxtun2 %s, %s", d.of(e), n.of(e+1))
		c.add(func(a *Asm) { a.VRR(VUADDLP, e, d, n) }, "uaddlp %s, %s", d.of(e+1), n.of(e))
		c.add(func(a *Asm) { a.VRRR(VUMULL, e, d, n, 19) }, "umull %s, %s, %s", d.of(e+1), n.low(e), Vec(19).low(e))
		c.add(func(a *Asm) { a.VRRR(VUMULL2, e, d, n, 19) }, "umull2 %s, %s, %s", d.of(e+1), n.of(e), Vec(19).of(e))
		c.add(func(a *Asm) { a.VShiftI(VUSHLL, e, d, n, 3) }, "ushll %s, %s, #3", d.of(e+1), n.low(e))
		c.add(func(a *Asm) { a.VShiftI(VUSHLL2, e, d, n, 0) }, "ushll2 %s, %s, #0", d.of(e+1), n.of(e))
		c.add(func(a *Asm) { a.VRRR(VSMULL, e, d, n, 19) }, "smull %s, %s, %s", d.of(e+1), n.low(e), Vec(19).low(e))
		c.add(func(a *Asm) { a.VRRR(VSMULL2, e, d, n, 19) }, "smull2 %s, %s, %s", d.of(e+1), n.of(e), Vec(19).of(e))
		c.add(func(a *Asm) { a.VAddAcross(e, d, n) }, "addv %c%d, %s", "bhs"[e], d, n.of(e))
		c.add(func(a *Asm) { a.VDup(e, d, R21) }, "dup %s, w21", d.of(e))
	} else {
		c.add(func(a *Asm) { a.VDup(e, d, R21) }, "dup %s, x21", d.of(e))
	}
}

func (c *cases) tables() {
	for count := range uint8(4) {
		d, _, m := c.someV()
		t := Vec(20 + count)
		list := ""
		for k := range count + 1 {
			list += fmt.Sprintf(", v%d.16b", t+Vec(k))
		}
		c.add(func(a *Asm) { a.VTbl(d, t, count+1, m) }, "tbl %s, {%s}, %s", d.of(E8), list[2:], m.of(E8))
		c.add(func(a *Asm) { a.VTbx(d, t, count+1, m) }, "tbx %s, {%s}, %s", d.of(E8), list[2:], m.of(E8))
	}
	for _, k := range []uint8{0, 5, 15} {
		d, n, m := c.someV()
		c.add(func(a *Asm) { a.VExt(d, n, m, k) }, "ext %s, %s, %s, #%d", d.of(E8), n.of(E8), m.of(E8), k)
	}
	for _, v := range []uint8{0, 1, 0x40, 0xa5, 255} {
		d, _, _ := c.someV()
		c.add(func(a *Asm) { a.VMovI8(d, v) }, "movi %s, #%d", d.of(E8), v)
		c.add(func(a *Asm) { a.VMovI32(d, v) }, "movi %s, #%d", d.of(E32), v)
	}
}

func (c *cases) vectorMemory() {
	for o := STRVB; o <= LDRVQ; o++ {
		name, bytes := [...]string{"str", "ldr"}[o/5], int64(1)<<o.log()
		letter := "bhsdq"[o.log()]
		for _, off := range []int64{0, bytes, 4095 * bytes} {
			t, _, _ := c.someV()
			_, n, _ := c.some()
			c.add(func(a *Asm) { a.VMem(o, t, n, off) }, "%s %c%d, [%s, #%d]", name, letter, t, n.orSP(X), off)
		}
		t, _, _ := c.someV()
		unscaled := name[:2] + "u" + name[2:]
		c.add(func(a *Asm) { a.VMem(o, t, SP, -256) }, "%s %c%d, [sp, #-256]", unscaled, letter, t)
		if bytes > 1 {
			c.add(func(a *Asm) { a.VMem(o, t, R9, 255) }, "%s %c%d, [x9, #255]", unscaled, letter, t)
		}
		c.add(func(a *Asm) { a.VMemPost(o, t, R13, 255) }, "%s %c%d, [x13], #255", name, letter, t)
		c.add(func(a *Asm) { a.VMemPost(o, t, R13, -256) }, "%s %c%d, [x13], #-256", name, letter, t)
	}
	for _, e := range elems {
		for i := uint8(0); i < 16>>e; i++ {
			t, _, _ := c.someV()
			c.add(func(a *Asm) { a.VLdElem(e, t, i, R11) }, "ld1 {v%d.%c}[%d], [x11], #%d", t, "bhsd"[e], i, 1<<e)
			c.add(func(a *Asm) { a.VStElem(e, t, i, SP) }, "st1 {v%d.%c}[%d], [sp], #%d", t, "bhsd"[e], i, 1<<e)
		}
	}
	for _, e := range elems {
		last := uint8(16>>e - 1)
		for _, i := range []uint8{0, 1, last} {
			d, n, _ := c.someV()
			c.add(func(a *Asm) { a.VIns(e, d, i, n, last-i) }, "ins v%d.%c[%d], v%d.%c[%d]", d, "bhsd"[e], i, n, "bhsd"[e], last-i)
		}
	}
	for _, off := range []int64{-1024, 0, 16, 1008} {
		t, u, _ := c.someV()
		_, n, _ := c.some()
		c.add(func(a *Asm) { a.VLdp(t, u, n, off) }, "ldp q%d, q%d, [%s, #%d]", t, u, n.in(X), off)
		c.add(func(a *Asm) { a.VStp(t, u, n, off) }, "stp q%d, q%d, [%s, #%d]", t, u, n.in(X), off)
		c.add(func(a *Asm) { a.VLdpPost(t, u, n, off) }, "ldp q%d, q%d, [%s], #%d", t, u, n.in(X), off)
	}
}
