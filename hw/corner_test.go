package hw_test

import (
	"math/big"
	"strings"
	"testing"

	"etch/hw"
	"etch/hw/fixed"
	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
)

// A partial ports struct or reset value need not repeat what is not hardware.
func TestPartialBundles(t *testing.T) {
	type ports struct {
		In    fixed.Num
		Other hw.UInt
		Out   fixed.Num
	}
	q := fixed.Q(4, 4)
	add := hw.Func("add", ports{hw.In(q), hw.In(hw.Unsigned(2)), hw.Out(fixed.Q(5, 4))}, func(m *hw.Module, p ports) {
		p.Out.Set(p.In.Add(p.In))
	})
	s, p := run(t, hw.Func("top", ports{hw.In(q), hw.In(hw.Unsigned(2)), hw.Out(fixed.Q(5, 4))}, func(m *hw.Module, p ports) {
		u := hw.Inst(m, "u", add, ports{Other: p.Other}) // In and Out are left for later
		hw.Set(u.In, p.In)
		r := hw.Reg(m, "r", ports{In: q, Other: hw.Unsigned(2), Out: q}, ports{Other: hw.U(3)})
		hw.Set(r, ports{p.In, p.Other, p.In})
		p.Out.Set(u.Out)
	}))
	s.put(p.In.Raw, 0x18)
	s.expect(p.Out.Raw, 0x30, "1.5 + 1.5")

	errs := errorsOf(t, build(hw.Func("bad", ports{hw.In(q), hw.In(hw.Unsigned(2)), hw.Out(fixed.Q(5, 4))}, func(m *hw.Module, p ports) {
		hw.Inst(m, "u", add, ports{In: fixed.FromInt(p.In.Raw), Other: p.Other, Out: p.Out})
	})))
	if len(errs) != 1 || errs[0].Code != "bundle" || !strings.Contains(errs[0].Msg, "Inst u: Num.frac is 4 on one side and 0 on the other") {
		t.Errorf("a plain field that is zero beside signals: %v", errs)
	}
}

// nest is eight vectors in each other, deep enough for the fast list of frames to
// end before the user's.
type nest = hw.Vec[hw.Vec[hw.Vec[hw.Vec[hw.Vec[hw.Vec[hw.Vec[hw.Vec[hw.UInt]]]]]]]]

func nestShape(width int) nest {
	return hw.VecOf(1, hw.VecOf(1, hw.VecOf(1, hw.VecOf(1, hw.VecOf(1, hw.VecOf(1, hw.VecOf(1, hw.VecOf(2, hw.Unsigned(width)))))))))
}

func TestDeepBundles(t *testing.T) {
	type ports struct{ In, Out nest }
	d, p, err := hw.Build(hw.Func("deep", ports{hw.In(nestShape(4)), hw.Out(nestShape(4))}, func(m *hw.Module, p ports) {
		r := hw.Reg(m, "r", nestShape(4), hw.Zero(nestShape(4)))
		hw.Set(r, hw.Mux(p.In[0][0][0][0][0][0][0][1].Bit(0), p.In, r))
		hw.Set(p.Out, r)
	}))
	if err != nil {
		t.Fatal(err)
	}
	for id := ir.ID(1); int(id) < d.Top.Len(); id++ {
		if at := d.Src.At(d.Top.Node(id).Pos); d.Top.Op(id) != ir.Const && !strings.HasSuffix(at.File, "corner_test.go") {
			t.Errorf("%s is at %v", d.Top.Op(id), at)
		}
	}
	s := start(t, d)
	s.put(p.In[0][0][0][0][0][0][0][1], 3)
	s.Step(1)
	s.expect(p.Out[0][0][0][0][0][0][0][1], 3, "deep")
	errs := errorsOf(t, build(hw.Func("bad", ports{hw.In(nestShape(4)), hw.Out(nestShape(5))}, func(m *hw.Module, p ports) {
		hw.Set(p.Out, p.In) // the line of the mistake
	})))
	if len(errs) != 2 || !strings.HasSuffix(errs[0].Pos.File, "corner_test.go") {
		t.Errorf("deep mistakes: %v", errs)
	}
}

// A clock may go through wires and instances.
func TestForwardedClock(t *testing.T) {
	type ports struct {
		Dom hw.Domain
		In  hw.UInt
		Out hw.UInt
	}
	type thru struct{ In, Out hw.Clock }
	gate := hw.Func("thru", thru{hw.In(hw.Clock{}), hw.Out(hw.Clock{})}, func(m *hw.Module, p thru) { p.Out.Set(p.In) })
	_, _, err := hw.Build(hw.Func("forward", ports{hw.In(hw.Domain{}), hw.In(hw.Unsigned(4)), hw.Out(hw.Unsigned(4))}, func(m *hw.Module, p ports) {
		w := hw.Wire(m, "w", hw.Clock{})
		w.Set(p.Dom.Clk)
		a := hw.Delay(m.On(p.Dom), "a", p.In, 1)
		b := hw.Delay(m.On(hw.Domain{Clk: w}), "b", a, 1) // the same clock
		hw.Inst(m, "g", gate, thru{In: w})
		p.Out.Set(b)
	}))
	if err != nil {
		t.Error(err)
	}
}

// Statements in cases; large literals; every pattern of a table may be dashes.
func TestOddsAndEnds(t *testing.T) {
	out := &text{}
	type ports struct {
		Sel  hw.UInt
		Wide hw.UInt
		Y    hw.UInt
	}
	s, p := run(t, hw.Func("odds", ports{hw.In(hw.Unsigned(2)), hw.Out(hw.Unsigned(64)), hw.Out(hw.Unsigned(3))}, func(m *hw.Module, p ports) {
		for v := range hw.Unpack(phases(), p.Sel).Cases() {
			if v == busy {
				m.When(p.Sel.Bit(0), func() { m.Printf("busy") }).ElseWhen(p.Sel.Bit(1), func() { m.Printf("never") })
			}
		}
		p.Wide.Set(hw.U(uint64(1<<63 | 1)))
		p.Y.Set(hw.Decode(p.Sel, hw.Unsigned(3).Lit(0), map[string]hw.UInt{"--": hw.U(5)}))
		m.Assert(hw.AllOf(), "without any it is high")
		m.Cover(hw.AnyOf(), "without_any_it_is_low")
	}), sim.WithOutput(out))
	s.expect(p.Wide, 1<<63|1, "a large literal")
	s.expect(p.Y, 5, "all dashes")
	for code := range uint64(4) {
		s.put(p.Sel, code)
		s.Step(1)
	}
	if string(*out) != "busy" || s.FailureCount() != 0 || s.Coverage()[0].Count != 0 {
		t.Errorf("printed %q, %d failures", *out, s.FailureCount())
	}
}

// What would be too large to be anything is a mistake, quickly and in little
// memory.
func TestTooLarge(t *testing.T) {
	wide := 1 << 20
	type ports struct{ X, Y hw.UInt }
	errs := errorsOf(t, build(hw.Func("large", ports{hw.In(hw.Unsigned(wide)), hw.Out(hw.Unsigned(wide))}, func(m *hw.Module, p ports) {
		huge := hw.UBig(new(big.Int).Lsh(big.NewInt(1), uint(wide)+5)).Add(p.X)
		any := hw.AnyOf(p.X.AddGrow(p.X).Any(), p.X.Mul(p.X).Any(), hw.Cat(p.X, p.X).Any(), huge.Any())
		p.Y.Set(hw.Mux(any, p.X.Not(), p.X))
	})))
	if len(errs) != 4 {
		t.Errorf("%d mistakes, want 4: %v", len(errs), errs)
	}
	for _, d := range errs {
		if !strings.Contains(d.Msg, "1048576") || len(d.Msg) > 200 {
			t.Errorf("message %q", d.Msg)
		}
	}
	if _, _, err := hw.LiteralOf(hw.UVal(bits.New(4, 1)), hw.Unsigned(8)); err == nil || !strings.Contains(err.Error(), "has 4 bits, want 8") {
		t.Error(err)
	}
}
