package lowprec

import (
	"etch/designs/float"
	"etch/designs/float/function"
	"etch/hw"
	kind "etch/hw/float"
	"etch/hw/pipe"
)

// ops is arithmetic in one format, every result rounded to the nearest even.
type ops[V any] interface {
	As(name string) ops[V]      // for one operation, whose result has the name
	In(f float.Format) ops[V]   // the same arithmetic in another format
	From(f float.Format, x V) V // x, a number of format f, rounded to this one
	Const(v float64) V          // the nearest
	Add(x, y V) V
	Sub(x, y V) V
	Mul(x, y V) V
	Div(x, y V) V
	Hypot(x, y V) V
	Sqrt(x V) V
	Neg(x V) V
	Abs(x V) V
	Apply(f function.Function, x V) V             // correctly rounded
	Above(x V, limit float64, yes, otherwise V) V // yes where x > limit
}

// Numbers is the parameters that every unit has: a format, and the latency of the
// operations that it is made of.
type Numbers struct {
	Format float.Format `help:"format of all numbers" form:"eXmY as e5m10, or fp16, bf16, tf32, fp32 or fp64"`
	Add    int          `help:"latency of a sum in cycles" range:"0..16"`
	Mul    int          `help:"latency of a product in cycles" range:"0..16"`
	Div    int          `help:"latency of a quotient in cycles" range:"0..32"`
	Hypot  int          `help:"latency of a root of two squares in cycles" range:"0..32"`

	Convert int `help:"latency of a conversion in cycles, where a moment has a format of its own" range:"0..16"`
}

// Half is fp16 with latencies at which no unit is much slower than the others.
func Half() Numbers {
	return Numbers{Format: float.F16, Add: 3, Mul: 2, Div: 8, Hypot: 8, Convert: 2}
}

func (n Numbers) Validate() error { return n.Format.Validate() }

// shape is a number of the format.
func (n Numbers) shape() float.Num { return float.Of(n.Format) }

// flow is the arithmetic of a circuit.
func (n Numbers) flow(run *hw.Module) flow {
	u := float.Units{Format: n.Format, Add: n.Add, Mul: n.Mul, Div: n.Div, Hypot: n.Hypot, Root: n.Hypot, Convert: n.Convert}
	return flow{Flow: u.In(run), run: run, made: map[function.Function]int{}}
}

func (n Numbers) codes() codes { return codes{f: n.Format} }

// flow is [ops] of a circuit.
type flow struct {
	*float.Flow
	run    *hw.Module
	made   map[function.Function]int
	called string
}

func (u flow) As(name string) ops[float.Value] {
	u.Flow, u.called = u.Flow.Named(name), name
	return u
}

// In leaves the counters of names shared: a unit's name is the module's, not the format's.
func (u flow) In(f float.Format) ops[float.Value] {
	other := *u.Flow
	other.Format = f
	u.Flow = &other
	return u
}

func (u flow) From(_ float.Format, x float.Value) float.Value { return u.Flow.Convert(x) }

// Const is a literal; in a format without room for it the design has a mistake.
func (u flow) Const(v float64) float.Value { return u.Flow.Const(v) }

// Apply is a unit of designs/float/function.
func (u flow) Apply(f function.Function, x float.Value) float.Value {
	name := u.called
	if name == "" {
		u.made[f]++
		name = hw.Name(string(f), u.made[f]-1)
	}

	return pipe.Through(u.run, name, function.Unit{Function: f, Format: u.Format}, x.Stage(),
		function.Ports{En: u.run.Enable(), A: x.At(x.Stage())}, func(p function.Ports) float.Num { return p.Y })
}

func (u flow) Above(x float.Value, limit float64, yes, otherwise float.Value) float.Value {
	// The choice takes no stage; its operands wait for the last of them.
	at := pipe.Later(x, yes, otherwise)
	name := u.called
	if name == "" {
		name = "chosen"
	}
	return pipe.Of(u.run, name, at, hw.Mux(x.At(at).Gt(u.Lit(limit)), yes.At(at), otherwise.At(at)))
}

// codes is [ops] of the model. Where seen is not nil, named results are kept there.
type codes struct {
	f      float.Format
	seen   map[string]uint64
	called string
}

func (u codes) As(name string) ops[uint64] { u.called = name; return u }

func (u codes) In(f float.Format) ops[uint64] { u.f = f; return u }

func (u codes) From(f float.Format, x uint64) uint64 {
	if f == u.f {
		return x
	}
	return u.keep(f.Convert(x, u.f, kind.NearestEven))
}

// keep is a result, without its flags.
func (u codes) keep(y uint64, _ kind.Flags) uint64 {
	if u.called != "" && u.seen != nil {
		u.seen[u.called] = y
	}
	return y
}

func (u codes) Const(v float64) uint64   { return u.f.Code(v) }
func (u codes) Add(x, y uint64) uint64   { return u.keep(u.f.Add(x, y, kind.NearestEven)) }
func (u codes) Sub(x, y uint64) uint64   { return u.keep(u.f.Sub(x, y, kind.NearestEven)) }
func (u codes) Mul(x, y uint64) uint64   { return u.keep(u.f.Mul(x, y, kind.NearestEven)) }
func (u codes) Div(x, y uint64) uint64   { return u.keep(u.f.Div(x, y, kind.NearestEven)) }
func (u codes) Hypot(x, y uint64) uint64 { return u.keep(u.f.Hypot(x, y, kind.NearestEven)) }
func (u codes) Sqrt(x uint64) uint64     { return u.keep(u.f.Sqrt(x, kind.NearestEven)) }
func (u codes) Neg(x uint64) uint64      { return u.keep(u.f.Neg(x), 0) }
func (u codes) Abs(x uint64) uint64      { return u.keep(u.f.Abs(x), 0) }
func (u codes) lit(v float64) uint64     { return u.f.Code(v) }
func (u codes) above(x, limit uint64) bool {
	r, _ := u.f.Compare(x, limit, false)
	return r == kind.Greater
}

func (u codes) Apply(f function.Function, x uint64) uint64 { return u.keep(f.Correct(u.f, x), 0) }

func (u codes) Above(x uint64, limit float64, yes, otherwise uint64) uint64 {
	if u.above(x, u.lit(limit)) {
		return u.keep(yes, 0)
	}
	return u.keep(otherwise, 0)
}

// stages is [ops] of the stages at which results are there.
type stages struct{ Numbers }

func (u stages) As(string) ops[int]                             { return u }
func (u stages) In(f float.Format) ops[int]                     { u.Format = f; return u }
func (u stages) Const(float64) int                              { return 0 }
func (u stages) Add(x, y int) int                               { return max(x, y) + u.Numbers.Add }
func (u stages) Sub(x, y int) int                               { return max(x, y) + u.Numbers.Add }
func (u stages) Mul(x, y int) int                               { return max(x, y) + u.Numbers.Mul }
func (u stages) Div(x, y int) int                               { return max(x, y) + u.Numbers.Div }
func (u stages) Hypot(x, y int) int                             { return max(x, y) + u.Numbers.Hypot }
func (u stages) Sqrt(x int) int                                 { return x + u.Numbers.Hypot }
func (u stages) Neg(x int) int                                  { return x }
func (u stages) Abs(x int) int                                  { return x }
func (u stages) Above(x int, _ float64, yes, otherwise int) int { return max(x, yes, otherwise) }

func (u stages) From(f float.Format, x int) int {
	if f == u.Format {
		return x
	}
	return x + u.Numbers.Convert
}

func (u stages) Apply(f function.Function, x int) int {
	return x + function.Unit{Function: f, Format: u.Format}.Latency()
}

// floatFrom reads bits as a number.
func floatFrom(f float.Format, x hw.UInt) float.Num { return kind.FromBits(f, x) }
