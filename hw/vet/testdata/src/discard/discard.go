package discard

import (
	"etch/hw"
	"etch/hw/fixed"
	"etch/hw/stream"
)

type Ports struct {
	A, B   hw.UInt
	C      hw.Bit
	N      fixed.Num
	S      stream.Stream[hw.UInt]
	Clocks hw.Domain
	Y      hw.UInt
}

type state string

// wrapper is a user's kind: methods of what it embeds are operations too.
type wrapper struct{ hw.UInt }

func mistakes(m *hw.Module, p Ports) {
	count := hw.Reg(m, "count", hw.Unsigned(8), hw.U(0))
	count.Inc()       // want `count.Inc: the result is dropped and nothing else happens; use it, or drive a signal with Set \[hwdiscard\]`
	count.Range(7, 4) // want `count.Range: the result is dropped`
	count.Bit(0).SetIf(p.C, p.C)
	count.Range(3, 1).SetIf(p.C, p.B.Range(2, 0)).Else(func() {})
	p.A.Add(p.B)              // want `p.A.Add: the result is dropped`
	(p.C.And(p.C))            // want `p.C.And: the result is dropped`
	hw.Mux(p.C, p.A, p.B)     // want `hw.Mux: the result is dropped`
	hw.Cat(p.A, p.B)          // want `hw.Cat: the result is dropped`
	hw.Pack(p)                // want `hw.Pack: the result is dropped`
	hw.Like(p.A)              // want `hw.Like: the result is dropped`
	hw.Unsigned(8)            // want `hw.Unsigned: the result is dropped`
	p.N.Add(p.N)              // want `p.N.Add: the result is dropped`
	p.S.Fire()                // want `p.S.Fire: the result is dropped`
	p.A.BitVec().At(p.B)      // want `p.A.BitVec\(\).At: the result is dropped`
	wrapper{p.A}.Inc()        // want `Inc: the result is dropped`
	m.On(p.Clocks)            // want `m.On: the result is dropped and m is as before; use the view that is returned`
	m.Scope("lane")           // want `m.Scope: the result is dropped and m is as before`
	hw.Reg(m, "r", p.A)       // want `hw.Reg: the result is dropped, so nothing can Set or read it`
	hw.Wire(m, "w", hw.Bit{}) // want `hw.Wire: the result is dropped, so nothing can Set or read it`
	hw.Mem(m, "mem", 4, p.A)  // want `hw.Mem: the result is dropped, so nothing can read or write it`
	m.When(p.C, func() {
		count.Add(p.A) // want `count.Add: the result is dropped`
	})
	phase := hw.Reg(m, "phase", hw.EnumOf[state]("a", "b"))
	phase.Cases() // want `phase.Cases: the result is dropped; write for v := range phase.Cases\(\)`
	phase.Goto("a")
	p.A.Cases(1) // want `p.A.Cases: the result is dropped; write for v := range p.A.Cases\(1\)`
	mem := hw.Mem(m, "ram", 256, hw.Unsigned(8))
	mem.Read(p.A)         // want `mem.Read: the result is dropped`
	mem.WritePort(m, "w") // want `mem.WritePort: the result is dropped, so nothing can read or write it`
	mem.Write(p.A, p.B)
	count.Set(p.A)
}

type child struct{}

func (child) Ports() Ports                { return Ports{} }
func (child) Build(m *hw.Module, p Ports) {}

func generic[T any](c hw.Bit, x, y T) T {
	hw.Mux(c, x, y) // want `hw.Mux: the result is dropped`
	return x
}

// computed only computes, with others of its kind.
func computed(x hw.UInt, n int) hw.UInt {
	sum := x
	for i := range n {
		if i > 2 {
			sum = sum.Add(sum.Lit(i))
		}
	}
	return Pair{sum, x}.both()
}

// Pair has a method that only computes.
type Pair struct{ X, Y hw.UInt }

func (p Pair) both() hw.UInt { return p.X.Add(p.Y) }

func users(p Ports) {
	computed(p.A, 4)      // want `computed: the result is dropped and nothing else happens`
	Pair{p.A, p.B}.both() // want `both: the result is dropped`
	double := func(x hw.UInt) hw.UInt { return x.Shl(1) }
	double(p.A) // want `double: the result is dropped`
	total := p.A
	add := func(x hw.UInt) hw.UInt {
		total = total.Add(x)
		return total
	}
	add(p.A)
	p.Y.Set(total)
	helper(p.A)
	made(p.A)
	fallback := hook
	fallback(p.A)
}

// helper does something besides.
func helper(x hw.UInt) hw.UInt {
	x.Set(hw.U(1))
	return x
}

var all []hw.UInt

func made(x hw.UInt) hw.UInt {
	all = append(all, x)
	return x
}

var hook func(hw.UInt) hw.UInt

func fine(m *hw.Module, p Ports, port *hw.ReadPort[hw.UInt]) {
	hw.Inst(m, "u", child{})
	hw.Delay(m, "seen", p.A, 1)
	hw.Sync(m, "synced", p.A)
	p.A.Add(p.B).Named("both")
	hw.Named(m, "again", p.A)
	stream.Buffer(m, "q", p.S, 2)
	port.Read(p.A)
	m.When(p.C, func() {}).ElseWhen(p.C, func() {})
	helper(p.A)
	_ = p.A.Add(p.B)
	p.Y.Set(p.A.Add(p.B))
	hw.Set(p.N, p.N)
}
