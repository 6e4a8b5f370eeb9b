//go:build unix

package equiv_test

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"etch/hw"
	"etch/ir"
	"etch/testbench/equiv"
	"etch/testbench/tools"
)

type macPorts struct {
	A, B, Sum hw.UInt
	En        hw.Bit
}

// mac adds up products; the second kind keeps the inverse of the sum.
func mac(w int, inverse bool) hw.Component[macPorts] {
	shape := macPorts{hw.In(hw.Unsigned(w)), hw.In(hw.Unsigned(w)), hw.Out(hw.Unsigned(2 * w)), hw.In(hw.Bit{})}
	return hw.Func("mac", shape, func(m *hw.Module, p macPorts) {
		if inverse {
			left := hw.Reg(m, "left", hw.Unsigned(2*w), hw.U(1<<(2*w)-1))
			m.When(p.En, func() { left.Set(left.Sub(p.A.Mul(p.B))) })
			p.Sum.Set(left.Not())
			return
		}
		sum := hw.Reg(m, "sum", hw.Unsigned(2*w), hw.U(0))
		m.When(p.En, func() { sum.Set(sum.Add(p.A.Mul(p.B))) })
		p.Sum.Set(sum)
	})
}

type productPorts struct{ A, B, Y hw.UInt }

func product(w int, swapped bool) hw.Component[productPorts] {
	return hw.Func("product", productPorts{hw.In(hw.Unsigned(w)), hw.In(hw.Unsigned(w)), hw.Out(hw.Unsigned(2 * w))}, func(m *hw.Module, p productPorts) {
		if swapped {
			p.Y.Set(p.B.Mul(p.A))
		} else {
			p.Y.Set(p.A.Mul(p.B))
		}
	})
}

func TestMacs(t *testing.T) {
	t.Log(equiv.Check(t, mac(4, false), mac(4, true)))
}

// processor is the time that this process and its ended children have run.
func processor() time.Duration {
	total := time.Duration(0)
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			total += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return total
}

// BenchmarkCheck is the time of whole comparisons, building gates included.
//
//	go test -run x -bench Check -benchtime 1x ./testbench/equiv
func BenchmarkCheck(b *testing.B) {
	type pair struct{ a, b *ir.Design }
	pairs := map[string]pair{}
	var names []string
	add := func(name string, x, y *ir.Design) {
		names = append(names, name)
		pairs[name] = pair{x, y}
	}
	for _, w := range []int{4, 6, 8} {
		add(fmt.Sprintf("mac%d", w), made(b, mac(w, false)), made(b, mac(w, true)))
	}
	for w := 5; w <= 8; w++ {
		add(fmt.Sprintf("commute%d", w), made(b, product(w, false)), made(b, product(w, true)))
	}
	for _, name := range names {
		for _, by := range []string{"etch", "abc"} {
			opt := map[string]equiv.Option{"etch": equiv.WithoutABC(), "abc": equiv.OnlyABC()}[by]
			b.Run(fmt.Sprintf("design=%s/by=%s", name, by), func(b *testing.B) {
				if by == "abc" {
					tools.Need(b, "berkeley-abc")
				}
				before := processor()
				defer func() { b.ReportMetric(float64((processor()-before).Milliseconds())/float64(b.N), "cpu-ms/op") }()
				for b.Loop() {
					r, err := equiv.Compare(pairs[name].a, pairs[name].b, opt, equiv.Limit(3*time.Minute))
					if err != nil || r.Outcome != equiv.Equal {
						b.Fatal(r, err)
					}
				}
			})
		}
	}
}
