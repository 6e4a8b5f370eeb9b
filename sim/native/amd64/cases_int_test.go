package amd64

import "fmt"

var (
	allSizes  = []Size{S8, S16, S32, S64}
	wordSizes = []Size{S16, S32, S64}
	bmiSizes  = []Size{S32, S64}
)

func (c *cases) integer() {
	c.alu()
	c.moves()
	c.extensions()
	c.products()
	c.shifts()
	c.bitOps()
	c.bmi()
	c.flow()
}

// f2 is a method with two registers, f1m one with a register and memory, and so on.
type (
	f1  = func(a *Asm, s Size, r Reg)
	f1m = func(a *Asm, s Size, m Mem)
	f2  = func(a *Asm, s Size, dst, src Reg)
	frm = func(a *Asm, s Size, dst Reg, m Mem)
)

func (c *cases) one(name string, sizes []Size, f f1, fm f1m) {
	for _, s := range sizes {
		for _, r := range []Reg{RAX, RBX, RSP, RSI, R8, R13} {
			c.add(name+" "+r.in(s), func(a *Asm) { f(a, s, r) })
		}
		for range 4 {
			if m := c.mem(); fm != nil {
				c.add(name+" "+m.in(s), func(a *Asm) { fm(a, s, m) })
			}
		}
	}
}

func (c *cases) two(name string, sizes []Size, f f2, fm frm) {
	for _, s := range sizes {
		for _, p := range pairs {
			c.add(fmt.Sprintf("%s %s, %s", name, p[0].in(s), p[1].in(s)), func(a *Asm) { f(a, s, p[0], p[1]) })
		}
		for i := range 4 {
			if m, r := c.mem(), pairs[i][0]; fm != nil {
				c.add(fmt.Sprintf("%s %s, %s", name, r.in(s), m.in(s)), func(a *Asm) { fm(a, s, r, m) })
			}
		}
	}
}

func (c *cases) alu() {
	for o, name := range []string{"add", "or", "adc", "sbb", "and", "sub", "xor", "cmp"} {
		o := ALU(o)
		c.two(name, allSizes,
			func(a *Asm, s Size, x, y Reg) { a.RR(o, s, x, y) },
			func(a *Asm, s Size, x Reg, m Mem) { a.RM(o, s, x, m) })
		for _, s := range allSizes {
			m, r := c.mem(), pairs[c.turn%len(pairs)][0]
			c.add(fmt.Sprintf("%s %s, %s", name, m.in(s), r.in(s)), func(a *Asm) { a.MR(o, s, m, r) })
			seen := map[int32]bool{}
			for i, imm := range immediates {
				v := immIn(s, imm)
				if seen[v] {
					continue
				}
				seen[v] = true
				r := []Reg{RAX, RSI, R12}[(i+c.turn)%3]
				c.add(fmt.Sprintf("%s %s, %d", name, r.in(s), v), func(a *Asm) { a.RI(o, s, r, imm) })
				c.add(fmt.Sprintf("%s %s, %d", name, m.in(s), v), func(a *Asm) { a.MI(o, s, m, imm) })
			}
		}
	}
	for _, imm := range []int32{5, 0x1234567} {
		for _, s := range bmiSizes {
			c.add(fmt.Sprintf("xor %s, %d", RAX.in(s), imm), func(a *Asm) { a.RI(XOR, s, RAX, imm) })
		}
	}
	c.two("test", allSizes, (*Asm).TestRR, nil)
	for _, s := range allSizes {
		m := c.mem()
		c.add(fmt.Sprintf("test %s, %s", m.in(s), R10.in(s)), func(a *Asm) { a.TestMR(s, m, R10) })
		for _, imm := range []int32{1, 100} {
			for _, r := range []Reg{RAX, RDI, R14} {
				c.add(fmt.Sprintf("test %s, %d", r.in(s), imm), func(a *Asm) { a.TestRI(s, r, imm) })
			}
			c.add(fmt.Sprintf("test %s, %d", m.in(s), imm), func(a *Asm) { a.TestMI(s, m, imm) })
		}
	}
	c.one("inc", allSizes, (*Asm).Inc, (*Asm).IncM)
	c.one("dec", allSizes, (*Asm).Dec, (*Asm).DecM)
	c.one("neg", allSizes, (*Asm).Neg, (*Asm).NegM)
	c.one("not", allSizes, (*Asm).Not, (*Asm).NotM)
	c.two("adcx", bmiSizes, (*Asm).Adcx, nil)
	c.two("adox", bmiSizes, (*Asm).Adox, nil)
}

func (c *cases) moves() {
	c.two("mov", allSizes, (*Asm).MovRR, nil)
	for _, m := range manyMems() {
		for _, s := range bmiSizes {
			c.add(fmt.Sprintf("mov %s, %s", RCX.in(s), m.in(s)), func(a *Asm) { a.MovRM(s, RCX, m) })
		}
		c.add(fmt.Sprintf("mov %s, %s", m.in(S8), "r11b"), func(a *Asm) { a.MovMR(S8, m, R11) })
	}
	for _, s := range allSizes {
		for _, r := range []Reg{RBX, RSP, RDI, R9} {
			m := c.mem()
			c.add(fmt.Sprintf("mov %s, %s", m.in(s), r.in(s)), func(a *Asm) { a.MovMR(s, m, r) })
		}
		for _, imm := range []int32{0, -1, 100, 0x12345678} {
			m, v := c.mem(), immIn(s, imm)
			c.add(fmt.Sprintf("mov %s, %d", m.in(s), v), func(a *Asm) { a.MovMI(s, m, imm) })
		}
	}
	for _, r := range []Reg{RAX, RSP, RDI, R8, R15} {
		for _, v := range []uint64{0, 1, 0x7fffffff, 0x80000000, 0xffffffff} {
			c.add(fmt.Sprintf("mov %s, %d", r.in(S32), v), func(a *Asm) { a.MovRI(r, v) })
		}
		for _, v := range []uint64{1 << 32, 1 << 63, ^uint64(0), 0xffffffff_80000000, 0xffffffff_7fffffff, 0x123456789abcdef0} {
			c.add(fmt.Sprintf("mov %s, %#x", r.in(S64), v), func(a *Asm) { a.MovRI(r, v) })
		}
	}
	for _, s := range wordSizes {
		for _, r := range []Reg{RAX, RSP, R13} {
			for range 3 {
				m := c.mem()
				if m.Base == NoReg && !m.indexed() {
					m.Base = R14 // as would warn
				}
				c.add(fmt.Sprintf("lea %s, %s", r.in(s), m.plain()), func(a *Asm) { a.Lea(s, r, m) })
			}
		}
	}
	for cc, name := range ccNames {
		cc := Cond(cc)
		for _, r := range []Reg{RAX, RSP, RSI, R9} {
			c.add("set"+name+" "+r.in(S8), func(a *Asm) { a.Setcc(cc, r) })
		}
		m := c.mem()
		c.add("set"+name+" "+m.in(S8), func(a *Asm) { a.SetccM(cc, m) })
		c.two("cmov"+name, wordSizes,
			func(a *Asm, s Size, x, y Reg) { a.Cmov(cc, s, x, y) },
			func(a *Asm, s Size, x Reg, m Mem) { a.CmovM(cc, s, x, m) })
	}
	c.two("xchg", allSizes, (*Asm).Xchg, nil)
	for _, s := range allSizes {
		m := c.mem()
		c.add(fmt.Sprintf("xchg %s, %s", m.in(s), RSI.in(s)), func(a *Asm) { a.XchgM(s, m, RSI) })
	}
	c.one("bswap", bmiSizes, (*Asm).Bswap, nil)
}

func (c *cases) extensions() {
	widen := func(name string, from, to Size, f func(a *Asm, dst, src Reg), fm func(a *Asm, dst Reg, m Mem)) {
		for _, p := range pairs {
			c.add(fmt.Sprintf("%s %s, %s", name, p[0].in(to), p[1].in(from)), func(a *Asm) { f(a, p[0], p[1]) })
		}
		for i := range 3 {
			m, r := c.mem(), pairs[i+2][0]
			c.add(fmt.Sprintf("%s %s, %s", name, r.in(to), m.in(from)), func(a *Asm) { fm(a, r, m) })
		}
	}
	for _, from := range []Size{S8, S16} {
		widen("movzx", from, S32,
			func(a *Asm, x, y Reg) { a.MovZX(from, x, y) },
			func(a *Asm, x Reg, m Mem) { a.MovRM(from, x, m) })
	}
	for _, s := range bmiSizes {
		c.add("mov "+R9.in(s)+", "+RDX.in(s), func(a *Asm) { a.MovZX(s, R9, RDX) })
	}
	for _, w := range [][2]Size{{S8, S16}, {S8, S32}, {S8, S64}, {S16, S32}, {S16, S64}, {S32, S64}} {
		name := "movsx"
		if w[0] == S32 {
			name = "movsxd"
		}
		widen(name, w[0], w[1],
			func(a *Asm, x, y Reg) { a.MovSX(w[0], w[1], x, y) },
			func(a *Asm, x Reg, m Mem) { a.MovSXM(w[0], w[1], x, m) })
	}
	c.add("cdq", (*Asm).Cdq)
	c.add("cqo", (*Asm).Cqo)
}

func (c *cases) products() {
	c.two("imul", wordSizes, (*Asm).Imul, (*Asm).ImulRM)
	for _, s := range wordSizes {
		for i, imm := range []int32{3, -128, 128, 0x1234} {
			p, m := pairs[i], c.mem()
			c.add(fmt.Sprintf("imul %s, %s, %d", p[0].in(s), p[1].in(s), imm), func(a *Asm) { a.ImulRRI(s, p[0], p[1], imm) })
			c.add(fmt.Sprintf("imul %s, %s, %d", p[1].in(s), m.in(s), imm), func(a *Asm) { a.ImulRMI(s, p[1], m, imm) })
		}
	}
	c.one("mul", allSizes, (*Asm).Mul, (*Asm).MulM)
	c.one("imul", allSizes, (*Asm).Imul1, (*Asm).Imul1M)
	c.one("div", allSizes, (*Asm).Div, (*Asm).DivM)
	c.one("idiv", allSizes, (*Asm).Idiv, (*Asm).IdivM)
}

func (c *cases) shifts() {
	for _, sh := range []struct {
		o    Sh
		name string
	}{{ROL, "rol"}, {ROR, "ror"}, {RCL, "rcl"}, {RCR, "rcr"}, {SHL, "shl"}, {SHR, "shr"}, {SAR, "sar"}} {
		for _, s := range allSizes {
			for _, n := range []uint8{1, 2, 31} {
				for _, r := range []Reg{RAX, RDI, R11} {
					c.add(fmt.Sprintf("%s %s, %d", sh.name, r.in(s), n), func(a *Asm) { a.ShiftI(sh.o, s, r, n) })
				}
				m := c.mem()
				c.add(fmt.Sprintf("%s %s, %d", sh.name, m.in(s), n), func(a *Asm) { a.ShiftMI(sh.o, s, m, n) })
			}
			for _, r := range []Reg{RDX, RBP, R8} {
				c.add(fmt.Sprintf("%s %s, cl", sh.name, r.in(s)), func(a *Asm) { a.ShiftCL(sh.o, s, r) })
			}
		}
	}
	for _, s := range wordSizes {
		for i, p := range pairs {
			n := uint8(5*i + 1)
			x, y := p[0].in(s), p[1].in(s)
			c.add(fmt.Sprintf("shld %s, %s, %d", x, y, n), func(a *Asm) { a.ShldI(s, p[0], p[1], n) })
			c.add(fmt.Sprintf("shrd %s, %s, %d", x, y, n), func(a *Asm) { a.ShrdI(s, p[0], p[1], n) })
			c.add(fmt.Sprintf("shld %s, %s, cl", x, y), func(a *Asm) { a.ShldCL(s, p[0], p[1]) })
			c.add(fmt.Sprintf("shrd %s, %s, cl", x, y), func(a *Asm) { a.ShrdCL(s, p[0], p[1]) })
		}
	}
}

func (c *cases) bitOps() {
	c.two("popcnt", wordSizes, (*Asm).Popcnt, (*Asm).PopcntM)
	c.two("lzcnt", wordSizes, (*Asm).Lzcnt, (*Asm).LzcntM)
	c.two("tzcnt", wordSizes, (*Asm).Tzcnt, (*Asm).TzcntM)
	c.two("bsf", wordSizes, (*Asm).Bsf, nil)
	c.two("bsr", wordSizes, (*Asm).Bsr, nil)
	c.two("bt", wordSizes, (*Asm).BtRR, nil)
	c.two("bts", wordSizes, (*Asm).BtsRR, nil)
	c.two("btr", wordSizes, (*Asm).BtrRR, nil)
	c.two("btc", wordSizes, (*Asm).BtcRR, nil)
	for _, o := range []struct {
		name string
		ri   func(*Asm, Size, Reg, uint8)
		mi   func(*Asm, Size, Mem, uint8)
	}{
		{"bt", (*Asm).BtRI, (*Asm).BtMI},
		{"bts", (*Asm).BtsRI, (*Asm).BtsMI},
		{"btr", (*Asm).BtrRI, (*Asm).BtrMI},
		{"btc", (*Asm).BtcRI, nil},
	} {
		for _, s := range wordSizes {
			for _, r := range []Reg{RAX, RSI, R14} {
				c.add(fmt.Sprintf("%s %s, 13", o.name, r.in(s)), func(a *Asm) { o.ri(a, s, r, 13) })
			}
			if m := c.mem(); o.mi != nil {
				c.add(fmt.Sprintf("%s %s, 13", o.name, m.in(s)), func(a *Asm) { o.mi(a, s, m, 13) })
			}
		}
	}
}

func (c *cases) flow() {
	for _, r := range []Reg{RAX, RSP, R8, R12} {
		c.add("jmp "+r.in(S64), func(a *Asm) { a.JmpR(r) })
		c.add("call "+r.in(S64), func(a *Asm) { a.CallR(r) })
		c.add("push "+r.in(S64), func(a *Asm) { a.Push(r) })
		c.add("pop "+r.in(S64), func(a *Asm) { a.Pop(r) })
		m := c.mem()
		c.add("jmp "+m.in(S64), func(a *Asm) { a.JmpM(m) })
		c.add("call "+m.in(S64), func(a *Asm) { a.CallM(m) })
	}
	c.add("ret", (*Asm).Ret)
	c.add("int3", (*Asm).Int3)
	c.add("ud2", (*Asm).Ud2)
	c.add("vzeroupper", (*Asm).Vzeroupper)
}

// three names the operands of an instruction under VEX.
func (c *cases) three(name string, f func(a *Asm, s Size, x, y, z Reg)) {
	for _, s := range bmiSizes {
		for _, r := range [][3]Reg{{RAX, RCX, RDX}, {R8, RBX, RSP}, {RBP, R9, RDI}, {RSI, RAX, R15}, {R12, R13, R14}} {
			c.add(fmt.Sprintf("%s %s, %s, %s", name, r[0].in(s), r[1].in(s), r[2].in(s)), func(a *Asm) { f(a, s, r[0], r[1], r[2]) })
		}
	}
}

// midMem has memory in the middle, lastMem at the end.
func (c *cases) midMem(name string, f func(a *Asm, s Size, x Reg, m Mem, z Reg)) {
	for _, s := range bmiSizes {
		for _, r := range [][2]Reg{{RAX, RCX}, {R8, RBX}, {RBP, R9}} {
			m := c.mem()
			c.add(fmt.Sprintf("%s %s, %s, %s", name, r[0].in(s), m.in(s), r[1].in(s)), func(a *Asm) { f(a, s, r[0], m, r[1]) })
		}
	}
}

func (c *cases) lastMem(name string, f func(a *Asm, s Size, x, y Reg, m Mem)) {
	for _, s := range bmiSizes {
		for _, r := range [][2]Reg{{RAX, RCX}, {R8, RBX}, {RBP, R9}} {
			m := c.mem()
			c.add(fmt.Sprintf("%s %s, %s, %s", name, r[0].in(s), r[1].in(s), m.in(s)), func(a *Asm) { f(a, s, r[0], r[1], m) })
		}
	}
}

func (c *cases) bmi() {
	c.three("shlx", (*Asm).Shlx)
	c.three("shrx", (*Asm).Shrx)
	c.three("sarx", (*Asm).Sarx)
	c.three("andn", (*Asm).Andn)
	c.three("bextr", (*Asm).Bextr)
	c.three("bzhi", (*Asm).Bzhi)
	c.three("pext", (*Asm).Pext)
	c.three("pdep", (*Asm).Pdep)
	c.three("mulx", (*Asm).Mulx)
	c.midMem("shlx", (*Asm).ShlxM)
	c.midMem("shrx", (*Asm).ShrxM)
	c.midMem("sarx", (*Asm).SarxM)
	c.midMem("bextr", (*Asm).BextrM)
	c.midMem("bzhi", (*Asm).BzhiM)
	c.lastMem("andn", (*Asm).AndnM)
	c.lastMem("pext", (*Asm).PextM)
	c.lastMem("pdep", (*Asm).PdepM)
	c.lastMem("mulx", (*Asm).MulxM)
	c.two("blsr", bmiSizes, (*Asm).Blsr, nil)
	c.two("blsi", bmiSizes, (*Asm).Blsi, nil)
	c.two("blsmsk", bmiSizes, (*Asm).Blsmsk, nil)
	for _, s := range bmiSizes {
		for i, p := range pairs {
			n, m := uint8(9*i+1), c.mem()
			c.add(fmt.Sprintf("rorx %s, %s, %d", p[0].in(s), p[1].in(s), n), func(a *Asm) { a.Rorx(s, p[0], p[1], n) })
			c.add(fmt.Sprintf("rorx %s, %s, %d", p[0].in(s), m.in(s), n), func(a *Asm) { a.RorxM(s, p[0], m, n) })
		}
	}
}
