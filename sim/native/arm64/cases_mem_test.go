package arm64

var accessNames = [...]string{"strb", "ldrb", "ldrsb", "strh", "ldrh", "ldrsh", "str", "ldr", "ldrsw", "str", "ldr"}

// size is that of the register.
func (o Access) size() Size {
	switch o {
	case LDRSB, LDRSH, LDRSW, STR, LDR:
		return X
	}
	return W
}

// unscaled is the name of the form with an offset that is no multiple.
func (o Access) unscaled() string { return accessNames[o][:2] + "u" + accessNames[o][2:] }

func (c *cases) memory() {
	for o := STRB; o <= LDR; o++ {
		s, name, bytes := o.size(), accessNames[o], int64(1)<<o.log()
		for _, k := range []int64{0, 1, 31, 4095} {
			t, n, _ := c.some()
			c.add(func(a *Asm) { a.Mem(o, t, n, k*bytes) }, "%s %s, [%s, #%d]", name, t.in(s), n.orSP(X), k*bytes)
		}
		c.add(func(a *Asm) { a.Mem(o, ZR, SP, 8) }, "%s %s, [sp, #8]", name, ZR.in(s))
		for _, off := range []int64{-1, -256} {
			t, n, _ := c.some()
			c.add(func(a *Asm) { a.Mem(o, t, n, off) }, "%s %s, [%s, #%d]", o.unscaled(), t.in(s), n.orSP(X), off)
		}
		if bytes > 1 {
			c.add(func(a *Asm) { a.Mem(o, R4, R23, 255) }, "%s %s, [x23, #255]", o.unscaled(), R4.in(s))
		}
		c.indexed(o)
		for _, off := range []int64{-256, 255} {
			c.add(func(a *Asm) { a.MemPre(o, R13, SP, off) }, "%s %s, [sp, #%d]!", name, R13.in(s), off)
			c.add(func(a *Asm) { a.MemPost(o, R13, R9, off) }, "%s %s, [x9], #%d", name, R13.in(s), off)
		}
	}
	for _, s := range sizes {
		for _, k := range []int64{-64, -1, 0, 63} {
			off := k << (2 + s)
			t, u, n := c.some()
			c.add(func(a *Asm) { a.Ldp(s, t, u, n, off) }, "ldp %s, %s, [%s, #%d]", t.in(s), u.in(s), n.in(X), off)
			c.add(func(a *Asm) { a.Stp(s, t, u, n, off) }, "stp %s, %s, [%s, #%d]", t.in(s), u.in(s), n.in(X), off)
		}
	}
}

func (c *cases) indexed(o Access) {
	s, name := o.size(), accessNames[o]
	for _, base := range []Reg{R11, SP} {
		t, _, m := c.some()
		c.add(func(a *Asm) { a.MemX(o, t, base, m, false) }, "%s %s, [%s, %s]", name, t.in(s), base.orSP(X), m.in(X))
		c.add(func(a *Asm) { a.MemW(o, t, base, m, false) }, "%s %s, [%s, %s, uxtw]", name, t.in(s), base.orSP(X), m.in(W))
		c.add(func(a *Asm) { a.MemX(o, t, base, m, true) }, "%s %s, [%s, %s, lsl #%d]", name, t.in(s), base.orSP(X), m.in(X), o.log())
		c.add(func(a *Asm) { a.MemW(o, t, base, m, true) }, "%s %s, [%s, %s, uxtw #%d]", name, t.in(s), base.orSP(X), m.in(W), o.log())
	}
}
