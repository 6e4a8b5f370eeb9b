//hwvet:ignore -- these mistakes are deliberate

package hw_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math/big"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"

	"etch/hw"
	"etch/ir"
	"etch/ir/bits"
)

// Nothing exported panics, whatever handles it is given: every method of every
// kind and every generic function is called with good, unset, mistaken, foreign
// and half-made operands, and numbers out of range.

// operands are values of each kind to call with; the first of a kind is a good
// one.
type operands map[reflect.Type][]reflect.Value

func (o operands) add(xs ...any) {
	for _, x := range xs {
		t := reflect.TypeOf(x)
		o[t] = append(o[t], reflect.ValueOf(x))
	}
}

// oddPorts are ports of all kinds.
type oddPorts struct {
	Bit   hw.Bit
	UInt  hw.UInt
	SInt  hw.SInt
	Enum  hw.Enum[phase]
	Dom   hw.Domain
	Vec   hw.Vec[hw.UInt]
	Flip  flipped
	Pad   hw.Pad[hw.UInt]
	OBit  hw.Bit
	OUInt hw.UInt
	OSInt hw.SInt
	OEnum hw.Enum[phase]
	OVec  hw.Vec[hw.UInt]
}

func oddShapes() oddPorts {
	return oddPorts{
		Bit: hw.In(hw.Bit{}), UInt: hw.In(hw.Unsigned(8)), SInt: hw.In(hw.Signed(8)), Enum: hw.In(phases()), Dom: hw.In(hw.Domain{}),
		Vec: hw.In(hw.VecOf(3, hw.Unsigned(8))), Flip: hw.In(flipShape()), Pad: hw.InOut(hw.Unsigned(8)),
		OBit: hw.Out(hw.Bit{}), OUInt: hw.Out(hw.Unsigned(8)), OSInt: hw.Out(hw.Signed(8)), OEnum: hw.Out(phases()), OVec: hw.Out(hw.VecOf(3, hw.Unsigned(8))),
	}
}

// oddOperands makes the operands in a module under construction; leak is of a
// finished one.
func oddOperands(m *hw.Module, p, leak oddPorts) operands {
	o := operands{}
	homeless := hw.U(1).Add(hw.U(2)) // a mistake that no module knows of
	poison := p.UInt.Add(hw.Unsigned(3))
	o.add(p.UInt, hw.UInt{}, poison, homeless, leak.UInt, leak.OUInt, p.OUInt, p.OVec.At(p.UInt), p.Vec.At(p.UInt), hw.Unsigned(8), hw.Unsigned(0), hw.Unsigned(-3),
		hw.Unsigned(1<<40), hw.U(3), hw.U(-1), hw.UBig(new(big.Int).Lsh(big.NewInt(1), 200)), hw.UVal(bits.New(8, 1)), p.Bit.UInt(), p.Enum.Bits(), hw.Zeros(8), hw.Ones(0), p.OUInt.Range(5, 2), p.UInt.Range(5, 2), leak.OUInt.Range(3, 0), p.OEnum.Bits().Range(1, 1), hw.In(hw.Unsigned(4)))
	o.add(p.SInt, hw.SInt{}, poison.AsSigned(), homeless.AsSigned(), leak.SInt, leak.OSInt, p.OSInt, hw.Signed(8), hw.Signed(0), hw.S(3), hw.S(-300), hw.FixedPoint(8, 90))
	o.add(hw.FloatingPoint(4, 3, ir.TopIEEE), hw.FloatingPoint(-1, 0, ir.TopFinite), hw.NoLiteral(8, "none"))
	o.add(p.Bit, hw.Bit{}, poison.Bit(0), homeless.Any(), leak.Bit, leak.OBit, p.OBit, hw.B(true), hw.Like(p.Bit), hw.Out(hw.Bit{}), hw.Flip(hw.Bit{}), p.OUInt.Bit(7), p.OSInt.Bit(0))
	o.add(p.Enum, hw.Enum[phase]{}, hw.Mux(poison.Bit(0), p.Enum, p.Enum), leak.Enum, leak.OEnum, p.OEnum, phases(), hw.EnumOf[phase](), hw.Val(busy), hw.Val(phase("none")), hw.Unpack(phases(), p.UInt.Trunc(2)))
	o.add(p.Dom.Clk, hw.Clock{}, leak.Dom.Clk, hw.In(hw.Clock{}))
	o.add(p.Dom.Rst, hw.Reset{}, leak.Dom.Rst, hw.AsyncReset(), poison.Bit(0).AsReset())
	o.add(p.Dom, hw.Domain{}, leak.Dom, hw.AsyncDomain(), hw.Domain{Clk: p.Dom.Clk})
	o.add(p.Vec, hw.Vec[hw.UInt]{}, leak.Vec, hw.Vec[hw.UInt]{p.UInt, {}}, hw.VecOf(3, hw.UInt{}), p.OVec)
	o.add(p.Flip, flipped{}, leak.Flip, flipShape())
	o.add(p.Pad, hw.Pad[hw.UInt]{}, leak.Pad, hw.InOut(hw.Unsigned(8)), hw.InOut(hw.Unsigned(0)), hw.InOut(hw.UInt{}), hw.InOut(poison), hw.InOut(hw.U(3)), hw.Net(m, "oddnet", hw.Unsigned(3)))
	o.add(hw.PullUp, hw.PullDown)
	o.add(1, -1, 0, 7, 1<<40, -1<<62, 1<<62)
	o.add("name", "", "a b", "clk", "%d %z", "u_int")
	o.add(idle, phase("none"))
	o.add(func() {}, (func())(nil))
	o.add([]hw.Bit{p.Bit}, []hw.Bit{}, []hw.Bit{p.Bit, {}, poison.Bit(1)})
	o.add([]int{3}, []int{}, []int{3, 3, -1, 1 << 40})
	o.add([]phase{idle}, []phase{}, []phase{busy, "none"})
	o.add([]hw.Signal{p.UInt}, []hw.Signal{}, []hw.Signal{nil}, []hw.Signal{poison, leak.Bit, hw.U(3), hw.UBig(new(big.Int).Lsh(big.NewInt(1), 99))})
	o.add([]any{}, []any{3, "x"})
	o.add(m)
	o[reflect.TypeFor[any]()] = []reflect.Value{reflect.ValueOf("TRUE"), reflect.ValueOf(1 << 40), reflect.ValueOf(1.5), reflect.Zero(reflect.TypeFor[any]()), reflect.ValueOf("\n")}
	return o
}

// calls makes argument lists for parameters: each value of each kind once, the
// others good.
func (o operands) calls(t testing.TB, params []reflect.Type) (lists [][]reflect.Value) {
	good := make([]reflect.Value, len(params))
	for i, p := range params {
		if len(o[p]) == 0 {
			t.Fatalf("no operands of type %v", p)
		}
		good[i] = o[p][0]
	}
	lists = append(lists, good)
	for i, p := range params {
		for _, odd := range o[p][1:] {
			list := append([]reflect.Value(nil), good...)
			list[i] = odd
			lists = append(lists, list)
		}
	}
	return lists
}

// guard runs f and reports a panic.
func guard(t testing.TB, what string, f func()) {
	defer func() {
		if r := recover(); r != nil {
			if _, stray := r.(hw.Errors); stray && what != "Build" {
				return // a statement without a module unwinds to Build, by design
			}
			t.Errorf("%s panics: %v\n%s", what, r, debug.Stack())
		}
	}()
	f()
}

// inOdd runs f in a module with operands and builds to the end.
func inOdd(t testing.TB, f func(m *hw.Module, p oddPorts, o operands)) {
	c := hw.Func("odd", oddShapes(), func(m *hw.Module, p oddPorts) {
		var leak oddPorts
		hw.Inst(m, "leaky", hw.Func("leaky", oddShapes(), func(m *hw.Module, q oddPorts) { leak = q }))
		f(m, p, oddOperands(m, p, leak))
	})
	guard(t, "Build", func() {
		if _, _, err := hw.Build(c); err == nil {
			t.Error("no error at all")
		} else if len(err.Error()) == 0 {
			t.Error("an error without text")
		}
	})
}

func TestMethodsDoNotPanic(t *testing.T) {
	for _, kind := range []reflect.Type{
		reflect.TypeFor[hw.Bit](), reflect.TypeFor[hw.UInt](), reflect.TypeFor[hw.SInt](), reflect.TypeFor[hw.Enum[phase]](),
		reflect.TypeFor[hw.Clock](), reflect.TypeFor[hw.Reset](), reflect.TypeFor[hw.Vec[hw.UInt]](), reflect.TypeFor[hw.Pad[hw.UInt]](), reflect.TypeFor[*hw.Module](),
	} {
		for i := range kind.NumMethod() {
			method := kind.Method(i)
			inOdd(t, func(m *hw.Module, p oddPorts, o operands) {
				var params []reflect.Type
				for j := range method.Type.NumIn() {
					params = append(params, method.Type.In(j))
				}
				for n, list := range o.calls(t, params) {
					call(t, fmt.Sprintf("%v.%s call %d", kind, method.Name, n), method, list)
				}
			})
		}
	}
}

func call(t testing.TB, what string, method reflect.Method, list []reflect.Value) {
	guard(t, what, func() {
		var out []reflect.Value
		if method.Type.IsVariadic() {
			out = method.Func.CallSlice(list)
		} else {
			out = method.Func.Call(list)
		}
		for _, v := range out {
			use(v)
		}
	})
}

// use looks at a result as designers do.
func use(v reflect.Value) {
	switch x := v.Interface().(type) {
	case hw.UInt:
		x.Not().Add(x)
	case hw.Bit:
		x.Not().And(x)
	case hw.SInt:
		x.Not().Add(x)
	case *hw.Chain:
		x.ElseWhen(hw.Bit{}, func() {}).Else(func() {})
	case func(func(phase) bool):
		x(func(phase) bool { return true })
		x(func(phase) bool { return false })
	}
	if seq := v; seq.Kind() == reflect.Func && seq.Type().NumIn() == 1 && seq.Type().In(0).Kind() == reflect.Func {
		yes := func([]reflect.Value) []reflect.Value { return []reflect.Value{reflect.ValueOf(true)} }
		seq.Call([]reflect.Value{reflect.MakeFunc(seq.Type().In(0), yes)})
	}
}

// generic calls a function of one type parameter for a scalar and a bundle.
type generic func(m *hw.Module, o operands, at int)

// pick is value number at of a kind; past the end the good one.
func pick[T any](o operands, at int) T {
	list := o[reflect.TypeFor[T]()]
	if at >= len(list) {
		at = 0
	}
	v, _ := list[at].Interface().(T) // not ok: a nil any
	return v
}

func name(at int) string { return []string{"n", "", "a b", "rst"}[at%4] }

// generics has every exported function of the package but constructors of
// shapes, literals and operands, which oddOperands has called.
var generics = map[string]generic{
	"AllOf": func(m *hw.Module, o operands, at int) { hw.AllOf(pick[hw.Bit](o, at), pick[hw.Bit](o, 0)) },
	"AnyOf": func(m *hw.Module, o operands, at int) { hw.AnyOf(pick[[]hw.Bit](o, at)...) },
	"Cat": func(m *hw.Module, o operands, at int) {
		hw.Cat(pick[hw.UInt](o, at), pick[hw.Bit](o, at), nil, pick[hw.SInt](o, at))
	},
	"FromBits": func(m *hw.Module, o operands, at int) { hw.FromBits(pick[[]hw.Bit](o, at)...) },
	"Lut":      func(m *hw.Module, o operands, at int) { hw.Lut(bits.New(1<<(at%5), 5), pick[[]hw.Bit](o, at)...) },
	"WidthOf": func(m *hw.Module, o operands, at int) {
		hw.WidthOf(pick[hw.UInt](o, at))
		hw.WidthOf(pick[flipped](o, at))
	},
	"Like": func(m *hw.Module, o operands, at int) { hw.Like(pick[hw.UInt](o, at)); hw.Like(pick[flipped](o, at)) },
	"In":   func(m *hw.Module, o operands, at int) { hw.In(pick[hw.UInt](o, at)); hw.In(pick[flipped](o, at)) },
	"Out":  func(m *hw.Module, o operands, at int) { hw.Out(pick[hw.UInt](o, at)) },
	"Flip": func(m *hw.Module, o operands, at int) { hw.Flip(pick[hw.UInt](o, at)) },
	"Zero": func(m *hw.Module, o operands, at int) { hw.Zero(pick[hw.UInt](o, at)); hw.Zero(pick[flipped](o, at)) },
	"Leaves": func(m *hw.Module, o operands, at int) {
		hw.Leaves(pick[flipped](o, at))
		hw.Leaves(pick[hw.Domain](o, at))
	},
	"InOut": func(m *hw.Module, o operands, at int) {
		hw.InOut(pick[hw.UInt](o, at), pick[hw.Pull](o, at))
		p := pick[hw.Pad[hw.UInt]](o, at)
		hw.WidthOf(p)
		hw.Leaves(p)
		hw.Set(p, hw.Mux(pick[hw.Bit](o, 0), hw.Like(p), hw.Flip(p)))
		hw.Pack([]hw.Pad[hw.UInt]{p, hw.In(p), hw.Out(p), hw.Zero(p), hw.Unpack(p, pick[hw.UInt](o, at))})
		hw.Reg(m, name(at), p, p)
		hw.Wire(m, name(at), hw.VecOf(2, p))
		hw.Delay(m, name(at), hw.Named(m, name(at), p), 1)
		hw.Mem(m, name(at), 4, p).Read(pick[hw.UInt](o, 0)).Value().Not()
		hw.Inst(m, name(at), hw.Func("padded", struct{ P hw.Pad[hw.UInt] }{hw.InOut(hw.Unsigned(8))}, func(*hw.Module, struct{ P hw.Pad[hw.UInt] }) {}), struct{ P hw.Pad[hw.UInt] }{p})
		hw.Inst(m, name(at), hw.Func("odder", struct{ P hw.Pad[hw.UInt] }{p}, func(*hw.Module, struct{ P hw.Pad[hw.UInt] }) {}))
	},
	"Net": func(m *hw.Module, o operands, at int) {
		hw.Net(m, name(at), pick[hw.UInt](o, at), pick[hw.Pull](o, at)).Value().Not()
	},
	"Pack": func(m *hw.Module, o operands, at int) { hw.Pack(pick[hw.UInt](o, at)); hw.Pack(pick[flipped](o, at)) },
	"Fill": func(m *hw.Module, o operands, at int) {
		hw.Set(hw.Wire(m, name(at), hw.VecOf(2, hw.Unsigned(8))), hw.Fill(min(pick[int](o, at), 99), pick[hw.UInt](o, at)))
	},
	"VecOf": func(m *hw.Module, o operands, at int) { hw.VecOf(min(pick[int](o, at), 99), pick[hw.UInt](o, at)) },
	"Reg":   func(m *hw.Module, o operands, at int) { each2(o, at, func(x, y hw.UInt) { hw.Reg(m, name(at), x, y) }) },
	"RegInit": func(m *hw.Module, o operands, at int) {
		each2(o, at, func(x, y flipped) { hw.RegInit(m, name(at), x, y) })
	},
	"Wire": func(m *hw.Module, o operands, at int) {
		each2(o, at, func(x, y hw.Enum[phase]) { hw.Wire(m, name(at), x, y) })
	},
	"Delay": func(m *hw.Module, o operands, at int) { hw.Delay(m, name(at), pick[flipped](o, at), at-1) },
	"Sync": func(m *hw.Module, o operands, at int) {
		hw.Sync(m, name(at), pick[hw.UInt](o, at), pick[hw.UInt](o, at))
	},
	"SyncGray": func(m *hw.Module, o operands, at int) {
		hw.SyncGray(m, name(at), pick[hw.UInt](o, at), pick[hw.UInt](o, at))
	},
	"SyncHeld": func(m *hw.Module, o operands, at int) {
		hw.SyncHeld(m, name(at), pick[flipped](o, at), pick[hw.Bit](o, at))
		hw.SyncHeld(m, name(at), pick[hw.UInt](o, at), pick[hw.Bit](o, at+1), pick[hw.UInt](o, at))
	},
	"SyncReset": func(m *hw.Module, o operands, at int) {
		m.On(hw.Domain{Clk: m.Domain().Clk, Rst: hw.SyncReset(m, name(at), pick[hw.Reset](o, at))})
	},
	"Past": func(m *hw.Module, o operands, at int) {
		hw.Past(m, pick[flipped](o, at), at-1)
		m.Assert(hw.Past(m, pick[hw.Vec[hw.UInt]](o, at)).At(pick[hw.UInt](o, 0)).Any(), name(at))
	},
	"Rose":    func(m *hw.Module, o operands, at int) { m.Cover(hw.Rose(m, pick[hw.Bit](o, at)), name(at)) },
	"Fell":    func(m *hw.Module, o operands, at int) { m.Cover(hw.Fell(m, pick[hw.Bit](o, at)), name(at)) },
	"Stable":  func(m *hw.Module, o operands, at int) { m.Cover(hw.Stable(m, pick[flipped](o, at)), name(at)) },
	"Changed": func(m *hw.Module, o operands, at int) { m.Cover(hw.Changed(m, pick[hw.Enum[phase]](o, at)), name(at)) },
	"Unused": func(m *hw.Module, o operands, at int) {
		hw.Unused(m, pick[hw.UInt](o, at))
		hw.Unused(m, pick[flipped](o, at))
	},
	"EnumValues": func(m *hw.Module, o operands, at int) {
		hw.EnumValues(pick[hw.Enum[phase]](o, at))
		hw.EnumValues(pick[hw.UInt](o, at))
	},
	"Static": func(m *hw.Module, o operands, at int) { hw.Static(m, name(at), pick[hw.Vec[hw.UInt]](o, at)) },
	"Named":  func(m *hw.Module, o operands, at int) { hw.Named(m, name(at), pick[flipped](o, at)) },
	"Attr": func(m *hw.Module, o operands, at int) {
		hw.Attr(m, pick[hw.UInt](o, at), "keep", at)
		hw.Attr(m, pick[flipped](o, at), name(at), pick[any](o, at))
	},
	"Set": func(m *hw.Module, o operands, at int) {
		each2(o, at, hw.Set[hw.UInt])
		each2(o, at, hw.Set[flipped])
		each2(o, at, hw.Set[hw.Vec[hw.UInt]])
	},
	"SetIf": func(m *hw.Module, o operands, at int) {
		c := pick[hw.Bit](o, at)
		each2(o, at, func(x, y hw.UInt) { hw.SetIf(x, c, y).ElseWhen(c, func() {}).Else(nil) })
		each2(o, at, func(x, y flipped) { hw.SetIf(x, c, y).Else(func() {}) })
	},
	"Mux": func(m *hw.Module, o operands, at int) {
		each2(o, at, func(x, y hw.UInt) { hw.Mux(pick[hw.Bit](o, at), x, y) })
		each2(o, at, func(x, y hw.Vec[hw.UInt]) { hw.Mux(pick[hw.Bit](o, 0), x, y) })
	},
	"OneHotMux": func(m *hw.Module, o operands, at int) {
		each2(o, at, func(x, y hw.UInt) { hw.OneHotMux(x, []hw.UInt{x, y, x, y, x, y, x, y}).Not() })
		each2(o, at, func(x, y flipped) { hw.OneHotMux(pick[hw.UInt](o, at).Trunc(2), []flipped{x, y}) })
		hw.OneHotMux[hw.Domain](pick[hw.UInt](o, at), nil)
	},
	"PriorityMux": func(m *hw.Module, o operands, at int) {
		each2(o, at, func(x, y hw.UInt) { hw.PriorityMux(x, y, []hw.UInt{x, y, x, y, x, y, x, y}).Not() })
		each2(o, at, func(x, y hw.Enum[phase]) { hw.PriorityMux(pick[hw.UInt](o, at), x, []hw.Enum[phase]{x, y}) })
	},
	"Gate": func(m *hw.Module, o operands, at int) {
		hw.Gate(pick[hw.Bit](o, at), pick[hw.UInt](o, at))
		hw.Gate(pick[hw.Bit](o, at), pick[flipped](o, at+1))
		hw.Gate(pick[hw.Bit](o, at+1), pick[hw.Enum[phase]](o, at))
	},
	"Reduce": func(m *hw.Module, o operands, at int) {
		each2(o, at, func(x, y hw.UInt) { hw.Reduce([]hw.UInt{x, y, x}, hw.UInt.Add).Not() })
		hw.Reduce(nil, hw.UInt.Add).Add(pick[hw.UInt](o, at))
	},
	"RisingEdge": func(m *hw.Module, o operands, at int) { hw.RisingEdge(m, name(at), pick[hw.Bit](o, at)) },
	"FallingEdge": func(m *hw.Module, o operands, at int) {
		hw.FallingEdge(m, name(at), pick[hw.Bit](o, at), pick[hw.Bit](o, at+1))
	},
	"NameOf": func(m *hw.Module, o operands, at int) { hw.NameOf(pick[hw.UInt](o, at)); hw.NameOf(nil) },
	"Choose": func(m *hw.Module, o operands, at int) {
		each2(o, at, func(x, y hw.UInt) { hw.Choose(x, y, map[int]hw.UInt{at: x, -1: y}) })
	},
	"Decode": func(m *hw.Module, o operands, at int) {
		each2(o, at, func(x, y hw.UInt) { hw.Decode(x, y, map[string]hw.UInt{"1-------": x, name(at): y}) })
	},
	"Unpack": func(m *hw.Module, o operands, at int) {
		hw.Unpack(pick[flipped](o, at), pick[hw.UInt](o, at))
		each2(o, at, func(x, y hw.UInt) { hw.Unpack(x, y) })
	},
	"Sized": func(m *hw.Module, o operands, at int) {
		each2(o, at, func(x, y hw.UInt) { hw.Sized(x, y).Add(x) })
		each2(o, at, func(x, y flipped) { hw.Sized(x, y) })
	},
	"Inst": func(m *hw.Module, o operands, at int) {
		hw.Inst(m, name(at), pass, thruPorts{pick[hw.UInt](o, at), pick[hw.UInt](o, at+1)})
	},
	"LiteralOf": func(m *hw.Module, o operands, at int) { each2(o, at, func(x, y hw.UInt) { hw.LiteralOf(x, y) }) },
	"LeafPairs": func(m *hw.Module, o operands, at int) {
		each2(o, at, func(x, y hw.Vec[hw.UInt]) { hw.LeafPairs(x, y, func(a, b hw.Signal) {}) })
	},
	"LeafValues": func(m *hw.Module, o operands, at int) {
		each2(o, at, func(x, y hw.Vec[hw.UInt]) { hw.LeafValues(x, y) })
	},
	"TypeOf": func(m *hw.Module, o operands, at int) { _ = hw.TypeOf(pick[hw.UInt](o, at)).String() },
	"NodeOf": func(m *hw.Module, o operands, at int) { hw.NodeOf(pick[hw.UInt](o, at)) },
	"PortOf": func(m *hw.Module, o operands, at int) { hw.PortOf(pick[hw.UInt](o, at)) },
	"Mem":    callMemory,
	"Contents": func(m *hw.Module, o operands, at int) {
		hw.Mem(m, "mem", 4, pick[hw.UInt](o, at), hw.Contents(1, 1<<40))
	},
	"Cleared": func(m *hw.Module, o operands, at int) {
		hw.Mem(m, "mem", at-2, pick[hw.UInt](o, at), hw.Cleared())
	},
	"ContentsBits": func(m *hw.Module, o operands, at int) {
		hw.Mem(m, "mem", 1, pick[hw.UInt](o, 0), hw.ContentsBits(bits.New(at, 1), bits.New(8, 1)))
	},
	"Style": func(m *hw.Module, o operands, at int) { hw.Mem(m, "mem", 4, pick[hw.UInt](o, 0), hw.Style(name(at))) },
	"Build": func(m *hw.Module, o operands, at int) {
		x := pick[hw.UInt](o, at)
		hw.Build(hw.Func(name(at), thruPorts{x, x}, func(m *hw.Module, p thruPorts) { p.Out.Set(p.In.Add(x)) }), hw.WithAsyncReset())
	},
}

func each2[T any](o operands, at int, f func(x, y T)) {
	f(pick[T](o, at), pick[T](o, 0))
	f(pick[T](o, 0), pick[T](o, at))
	f(pick[T](o, at), pick[T](o, at))
}

// callMemory calls everything that a memory has.
func callMemory(m *hw.Module, o operands, at int) {
	x, n := pick[hw.UInt](o, at), pick[int](o, at)
	for _, ram := range []*hw.Memory[hw.UInt]{hw.Mem(m, name(at), 256, o[reflect.TypeFor[hw.UInt]()][0].Interface().(hw.UInt)), hw.Mem(m, "m", n, x)} {
		ram.Read(x).Not()
		ram.Write(x, pick[hw.UInt](o, 0))
		ram.Write(pick[hw.UInt](o, 0), x)
		ram.WriteMask(x, x, x)
		ram.SyncRead(name(at), x, hw.New).Not()
		r := ram.ReadPort(m, "r", ir.Under(at))
		r.Read(x)
		r.Data.Not()
		w := ram.WritePort(m, name(at))
		w.Write(x, x)
		w.WriteMask(pick[hw.UInt](o, 0), x, x)
	}
	vecs := hw.Mem(m, "v", 4, pick[flipped](o, at))
	vecs.Write(x, pick[flipped](o, at))
	vecs.Read(x).Data.Not()
}

func TestFunctionsDoNotPanic(t *testing.T) {
	for fn, f := range generics {
		inOdd(t, func(m *hw.Module, p oddPorts, o operands) {
			for at := range 28 {
				guard(t, fmt.Sprintf("%s call %d", fn, at), func() { f(m, o, at) })
				m.When(pick[hw.Bit](o, at), func() {
					guard(t, fmt.Sprintf("%s call %d in When", fn, at), func() { f(m, o, at) })
				})
			}
		})
	}
}

// constructors are called by oddOperands and the other tests.
const constructors = " Unsigned Signed FixedPoint FloatingPoint NoLiteral UpTo AddressOf AsyncReset EnumOf B U S UBig SBig UVal SVal Val Func AsyncDomain Name Zeros Ones WithAsyncReset LimitsOf Warnings WarningsAreErrors "

// Every exported function is in one of the lists.
func TestFunctionsAreListed(t *testing.T) {
	notTest := func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }
	pkgs, err := parser.ParseDir(token.NewFileSet(), ".", notTest, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range pkgs["hw"].Files {
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || !fn.Name.IsExported() {
				continue
			}
			if generics[fn.Name.Name] == nil && !strings.Contains(constructors, " "+fn.Name.Name+" ") {
				t.Errorf("%s is not tested with mistaken operands", fn.Name.Name)
			}
		}
	}
}
