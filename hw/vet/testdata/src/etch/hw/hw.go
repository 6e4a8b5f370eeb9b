// Package hw is the part of the language that the tests of hwvet use, without
// its bodies. A test compares it with the real one.
package hw

import "iter"

type sig struct{ _ [0]func() }

func (s sig) handle() sig { panic(0) }
func (s sig) Width() int  { panic(0) }

type Signal interface {
	handle() sig
	Width() int
}

type (
	Bit                struct{ sig }
	UInt               struct{ sig }
	SInt               struct{ sig }
	Clock              struct{ sig }
	Reset              struct{ sig }
	Enum[E comparable] struct{ sig }
	Vec[T any]         []T
)

type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

type Domain struct {
	Clk Clock
	Rst Reset
}

func (r Reset) Bit() Bit { panic(0) }

// Shapes and literals.

func Unsigned(width int) UInt                  { panic(0) }
func Signed(width int) SInt                    { panic(0) }
func UpTo(max int) UInt                        { panic(0) }
func AddressOf(depth int) UInt                 { panic(0) }
func EnumOf[E comparable](values ...E) Enum[E] { panic(0) }
func VecOf[T any](n int, elem T) Vec[T]        { panic(0) }
func B(v bool) Bit                             { panic(0) }
func Zeros(width int) UInt                     { panic(0) }
func U[I Integer](v I) UInt                    { panic(0) }
func S[I Integer](v I) SInt                    { panic(0) }
func Val[E comparable](v E) Enum[E]            { panic(0) }
func Like[T any](x T) T                        { panic(0) }
func Zero[T any](x T) T                        { panic(0) }
func In[T any](x T) T                          { panic(0) }
func Out[T any](x T) T                         { panic(0) }
func WidthOf[T any](x T) int                   { panic(0) }

// Operations.

func (b Bit) Set(v Bit)             { panic(0) }
func (b Bit) Named(name string) Bit { panic(0) }
func (b Bit) And(ys ...Bit) Bit     { panic(0) }
func (b Bit) Not() Bit              { panic(0) }
func (b Bit) UInt() UInt            { panic(0) }

func (b Bit) SetIf(c, v Bit) *Chain { panic(0) }

func (x UInt) Set(v UInt)                        { panic(0) }
func (x UInt) SetIf(c Bit, v UInt) *Chain        { panic(0) }
func (x UInt) IsNot(v int) Bit                   { panic(0) }
func (x UInt) IsLe(v int) Bit                    { panic(0) }
func (x UInt) PadLow(n int) UInt                 { panic(0) }
func (x UInt) Rep(n int) UInt                    { panic(0) }
func (x UInt) SignExtend(width int) UInt         { panic(0) }
func (x UInt) Named(name string) UInt            { panic(0) }
func (x UInt) Lit(v int) UInt                    { panic(0) }
func (x UInt) Add(y UInt) UInt                   { panic(0) }
func (x UInt) AddGrow(y UInt) UInt               { panic(0) }
func (x UInt) Mul(y UInt) UInt                   { panic(0) }
func (x UInt) Inc() UInt                         { panic(0) }
func (x UInt) Not() UInt                         { panic(0) }
func (x UInt) Eq(y UInt) Bit                     { panic(0) }
func (x UInt) Lt(y UInt) Bit                     { panic(0) }
func (x UInt) Is(v int) Bit                      { panic(0) }
func (x UInt) Shl(by int) UInt                   { panic(0) }
func (x UInt) Bit(i int) Bit                     { panic(0) }
func (x UInt) Range(hi, lo int) UInt             { panic(0) }
func (x UInt) Trunc(width int) UInt              { panic(0) }
func (x UInt) Extend(width int) UInt             { panic(0) }
func (x UInt) BitVec() Vec[Bit]                  { panic(0) }
func (x UInt) Cases(values ...int) iter.Seq[int] { panic(0) }
func (x UInt) Any() Bit                          { panic(0) }
func (x UInt) PopCount() UInt                    { panic(0) }
func (x UInt) AsSigned() SInt                    { panic(0) }

func (x SInt) Set(v SInt)      { panic(0) }
func (x SInt) Lit(v int) SInt  { panic(0) }
func (x SInt) Add(y SInt) SInt { panic(0) }
func (x SInt) Is(v int) Bit    { panic(0) }

func (e Enum[E]) Set(v Enum[E])            { panic(0) }
func (e Enum[E]) Goto(v E)                 { panic(0) }
func (e Enum[E]) GotoIf(c Bit, v E) *Chain { panic(0) }
func (e Enum[E]) Is(values ...E) Bit       { panic(0) }
func (e Enum[E]) Cases() iter.Seq[E]       { panic(0) }

func (v Vec[T]) At(index UInt) T { panic(0) }

func Mux[T any](c Bit, a, b T) T              { panic(0) }
func Cat(xs ...Signal) UInt                   { panic(0) }
func FromBits(xs ...Bit) UInt                 { panic(0) }
func Pack[T any](x T) UInt                    { panic(0) }
func Set[T any](dst, src T)                   { panic(0) }
func SetIf[T any](dst T, c Bit, src T) *Chain { panic(0) }

// Modules.

type Module struct{}

type Chain struct{}

func (m *Module) On(d Domain) *Module                     { panic(0) }
func (m *Module) Scope(name string, index ...int) *Module { panic(0) }
func (m *Module) When(c Bit, then func()) *Chain          { panic(0) }
func (m *Module) Printf(format string, args ...Signal)    { panic(0) }
func (ch *Chain) ElseWhen(c Bit, then func()) *Chain      { panic(0) }
func (ch *Chain) Else(then func())                        { panic(0) }

func Reg[T any](m *Module, name string, shape T, reset ...T) T           { panic(0) }
func RegInit[T any](m *Module, name string, shape T, init T) T           { panic(0) }
func Wire[T any](m *Module, name string, shape T, deflt ...T) T          { panic(0) }
func Delay[T any](m *Module, name string, x T, cycles int, reset ...T) T { panic(0) }
func Sync[T any](m *Module, name string, x T, reset ...T) T              { panic(0) }
func Named[T any](m *Module, name string, x T) T                         { panic(0) }
func Name(base string, index ...int) string                              { panic(0) }

type Component[P any] interface {
	Ports() P
	Build(m *Module, p P)
}

type Verilog struct{ Module string }

func Func[P any](name string, ports P, body func(m *Module, p P)) Component[P] { panic(0) }
func Inst[P any](m *Module, name string, c Component[P], conn ...P) P          { panic(0) }

// Memories.

type Memory[T any] struct{}

type ReadPort[T any] struct{ Data T }

type WritePort[T any] struct{}

type MemOption func(*Module)

func Contents(words ...uint64) MemOption                                                 { panic(0) }
func Mem[T any](m *Module, name string, depth int, elem T, opts ...MemOption) *Memory[T] { panic(0) }
func (r *Memory[T]) Read(addr UInt) T                                                    { panic(0) }
func (r *Memory[T]) Write(addr UInt, v T)                                                { panic(0) }
func (r *Memory[T]) WritePort(m *Module, name string) *WritePort[T]                      { panic(0) }
func (r *ReadPort[T]) Read(addr UInt) T                                                  { panic(0) }
