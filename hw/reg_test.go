package hw_test

import (
	"testing"

	"etch/hw"
	"etch/ir"
	"etch/sim"
)

type regPorts struct {
	X                          hw.UInt
	Plain, Zero, Init, Partial hw.UInt
	Late                       hw.UInt
}

// regs has a register of each sort.
type regs struct{}

func (regs) Ports() regPorts {
	w := hw.Unsigned(8)
	return regPorts{hw.In(w), hw.Out(w), hw.Out(w), hw.Out(w), hw.Out(w), hw.Out(w)}
}

func (regs) Build(m *hw.Module, p regPorts) {
	type pair struct{ A, B hw.UInt }
	plain := hw.Reg(m, "plain", hw.Unsigned(8))
	zero := hw.Reg(m, "zero", hw.Unsigned(8), hw.U(7))
	init := hw.RegInit(m, "init", hw.Unsigned(8), hw.U(9))
	both := hw.Reg(m, "both", pair{hw.Unsigned(4), hw.Unsigned(4)}, pair{B: hw.U(3)}) // A is not reset
	for _, r := range []hw.UInt{plain, zero, init} {
		r.Set(p.X)
	}
	both.A.Set(p.X.Trunc(4))
	both.B.Set(p.X.Trunc(4))
	p.Plain.Set(plain)
	p.Zero.Set(zero)
	p.Init.Set(init)
	p.Partial.Set(hw.Pack(both))
	p.Late.Set(hw.Delay(m, "late", hw.Delay(m, "none", p.X, 0), 3))
}

func TestRegisters(t *testing.T) {
	s, p := run(t, regs{}, sim.WithSeed(5))
	s.expect(p.Init, 9, "at power-up")
	s.put(p.X, 0x55)
	s.Reset()
	s.expect(p.Plain, 0x55, "a register without reset goes on")
	s.expect(p.Zero, 7, "in reset")
	s.expect(p.Init, 0x55, "an initial value is no reset")
	s.expect(p.Partial, 0x53, "half of it is reset")
	s.put(p.X, 1)
	s.Step(1)
	s.expect(p.Zero, 1, "after reset")
	s.Step(1)
	s.expect(p.Late, 0x55, "two cycles later")
	s.Step(1)
	s.expect(p.Late, 1, "three cycles later")
}

func TestAsyncReset(t *testing.T) {
	d, p, err := hw.Build(regs{}, hw.WithAsyncReset())
	if err != nil {
		t.Fatal(err)
	}
	if k := d.Top.TypeOf(d.Top.Ports[1].Type).Kind; k != ir.AsyncReset || d.Top.Ports[1].Name != "rst" {
		t.Errorf("port 1 is %s of type %v", d.Top.Ports[1].Name, k)
	}
	s := start(t, d)
	s.put(p.X, 0x55)
	s.Step(1)
	s.expect(p.Zero, 0x55, "running")
	rst := s.top[1]
	if err := s.Set(rst, 1); err != nil {
		t.Fatal(err)
	}
	s.expect(p.Zero, 7, "at once, without an edge")
}

type domainPorts struct {
	A, B   hw.Domain
	Bare   hw.Clock
	X      hw.UInt
	QA, QB hw.UInt
	QC     hw.UInt
	Cross  hw.UInt
	Fixed  hw.UInt
}

// domains has a register per clock, and values that cross as they may.
type domains struct{}

func (domains) Ports() domainPorts {
	w := hw.Unsigned(4)
	return domainPorts{hw.In(hw.Domain{}), hw.In(hw.AsyncDomain()), hw.In(hw.Clock{}), hw.In(w), hw.Out(w), hw.Out(w), hw.Out(w), hw.Out(w), hw.Out(w)}
}

func (domains) Build(m *hw.Module, p domainPorts) {
	a, b, c := m.On(p.A), m.On(p.B), m.On(hw.Domain{Clk: p.Bare})
	qa := hw.Reg(a, "qa", hw.Unsigned(4), hw.U(1))
	qa.Set(qa.Inc())
	qb := hw.Inst(b, "u", counting{}).Out
	qc := hw.Delay(c, "qc", hw.SyncGray(c, "x_c", p.X), 1)
	p.QA.Set(qa)
	p.QB.Set(qb)
	p.QC.Set(qc)
	p.Cross.Set(hw.Delay(b, "in_b", hw.SyncHeld(b, "qa_b", qa, hw.B(true), hw.U(0)).Add(qb), 1))
	p.Fixed.Set(hw.Delay(b, "fixed", hw.Static(m, "qa_static", qa), 1))
}

// counting counts on its implicit clock from 2.
type counting struct{}

func (counting) Ports() struct{ Out hw.UInt } {
	return struct{ Out hw.UInt }{hw.Out(hw.Unsigned(4))}
}

func (counting) Build(m *hw.Module, p struct{ Out hw.UInt }) {
	n := hw.Reg(m, "n", hw.Unsigned(4), hw.U(2))
	n.Set(n.Inc())
	p.Out.Set(n)
}

func TestDomains(t *testing.T) {
	d, p, err := hw.Build(domains{})
	if err != nil {
		t.Fatal(err)
	}
	if got := modules(d); got != "counting_async domains" {
		t.Errorf("modules %s", got)
	}
	s := start(t, d)
	s.Reset()
	s.expect(p.QA, 1, "reset")
	s.expect(p.QB, 2, "reset")
	s.Tick(s.port(p.A.Clk), 3)
	s.expect(p.QA, 4, "three edges of a")
	s.expect(p.QB, 2, "none of b")
	s.Tick(s.port(p.B.Clk), 2)
	s.expect(p.QB, 4, "two edges of b")
	s.expect(p.Fixed, 4, "static")
	s.Tick(s.port(p.B.Clk), 1)
	s.expect(p.Cross, 4+4, "two registers behind")
	s.put(p.X, 5)
	s.Tick(s.port(p.Bare), 2)
	s.expect(p.QC, 0, "not yet")
	s.Tick(s.port(p.Bare), 1)
	s.expect(p.QC, 5, "after three edges")
	if err := s.Set(s.port(p.B.Rst), 1); err != nil {
		t.Fatal(err)
	}
	s.expect(p.QB, 2, "asynchronous")
	if err := s.Set(s.port(p.A.Rst), 1); err != nil {
		t.Fatal(err)
	}
	s.expect(p.QA, 4, "synchronous")
	s.Tick(s.port(p.A.Clk), 1)
	s.expect(p.QA, 1, "at the edge")
}

// A module's own reset, made of signals.
func TestMadeReset(t *testing.T) {
	type ports struct {
		Dom  hw.Domain
		Stop hw.Bit
		N, M hw.UInt
		InR  hw.Bit
	}
	w := hw.Unsigned(4)
	s, p := run(t, hw.Func("made", ports{hw.In(hw.Domain{}), hw.In(hw.Bit{}), hw.Out(w), hw.Out(w), hw.Out(hw.Bit{})}, func(m *hw.Module, p ports) {
		own := m.On(hw.Domain{Clk: p.Dom.Clk, Rst: p.Stop.Or(p.Dom.Rst.Bit()).AsReset()})
		n := hw.Reg(own, "n", hw.Unsigned(4), hw.U(0))
		n.Set(n.Inc())
		now := m.On(hw.Domain{Clk: p.Dom.Clk, Rst: p.Stop.AsAsyncReset()})
		k := hw.Reg(now, "k", hw.Unsigned(4), hw.U(3))
		k.Set(k.Inc())
		p.N.Set(n)
		p.M.Set(k)
		p.InR.Set(own.Domain().Rst.Bit())
	}))
	s.Step(2)
	s.expect(p.N, 2, "running")
	s.put(p.Stop, 1)
	s.expect(p.InR, 1, "the reset as a bit")
	s.expect(p.N, 2, "synchronous")
	s.expect(p.M, 3, "asynchronous")
	s.Step(1)
	s.expect(p.N, 0, "at the edge")
}

// A stop comes into force where its conditions hold, not in reset, and at the first
// edge only.
func TestStop(t *testing.T) {
	s, p := run(t, dut(func(m *hw.Module, p pins) {
		p.Y.Set(p.A)
		m.When(p.C, func() { m.Stop(0) }).ElseWhen(p.D, func() { m.Stop(7) })
	}))
	s.put(p.C, 1)
	s.Reset()
	s.put(p.C, 0)
	s.Step(2)
	if stop, ok := s.Stopped(); ok {
		t.Errorf("%v in reset", stop)
	}
	s.put(p.D, 1)
	s.Step(1)
	s.put(p.C, 1)
	s.Step(1)
	if stop, ok := s.Stopped(); !ok || stop.Code != 7 || stop.Cycle != 3 || s.FailureCount() != 1 {
		t.Errorf("%v, %v", stop, s.Failures())
	}
}

// Statements hold only where their conditions do, and not in reset.
func TestStatements(t *testing.T) {
	out := &text{}
	s, p := run(t, dut(func(m *hw.Module, p pins) {
		p.Y.Set(p.A)
		lane := m.Scope("lane", 3)
		m.When(p.C, func() {
			m.Assert(p.D, "a is %d, s is %d, both %x %b %c%%", p.A, p.S, p.A, p.B, p.A)
		}).ElseWhen(p.D, func() {
			m.Assume(p.A.Is(65), "assumed")
			lane.Cover(p.A.Is(66), "b_seen")
			m.Printf("%d %d %x\n", hw.U(7), hw.S(-7), hw.UVal(ones65()))
		})
	}), sim.WithOutput(out))
	s.put(p.A, 65)
	s.put(p.S, 255)
	s.put(p.B, 5)
	s.put(p.C, 1)
	s.Reset()
	if s.FailureCount() != 0 {
		t.Error("a statement in reset")
	}
	s.Step(1)
	s.put(p.C, 0)
	s.put(p.D, 1)
	s.Step(1)
	s.put(p.A, 66)
	s.Step(2)
	var got []string
	for _, f := range s.Failures() {
		got = append(got, f.Message)
	}
	want := []string{"a is 65, s is -1, both 41 0101 A%", "assumed", "assumed"}
	if len(got) != 3 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("failures %q, want %q", got, want)
	}
	if c := s.Coverage(); len(c) != 1 || c[0].Name != "lane_3_b_seen" || c[0].Count != 2 {
		t.Errorf("coverage %v", c)
	}
	if line := "7 -7 1ffffffffffffffff\n"; string(*out) != line+line+line {
		t.Errorf("printed %q", *out)
	}
}
