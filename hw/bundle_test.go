package hw_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"etch/hw"
	"etch/hw/stream"
	"etch/ir/bits"
)

// header is embedded: its fields count as the bundle's own.
type header struct {
	Kind hw.Enum[phase]
	Len  hw.UInt
}

// packet has everything that a bundle can have.
type packet struct {
	header
	Note   string // not hardware
	Flags  [2]hw.Bit
	Rows   hw.Vec[hw.Vec[hw.UInt]]
	Signed hw.SInt `hw:"neg"`
	Flat   struct {
		A hw.Bit
		B hw.UInt
	} `hw:",inline"`
	Skip    hw.UInt `hw:"-"`
	HTTPBus hw.Bit
}

func packetShape() packet {
	p := packet{header: header{phases(), hw.Unsigned(5)}, Flags: [2]hw.Bit{}, Rows: hw.VecOf(2, hw.VecOf(3, hw.Unsigned(4))), Signed: hw.Signed(7)}
	p.Flat.B = hw.Unsigned(70)
	return p
}

// fields are the scalars of a packet in order, with their places in the packed
// word: first field at the top, element 0 at the bottom.
var packetFields = []struct {
	path   string
	lo, hi int
}{
	{"kind", 110, 111}, {"len", 105, 109}, {"flags_0", 103, 103}, {"flags_1", 104, 104},
	{"rows_0_0", 79, 82}, {"rows_0_1", 83, 86}, {"rows_0_2", 87, 90}, {"rows_1_0", 91, 94}, {"rows_1_1", 95, 98}, {"rows_1_2", 99, 102},
	{"neg", 72, 78}, {"a", 71, 71}, {"b", 1, 70}, {"http_bus", 0, 0},
}

func TestLeaves(t *testing.T) {
	var got []string
	for _, l := range hw.Leaves(packetShape()) {
		got = append(got, fmt.Sprintf("%s:%d", l.Path, l.Signal.Width()))
	}
	var want []string
	for _, f := range packetFields {
		w := f.hi - f.lo + 1
		if f.path == "flags_0" || f.path == "flags_1" || f.path == "a" || f.path == "http_bus" {
			w = 0 // the zero handle is the shape
		}
		want = append(want, fmt.Sprintf("%s:%d", f.path, w))
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("leaves\n%v, want\n%v", got, want)
	}
	if w := hw.WidthOf(packetShape()); w != 112 {
		t.Errorf("width %d, want 112", w)
	}
}

type packPorts struct {
	Word  hw.UInt
	In    packet
	Out   packet
	Back  hw.UInt
	Stage hw.UInt
	Pick  hw.UInt
	C     hw.Bit
}

// TestPack takes packets apart and together, through wires, registers and muxes.
func TestPack(t *testing.T) {
	word := hw.Unsigned(112)
	shape := packPorts{hw.In(word), hw.In(packetShape()), hw.Out(packetShape()), hw.Out(word), hw.Out(word), hw.Out(word), hw.In(hw.Bit{})}
	d, p, err := hw.Build(hw.Func("pack", shape, func(m *hw.Module, p packPorts) {
		un := hw.Named(m, "un", hw.Unpack(packetShape(), p.Word))
		hw.Set(p.Out, un)
		p.Back.Set(hw.Pack(p.In))
		r := hw.Reg(m, "r", packetShape(), hw.Zero(packetShape()))
		hw.Set(r, un)
		p.Stage.Set(hw.Pack(r))
		p.Pick.Set(hw.Pack(hw.Mux(p.C, un, p.In)))
	}))
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, d)
	rng := rand.New(rand.NewPCG(7, 7))
	outs, ins := hw.Leaves(p.Out), hw.Leaves(p.In)
	for range 100 {
		v, u := number(rng, 112), number(rng, 112)
		s.set(p.Word, v)
		s.put(p.C, 1)
		for i, f := range packetFields {
			part := func(v *big.Int) *big.Int {
				x := new(big.Int).Rsh(v, uint(f.lo))
				return x.And(x, ones(f.hi-f.lo+1))
			}
			s.set(ins[i].Signal, part(u))
			want := bits.FromBig(f.hi-f.lo+1, part(v))
			if got := s.GetBits(s.port(outs[i].Signal)); !got.Equal(want) {
				t.Fatalf("%s of %x is %v, want %v", f.path, v, got, want)
			}
			if got := s.named("un_" + f.path); !got.Equal(want) {
				t.Fatalf("un_%s is %v, want %v", f.path, got, want)
			}
		}
		s.same(p.Back, u)
		s.same(p.Pick, v)
		s.put(p.C, 0)
		s.same(p.Pick, u)
		s.Step(1)
		s.same(p.Stage, v)
	}
}

// same checks a wide port.
func (r *rig) same(s hw.Signal, want *big.Int) {
	r.t.Helper()
	if got := r.GetBits(r.port(s)); got.Big().Cmp(want) != 0 {
		r.t.Fatalf("%s is %v, want %x", r.port(s).Name(), got, want)
	}
}

// flipPorts pass a bundle with a field that travels against it, directly, by
// index, through an instance, nested, and as a stream.
type flipPorts struct {
	In, Out flipped
	Ins     hw.Vec[flipped]
	One     flipped
	Sel     hw.UInt
	Deep    struct{ Up, Down nestedFlip }
	Stream  struct{ In, Out stream.Stream[hw.UInt] }
}

type nestedFlip struct {
	Req flipped
	Rsp flipped // the other way
}

func nestedShape() nestedFlip { return nestedFlip{flipShape(), hw.Flip(flipShape())} }

func flipPortShapes() (p flipPorts) {
	p.In, p.Out = hw.In(flipShape()), hw.Out(flipShape())
	p.Ins, p.One, p.Sel = hw.In(hw.VecOf(3, flipShape())), hw.Out(flipShape()), hw.In(hw.Unsigned(2))
	p.Deep.Up, p.Deep.Down = hw.In(nestedShape()), hw.Out(nestedShape())
	p.Stream.In, p.Stream.Out = hw.In(stream.Of(hw.Unsigned(8))), hw.Out(stream.Of(hw.Unsigned(8)))
	return p
}

func TestFlip(t *testing.T) {
	thru := hw.Func("thru", struct{ In, Out flipped }{hw.In(flipShape()), hw.Out(flipShape())}, func(m *hw.Module, p struct{ In, Out flipped }) {
		hw.Set(p.Out, p.In)
	})
	s, p := run(t, hw.Func("flip", flipPortShapes(), func(m *hw.Module, p flipPorts) {
		hw.Inst(m, "u", thru, struct{ In, Out flipped }{In: p.In, Out: p.Out})
		for _, in := range p.Ins {
			in.Ready.Set(hw.B(false))
		}
		hw.Set(p.One, p.Ins.At(p.Sel))
		w := hw.Wire(m, "w", hw.Like(p.Deep.Up)) // flips stay
		hw.Set(w, p.Deep.Up)
		hw.Set(p.Deep.Down, w)
		hw.Set(p.Stream.Out, stream.Map(p.Stream.In, func(x hw.UInt) hw.UInt { return x.Inc() }))
	}))
	s.put(p.In.Valid, 1)
	s.put(p.In.Data, 77)
	s.put(p.Out.Ready, 1)
	s.expect(p.Out.Valid, 1, "forwards")
	s.expect(p.Out.Data, 77, "forwards")
	s.expect(p.In.Ready, 1, "backwards")
	s.put(p.Out.Ready, 0)
	s.expect(p.In.Ready, 0, "backwards")

	s.put(p.One.Ready, 1)
	for i, in := range p.Ins {
		s.put(in.Data, uint64(50+i))
		s.put(in.Valid, 1)
	}
	for sel := range 4 {
		s.put(p.Sel, uint64(sel))
		want := uint64(50 + sel)
		if sel == 3 {
			want = 0
		}
		s.expect(p.One.Data, want, fmt.Sprint("choice ", sel))
		for i, in := range p.Ins {
			ready := uint64(0)
			if i == sel {
				ready = 1
			}
			s.expect(in.Ready, ready, fmt.Sprintf("ready %d of choice %d", i, sel))
		}
	}

	s.put(p.Deep.Up.Req.Data, 3)
	s.put(p.Deep.Down.Req.Ready, 1)
	s.put(p.Deep.Down.Rsp.Data, 4)
	s.put(p.Deep.Up.Rsp.Ready, 1)
	s.expect(p.Deep.Down.Req.Data, 3, "request")
	s.expect(p.Deep.Up.Req.Ready, 1, "its ready")
	s.expect(p.Deep.Up.Rsp.Data, 4, "response")
	s.expect(p.Deep.Down.Rsp.Ready, 1, "its ready")

	s.put(p.Stream.In.Data, 9)
	s.put(p.Stream.Out.Ready, 1)
	s.expect(p.Stream.Out.Data, 10, "mapped")
	s.expect(p.Stream.In.Ready, 1, "mapped")
}

// Set of a flipped field by itself is an ordinary Set.
func TestFlippedFieldAlone(t *testing.T) {
	type ports struct {
		In    flipped
		Ready hw.Bit
	}
	s, p := run(t, hw.Func("alone", ports{hw.In(flipShape()), hw.In(hw.Bit{})}, func(m *hw.Module, p ports) {
		hw.Set(p.In.Ready, p.Ready)
		r := hw.Reg(m, "r", hw.Like(p.In.Ready)) // and the shape of one is not flipped
		hw.Set(r, p.In.Valid)
	}))
	s.put(p.Ready, 1)
	s.expect(p.In.Ready, 1, "set by itself")
}

// A value written to an element chosen by hardware reaches that element only.
func TestSetByIndex(t *testing.T) {
	type cell struct {
		A hw.UInt
		B hw.Bit
	}
	type ports struct {
		At   hw.UInt
		Data cell
		Out  hw.Vec[cell]
		Back cell
	}
	shape := cell{hw.Unsigned(8), hw.Bit{}}
	s, p := run(t, hw.Func("index", ports{hw.In(hw.Unsigned(3)), hw.In(shape), hw.Out(hw.VecOf(5, shape)), hw.Out(shape)}, func(m *hw.Module, p ports) {
		v := hw.Reg(m, "v", hw.VecOf(5, shape), hw.Zero(hw.VecOf(5, shape)))
		hw.Set(v.At(p.At), p.Data)
		hw.Set(p.Out, v)
		hw.Set(p.Back, v.At(p.At))
	}))
	s.Reset()
	rng := rand.New(rand.NewPCG(2, 2))
	var want [5][2]uint64
	for range 200 {
		at, a, b := rng.IntN(8), rng.Uint64N(256), rng.Uint64N(2)
		s.put(p.At, uint64(at))
		s.put(p.Data.A, a)
		s.put(p.Data.B, b)
		s.Step(1)
		if at < 5 {
			want[at] = [2]uint64{a, b}
			s.expect(p.Back.A, a, "read back")
		} else {
			s.expect(p.Back.A, 0, "past the end")
		}
		for i, out := range p.Out {
			s.expect(out.A, want[i][0], fmt.Sprintf("element %d after writing %d", i, at))
			s.expect(out.B, want[i][1], fmt.Sprintf("element %d after writing %d", i, at))
		}
	}
}

// Decode takes fields that an entry leaves unset from the default.
func TestDecode(t *testing.T) {
	type ctl struct {
		State hw.Enum[phase]
		On    hw.Bit
		N     hw.UInt
		Neg   hw.SInt
	}
	type ports struct {
		Op  hw.UInt
		Ctl ctl
	}
	shape := ctl{phases(), hw.Bit{}, hw.Unsigned(4), hw.Signed(4)}
	s, p := run(t, hw.Func("decode", ports{hw.In(hw.Unsigned(6)), hw.Out(shape)}, func(m *hw.Module, p ports) {
		deflt := hw.Sized(shape, ctl{State: hw.Val(busy), N: hw.U(9)})
		hw.Set(p.Ctl, hw.Decode(p.Op, deflt, map[string]ctl{
			"00 ---1": {On: hw.B(true), Neg: hw.S(-3)},
			"01_0000": {State: hw.Val(last)},
			"01 0001": {State: hw.Val(last), N: hw.U(9)},
			"1?????":  {On: hw.B(true), N: hw.U(1), State: hw.Val(idle)},
		}))
	}))
	for op := range uint64(64) {
		want := [4]uint64{1, 0, 9, 0}
		switch {
		case op>>4 == 0 && op&1 == 1:
			want[1], want[3] = 1, 13
		case op == 16, op == 17:
			want[0] = 2
		case op >= 32:
			want = [4]uint64{0, 1, 1, 0}
		}
		s.put(p.Op, op)
		for i, l := range hw.Leaves(p.Ctl) {
			s.expect(l.Signal, want[i], fmt.Sprintf("op %06b", op))
		}
	}
}

// LeafPairs and LiteralOf serve test benches.
func TestLiteralOf(t *testing.T) {
	for _, c := range []struct {
		lit, like hw.Signal
		want      string
		ok        bool
		fail      string
	}{
		{hw.U(5), hw.Unsigned(8), "8'h5", true, ""},
		{hw.S(-1), hw.Signed(8), "8'hff", true, ""},
		{hw.Val(last), phases(), "2'h2", true, ""},
		{hw.UInt{}, hw.Unsigned(8), "", false, ""},
		{hw.U(256), hw.Unsigned(8), "", false, "does not fit"},
		{hw.Unsigned(8), hw.Unsigned(8), "", false, "is not a literal"},
		{hw.Val(phase("x")), phases(), "", false, "is not one of"},
	} {
		v, ok, err := hw.LiteralOf(c.lit, c.like)
		if ok != c.ok || (err != nil) != (c.fail != "") || err != nil && !strings.Contains(err.Error(), c.fail) || ok && v.String() != c.want {
			t.Errorf("%v, %v, %v; want %+v", v, ok, err, c)
		}
	}
	n := 0
	err := hw.LeafPairs(packetShape(), packet{header: header{Len: hw.U(3)}}, func(a, b hw.Signal) {
		if b.(interface{ Width() int }) != nil {
			n++
		}
	})
	if err != nil || n != len(packetFields) {
		t.Errorf("%d pairs, %v", n, err)
	}

	values, err := hw.LeafValues(packetShape(), packet{header: header{Len: hw.U(3)}})
	if err != nil || len(values) != len(packetFields) {
		t.Errorf("%d values, %v", len(values), err)
	}
	for i, l := range hw.Leaves(packetShape()) {
		isLen := strings.HasSuffix(l.Path, "len")
		if v := values[i]; v.Given != isLen || isLen && v.Value.Uint64() != 3 {
			t.Errorf("%s: %v", l.Path, v)
		}
	}
	if _, err := hw.LeafValues(packetShape(), packet{header: header{Len: hw.U(1 << 20)}}); err == nil || !strings.Contains(err.Error(), "does not fit") {
		t.Errorf("a literal that does not fit: %v", err)
	}
}
