package gae

import (
	"math/bits"

	"etch/designs/gae/model"
	"etch/hw"
	"etch/hw/pipe"
)

// Schedule chooses the stack of a row for a vector: the stack with the least work, of
// equals the first after the last choice; or all stacks in turn. It keeps the work
// itself, from one Clear to the next.
type Schedule struct{ model.System }

type SchedulePorts struct {
	Length hw.UInt `dir:"in"`  // of the vector, held still for ScheduleLatency cycles
	Take   hw.Bit  `dir:"in"`  // the vector goes where Index says
	Clear  hw.Bit  `dir:"in"`  // all work has been done
	Index  hw.UInt `dir:"out"` // row · stacks of a row + stack
	Base   hw.UInt `dir:"out"` // steps that are there already
	Fits   hw.Bit  `dir:"out"` // there is room; of the least loaded stack no room means none anywhere
}

// lengthOf is the shape of a vector's length and of a stack's work.
func lengthOf(s model.System) hw.UInt { return hw.UpTo(s.Depth / s.Stacks()) }

// indexOf is the shape of a stack's number among all rows'.
func indexOf(s model.System) hw.UInt { return hw.AddressOf(s.Rows * s.Stacks()) }

func (c Schedule) Ports() SchedulePorts {
	return SchedulePorts{Length: lengthOf(c.System), Index: indexOf(c.System), Base: lengthOf(c.System)}
}

// ScheduleLatency is the number of cycles from Take or Length to the choice.
func (c Schedule) ScheduleLatency() int {
	if c.RoundRobin {
		return 1
	}
	return bits.Len(uint(c.Rows*c.Stacks()-1)) + 1
}

func (c Schedule) Build(m *hw.Module, p SchedulePorts) {
	n := c.Rows * c.Stacks()
	next := hw.Reg(m, "next", indexOf(c.System), hw.U(0))
	work := make(hw.Vec[hw.UInt], n)
	for i := range work {
		work[i] = hw.Reg(m, hw.Name("work", i), lengthOf(c.System), hw.U(0))
		work[i].SetIf(p.Clear, hw.U(0)).
			ElseWhen(p.Take.And(p.Index.Is(i)), func() { work[i].Set(work[i].Add(p.Length)) })
	}

	// The choice after the last one goes first among equals, so that equal vectors go round.
	after := p.Index.Inc()
	next.SetIf(p.Clear, hw.U(0)).
		ElseWhen(p.Take, func() { next.Set(hw.Mux(p.Index.Is(n-1), after.Lit(0), after)) })

	index, base := next, work.At(next)
	if !c.RoundRobin {
		index, base = c.least(m, work, next)
	}
	p.Index.Set(index)
	p.Base.Set(base)

	room := hw.U(c.Depth / c.Stacks()).Extend(base.Width() + 1)
	p.Fits.Set(hw.Delay(m, "fits", base.AddGrow(p.Length).Le(room), 1))
}

// least is the stack with the least work, found pair by pair, a level a cycle. A
// key has the work at the top, then whether the stack comes before next, then its
// number.
func (c Schedule) least(m *hw.Module, work hw.Vec[hw.UInt], next hw.UInt) (index, base hw.UInt) {
	// Comparing with next as a second digit breaks ties in favour of the stacks after the last
	// choice.
	var keys []hw.UInt
	for i, w := range work {
		at := next.Lit(i)
		keys = append(keys, hw.Cat(w, next.Gt(at), at))
	}

	for level := 0; len(keys) > 1; level++ {
		var best []hw.UInt
		for i := 0; i < len(keys); i += 2 {
			k := keys[i]
			if i+1 < len(keys) {
				k = hw.Mux(keys[i+1].Lt(k), keys[i+1], k)
			}
			best = append(best, pipe.Of(m, hw.Name("least", level, i/2), 0, k).At(1))
		}
		keys = best
	}

	key, w := keys[0], next.Width()
	return key.Range(w-1, 0), key.Range(key.Width()-1, w+1)
}
