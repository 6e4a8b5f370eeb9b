package constant

import (
	"etch/hw"
	"etch/hw/fixed"
)

type Pair struct {
	X hw.UInt
	Y hw.SInt
}

type Ports struct {
	A, Y hw.UInt
	S    hw.SInt
	C    hw.Bit
	Wide hw.UInt
	Any  hw.UInt
	Row  hw.Vec[hw.UInt]
	Pair Pair
}

const width = 8

type Part struct{ Width int }

func (c Part) Ports() Ports {
	word := hw.Unsigned(width)
	return Ports{
		A:    hw.In(word),
		Y:    hw.Out(word),
		S:    hw.In(hw.Signed(4)),
		C:    hw.In(hw.Bit{}),
		Wide: hw.In(hw.Unsigned(64)),
		Any:  hw.In(hw.Unsigned(c.Width)),
		Row:  hw.In(hw.VecOf(4, hw.Unsigned(5))),
		Pair: hw.In(Pair{X: hw.Unsigned(3), Y: hw.Signed(3)}),
	}
}

type phase string

const (
	idle phase = "idle"
	busy phase = "busy"
	done phase = "done"
)

func (c Part) Build(m *hw.Module, p Ports) {
	hw.Unsigned(4).Lit(16) // want `Lit: 16 does not fit the 4 bits of line 50 \(0 to 15\) \[hwconst\]`
	hw.Unsigned(4).Lit(15)
	x := hw.Reg(m, "x", hw.Unsigned(3), hw.U(9)) // want `Reg: 9 does not fit the 3 bits of line \d+ \(0 to 7\)`
	x.Set(hw.U(7))
	y := hw.Unsigned(8)
	y.Is(300)        // want `Is: 300 does not fit the 8 bits of line \d+ \(0 to 255\)`
	p.A.Is(256)      // want `Is: 256 does not fit the 8 bits of line 28`
	p.A.Is(1 << 7)   // fits
	p.S.Is(8)        // want `Is: 8 does not fit the 4 bits of line \d+ \(-8 to 7\)`
	p.S.Is(-8)       // fits
	p.S.Is(-9)       // want `Is: -9 does not fit the 4 bits`
	p.A.Is(-1)       // want `Is: -1 is negative and the value is unsigned`
	p.Any.Is(-1)     // want `Is: -1 is negative and the value is unsigned`
	p.Any.Is(100000) // the width is not in sight
	p.Wide.Is(1 << 62)
	p.Wide.Set(hw.U(uint64(1<<64 - 1)))
	p.Y.Set(hw.U(-1))              // want `U\(-1\): a literal of U is not negative; hw.S is signed, all ones is Not of U\(0\)`
	p.Y.Set(hw.U(256))             // want `Set: 256 does not fit the 8 bits of line \d+`
	p.Y.Set(p.A.Add(hw.U(1 << 8))) // want `Add: 256 does not fit`
	p.Y.Set(hw.U(999).Add(p.A))    // want `Add: 999 does not fit`
	p.S.Add(hw.S(-20))             // want `Add: -20 does not fit`
	p.A.IsLe(256)                  // want `IsLe: 256 does not fit the 8 bits`
	p.A.IsNot(-1)                  // want `IsNot: -1 is negative`
	p.A.Rep(2).Is(1 << 15)         // fits 16 bits
	p.A.Rep(2).Is(1 << 16)         // want `Is: 65536 does not fit the 16 bits`
	p.A.PadLow(2).Is(1023)         // fits 10 bits
	p.A.PadLow(2).Is(1024)         // want `Is: 1024 does not fit the 10 bits`
	p.A.SignExtend(7).Any()        // want `SignExtend\(7\): the value has 8 bits`
	hw.Zeros(3).Is(8)              // want `Is: 8 does not fit the 3 bits`
	y.SetIf(p.C, hw.U(300))        // want `SetIf: 300 does not fit the 8 bits`
	hw.SetIf(y, p.C, hw.U(300))    // want `SetIf: 300 does not fit the 8 bits`
	p.A.AddGrow(p.A).Is(511)       // fits 9 bits
	p.A.AddGrow(p.A).Is(512)       // want `Is: 512 does not fit the 9 bits of line \d+`
	p.A.Mul(p.A).Is(1 << 16)       // want `Is: 65536 does not fit the 16 bits`
	hw.Cat(p.A, p.A).Is(1 << 16)   // want `Is: 65536 does not fit the 16 bits`
	hw.Cat(p.A, p.Any).Is(1 << 30) // not in sight
	p.A.PopCount().Is(9)           // fits 4 bits
	p.A.PopCount().Is(16)          // want `Is: 16 does not fit the 4 bits`
	p.Row[1].Is(32)                // want `Is: 32 does not fit the 5 bits of line \d+`
	p.Pair.X.Is(8)                 // want `Is: 8 does not fit the 3 bits of line \d+`
	hw.Mux(p.C, p.A, hw.U(256))    // want `Mux: 256 does not fit the 8 bits`
	hw.Mux(p.C, hw.U(300), p.A)    // want `Mux: 300 does not fit the 8 bits`
	for _, r := range p.Row {
		r.Lt(hw.U(40)) // want `Lt: 40 does not fit the 5 bits`
	}

	p.A.Trunc(9)      // want `Trunc\(9\): the value has 8 bits \(line \d+\); Extend widens`
	p.A.Trunc(0)      // want `Trunc\(0\): a width is at least 1`
	p.A.Extend(7)     // want `Extend\(7\): the value has 8 bits \(line \d+\); Trunc cuts`
	p.A.Bit(8)        // want `Bit\(8\): the value has bits 7 to 0 \(line \d+\)`
	p.A.Range(8, 1)   // want `Range: the value has bits 7 to 0 \(line \d+\), and not 8`
	p.Any.Range(1, 2) // want `Range\(1, 2\): the higher bit comes first`
	p.Any.Bit(-1)     // want `Bit\(-1\): bits count from 0`
	p.Any.Shl(-1)     // want `Shl\(-1\): bits count from 0`
	p.A.Trunc(8).Bit(7)
	p.A.Range(7, 4).Bit(4) // want `Bit\(4\): the value has bits 3 to 0`
	p.A.Shl(9)             // total: it is 0
	if width > 8 {
		p.A.Bit(8) // never runs
	}
	hw.Unsigned(0)           // want `Unsigned\(0\): there is no such shape; say 1 or more`
	hw.UpTo(15).Lit(16)      // want `Lit: 16 does not fit the 4 bits`
	hw.AddressOf(16).Lit(15) // fits

	state := hw.Reg(m, "state", hw.EnumOf(idle, busy), hw.Val(done)) // want `Reg: "done" is not one of the values of the enumeration of line \d+`
	state.Goto(busy)
	state.Goto(done)                                                                             // want `Goto: "done" is not one of the values of the enumeration`
	state.Is(idle, done)                                                                         // want `Is: "done" is not one of the values`
	held := hw.Reg(m, "held", Pair{hw.Unsigned(3), hw.Signed(3)}, Pair{X: hw.U(8), Y: hw.S(-4)}) // want `Reg: 8 does not fit the 3 bits`
	hw.Set(held, Pair{X: hw.U(1), Y: hw.S(4)})                                                   // want `Set: 4 does not fit the 3 bits of line \d+ \(-4 to 3\)`

	mem := hw.Mem(m, "mem", 4, hw.Unsigned(4), hw.Contents(1, 2, 16)) // want `Contents: 16 does not fit the 4 bits`
	mem.Write(hw.U(4), hw.U(1))                                       // want `Write: 4 does not fit the 2 bits of line \d+ \(0 to 3\)`
	mem.Write(hw.U(3), hw.U(16))                                      // want `Write: 16 does not fit the 4 bits`
	mem.Read(hw.U(0)).Is(16)                                          // want `Is: 16 does not fit the 4 bits`
	hw.Mem(m, "small", 2, hw.Unsigned(4), hw.Contents(1, 2, 3))       // want `Contents: 3 words for a memory of 2`

	u := hw.Inst(m, "u", Part{3}, Ports{A: hw.U(256)}) // want `Inst: 256 does not fit the 8 bits`
	u.Y.Is(256)                                        // want `Is: 256 does not fit the 8 bits`

	q := fixed.Q(4, 4)
	q.Lit(7.5)
	q.Lit(8)     // want `Lit: 8 does not fit Q4.4 of line \d+ \(-8 to 7.9375\)`
	q.Lit(-8.02) // fits when rounded
	limit := hw.U(300)
	p.Y.Set(limit) // want `Set: 300 does not fit`
}

// changed has no one width.
func changed(m *hw.Module, n int) {
	x := hw.Unsigned(4)
	if n > 4 {
		x = hw.Unsigned(8)
	}
	hw.Wire(m, "w", x, hw.U(200))
	y := hw.Unsigned(n)
	y.Is(1 << 20)
	y.Lit(1 << 20)
}

// renewed has ports under new values.
type renewed struct{}

func (renewed) Ports() Ports {
	return Ports{A: hw.In(hw.Unsigned(8)), Wide: hw.In(hw.Unsigned(8)), Pair: hw.In(Pair{hw.Unsigned(8), hw.Signed(8)})}
}

func (renewed) Build(m *hw.Module, p Ports) {
	p.A = p.A.Extend(16)
	p.A.Is(300)
	p.Wide.Is(300) // want `Is: 300 does not fit the 8 bits`
	pair := p.Pair
	pair.widen()
	pair.X.Is(300)
	row := hw.Wire(m, "row", hw.VecOf(4, hw.Unsigned(4)))
	row[0].Is(16) // want `Is: 16 does not fit the 4 bits`
	wide := hw.VecOf(4, hw.Unsigned(4))
	wide[1] = hw.Unsigned(8)
	wide[1].Is(16)
}

func (p *Pair) widen() { p.X = p.X.Extend(16) }

func three(p Ports) (hw.Bit, hw.UInt, hw.UInt) { return p.C, p.A, p.Y }

func two() (int, int) { return 9, 8 }

// unusual are forms of calls that few write.
func unusual(m *hw.Module, p Ports) {
	hw.Mux(three(p)).Is(300)
	hw.Unsigned(8).Range(two())
	hw.Set(both(p))
	hw.UInt.Is(hw.Unsigned(8), 300)
	hw.UInt.Range(hw.Unsigned(8), 9, 0)
	is := hw.Unsigned(8).Is
	is(300)
	hw.Cat([]hw.Signal{p.A, p.Y}...).Is(1 << 20)
	hw.U[int8](-1) // want `U\(-1\): a literal of U is not negative`
	hw.U(int8(-1)) // want `U\(-1\): a literal of U is not negative`
}

func both(p Ports) (dst, src hw.UInt) { return p.Y, p.A }
