package ir

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir/bits"
)

func TestSources(t *testing.T) {
	s := NewSources()
	require.Zero(t, s.Line("a.go", 0))
	p, q := s.Line("dir/a.go", 12), s.Line("dir/a.go", 13)
	require.NotEqual(t, p, q)
	require.Equal(t, p, s.Line("dir/a.go", 12))
	require.Equal(t, Location{"dir/a.go", 12}, s.At(p))
	require.Equal(t, "a.go:12", s.At(p).String())
	require.Equal(t, "?", s.At(0).String())
	require.Equal(t, Location{}, s.At(99))
	require.Equal(t, Location{}, (*Sources)(nil).At(1))

	var pcs [1]uintptr
	runtime.Callers(1, pcs[:])
	_, file, line, _ := runtime.Caller(0)
	here := s.PC(pcs[0], 0)
	require.Equal(t, here, s.PC(pcs[0], 0))
	require.Equal(t, Location{file, line - 1}, s.At(here))
}

func TestTypes(t *testing.T) {
	m := NewModule("m", nil)
	for k := UInt; k < EnumKind; k++ {
		require.Equal(t, TypeID(k), m.AddType(Type{Kind: k}))
		require.Equal(t, k, m.TypeOf(TypeID(k)).Kind)
	}
	phase := &Enum{Name: "phase", Names: []string{"idle", "run"}, Codes: []uint64{0, 5}}
	e := m.AddType(Type{Kind: EnumKind, Enum: phase})
	require.Equal(t, e, m.AddType(Type{Kind: EnumKind, Enum: phase}))
	require.NotEqual(t, e, m.AddType(Type{Kind: EnumKind, Enum: &Enum{Name: "phase"}}))
	f := m.AddType(Type{Kind: Fixed, Frac: -2})
	require.Equal(t, f, m.AddType(Type{Kind: Fixed, Frac: -2}))
	require.Equal(t, "enum phase", m.TypeOf(e).String())
	require.Equal(t, "fixed -2", m.TypeOf(f).String())
	require.Equal(t, "asyncreset", m.TypeOf(TypeID(AsyncReset)).String())
	require.Equal(t, "run", phase.NameOf(5))
	require.Equal(t, "", phase.NameOf(1))
	require.True(t, Fixed.Signed() && SInt.Signed() && !UInt.Signed() && !EnumKind.Signed())
	require.Len(t, m.Types(), int(EnumKind)+3)
}

func TestNodes(t *testing.T) {
	m := NewModule("m", nil)
	x := m.AddInput("x", 4, 0, 0)
	require.Equal(t, 0, m.PortIndex("x"))
	require.Equal(t, -1, m.PortIndex("y"))
	require.Equal(t, "x", m.NameOf(x))
	m.SetName(x, "")
	require.Equal(t, "", m.NameOf(x))

	c := m.Const(bits.New(4, 9), 0)
	require.Equal(t, bits.New(4, 9), m.ConstOf(c))
	a := m.Add(Node{Op: And, Width: 4}, x, c, x)
	m.SetArgs(a, Or, c, x) // fewer: in place
	require.Equal(t, Or, m.Op(a))
	require.Equal(t, []ID{c, x}, m.Args(a))
	b := m.Add(Node{Op: Not, Width: 4}, x)
	m.SetArgs(b, Xor, x, c, a) // more: elsewhere, the others keep theirs
	require.Equal(t, []ID{x, c, a}, m.Args(b))
	require.Equal(t, []ID{c, x}, m.Args(a))
	require.Equal(t, 3, cap(m.Args(b)), "an append to the arguments must not reach the next node's")
	require.Equal(t, 4, m.Width(b))
}

func TestStrings(t *testing.T) {
	require.Equal(t, "input output", In.String()+" "+Out.String())
	require.Equal(t, "old new undefined", Old.String()+" "+New.String()+" "+Undefined.String())
	require.Equal(t, "assert assume cover print stop", Assert.String()+" "+Assume.String()+" "+Cover.String()+" "+Print.String()+" "+Stop.String())
}

// TestEachRef: with every reference replaced by another, Verify complains of
// every table.
func TestEachRef(t *testing.T) {
	d := good()
	seen := map[ID]int{}
	n := 0
	EachRef(d.Top, func(ref *ID) {
		require.NotEqual(t, None, *ref)
		seen[*ref]++
		n++
		*ref = None
	})
	require.Equal(t, 1+5+3+5+1+4, n) // y; register; read; write; instance; statement
	EachRef(d.Top, func(*ID) { t.Fatal("an unset reference") })
	require.Error(t, Verify(d))
}
