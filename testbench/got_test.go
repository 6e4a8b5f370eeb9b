package testbench

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/hw/fixed"
	"etch/hw/stream"
	"etch/ir/bits"
)

type gotKind string

type gotHeader struct {
	Kind hw.Enum[gotKind]
	Last hw.Bit
}

type gotForm struct {
	Head  gotHeader
	Body  hw.SInt
	Size  hw.UInt
	Lanes hw.Vec[hw.UInt]
	Price fixed.Num
	Wide  hw.UInt
}

func gotShape() gotForm {
	return gotForm{
		Head: gotHeader{Kind: hw.EnumOf[gotKind]("read", "write", "idle")},
		Body: hw.Signed(8), Size: hw.Unsigned(8), Lanes: hw.VecOf(2, hw.Unsigned(4)),
		Price: fixed.Of(fixed.Format{Width: 8, Frac: 4}), Wide: hw.Unsigned(70),
	}
}

// gotWire hands a stream on.
type gotWire struct{}

type gotPorts struct{ In, Out stream.Stream[gotForm] }

func (gotWire) Ports() gotPorts {
	return gotPorts{In: hw.In(stream.Of(gotShape())), Out: hw.Out(stream.Of(gotShape()))}
}

func (gotWire) Build(m *hw.Module, p gotPorts) { hw.Set(p.Out, p.In) }

// gotSink has taken two elements: all scalars at their least, and others.
func gotSink(t testing.TB) *Sink[gotForm] {
	s, p := New(t, gotWire{})
	out := NewSink(s, p.Out)
	in := NewSource(s, p.In)
	wide := bits.Ones(70)
	in.Send(
		gotForm{Head: gotHeader{hw.Val[gotKind]("read"), hw.Low}, Body: hw.S(-128), Size: hw.U(0),
			Lanes: hw.Vec[hw.UInt]{hw.U(1), hw.U(2)}, Price: gotShape().Price.LitRaw(-24), Wide: hw.U(0)},
		gotForm{Head: gotHeader{hw.Val[gotKind]("idle"), hw.High}, Body: hw.S(127), Size: hw.U(255),
			Lanes: hw.Vec[hw.UInt]{hw.U(15), hw.U(0)}, Price: gotShape().Price.LitRaw(7), Wide: hw.UVal(wide)},
	)
	s.StepUntil(func() bool { return len(out.Got()) == 2 }, 100)
	return out
}

func TestGotIsTyped(t *testing.T) {
	out := gotSink(t)
	type header struct {
		Last bool
		Kind gotKind
	}
	type packet struct {
		Head  header
		Body  int8
		Size  uint8
		Lanes [2]int
		Price int
		Wide  bits.Value
	}
	require.Equal(t, []packet{
		{header{false, "read"}, -128, 0, [2]int{1, 2}, -24, bits.Zero(70)},
		{header{true, "idle"}, 127, 255, [2]int{15, 0}, 7, bits.Ones(70)},
	}, Got[packet](out))

	// Other types for the same scalars, and fields left out.
	type loose struct {
		Lanes []uint16
		Size  int
		Head  struct{ Kind string }
	}
	got := Got[loose](out)
	require.Equal(t, []uint16{15, 0}, got[1].Lanes)
	require.Equal(t, 255, got[1].Size)
	require.Equal(t, "idle", got[1].Head.Kind)
	require.Len(t, out.Got(), 2, "what has been taken stays")
}

// Types that do not hold what the stream gives end the test, and say why.
func TestGotRefuses(t *testing.T) {
	for why, got := range map[string]func(out *Sink[gotForm]){
		"a uint8 cannot hold its body of out, which is signed, 8 bits": func(out *Sink[gotForm]) { Got[struct{ Body uint8 }](out) },
		"a int8 cannot hold its size of out":                           func(out *Sink[gotForm]) { Got[struct{ Size int8 }](out) },
		"a int cannot hold its head_kind of out, which is a":           func(out *Sink[gotForm]) { Got[struct{ Head struct{ Kind int } }](out) },
		"has no field Bodies":                                          func(out *Sink[gotForm]) { Got[struct{ Bodies int }](out) },
		"field body of struct { body int } is not":                     func(out *Sink[gotForm]) { Got[struct{ body int }](out) },
		"a [3]int cannot hold the 2 elements":                          func(out *Sink[gotForm]) { Got[struct{ Lanes [3]int }](out) },
		"a uint64 cannot hold its wide of out":                         func(out *Sink[gotForm]) { Got[struct{ Wide uint64 }](out) },
		"a string cannot hold a testbench.gotHeader":                   func(out *Sink[gotForm]) { Got[struct{ Head string }](out) },
	} {
		f := attempt(t, func(t testing.TB) { got(gotSink(t)) })
		require.Contains(t, f.fatal, why)
	}
}
