package hw_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"etch/hw"
	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
)

// act is a statement of a random program of writes and prints.
type act struct {
	cond int // input bit; -1: none, it is a write or a print
	then []act
	els  []act
	note int // -1: a write; else a print of this number
	addr int // input
	data int // input
	mask int // input, -1: none
}

type actPorts struct {
	Cond [4]hw.Bit
	Addr [3]hw.UInt // of 3 bits, for 6 elements
	Data [3]hw.UInt // of 8 bits
	Mask [2]hw.UInt // of 4 and 2 bits
	Look hw.UInt
	Seen hw.UInt
}

type acts struct{ body []act }

func (a acts) Ports() (p actPorts) {
	for i := range p.Cond {
		p.Cond[i] = hw.In(hw.Bit{})
	}
	for i := range p.Addr {
		p.Addr[i], p.Data[i] = hw.In(hw.Unsigned(3)), hw.In(hw.Unsigned(8))
	}
	p.Mask = [2]hw.UInt{hw.In(hw.Unsigned(4)), hw.In(hw.Unsigned(2))}
	p.Look, p.Seen = hw.In(hw.Unsigned(3)), hw.Out(hw.Unsigned(8))
	return p
}

func (a acts) Build(m *hw.Module, p actPorts) {
	ram := hw.Mem(m, "ram", 6, hw.Unsigned(8), hw.Contents(1, 2, 3))
	p.Seen.Set(ram.Read(p.Look))
	var run func(body []act)
	run = func(body []act) {
		for _, s := range body {
			switch {
			case s.cond >= 0:
				ch := m.When(p.Cond[s.cond], func() { run(s.then) })
				if s.els != nil {
					ch.Else(func() { run(s.els) })
				}
			case s.note >= 0:
				m.Printf("%d,", hw.U(s.note))
			case s.mask >= 0:
				ram.WriteMask(p.Addr[s.addr], p.Data[s.data], p.Mask[s.mask])
			default:
				ram.Write(p.Addr[s.addr], p.Data[s.data])
			}
		}
	}
	run(a.body)
}

// actMachine interprets acts.
type actMachine struct {
	cond  [4]int
	addr  [3]int
	data  [3]int
	mask  [2]int
	words [6]int
	notes map[int]bool // prints of one edge come in any order
}

func (mc *actMachine) run(body []act) {
	for _, s := range body {
		switch at := mc.addr[max(s.addr, 0)]; {
		case s.cond >= 0 && mc.cond[s.cond] == 1:
			mc.run(s.then)
		case s.cond >= 0:
			mc.run(s.els)
		case s.note >= 0:
			mc.notes[s.note] = true
		case at >= 6:
		case s.mask < 0:
			mc.words[at] = mc.data[s.data]
		default:
			lanes := []int{4, 2}[s.mask]
			for i := range lanes {
				if mc.mask[s.mask]>>i&1 == 1 {
					bits := (1<<(8/lanes) - 1) << (8 / lanes * i)
					mc.words[at] = mc.words[at]&^bits | mc.data[s.data]&bits
				}
			}
		}
	}
}

func randomActs(rng *rand.Rand, depth int, notes *int) (body []act) {
	for range 1 + rng.IntN(3) {
		switch k := rng.IntN(6); {
		case depth > 0 && k < 3:
			s := act{cond: rng.IntN(4), note: -1, then: randomActs(rng, depth-1, notes)}
			if rng.IntN(2) == 0 {
				s.els = randomActs(rng, depth-1, notes)
			}
			body = append(body, s)
		case k == 5:
			body = append(body, act{cond: -1, note: *notes})
			*notes++
		default:
			body = append(body, act{cond: -1, note: -1, addr: rng.IntN(3), data: rng.IntN(3), mask: rng.IntN(3) - 1})
		}
	}
	return body
}

// lines keeps what is printed at an edge.
type lines struct{ seen map[int]bool }

func (l *lines) Write(p []byte) (int, error) {
	var n int
	fmt.Sscanf(string(p), "%d,", &n)
	l.seen[n] = true
	return len(p), nil
}

// Writes happen in the order of the text, whatever ports they share.
func TestWritesAndPrints(t *testing.T) {
	n := 300
	if testing.Short() {
		n = 50
	}
	for seed := range n {
		rng := rand.New(rand.NewPCG(uint64(seed), 2))
		notes := 0
		a := acts{randomActs(rng, 3, &notes)}
		out := &lines{map[int]bool{}}
		s, p := run(t, a, sim.WithOutput(out))
		mc := &actMachine{words: [6]int{1, 2, 3}}
		for cycle := range 30 {
			what := fmt.Sprintf("seed %d cycle %d", seed, cycle)
			for i := range mc.cond {
				mc.cond[i] = rng.IntN(2)
				s.put(p.Cond[i], uint64(mc.cond[i]))
			}
			for i := range mc.addr {
				mc.addr[i], mc.data[i] = rng.IntN(8), rng.IntN(256)
				s.put(p.Addr[i], uint64(mc.addr[i]))
				s.put(p.Data[i], uint64(mc.data[i]))
			}
			mc.mask = [2]int{rng.IntN(16), rng.IntN(4)}
			s.put(p.Mask[0], uint64(mc.mask[0]))
			s.put(p.Mask[1], uint64(mc.mask[1]))
			mc.notes, out.seen = map[int]bool{}, map[int]bool{}
			mc.run(a.body)
			s.Step(1)
			if fmt.Sprint(mc.notes) != fmt.Sprint(out.seen) {
				t.Fatalf("%s: printed %v, want %v", what, out.seen, mc.notes)
			}
			for at, want := range mc.words {
				s.put(p.Look, uint64(at))
				s.expect(p.Seen, uint64(want), fmt.Sprintf("%s word %d", what, at))
			}
		}
		s.put(p.Look, 7)
		s.expect(p.Seen, 0, "past the end")
	}
}

// memoryOf builds a component with a memory and returns it.
func memoryOf(t *testing.T, body func(m *hw.Module, p pins, ram *hw.Memory[hw.UInt])) *ir.Memory {
	t.Helper()
	d, _, err := hw.Build(dut(func(m *hw.Module, p pins) {
		ram := hw.Mem(m, "ram", 16, hw.Unsigned(8))
		p.Y.Set(p.A)
		body(m, p, ram)
	}))
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Verify(d); err != nil {
		t.Fatal(err)
	}
	return &d.Top.Mems[0]
}

// Exclusive writes share a port, so that block RAM can be inferred; others get
// one each.
func TestWritePorts(t *testing.T) {
	cases := []struct {
		name string
		want int
		body func(m *hw.Module, p pins, ram *hw.Memory[hw.UInt])
	}{
		{"none", 0, func(m *hw.Module, p pins, ram *hw.Memory[hw.UInt]) {}},
		{"one", 1, func(m *hw.Module, p pins, ram *hw.Memory[hw.UInt]) { ram.Write(p.B, p.A) }},
		{"then and else", 1, func(m *hw.Module, p pins, ram *hw.Memory[hw.UInt]) {
			m.When(p.C, func() { ram.Write(p.B, p.A) }).ElseWhen(p.D, func() { ram.Write(p.B, hw.U(3)) }).Else(func() { ram.Write(hw.U(4), p.A) })
		}},
		{"cases", 1, func(m *hw.Module, p pins, ram *hw.Memory[hw.UInt]) {
			for range hw.Unpack(phases(), p.B.Trunc(2)).Cases() {
				ram.Write(p.B, p.A)
			}
		}},
		{"one after the other", 2, func(m *hw.Module, p pins, ram *hw.Memory[hw.UInt]) {
			m.When(p.C, func() { ram.Write(p.B, p.A) })
			m.When(p.D, func() { ram.Write(p.B, p.A) })
		}},
		{"two in one branch, one in the other", 2, func(m *hw.Module, p pins, ram *hw.Memory[hw.UInt]) {
			m.When(p.C, func() { ram.Write(p.B, p.A); ram.Write(hw.U(0), p.A) }).Else(func() { ram.Write(p.B, p.A) })
		}},
		{"masked and not", 1, func(m *hw.Module, p pins, ram *hw.Memory[hw.UInt]) {
			m.When(p.C, func() { ram.Write(p.B, p.A) }).Else(func() { ram.WriteMask(p.B, p.A, p.B) })
		}},
		{"masked, then not, then masked", 1, func(m *hw.Module, p pins, ram *hw.Memory[hw.UInt]) {
			m.When(p.C, func() { ram.WriteMask(p.B, p.A, p.B) }).
				ElseWhen(p.D, func() { ram.Write(p.B, p.A) }).
				Else(func() { ram.WriteMask(p.B, p.A, p.B.Not()) })
		}},
		{"masks of two sizes", 2, func(m *hw.Module, p pins, ram *hw.Memory[hw.UInt]) {
			m.When(p.C, func() { ram.WriteMask(p.B, p.A, p.B) }).Else(func() { ram.WriteMask(p.B, p.A, p.B.Trunc(2)) })
		}},
		{"masked and not, together", 2, func(m *hw.Module, p pins, ram *hw.Memory[hw.UInt]) {
			ram.Write(p.B, p.A)
			m.When(p.C, func() { ram.WriteMask(p.B, p.A, p.B) })
		}},
		{"made on purpose", 3, func(m *hw.Module, p pins, ram *hw.Memory[hw.UInt]) {
			w := ram.WritePort(m, "w")
			m.When(p.C, func() { w.Write(p.B, p.A) }).Else(func() { w.WriteMask(p.B, p.A, p.B) })
			v := ram.WritePort(m, "v")
			m.When(p.C, func() { v.Write(p.B, p.A); ram.Write(p.B, p.A) })
			ram.WritePort(m, "unused") //hwvet:ignore -- deliberate
		}},
	}
	for _, c := range cases {
		mem := memoryOf(t, c.body)
		if len(mem.Writes) != c.want {
			t.Errorf("%s: %d write ports, want %d", c.name, len(mem.Writes), c.want)
		}
		if c.name == "then and else" && mem.Writes[0].En != ir.None {
			t.Error("a write on every path has an enable")
		}
	}
}

// A port that was used without a mask first writes whole words there, whether it
// was made on purpose or not.
func TestMaskComesLater(t *testing.T) {
	for _, implicit := range []bool{false, true} {
		testMaskComesLater(t, implicit)
	}
}

func testMaskComesLater(t *testing.T, implicit bool) {
	type ports struct {
		C           hw.Bit
		Addr, Y     hw.UInt
		Data, Mask4 hw.UInt
	}
	s, p := run(t, hw.Func("late", ports{hw.In(hw.Bit{}), hw.In(hw.Unsigned(4)), hw.Out(hw.Unsigned(8)), hw.In(hw.Unsigned(8)), hw.In(hw.Unsigned(4))}, func(m *hw.Module, p ports) {
		ram := hw.Mem(m, "ram", 16, hw.Unsigned(8))
		if implicit {
			m.When(p.C, func() { ram.Write(p.Addr, p.Data) }).Else(func() { ram.WriteMask(p.Addr, p.Data, p.Mask4) })
		} else {
			w := ram.WritePort(m, "w")
			m.When(p.C, func() { w.Write(p.Addr, p.Data) }).Else(func() { w.WriteMask(p.Addr, p.Data, p.Mask4) })
		}
		p.Y.Set(ram.Read(p.Addr))
	}))
	s.put(p.C, 1)
	s.put(p.Data, 0xff)
	s.Step(1)
	s.expect(p.Y, 0xff, "the whole word")
	s.put(p.C, 0)
	s.put(p.Data, 0)
	s.put(p.Mask4, 0b0110)
	s.Step(1)
	s.expect(p.Y, 0xc3, "two lanes")
}

type syncPorts struct {
	Read, Write, Other hw.Bit
	From, To           hw.UInt
	Data               hw.UInt
	Old, New, Any, One hw.UInt
}

// Synchronous reads: the element one cycle later, held while not read, with the
// old or the new element where it is written at the same edge.
func TestSyncReads(t *testing.T) {
	w8 := hw.Unsigned(8)
	shape := syncPorts{hw.In(hw.Bit{}), hw.In(hw.Bit{}), hw.In(hw.Bit{}), hw.In(hw.Unsigned(2)), hw.In(hw.Unsigned(2)), hw.In(w8), hw.Out(w8), hw.Out(w8), hw.Out(w8), hw.Out(w8)}
	s, p := run(t, hw.Func("sync", shape, func(m *hw.Module, p syncPorts) {
		ram := hw.Mem(m, "ram", 4, hw.Unsigned(8), hw.ContentsBits(bits.New(8, 10), bits.New(8, 11)), hw.Style("block"))
		old, fresh := ram.ReadPort(m, "old", hw.Old), ram.ReadPort(m, "new", hw.New)
		one := ram.ReadPort(m, "one", hw.Old)
		m.When(p.Read, func() {
			old.Read(p.From)
			fresh.Read(p.From)
			one.Read(p.From)
		})
		m.When(p.Other, func() { one.Read(hw.U(1)) }) // the last use counts
		m.When(p.Write, func() { ram.Write(p.To, p.Data) })
		p.Old.Set(old.Data)
		p.New.Set(fresh.Data)
		p.One.Set(one.Data)
		p.Any.Set(ram.SyncRead("any", p.From, hw.Undefined))
	}))
	rng := rand.New(rand.NewPCG(1, 9))
	words := [4]uint64{10, 11}
	var old, fresh, any, one uint64
	for cycle := range 300 {
		read, write, other := rng.IntN(2), rng.IntN(2), rng.IntN(2)
		from, to, data := rng.Uint64N(4), rng.Uint64N(4), rng.Uint64N(256)
		s.put(p.Read, uint64(read))
		s.put(p.Write, uint64(write))
		s.put(p.Other, uint64(other))
		s.put(p.From, from)
		s.put(p.To, to)
		s.put(p.Data, data)
		before := words
		if write == 1 {
			words[to] = data
		}
		any = before[from]
		if read == 1 {
			old, fresh, one = before[from], words[from], before[from]
		}
		if other == 1 {
			one = before[1]
		}
		s.Step(1)
		what := fmt.Sprintf("cycle %d", cycle)
		s.expect(p.Old, old, what)
		s.expect(p.New, fresh, what)
		s.expect(p.Any, any, what)
		s.expect(p.One, one, what)
	}
}

// Elements may be bundles and enumerations; literals take their widths.
func TestMemoryOfBundles(t *testing.T) {
	type elem struct {
		State hw.Enum[phase]
		Pair  hw.Vec[hw.UInt]
		Neg   hw.SInt
	}
	type ports struct {
		C   hw.Bit
		Is  hw.Bit
		Sum hw.UInt
		Neg hw.SInt
	}
	s, p := run(t, hw.Func("bundles", ports{hw.In(hw.Bit{}), hw.Out(hw.Bit{}), hw.Out(hw.Unsigned(4)), hw.Out(hw.Signed(3))}, func(m *hw.Module, p ports) {
		ram := hw.Mem(m, "ram", 3, elem{phases(), hw.VecOf(2, hw.Unsigned(4)), hw.Signed(3)})
		m.When(p.C, func() {
			ram.Write(hw.U(2), elem{hw.Val(last), hw.Vec[hw.UInt]{hw.U(3), hw.U(9)}, hw.S(-4)})
		})
		got := ram.Read(hw.U(2))
		p.Is.Set(got.State.Is(last))
		p.Sum.Set(got.Pair[0].Add(got.Pair[1]))
		p.Neg.Set(got.Neg)
	}))
	s.expect(p.Is, 0, "before")
	s.put(p.C, 1)
	s.Step(1)
	s.expect(p.Is, 1, "after")
	s.expect(p.Sum, 12, "after")
	s.expect(p.Neg, 4, "after")
}
