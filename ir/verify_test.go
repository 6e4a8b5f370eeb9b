package ir

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir/bits"
)

// good is a valid design with an entry in every table.
func good() *Design {
	d := &Design{Src: NewSources()}
	pos := d.Src.Line("good.go", 7)
	child := NewModule("child", d.Src)
	a := child.AddInput("a", 4, 0, pos)
	child.AddOutput("y", 4, 0, child.Add(Node{Op: Not, Width: 4}, a), pos)

	m := NewModule("top", d.Src)
	clk := m.AddInput("clk", 1, TypeID(Clock), pos) // %1
	rst := m.AddInput("rst", 1, TypeID(Reset), pos) // %2
	x := m.AddInput("x", 4, 0, pos)                 // %3
	c := m.Const(bits.New(4, 5), pos)               // %4
	r := m.AddReg("r", 4, 0, clk, pos)              // %5
	m.Regs[0] = Register{Node: r, Next: x, Clk: clk, Rst: rst, Reset: c, Init: c}
	out := m.Add(Node{Op: MemOut, Width: 4, Pos: pos})                                 // %6
	read := m.Add(Node{Op: MemRead, Width: 4, Pos: pos}, x)                            // %7
	lut := m.AddLut(bits.New(2, 1), pos, rst)                                          // %8
	sel := m.AddCase(4, pos, []bits.Value{bits.New(4, 1), bits.New(4, 3)}, x, x, c, r) // %9
	wide := m.Add(Node{Op: Cat, Width: 8, Pos: pos}, out, read)                        // %10
	m.Mems = []Memory{{
		Name: "mem", Depth: 3, Width: 4, Init: []bits.Value{bits.New(4, 1)}, Pos: pos,
		Reads:  []ReadPort{{Name: "p", Node: out, Clk: clk, Addr: wide, En: rst, Pos: pos}},
		Writes: []WritePort{{Name: "q", Clk: clk, Addr: x, Data: sel, En: lut, Mask: lut, Pos: pos}},
	}}
	m.AddInst("u", child, pos) // %11
	m.Insts[0].Conns[0] = x
	m.AddOutput("y", 4, 0, m.Insts[0].Conns[1], pos)
	m.Stmts = []Stmt{{Kind: Assert, Name: "s", Clk: clk, En: rst, Cond: lut, Format: "%d %%", Args: []ID{x}, Pos: pos}}
	d.Modules, d.Top = []*Module{child, m}, m
	return d
}

func TestGoodVerifies(t *testing.T) { require.NoError(t, Verify(good())) }

// TestVerifyCatches: each violation alone is told, with module and position where
// there is one.
func TestVerifyCatches(t *testing.T) {
	const at = "module top: good.go:7: "
	for _, c := range []struct {
		want string
		do   func(d *Design, m *Module)
	}{
		{"the top is not among the modules", func(d *Design, m *Module) { d.Top = NewModule("other", nil) }},
		{"module top: a second module of this name", func(d *Design, m *Module) { d.Modules[0].Name = "top" }},
		{at + "instance u: its module child does not come before", func(d *Design, m *Module) { d.Modules = []*Module{m, d.Modules[0]} }},
		{at + "instance u: its module child does not come before", func(d *Design, m *Module) { d.Modules = []*Module{m} }},
		{"module top: %12: no such op", func(d *Design, m *Module) { m.Add(Node{Op: Invalid, Width: 1}) }},
		{"%12: no such op", func(d *Design, m *Module) { m.Add(Node{Op: NumOps, Width: 1}) }},
		{"%12: add with 1 arguments", func(d *Design, m *Module) { m.Add(Node{Op: Add, Width: 4}, 3) }},
		{"%12: not with 2 arguments", func(d *Design, m *Module) { m.Add(Node{Op: Not, Width: 4}, 3, 3) }},
		{"%12: not of 0 bits", func(d *Design, m *Module) { m.Add(Node{Op: Not}, 3) }},
		{"%12: argument %0 does not exist", func(d *Design, m *Module) { m.Add(Node{Op: Not, Width: 4}, 0) }},
		{"%12: argument %99 does not exist", func(d *Design, m *Module) { m.Add(Node{Op: Not, Width: 4}, 99) }},
		{"%12: argument %-1 does not exist", func(d *Design, m *Module) { m.Add(Node{Op: Not, Width: 4}, -1) }},
		{at + "%3: input refers to nothing that refers back", func(d *Design, m *Module) { m.Node(3).Aux = 1 }},
		{at + "%3: input refers to nothing that refers back", func(d *Design, m *Module) { m.Node(3).Aux = 9 }},
		{"%5: reg refers to nothing that refers back", func(d *Design, m *Module) { m.Node(5).Aux = -1 }},
		{"%6: memout refers to nothing that refers back", func(d *Design, m *Module) { m.Node(6).Aux2 = 1 }},
		{"%7: memread refers to nothing that refers back", func(d *Design, m *Module) { m.Node(7).Aux = 1 }},
		{"%11: out refers to nothing that refers back", func(d *Design, m *Module) { m.Node(11).Aux2 = 0 }},
		{"%4: const refers to nothing that refers back", func(d *Design, m *Module) { m.Node(4).Aux = 77 }},
		{"%9: case refers to nothing that refers back", func(d *Design, m *Module) { m.Node(9).Aux = 77 }},
		{"output y has 4 bits, want 5", func(d *Design, m *Module) { m.Ports[3].Width = 5 }},
		{"output y is %0, which does not exist", func(d *Design, m *Module) { m.Ports[3].Node = None }},
		{"a second port x", func(d *Design, m *Module) { m.Ports[3].Name = "x" }},
		{at + "register r: %3 is not its node", func(d *Design, m *Module) { m.Regs[0].Node = 3; m.SetName(3, "r") }},
		{"register r: next value has 1 bits, want 4", func(d *Design, m *Module) { m.Regs[0].Next = 1 }},
		{"register r: next value is %0", func(d *Design, m *Module) { m.Regs[0].Next = None }},
		{"register r: %2 is not a clock", func(d *Design, m *Module) { m.Regs[0].Clk = 2 }},
		{"register r: clock has 4 bits, want 1", func(d *Design, m *Module) { m.Regs[0].Clk = 3 }},
		{"register r: reset has 4 bits, want 1", func(d *Design, m *Module) { m.Regs[0].Rst = 3 }},
		{"register r: reset or initial value %3 is not a constant", func(d *Design, m *Module) { m.Regs[0].Init = 3 }},
		{"register r: reset or initial value %3 is not a constant", func(d *Design, m *Module) { m.Regs[0].Reset = 3 }},
		{"register r: reset signal and reset value go together", func(d *Design, m *Module) { m.Regs[0].Rst = None }},
		{"register r: reset signal and reset value go together", func(d *Design, m *Module) { m.Regs[0].Reset = None }},
		{"register r: reset signal and reset value go together", func(d *Design, m *Module) {
			m.Regs[0].Rst, m.Regs[0].Reset, m.Regs[0].Async = None, None, true
		}},
		{"memory mem: 0 words of 4 bits", func(d *Design, m *Module) { m.Mems[0].Depth = 0 }},
		{"memory mem: 3 words of 4 bits, 4 of them given", func(d *Design, m *Module) { m.Mems[0].Init = make([]bits.Value, 4) }},
		{"memory mem: initial word of 3 bits", func(d *Design, m *Module) { m.Mems[0].Init[0] = bits.New(3, 0) }},
		{"memory mem: read data has 1 bits, want 4", func(d *Design, m *Module) { m.Mems[0].Reads[0].Node = 2 }},
		{"memory mem: %3 is not the node of read port 0", func(d *Design, m *Module) { m.Mems[0].Reads[0].Node = 3 }},
		{"memory mem: %2 is not a clock", func(d *Design, m *Module) { m.Mems[0].Reads[0].Clk = 2 }},
		{"memory mem: read address is %0", func(d *Design, m *Module) { m.Mems[0].Reads[0].Addr = None }},
		{"memory mem: read enable has 4 bits", func(d *Design, m *Module) { m.Mems[0].Reads[0].En = 3 }},
		{"memory mem: %2 is not a clock", func(d *Design, m *Module) { m.Mems[0].Writes[0].Clk = 2 }},
		{"memory mem: write address is %0", func(d *Design, m *Module) { m.Mems[0].Writes[0].Addr = None }},
		{"memory mem: write data has 1 bits", func(d *Design, m *Module) { m.Mems[0].Writes[0].Data = 1 }},
		{"memory mem: write enable has 4 bits", func(d *Design, m *Module) { m.Mems[0].Writes[0].En = 3 }},
		{"memory mem: a mask of 8 bits for words of 4", func(d *Design, m *Module) { m.Mems[0].Writes[0].Mask = 10 }},
		{"instance u: 1 connections for 2 ports", func(d *Design, m *Module) { m.Insts[0].Conns = m.Insts[0].Conns[:1] }},
		{"instance u: port a has 1 bits, want 4", func(d *Design, m *Module) { m.Insts[0].Conns[0] = 1 }},
		{"instance u: port a is %0", func(d *Design, m *Module) { m.Insts[0].Conns[0] = None }},
		{"instance u: port y: %3 is not its node", func(d *Design, m *Module) { m.Insts[0].Conns[1] = 3 }},
		{at + "assert s: %2 is not a clock", func(d *Design, m *Module) { m.Stmts[0].Clk = 2 }},
		{"assert s: enable has 4 bits", func(d *Design, m *Module) { m.Stmts[0].En = 3 }},
		{"assert s: condition is %0", func(d *Design, m *Module) { m.Stmts[0].Cond = None }},
		{"assert s: argument is %0", func(d *Design, m *Module) { m.Stmts[0].Args[0] = None }},
		{"assert s: 1 verbs for 0 arguments", func(d *Design, m *Module) { m.Stmts[0].Args = nil }},
		{"assert s: -1 verbs for 1 arguments", func(d *Design, m *Module) { m.Stmts[0].Format = "%q" }},
		{"assert s: exit code 1", func(d *Design, m *Module) { m.Stmts[0].Code = 1 }},
		{"stop s: exit code -1", func(d *Design, m *Module) { m.Stmts[0] = Stmt{Kind: Stop, Name: "s", Clk: m.Stmts[0].Clk, Code: -1} }},
		{"stop s: a message", func(d *Design, m *Module) {
			m.Stmts[0] = Stmt{Kind: Stop, Name: "s", Clk: m.Stmts[0].Clk, Format: "well"}
		}},
		{"module top: combinational loop of 2 nodes", func(d *Design, m *Module) {
			w := m.Add(Node{Op: Wire, Width: 4}, 3)
			m.Args(w)[0] = m.Add(Node{Op: Not, Width: 4}, w)
		}},
		{"module top: combinational loop", func(d *Design, m *Module) { // through the instance
			m.Insts[0].Conns[0] = m.Add(Node{Op: Not, Width: 4}, m.Insts[0].Conns[1])
		}},
	} {
		d := good()
		c.do(d, d.Top)
		err := Verify(d)
		require.Error(t, err, "%s", c.want)
		require.Contains(t, err.Error(), c.want)
	}
}

// TestWidthRules: each op's rule refuses widths that do not fit, by name.
func TestWidthRules(t *testing.T) {
	tested := map[Op]bool{}
	for _, c := range []struct {
		want string
		n    Node
		args []ID // of x of 4 bits (%1), y of 4 bits (%2), b of 1 bit (%3), z of 8 bits (%4)
	}{
		{"constant of 4 bits in a node of 5", Node{Op: Const, Width: 5}, nil},
		{"memory mem has 4 bits", Node{Op: MemRead, Width: 5}, []ID{1}},
		{"argument %1 has 4 bits", Node{Op: Wire, Width: 5}, []ID{1}},
		{"argument %1 has 4 bits", Node{Op: Not, Width: 3}, []ID{1}},
		{"argument %4 has 8 bits", Node{Op: And, Width: 4}, []ID{1, 2, 4}},
		{"argument %4 has 8 bits", Node{Op: Or, Width: 4}, []ID{1, 4}},
		{"argument %1 has 4 bits", Node{Op: Xor, Width: 8}, []ID{1, 4}},
		{"argument %4 has 8 bits", Node{Op: Add, Width: 4}, []ID{1, 4}},
		{"argument %4 has 8 bits", Node{Op: Sub, Width: 4}, []ID{1, 4}},
		{"argument %4 has 8 bits", Node{Op: Div, Width: 4}, []ID{1, 4}},
		{"argument %4 has 8 bits", Node{Op: DivS, Width: 4}, []ID{1, 4}},
		{"argument %4 has 8 bits", Node{Op: Rem, Width: 4}, []ID{1, 4}},
		{"argument %4 has 8 bits", Node{Op: RemS, Width: 4}, []ID{1, 4}},
		{"a product of 12 bits at most", Node{Op: Mul, Width: 13}, []ID{1, 4}},
		{"a product of 12 bits at most", Node{Op: MulS, Width: 13}, []ID{1, 4}},
		{"compares 4 bits with 8", Node{Op: Eq, Width: 1}, []ID{1, 4}},
		{"the result is one bit", Node{Op: Eq, Width: 2}, []ID{1, 2}},
		{"compares 4 bits with 8", Node{Op: Lt, Width: 1}, []ID{1, 4}},
		{"the result is one bit", Node{Op: LtS, Width: 4}, []ID{1, 2}},
		{"argument %1 has 4 bits", Node{Op: Shl, Width: 8}, []ID{1, 4}},
		{"argument %1 has 4 bits", Node{Op: Shr, Width: 8}, []ID{1, 4}},
		{"argument %4 has 8 bits", Node{Op: ShrS, Width: 4}, []ID{4, 1}},
		{"the condition has 4 bits", Node{Op: Mux, Width: 4}, []ID{1, 1, 2}},
		{"argument %4 has 8 bits", Node{Op: Mux, Width: 4}, []ID{3, 1, 4}},
		{"bits 4..1 of 4", Node{Op: Slice, Width: 4, Aux: 1}, []ID{1}},
		{"bits 0..-1 of 4", Node{Op: Slice, Width: 2, Aux: -1}, []ID{1}},
		{"the arguments have 12 bits together", Node{Op: Cat, Width: 11}, []ID{1, 4}},
		{"extends 8 bits", Node{Op: ZExt, Width: 7}, []ID{4}},
		{"extends 8 bits", Node{Op: SExt, Width: 7}, []ID{4}},
		{"the result is one bit", Node{Op: RedAnd, Width: 4}, []ID{1}},
		{"the result is one bit", Node{Op: RedOr, Width: 4}, []ID{1}},
		{"the result is one bit", Node{Op: RedXor, Width: 4}, []ID{1}},
		{"a count of 4 bits has 3", Node{Op: PopCount, Width: 4}, []ID{1}},
		{"argument %1 has 4 bits", Node{Op: Lut, Width: 1}, []ID{1, 3}},
		{"a table of 4 bits for 1 inputs", Node{Op: Lut, Width: 1}, []ID{3}},
		{"the result is one bit", Node{Op: Lut, Width: 2}, []ID{3, 3}},
		{"1 keys for 2 values", Node{Op: Case, Width: 4}, []ID{1, 1, 2, 2}},
		{"for a selector of 8 bits", Node{Op: Case, Width: 4}, []ID{4, 1, 2}},
		{"argument %4 has 8 bits", Node{Op: Case, Width: 4}, []ID{1, 4, 2}},
	} {
		m := NewModule("m", nil)
		m.AddInput("x", 4, 0, 0)
		m.AddInput("y", 4, 0, 0)
		m.AddInput("b", 1, 0, 0)
		m.AddInput("z", 8, 0, 0)
		m.Mems = []Memory{{Name: "mem", Depth: 2, Width: 4}}
		m.addConst(bits.New(4, 3)) // constant and table 0
		m.keys = append(m.keys, []bits.Value{bits.New(4, 1)})
		m.Add(c.n, c.args...)
		err := Verify(&Design{Top: m, Modules: []*Module{m}})
		require.ErrorContains(t, err, c.want, "%s", c.n.Op)
		require.ErrorContains(t, err, "%5 = "+c.n.Op.String())
		tested[c.n.Op] = true
	}
	for o := Invalid + 1; o < NumOps; o++ {
		if !o.Info().Leaf || o == Const {
			require.True(t, tested[o], "the width rule of %s has no test", o)
		}
	}
}

func TestCaseKeysRise(t *testing.T) {
	for _, keys := range [][]bits.Value{{bits.New(4, 3), bits.New(4, 1)}, {bits.New(4, 3), bits.New(4, 3)}} {
		m := NewModule("m", nil)
		x := m.AddInput("x", 4, 0, 0)
		m.AddCase(4, 0, keys, x, x, x, x)
		require.ErrorContains(t, Verify(&Design{Top: m, Modules: []*Module{m}}), "keys are not in rising order")
	}
}

// TestVerifyTellsAll: violations do not hide each other.
func TestVerifyTellsAll(t *testing.T) {
	d := good()
	d.Top.Regs[0].Clk = 2
	d.Top.Mems[0].Depth = 0
	d.Top.Stmts[0].Cond = None
	require.Equal(t, 3, strings.Count(Verify(d).Error(), "\n")+1)
}

// TestBlackBox: a module that stands for Verilog needs no drivers, one with a
// model does.
func TestBlackBox(t *testing.T) {
	m := NewModule("m", nil)
	m.AddOutput("y", 4, 0, None, 0)
	d := &Design{Top: m, Modules: []*Module{m}}
	require.Error(t, Verify(d))
	m.Extern = &Extern{Module: "v"}
	require.NoError(t, Verify(d))
	m.Extern.Model = true
	require.Error(t, Verify(d))
}

func TestVerbs(t *testing.T) {
	for format, n := range map[string]int{"": 0, "x": 0, "%%": 0, "%d": 1, "%x%b%c%%%s": 4, "%": -1, "%d%": -1, "%q": -1, "%5d": -1} {
		require.Equal(t, n, Verbs(format), "%q", format)
	}
}
