package assign

import (
	"testing"

	"etch/hw"
	"etch/hw/fixed"
	"etch/hw/stream"
	"etch/testbench"
)

type Pair struct{ X, Y hw.UInt }

type Ports struct {
	En     hw.Bit
	Data   hw.UInt
	Row    hw.Vec[hw.UInt]
	In     stream.Stream[hw.UInt]
	Count  hw.UInt
	Both   Pair
	N      fixed.Num
	Helped hw.UInt
}

func out() hw.UInt { return hw.Out(hw.Unsigned(8)) }

type Counter struct{}

func (Counter) Ports() Ports {
	row := hw.In(hw.VecOf(4, hw.Unsigned(8)))
	return Ports{
		En:     hw.In(hw.Bit{}),
		Data:   hw.In(hw.Unsigned(8)),
		Row:    row,
		In:     hw.In(stream.Of(hw.Unsigned(8))),
		Count:  hw.Out(hw.Unsigned(8)),
		Both:   hw.Out(Pair{hw.Unsigned(8), hw.Unsigned(8)}),
		N:      hw.Out(fixed.Q(4, 4)),
		Helped: out(),
	}
}

func (Counter) Build(m *hw.Module, p Ports) {
	count := hw.Reg(m, "count", hw.Unsigned(8), hw.U(0))
	m.When(p.En, func() {
		count = count.Inc() // want `= gives the Go variable count another value and does not drive the register in it; say count.Set\(…\) \[hwassign\]`
	})
	p.Count = count             // want `= changes Build's copy of the port p.Count and drives nothing; say p.Count.Set\(…\)`
	p.Both = Pair{count, count} // want `= changes Build's copy of the port p.Both and drives nothing; say hw.Set\(p.Both, …\)`
	p.Both.X = count            // want `= changes Build's copy of the port p.Both.X and drives nothing`
	p.N = fixed.Q(4, 4).Lit(1)  // want `= changes Build's copy of the port p.N and drives nothing; say p.N.Set\(…\)`
	p.Helped = count            // want `= changes Build's copy of the port p.Helped`
	p.In.Ready = hw.B(true)     // want `= changes Build's copy of the port p.In.Ready`
	p.Data = p.Data.Inc()       // an input under the same name
	p.Row[0], p.Row[1] = p.Data, p.Data
	p.In.Data = p.Data
	hw.Pack(p.In.Data).Named("x")
	p = Ports{Count: count} // want `= replaces Build's copy of the ports and drives none of them; Set each output`
}

func registers(m *hw.Module, p Ports) {
	held := hw.Reg(m, "held", Pair{hw.Unsigned(8), hw.Unsigned(8)})
	held.X = p.Data // want `= gives the Go variable held another value and does not drive the register in it; say held.X.Set\(…\)`
	next := hw.Wire(m, "next", hw.Unsigned(8))
	next = p.Data // want `= gives the Go variable next another value and does not drive the wire in it; say next.Set\(…\)`
	regs := hw.RegInit(m, "regs", hw.VecOf(4, hw.Unsigned(8)), hw.VecOf(4, hw.U(0)))
	regs[2] = next // want `does not drive the register in it; say regs\[2\].Set\(…\)`
	p.Count.Set(hw.Pack(regs).Add(hw.Pack(held)))
}

// A register is one also where = declares it.
func results(m *hw.Module, p Ports) (count, gray hw.UInt) {
	count = hw.Reg(m, "count", hw.Unsigned(8))
	gray = hw.Reg(m, "gray", hw.Unsigned(8))
	gray.Set(count)
	m.When(p.En, func() {
		count = count.Inc() // want `does not drive the register in it; say count.Set\(…\)`
	}).ElseWhen(p.In.Fire(), func() {
		gray = count // want `does not drive the register in it; say gray.Set\(…\)`
	})
	var late hw.UInt
	late = hw.Wire(m, "late", hw.Unsigned(8))
	late = p.Data // want `does not drive the wire in it`
	p.Count.Set(late)
	return
}

func chosen(m *hw.Module, p Ports, registered bool) hw.UInt {
	var x hw.UInt
	if registered {
		x = hw.Reg(m, "x", hw.Unsigned(8))
		x.Set(p.Data)
	} else {
		x = p.Data
	}
	return x
}

// A register that has been Set may go on as a name.
func stages(m *hw.Module, p Ports, n int) {
	stage := hw.Reg(m, "stage_0", hw.Unsigned(8))
	stage.Set(p.Data)
	for i := range n {
		next := hw.Reg(m, hw.Name("stage", i+1), hw.Unsigned(8))
		next.Set(stage)
		stage = next
	}
	sum := hw.Reg(m, "sum", hw.Unsigned(8))
	drive(sum, p.Data)
	sum = sum.Add(stage)
	p.Count.Set(sum)
}

func drive(dst, src hw.UInt) { dst.Set(src) }

func instances(m *hw.Module, p Ports) {
	u := hw.Inst(m, "u", Counter{})
	u.En = p.En           // want `= changes a Go variable and does not connect the port u.En of the instance; say u.En.Set\(…\)`
	u.Data = u.Data.Inc() // want `does not connect the port u.Data of the instance`
	u.Count = hw.Delay(m, "later", u.Count, 1)
	u.Helped = p.Data // want `does not connect the port u.Helped`
	p.Count.Set(u.Count.Add(u.Data).Add(u.Helped))
	m.When(u.En, func() { p.Count.Set(u.Data) })

	var c hw.Component[Ports] = Counter{}
	v := hw.Inst(m, "v", c)
	v.Count = v.Count.Inc()
	v.Data = p.Data // want `does not connect the port v.Data`
	p.Helped.Set(v.Count.Add(v.Data))
}

// datapath keeps handles for the functions of a component.
type datapath struct {
	pc, next, sum hw.UInt
	unit          Ports
}

func split(m *hw.Module, p Ports) {
	d := &datapath{pc: hw.Reg(m, "pc", hw.Unsigned(8)), sum: p.Data}
	d.next = hw.Wire(m, "next", hw.Unsigned(8), d.pc)
	d.unit = hw.Inst(m, "unit", Counter{})
	d.unit.Data = d.sum // want `does not connect the port d.unit.Data of the instance; say d.unit.Data.Set\(…\)`
	d.unit.Count = d.unit.Count.Inc()
	d.unit.Data = p.Data.Add(d.pc) // want `does not connect the port d.unit.Data`
	sequence(m, p, d)
}

func sequence(m *hw.Module, p Ports, d *datapath) {
	m.When(p.En, func() {
		d.pc = d.next // want `= gives the field another value and does not drive the signal in it; say d.pc.Set\(…\)`
		d.sum = d.sum.Inc()
	}).Else(func() {
		d.next.Set(d.pc)
	})
	w := p.In
	w.Valid = hw.B(false) // want `= gives the field another value and does not drive the signal in it; say w.Valid.Set\(…\)`
	state := hw.Reg(m, "state", hw.EnumOf("a", "b"))
	for s := range state.Cases() {
		switch s {
		case "a":
			w.Valid.Set(p.En)
			state.Goto("b")
		case "b":
			w.Valid = p.En // want `does not drive the signal in it`
		}
	}
	d.pc = d.pc.Inc() // another name
	var cell datapath
	cell.pc = hw.Reg(m, "cell", hw.Unsigned(8))
	cell.pc.Set(d.pc)
}

func TestCounter(t *testing.T) {
	_, p := testbench.New(t, Counter{})
	p.Data = hw.U(3) // want `= changes a Go variable and not the design under test; use the bench's Set`
	_ = p
}

func conditions(m *hw.Module, p Ports) {
	out := p.Data
	m.When(p.En, func() {
		out = p.Row[0] // want `= in the body of When happens whether its condition holds or not; Set a wire, or use hw.Mux`
	}).ElseWhen(p.En, func() {
		out = p.Row[1] // want `= in the body of ElseWhen happens`
	}).Else(func() {
		out = p.Row[2] // want `= in the body of Else happens`
	})
	p.Count.Set(out)

	both := Pair{p.Data, p.Data}
	state := hw.Reg(m, "state", hw.EnumOf("a", "b"))
	for s := range state.Cases() {
		switch s {
		case "a":
			both.X = p.Row[0] // want `= in the body of Cases happens whether its condition holds or not`
		}
		both.Y = p.Row[1] // want `= in the body of Cases happens whether its condition holds or not`
	}
	p.Both.X.Set(both.X.Add(both.Y))
	state.Goto("a")
}

func fineConditions(m *hw.Module, p Ports, port *hw.ReadPort[hw.UInt]) {
	var word hw.UInt // has no value before
	data := p.Data
	var taps []hw.UInt
	m.When(p.En, func() {
		word = p.Data.Inc()
		data = port.Read(p.Data) // is there whatever the condition
		taps = append(taps, word)
		sum := p.Data
		for _, x := range p.Row {
			sum = sum.Add(x)
		}
		p.Count.Set(sum)
	})
	p.Helped.Set(word.Add(data).Add(taps[0]))
}

func unused(m *hw.Module, p Ports) {
	w := p.Both
	w.X = p.Data // want `the value is never used: = gives a Go variable another value and drives nothing; to drive a signal say w.X.Set\(…\)`
	p.Count.Set(w.Y)
	for _, in := range p.Row {
		m.When(in.Any(), func() {})
		in = p.Data // want `the value is never used`
	}
	last := p.Data
	p.Helped.Set(last)
	last = p.Count // want `the value is never used`
}

// A generator's variables go from one value to the next.
func fine(m *hw.Module, p Ports, n int) (sum hw.UInt) {
	x := p.Data
	for range n {
		x = x.Add(p.Data)
	}
	weights, sums := p.Row, hw.Zero(p.Row)
	for i := range n {
		x = hw.Delay(m, hw.Name("x", i), x, i)
		for j := range n {
			u := hw.Inst(m, hw.Name("u", i, j), Counter{}, Ports{Data: weights[j]})
			x, weights[j], sums[j] = u.Count, u.Data, u.Helped
		}
	}
	bundle := p.Both
	bundle.X = x
	bundle.Y = bundle.X.Add(x)
	hw.Set(p.Both, bundle)
	for _, in := range p.Row {
		in = in.Inc()
		p.Count.Set(in)
	}
	wide := p.Row[0]
	if n > 8 {
		wide = wide.Extend(n)
	}
	first := p.Data
	later := func() { p.Count.Set(first) }
	first = p.Row[0]
	later()
	sum = wide
	sum = sum.Add(first)
	m = m.Scope("inner")
	return
}

var part = hw.Func("part", Ports{Data: hw.In(hw.Unsigned(8)), Count: hw.Out(hw.Unsigned(8))}, func(m *hw.Module, p Ports) {
	p.Data = p.Data.Inc()
	p.Count = p.Data // want `= changes Build's copy of the port p.Count and drives nothing`
})

type Common struct{ En, Fault hw.Bit }

type NestedPorts struct {
	Common
	Read [2]Pair
	Mode hw.UInt
}

type Nested struct{ w hw.UInt }

func (n Nested) Ports() (p NestedPorts) {
	p.Common = Common{En: hw.In(hw.Bit{}), Fault: hw.Out(hw.Bit{})}
	for i := range p.Read {
		p.Read[i] = Pair{hw.In(n.w), hw.Out(n.w)}
	}
	return p
}

func (n Nested) Build(m *hw.Module, p NestedPorts) {
	p.En = p.En.Not()               // an input, in a struct that is embedded
	p.Fault = p.En                  // want `= changes Build's copy of the port p.Fault`
	p.Read[0].X = p.Read[1].X       // want `= changes Build's copy of the port p.Read\[0\].X`
	p.Read[1].X = p.Read[1].X.Inc() // not in sight whether it is an input
	hw.Named(m, "read", p.Read)
	p.Mode = p.Mode.Inc() // not in sight whether it is an input
	p.Mode = p.Read[0].Y  // want `= changes Build's copy of the port p.Mode`
}

// tagged has the directions of its ports at their fields.
type tagged struct{}

type taggedPorts struct {
	En  hw.Bit  `dir:"in"`
	Out hw.UInt `dir:"out"`
	Bus struct {
		Data hw.UInt
		Full hw.Bit `dir:"out"`
	} `dir:"in"`
}

func (tagged) Ports() taggedPorts { return taggedPorts{Out: hw.Unsigned(8)} }

func (tagged) Build(m *hw.Module, p taggedPorts) {
	p.En = p.En.Not() // an input under its own name
	p.Bus.Data = p.Bus.Data.Inc()
	m.When(p.En, func() { p.Out.Set(p.Bus.Data) })
	p.Out = p.Out.Inc()           // want `= changes Build's copy of the port p.Out and drives nothing; say p.Out.Set\(…\)`
	p.Bus.Full = p.Bus.Full.Not() // want `= changes Build's copy of the port p.Bus.Full`
}
