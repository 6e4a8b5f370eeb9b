package passes_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/passes"
)

// shape makes a module of about n nodes in a shape that costs the square of n if
// somebody is careless.
type shape struct {
	name string
	make func(m *ir.Module, n int) ir.ID
	most int // nodes that are left of 100,000, at most
}

var shapes = []shape{
	{"chain of comparisons", eqChain, 1 << 30},
	{"row of cases", caseRow, 60},
	{"row of cases with other uses", nestedCases, 1 << 30},
	{"bits of a wide vector", wideVector, 60},
	{"wide logic", wideLogic, 60},
	{"two equal delay lines", delayLines, 50_100},
	{"constant delay line", constantLine, 60},
	{"shared arms", sharedArms, 1 << 30},
	{"deep sums", deepSums, 1 << 30},
}

func eqChain(m *ir.Module, n int) ir.ID {
	x := m.AddInput("x", 20, 0, 0)
	y := m.AddInput("y", 8, 0, 0)
	v := y
	for i := range n / 4 {
		k := m.Const(bits.New(20, uint64(i)), 0)
		c := m.Add(ir.Node{Op: ir.Eq, Width: 1}, x, k)
		not := m.Add(ir.Node{Op: ir.Xor, Width: 8}, y, m.Const(bits.New(8, uint64(i%255+1)), 0))
		v = m.Add(ir.Node{Op: ir.Mux, Width: 8}, c, not, v)
	}
	return v
}

func caseRow(m *ir.Module, n int) ir.ID {
	x := m.AddInput("x", 20, 0, 0)
	y := m.AddInput("y", 8, 0, 0)
	not := m.Add(ir.Node{Op: ir.Not, Width: 8}, y)
	v := y
	for i := range n {
		v = m.AddCase(8, 0, []bits.Value{bits.New(20, uint64(2*i)), bits.New(20, uint64(2*i+1))}, x, v, y, not)
	}
	return v
}

func nestedCases(m *ir.Module, n int) ir.ID {
	x := m.AddInput("x", 20, 0, 0)
	y := m.AddInput("y", 8, 0, 0)
	v := y
	for i := range n / 2 {
		not := m.Add(ir.Node{Op: ir.Not, Width: 8}, v)
		v = m.AddCase(8, 0, []bits.Value{bits.New(20, uint64(2*i)), bits.New(20, uint64(2*i+1))}, x, v, y, not)
	}
	return v
}

// wideVector takes a vector apart and puts it together again.
func wideVector(m *ir.Module, n int) ir.ID {
	x := m.AddInput("x", n/3, 0, 0)
	for range 2 {
		parts := make([]ir.ID, n/3)
		for i := range parts {
			parts[i] = m.Add(ir.Node{Op: ir.Slice, Width: 1, Aux: int32(n/3 - 1 - i)}, x)
		}
		x = m.Add(ir.Node{Op: ir.Cat, Width: int32(n / 3)}, parts...)
	}
	return x
}

func wideLogic(m *ir.Module, n int) ir.ID {
	x := m.AddInput("x", 8, 0, 0)
	y := m.AddInput("y", 8, 0, 0)
	args := make([]ir.ID, n)
	for i := range args {
		args[i] = []ir.ID{x, y}[i%2]
	}
	return m.Add(ir.Node{Op: ir.And, Width: 8}, args...)
}

func delayLine(m *ir.Module, x ir.ID, n int, init bits.Value) ir.ID {
	c := m.Const(init, 0)
	for range n {
		r := m.AddReg(fmt.Sprintf("r%d", len(m.Regs)), init.Width(), 0, 1, 0)
		m.Regs[len(m.Regs)-1].Next, m.Regs[len(m.Regs)-1].Init = x, c
		x = r
	}
	return x
}

func delayLines(m *ir.Module, n int) ir.ID {
	x := m.AddInput("x", 8, 0, 0)
	a, b := delayLine(m, x, n/2, bits.Zero(8)), delayLine(m, x, n/2, bits.Zero(8))
	return m.Add(ir.Node{Op: ir.Add, Width: 8}, a, b)
}

// constantLine is a delay line of zeros with a gate before every register.
func constantLine(m *ir.Module, n int) ir.ID {
	y := m.AddInput("y", 8, 0, 0)
	zero := m.Const(bits.Zero(8), 0)
	x := zero
	for range n / 2 {
		x = delayLine(m, m.Add(ir.Node{Op: ir.And, Width: 8}, x, y), 1, bits.Zero(8))
	}
	return x
}

func sharedArms(m *ir.Module, n int) ir.ID {
	x, y := m.AddInput("x", 8, 0, 0), m.AddInput("y", 8, 0, 0)
	s := m.AddInput("s", n/2, 0, 0)
	v := y
	for i := range n / 2 {
		c := m.Add(ir.Node{Op: ir.Slice, Width: 1, Aux: int32(i)}, s)
		v = m.Add(ir.Node{Op: ir.Mux, Width: 8}, c, x, v)
	}
	return v
}

func deepSums(m *ir.Module, n int) ir.ID {
	x := m.AddInput("x", 16, 0, 0)
	for range n / 3 {
		wide := m.Add(ir.Node{Op: ir.SExt, Width: 33}, x)
		sum := m.Add(ir.Node{Op: ir.MulS, Width: 40}, wide, wide)
		x = m.Add(ir.Node{Op: ir.Slice, Width: 16, Aux: 1}, sum)
	}
	return x
}

// TestLargeShapes: 100,000 nodes of each shape take seconds, not minutes.
func TestLargeShapes(t *testing.T) {
	n := 100_000
	if testing.Short() {
		n = 10_000
	}
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) {
			d := &ir.Design{Src: ir.NewSources()}
			m := ir.NewModule("m", d.Src)
			m.AddInput("clk0", 1, ir.TypeID(ir.Clock), 0)
			out := s.make(m, n)
			m.AddOutput("o", m.Width(out), 0, out, 0)
			d.Modules, d.Top = []*ir.Module{m}, m
			require.NoError(t, ir.Verify(d))
			start := time.Now()
			small := passes.Optimize(d, passes.Options{})
			took := time.Since(start)
			require.NoError(t, ir.Verify(small))
			require.LessOrEqual(t, size(small), s.most)
			t.Logf("%d nodes, %d left, %s, %d ns/node", m.Len(), size(small), took.Round(time.Millisecond), took.Nanoseconds()/int64(m.Len()))
			require.Less(t, took, 30*time.Second)
		})
	}
}
