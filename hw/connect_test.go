package hw_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"etch/hw"
)

// Last-connect semantics: random programs of Set, When, Cases and At, built as
// hardware and interpreted in Go, must agree on every input.

// stmt is a statement of a random program.
type stmt struct {
	kind  stmtKind
	to    int // set: the target
	lo    int // part: its lowest bit
	width int
	x     expr  // set: the value; part: its low bits are; dynamic: the value
	sel   expr  // dynamic: the index; numbers: what they are of
	arms  []arm // when: the branches; cases: one per value
}

type stmtKind int

const (
	setStmt stmtKind = iota
	whenStmt
	casesStmt
	atStmt
	partStmt
	numbersStmt // cases of 0, of 2, of all others
)

type arm struct {
	cond *expr // nil: else, or a case
	body []stmt
}

// expr is a sum of a few leaves.
type expr struct {
	leaves []leaf
}

// leaf is an input, a register or a wire of a lower number.
type leaf struct {
	kind  byte // 'i', 'r', 'w', 'c' for a constant
	index int
}

const (
	nInputs  = 4
	nTargets = 8 // 0..2 wires with default, 3 a wire without, 4..7 registers
	bare     = 3
	firstReg = 4
	vecAt    = 5 // registers 5, 6, 7 are a vector
)

type programPorts struct {
	In   [nInputs]hw.UInt
	Sel  hw.UInt // of two bits, as an enumeration of three values
	Outs [nTargets]hw.UInt
}

// program is a component made of random statements.
type program struct{ body []stmt }

func (p program) Ports() (q programPorts) {
	for i := range q.In {
		q.In[i] = hw.In(hw.Unsigned(4))
	}
	q.Sel = hw.In(hw.Unsigned(2))
	for i := range q.Outs {
		q.Outs[i] = hw.Out(hw.Unsigned(4))
	}
	return q
}

func (p program) Build(m *hw.Module, q programPorts) {
	b := &builder{m: m, q: q, sel: hw.Unpack(phases(), q.Sel)}
	for i := range nTargets {
		name := fmt.Sprintf("t%d", i)
		switch {
		case i == bare:
			b.to[i] = hw.Wire(m, name, hw.Unsigned(4))
		case i < firstReg:
			b.to[i] = hw.Wire(m, name, hw.Unsigned(4), hw.U(i))
		default:
			b.to[i] = hw.Reg(m, name, hw.Unsigned(4), hw.U(i))
		}
		q.Outs[i].Set(b.to[i])
	}
	b.run(p.body)
}

type builder struct {
	m   *hw.Module
	q   programPorts
	sel hw.Enum[phase]
	to  [nTargets]hw.UInt
}

func (b *builder) value(e expr) hw.UInt {
	var sum hw.UInt
	for i, l := range e.leaves {
		var x hw.UInt
		switch l.kind {
		case 'i':
			x = b.q.In[l.index]
		case 'c':
			x = hw.Unsigned(4).Lit(l.index)
		default:
			x = b.to[l.index]
		}
		if i == 0 {
			sum = x
		} else {
			sum = sum.Add(x)
		}
	}
	return sum
}

func (b *builder) run(body []stmt) {
	for _, s := range body {
		switch s.kind {
		case setStmt:
			b.to[s.to].Set(b.value(s.x))
		case atStmt:
			hw.Vec[hw.UInt](b.to[vecAt:]).At(b.value(s.sel).Trunc(2)).Set(b.value(s.x))
		case whenStmt:
			var ch *hw.Chain
			for _, a := range s.arms {
				then := func() { b.run(a.body) }
				switch {
				case a.cond == nil:
					ch.Else(then)
				case ch == nil:
					ch = b.m.When(b.value(*a.cond).Bit(0), then)
				default:
					ch = ch.ElseWhen(b.value(*a.cond).Bit(0), then)
				}
			}
		case partStmt:
			part := b.to[s.to].Range(s.lo+s.width-1, s.lo)
			if s.width == 1 {
				b.to[s.to].Bit(s.lo).Set(b.value(s.x).Bit(0))
			} else {
				part.Set(b.value(s.x).Trunc(s.width))
			}
		case numbersStmt:
			for v := range b.value(s.sel).Trunc(2).Cases(0, 2) {
				b.run(s.arms[map[int]int{0: 0, 2: 1, hw.Other: 2}[v]].body)
			}
		case casesStmt:
			for v := range b.sel.Cases() {
				b.run(s.arms[map[phase]int{idle: 0, busy: 1, last: 2}[v]].body)
			}
		}
	}
}

func TestLastConnect(t *testing.T) {
	n := 400
	if testing.Short() {
		n = 60
	}
	latches := 0
	for seed := range n {
		w := &writer{rand.New(rand.NewPCG(uint64(seed), 1))}
		var first []stmt
		if seed%2 == 0 {
			first = []stmt{{kind: setStmt, to: bare, x: w.expr(0)}}
		}
		p := program{w.block(4, 6, first...)}
		d, ports, err := hw.Build(p)
		if err != nil && onlyMissing(errorsOf(t, err)) {
			if strings.Contains(err.Error(), "wire t3") {
				latches++
			}
			p.body = append([]stmt{{kind: setStmt, to: bare, x: w.expr(0)}}, completed(p.body)...)
			d, ports, err = hw.Build(p)
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		compare(t, w.rng, start(t, d), ports, p, fmt.Sprintf("seed %d", seed))
	}
	if latches == 0 || latches > n*9/10 {
		t.Errorf("%d of %d programs have a latch: the test is lopsided", latches, n)
	}
}

// completed is a program in which every register is set somewhere, and the wire
// without default at the top only once.
func completed(body []stmt) (all []stmt) {
	for i := firstReg; i < nTargets; i++ {
		all = append(all, stmt{kind: whenStmt, arms: []arm{{&expr{[]leaf{{'i', 0}}}, []stmt{{kind: setStmt, to: i, x: expr{[]leaf{{'i', 1}}}}}}}})
	}
	for _, s := range body {
		if (s.kind == setStmt || s.kind == partStmt) && (s.to == bare || s.to >= firstReg) {
			continue // it would be the second one
		}
		all = append(all, s)
	}
	return all
}

// onlyMissing reports whether nothing is wrong but targets that are not set.
func onlyMissing(errs hw.Errors) bool {
	for _, d := range errs {
		if d.Code != "latch" && d.Code != "undriven" {
			return false
		}
	}
	return true
}

func compare(t *testing.T, rng *rand.Rand, s *rig, p programPorts, prog program, what string) {
	mc := &machine{}
	s.Reset()
	for i := range mc.regs {
		mc.regs[i] = i
	}
	for cycle := range 40 {
		for i := range mc.in {
			mc.in[i] = rng.IntN(16)
			s.put(p.In[i], uint64(mc.in[i]))
		}
		mc.sel = rng.IntN(4)
		s.put(p.Sel, uint64(mc.sel))
		mc.set = settings{}
		mc.run(prog.body)
		var next [nTargets]int
		for i := range nTargets {
			next[i] = mc.final(i)
			now := next[i]
			if i >= firstReg {
				now = mc.regs[i]
			}
			s.expect(p.Outs[i], uint64(now), fmt.Sprintf("%s cycle %d", what, cycle))
		}
		s.Step(1)
		mc.regs = next
	}
}

// A value of an enumeration that no code has: see machine.cases.
func TestCasesWithoutValue(t *testing.T) {
	type ports struct {
		Sel hw.UInt
		All hw.UInt
		Two hw.UInt
	}
	s, p := run(t, hw.Func("cases", ports{hw.In(hw.Unsigned(2)), hw.Out(hw.Unsigned(4)), hw.Out(hw.Unsigned(4))}, func(m *hw.Module, p ports) {
		p.Two.Set(hw.U(9))
		for v := range hw.Unpack(phases(), p.Sel).Cases() {
			switch v {
			case idle:
				p.All.Set(hw.U(1))
			case busy:
				p.All.Set(hw.U(2))
				p.Two.Set(hw.U(5))
			case last:
				p.All.Set(hw.U(3))
				p.Two.Set(hw.U(6))
			}
		}
	}))
	for code, want := range [][2]uint64{{1, 9}, {2, 5}, {3, 6}, {3, 9}} {
		s.put(p.Sel, uint64(code))
		s.expect(p.All, want[0], "all")
		s.expect(p.Two, want[1], "two")
	}
}

// What a block declares belongs to it; what it says of registers declared in it
// holds when the block does.
func TestDeclaredInside(t *testing.T) {
	type ports struct {
		C, D          hw.Bit
		X, Y, N, Late hw.UInt
	}
	w4 := hw.Unsigned(4)
	s, p := run(t, hw.Func("inside", ports{hw.In(hw.Bit{}), hw.In(hw.Bit{}), hw.In(w4), hw.Out(w4), hw.Out(w4), hw.Out(w4)}, func(m *hw.Module, p ports) {
		p.Y.Set(hw.U(0))
		var count, late hw.UInt
		m.When(p.C, func() {
			m.When(p.D, func() {
				w := hw.Wire(m, "w", hw.Unsigned(4)) // no default: it is set wherever it is seen
				w.Set(p.X)
				u := hw.Inst(m, "u", delayed{}, thruPorts{In: w.Inc()})
				p.Y.Set(u.Out)
			})
			count = hw.Reg(m, "count", hw.Unsigned(4), hw.U(0))
			count.Set(count.Inc())
			late = hw.Delay(m, "late_x", p.X, 1)
		})
		p.N.Set(count)
		p.Late.Set(late)
	}))
	s.Reset()
	s.put(p.X, 6)
	s.Step(1)
	s.expect(p.Late, 6, "a delay whatever the conditions")
	s.expect(p.N, 0, "a register only under them")
	s.put(p.C, 1)
	s.expect(p.Y, 0, "inner condition low")
	s.put(p.D, 1)
	s.expect(p.Y, 7, "the instance works all the time")
	s.Step(3)
	s.expect(p.N, 3, "counts")
}

// Ten thousand conditions within each other.
func TestDeepNesting(t *testing.T) {
	const deep = 10000
	s, p := run(t, dut(func(m *hw.Module, p pins) {
		p.Y.Set(hw.U(0))
		var nest func(n int)
		nest = func(n int) {
			if n == 0 {
				p.Y.Set(p.A)
				return
			}
			m.When(p.A.Ne(p.A.Lit(n%200+50)), func() { nest(n - 1) })
		}
		nest(deep)
	}))
	s.put(p.A, 7)
	s.expect(p.Y, 7, "all conditions hold")
	s.put(p.A, 60)
	s.expect(p.Y, 0, "one does not")
	err := build(dut(func(m *hw.Module, p pins) { // a hole as deep is still one line
		var nest func(n int)
		nest = func(n int) {
			if n > 0 {
				m.When(p.C, func() { nest(n - 1) }).Else(func() { p.Y.Set(p.A) })
			}
		}
		nest(300)
	}))
	if errs := errorsOf(t, err); len(errs) != 1 || errs[0].Code != "latch" || len(errs[0].Msg) > 300 {
		t.Error(err)
	}
}

// A Set by index into a large vector costs in proportion to it.
func TestLargeVector(t *testing.T) {
	type ports struct{ At, Data, Y hw.UInt }
	const n = 4096
	s, p := run(t, hw.Func("large", ports{hw.In(hw.AddressOf(n)), hw.In(hw.Unsigned(8)), hw.Out(hw.Unsigned(8))}, func(m *hw.Module, p ports) {
		v := hw.Reg(m, "v", hw.VecOf(n, hw.Unsigned(8)))
		v.At(p.At).Set(p.Data)
		m.When(p.Data.Is(9), func() { v.At(p.At.Not()).Set(hw.U(1)) })
		p.Y.Set(v.At(p.At))
	}))
	s.put(p.At, 4000)
	s.put(p.Data, 9)
	s.Step(1)
	s.expect(p.Y, 9, "written")
	s.put(p.At, n-1-4000)
	s.expect(p.Y, 1, "written at the other end")
}
