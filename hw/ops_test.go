package hw_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"etch/hw"
	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
)

// Every operation is compared with math/big at widths around those of words.

var widths = []int{1, 2, 7, 8, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000}

// given is what an operation is applied to: two numbers of w bits, a shift
// amount and a bit.
type given struct {
	w    int
	x, y *big.Int // unsigned
	by   uint64
	c    bool
}

type givenPorts struct {
	X, Y hw.UInt
	By   hw.UInt
	C    hw.Bit
}

func (g *given) mod(v *big.Int, w int) *big.Int {
	return new(big.Int).Mod(v, new(big.Int).Lsh(big.NewInt(1), uint(w)))
}

// sx and sy are the numbers read as signed.
func (g *given) sx() *big.Int { return signed(g.x, g.w) }
func (g *given) sy() *big.Int { return signed(g.y, g.w) }

func signed(v *big.Int, w int) *big.Int {
	if v.Bit(w-1) == 1 {
		return new(big.Int).Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(w)))
	}
	return v
}

func ones(w int) *big.Int {
	v := new(big.Int).Lsh(big.NewInt(1), uint(w))
	return v.Sub(v, big.NewInt(1))
}

func truth(b bool) *big.Int {
	if b {
		return big.NewInt(1)
	}
	return new(big.Int)
}

// operation is one case: a method or function, what it makes and what that must
// be, of any width (its low bits are compared).
type operation struct {
	name  string // Type.Method or function, and a remark
	apply func(p givenPorts) hw.UInt
	want  func(g *given) *big.Int
	width func(w int) int
}

func same(w int) int { return w }
func more(w int) int { return w + 1 }
func sum(w int) int  { return 2 * w }
func one(int) int    { return 1 }

func big2(f func(z, x, y *big.Int) *big.Int) func(g *given) *big.Int {
	return func(g *given) *big.Int { return f(new(big.Int), g.x, g.y) }
}

func sbig2(f func(z, x, y *big.Int) *big.Int) func(g *given) *big.Int {
	return func(g *given) *big.Int { return f(new(big.Int), g.sx(), g.sy()) }
}

func u2(f func(x, y hw.UInt) hw.UInt) func(p givenPorts) hw.UInt {
	return func(p givenPorts) hw.UInt { return f(p.X, p.Y) }
}

func s2(f func(x, y hw.SInt) hw.SInt) func(p givenPorts) hw.UInt {
	return func(p givenPorts) hw.UInt { return f(p.X.AsSigned(), p.Y.AsSigned()).AsUnsigned() }
}

func cmpU(f func(x, y hw.UInt) hw.Bit) func(p givenPorts) hw.UInt {
	return func(p givenPorts) hw.UInt { return f(p.X, p.Y).UInt() }
}

func cmpS(f func(x, y hw.SInt) hw.Bit) func(p givenPorts) hw.UInt {
	return func(p givenPorts) hw.UInt { return f(p.X.AsSigned(), p.Y.AsSigned()).UInt() }
}

func order(f func(c int) bool) func(g *given) *big.Int {
	return func(g *given) *big.Int { return truth(f(g.x.Cmp(g.y))) }
}

func sorder(f func(c int) bool) func(g *given) *big.Int {
	return func(g *given) *big.Int { return truth(f(g.sx().Cmp(g.sy()))) }
}

func onX(f func(x hw.UInt) hw.UInt) func(p givenPorts) hw.UInt {
	return func(p givenPorts) hw.UInt { return f(p.X) }
}

func onS(f func(x hw.SInt) hw.UInt) func(p givenPorts) hw.UInt {
	return func(p givenPorts) hw.UInt { return f(p.X.AsSigned()) }
}

func popcount(v *big.Int) int {
	n := 0
	for i := range v.BitLen() {
		n += int(v.Bit(i))
	}
	return n
}

// TestOperations compares every operation at every width.
func TestOperations(t *testing.T) {
	for _, w := range widths {
		t.Run(fmt.Sprint(w), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(w), 3))
			shape := givenPorts{X: hw.In(hw.Unsigned(w)), Y: hw.In(hw.Unsigned(w)), By: hw.In(hw.Unsigned(11)), C: hw.In(hw.Bit{})}
			d, p, err := hw.Build(hw.Func("ops", shape, func(m *hw.Module, p givenPorts) {
				for i, op := range operations {
					hw.Named(m, hw.Name("op", i), op.apply(p))
				}
			}))
			if err != nil {
				t.Fatal(err)
			}
			s := start(t, d)
			for range 60 {
				g := &given{w: w, x: number(rng, w), y: number(rng, w), by: rng.Uint64N(uint64(w + 3)), c: rng.IntN(2) == 1}
				if rng.IntN(5) == 0 {
					g.y = g.x
				}
				s.set(p.X, g.x)
				s.set(p.Y, g.y)
				s.set(p.By, new(big.Int).SetUint64(g.by))
				s.set(p.C, truth(g.c))
				for i, op := range operations {
					got := s.named(hw.Name("op", i))
					if want := bits.FromBig(op.width(w), op.want(g)); !got.Equal(want) {
						t.Fatalf("%s of %x, %x, by %d: %v, want %v", op.name, g.x, g.y, g.by, got, want)
					}
				}
			}
		})
	}
}

// number is a number of w bits, often an extreme one.
func number(rng *rand.Rand, w int) *big.Int {
	switch top := new(big.Int).Lsh(big.NewInt(1), uint(w-1)); rng.IntN(8) {
	case 0:
		return new(big.Int)
	case 1:
		return ones(w)
	case 2:
		return top // the least signed number
	case 3:
		return new(big.Int).Sub(top, big.NewInt(1))
	case 4:
		return new(big.Int).And(big.NewInt(1), ones(w))
	case 5:
		return new(big.Int).And(big.NewInt(int64(rng.IntN(200))), ones(w))
	}
	v := new(big.Int)
	for range (w + 63) / 64 {
		v.Or(v.Lsh(v, 64), new(big.Int).SetUint64(rng.Uint64()))
	}
	return v.And(v, ones(w))
}

// Every method of a number or bit is among the operations, or among those that
// are tested elsewhere.
func TestOperationsAreTotal(t *testing.T) {
	elsewhere := " UInt.Set UInt.SetIf UInt.Named UInt.Lit UInt.Width UInt.BitVec UInt.Cases SInt.Set SInt.SetIf SInt.Named SInt.Lit SInt.Width Bit.Set Bit.SetIf Bit.Named Bit.Suggest Bit.Width Bit.AsReset Bit.AsAsyncReset "
	have := map[string]bool{}
	for _, op := range operations {
		name, _, _ := strings.Cut(op.name, " ")
		have[name] = true
	}
	for _, kind := range []reflect.Type{reflect.TypeFor[hw.UInt](), reflect.TypeFor[hw.SInt](), reflect.TypeFor[hw.Bit]()} {
		for i := range kind.NumMethod() {
			name := kind.Name() + "." + kind.Method(i).Name
			if !have[name] && !strings.Contains(elsewhere, " "+name+" ") {
				t.Errorf("%s has no case", name)
			}
		}
	}
}

// rig is a simulator reached by hw's handles.
type rig struct {
	t testing.TB
	*sim.Sim
	top []sim.Signal
}

// start makes a simulator of a design that must be sound.
func start(t testing.TB, d *ir.Design, opts ...sim.Option) *rig {
	t.Helper()
	if err := ir.Verify(d); err != nil {
		t.Fatalf("not a sound netlist: %v", err)
	}
	s, err := sim.New(d, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return &rig{t, s, s.Top()}
}

// run is start for a component.
func run[P any](t testing.TB, c hw.Component[P], opts ...sim.Option) (*rig, P) {
	t.Helper()
	d, p, err := hw.Build(c)
	if err != nil {
		t.Fatalf("building: %v", err)
	}
	return start(t, d, opts...), p
}

func (r *rig) port(s hw.Signal) sim.Signal {
	r.t.Helper()
	_, i, ok := hw.PortOf(s)
	if !ok {
		r.t.Fatal("not a port")
	}
	return r.top[i]
}

func (r *rig) set(s hw.Signal, v *big.Int) {
	r.t.Helper()
	if err := r.SetBits(r.port(s), bits.FromBig(s.Width(), v)); err != nil {
		r.t.Fatal(err)
	}
}

// put sets a small number.
func (r *rig) put(s hw.Signal, v uint64) { r.t.Helper(); r.set(s, new(big.Int).SetUint64(v)) }

// get reads the low 64 bits of a port.
func (r *rig) get(s hw.Signal) uint64 { r.t.Helper(); return r.Get(r.port(s)) }

// named reads a signal by its path.
func (r *rig) named(path string) bits.Value {
	r.t.Helper()
	s, err := r.Signal(path)
	if err != nil {
		r.t.Fatal(err)
	}
	return r.GetBits(s)
}

// expect checks a port.
func (r *rig) expect(s hw.Signal, want uint64, what string) {
	r.t.Helper()
	if got := r.get(s); got != want {
		r.t.Fatalf("%s: %s is %d, want %d", what, r.port(s).Name(), got, want)
	}
}

// text keeps what is printed.
type text []byte

func (x *text) Write(p []byte) (int, error) {
	*x = append(*x, p...)
	return len(p), nil
}

func ones65() bits.Value { return bits.Ones(65) }

// modules are the names of a design's modules, children first.
func modules(d *ir.Design) string {
	var names []string
	for _, m := range d.Modules {
		names = append(names, m.Name)
	}
	return strings.Join(names, " ")
}
