package bench

import (
	"fmt"
	"math/rand/v2"

	"etch/hw"
)

// Quiet is units that go on computing on inputs that seldom change: each is a pipeline of its own
// form, without enables, whose input takes a new word in one of 1024 cycles, so that about one
// node in a hundred changes in a cycle.
type Quiet struct {
	Units  int
	Stages int // of a unit's pipeline
	Ops    int // of a stage
}

func (q Quiet) Validate() error {
	if q.Units < 2 || q.Units > 1<<12 || q.Stages < 1 || q.Ops < 1 {
		return fmt.Errorf("%d units of %d stages of %d operations, want 2 to 4096 of at least one", q.Units, q.Stages, q.Ops)
	}
	return nil
}

func (q Quiet) Ports() Ports { return ports() }

func (q Quiet) Build(m *hw.Module, p Ports) {
	random := noise(m, 64)
	draw := random.Range(63, 40)
	var sums []hw.UInt
	for i := range q.Units {
		u := hw.Inst(m, hw.Name("unit", i), unit{Seed: uint64(i), Stages: q.Stages, Ops: q.Ops})
		// Each unit loads in one of 1024 draws.
		u.Load.Set(draw.Trunc(10).Is(i * 61 % 1024))
		u.In.Set(random.Trunc(32))
		sums = append(sums, u.Out)
	}

	x := mix(sums)
	fold(m, p, hw.Cat(x, x))
}

// unit is a pipeline of random operations.
type unit struct {
	Seed        uint64
	Stages, Ops int
}

type unitPorts struct {
	Load hw.Bit  `dir:"in"`
	In   hw.UInt `dir:"in"`
	Out  hw.UInt `dir:"out"`
}

func (unit) Ports() unitPorts {
	return unitPorts{In: hw.Unsigned(32), Out: hw.Unsigned(32)}
}

func (u unit) Build(m *hw.Module, p unitPorts) {
	r := rand.New(rand.NewPCG(u.Seed, 7))
	in := hw.Reg(m, "word", hw.Unsigned(32), hw.U(0))
	in.SetIf(p.Load, p.In)
	xs := []hw.UInt{in, in.RotL(7), in.RotL(13)}

	// Random operations on recent values and any older ones of the stage; the seed is a parameter,
	// so each unit is a module of its own.
	for s := range u.Stages {
		for range u.Ops {
			k := len(xs)
			a, b, c := xs[k-1], xs[r.IntN(k)], xs[max(0, k-1-r.IntN(6))]
			var x hw.UInt
			switch r.IntN(6) {
			case 0:
				x = a.Add(b)
			case 1:
				x = a.Xor(b.RotL(1 + r.IntN(30)))
			case 2:
				x = a.Sub(c)
			case 3:
				x = hw.Mux(b.Bit(r.IntN(32)), a, c.Not())
			case 4:
				x = a.And(b).Or(c.Shr(1 + r.IntN(8)).Extend(32))
			default:
				x = a.Or(b).Xor(c)
			}
			xs = append(xs, x)
		}

		// The last four values cross to the next stage.
		n := min(4, len(xs))
		var next []hw.UInt
		for i, x := range xs[len(xs)-n:] {
			q := hw.Reg(m, hw.Name("q", s, i), hw.Unsigned(32), hw.U(0))
			q.Set(x)
			next = append(next, q)
		}
		xs = next
	}
	p.Out.Set(xs[len(xs)-1])
}
