package native

import (
	"errors"
	"unsafe"

	"etch/sim/choose"
	"etch/sim/native/internal/emit"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// regionFinder divides a net by the registers that change (net.Regions).
type regionFinder struct {
	n       *net.Net
	pol     *choose.Policy
	lo, hi  int32 // slots of the registers
	samples int
	changed []uint64 // by register: rows of Gates.Samples bits
	before  []uint64
}

func newRegionFinder(g *Gated) *regionFinder {
	n := g.n
	f := &regionFinder{n: n, pol: g.pol, lo: n.Regs[0].Slot, hi: n.Regs[0].Slot + 1}
	for i := range n.Regs {
		f.lo, f.hi = min(f.lo, n.Regs[i].Slot), max(f.hi, n.Regs[i].Slot+1)
	}
	return f
}

func (f *regionFinder) full() bool { return f.samples == f.pol.Gates.Samples }

func (f *regionFinder) looks() int { return f.pol.Gates.Looks }

func (f *regionFinder) again() float64 { return f.pol.Gates.Again }

func (f *regionFinder) drifting(int) float64 { return f.pol.Gates.Again }

func (f *regionFinder) effort() choose.Effort {
	return choose.Effort(f.pol.Gates.Node * float64(len(f.n.N)))
}

// sample runs single cycles with random gaps between and records the registers that change.
func (f *regionFinder) sample(g *Gated, base unsafe.Pointer, cycles uint64) (done uint64, stopped bool) {
	// Rows of bits, one per register; find drops them, so each look starts with none.
	if f.samples == 0 {
		f.changed, f.before = make([]uint64, len(f.n.Regs)*f.pol.Gates.Samples/64), make([]uint64, f.hi-f.lo)
	}

	state := unsafe.Slice((*uint64)(unsafe.Add(base, 8*int(f.lo))), f.hi-f.lo)
	for done < cycles && !f.full() {
		// A random gap keeps the samples out of step with any period of the design.
		if k := min(g.random.draw()>>32%f.pol.Gates.Gap, cycles-done-1); k > 0 {
			left := g.call(base, k, false)
			if done += k - left; left > 0 {
				return done, true
			}
		}

		// One cycle between two states: a register is active if they differ.
		copy(f.before, state)
		if g.call(base, 1, false) > 0 {
			return done, true
		}

		done++
		at := f.samples
		f.samples++
		for r := range f.n.Regs {
			if k := f.n.Regs[r].Slot - f.lo; state[k] != f.before[k] {
				f.changed[r*f.pol.Gates.Samples/64+at/64] |= 1 << (at % 64)
			}
		}
	}
	return done, false
}

// find divides the net by the samples, and compiles code with gates if the estimate is good
// enough.
func (f *regionFinder) find(g *Gated) *gates {
	r := f.n.Divide(f.changed, f.pol.Gates.Samples/64, f.pol.Gates.Samples, &f.pol.Net.Regions)

	// The samples describe one phase of the design, so the next look takes new ones.
	f.changed, f.before, f.samples = nil, nil, 0
	g.tell(r)
	if r.Count == 0 || r.Cost >= f.pol.Gates.Saves*r.Base {
		return nil
	}
	c, err := g.compileRegions(r)
	if err != nil {
		return nil
	}
	return c
}

// compileRegions makes code with gates. Errors: the code needs more scratch words than there are;
// those of Compile.
func (g *Gated) compileRegions(r *net.Regions) (*gates, error) {
	// Flags and kept values are scratch words, numbered from the first one. The code's own spills
	// lie behind them.
	words := int32(0)
	n, flags, _ := g.n.Gated(r, func(i int) int32 {
		words = max(words, int32(i)+1)
		return -(emit.FirstScratch + int32(i) + 1)
	})

	s := schedule.Scheduler{Costs: &g.pol.Branches}
	c := schedule.Prepare(&s, n.Gather(&g.pol.Net.Banks), net.Assume{}, emit.FirstScratch+words)
	c.Allocate(&schedule.Allocator{}, emit.Here.Registers(emit.InPlain))

	// An if on one of these registers is a gate: its code is written behind all other code
	// (internal/emit/gate.go). Whether a select became an if was the scheduler's decision, above.
	c.Gates = [2]int32{int32(flags[0]), int32(flags[0] + len(flags))}
	if int(c.Scratch) > g.room {
		return nil, errors.New("native: code with gates takes more scratch words")
	}
	text, err := emit.Plain(emit.Here, c, g.f)
	if err != nil {
		return nil, err
	}
	code, err := newCode(text, int(c.Scratch), len(c.N.N))
	if err != nil {
		return nil, err
	}
	code.banks, code.gates, code.cycle = len(c.N.Banks), r.Count, float64(g.pol.Cycle(r.Cost))

	// Regions read no words that others write between calls, so raising all flags after other code
	// is enough.
	return &gates{Code: code, raise: func(base unsafe.Pointer) {
		for i := range r.Count {
			*(*uint64)(unsafe.Add(base, -8*(emit.FirstScratch+i+1))) = 1
		}
	}}, nil
}
