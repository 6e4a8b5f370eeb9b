package native

import (
	"unsafe"

	"etch/sim/choose"
	"etch/sim/native/internal/emit"
	"etch/sim/net"
)

// partFinder divides a net by the values that change (net.Partition).
type partFinder struct {
	whole *net.Net
	n     *net.Net // whole with vectors as memories and concatenations for scalar code, prepared; nil before the first sample
	pol   *choose.Policy
	a     *net.Activity
	gap   uint64  // cycles to run before the next burst
	most  uint64  // the longest such gap
	burst int     // samples left of the present burst
	saves float64 // the share to which the cost must fall
}

// newPartFinder returns nil if the net is too small for parts, or cannot be divided.
func newPartFinder(g *Gated) *partFinder {
	if len(g.n.N) < g.pol.Parts.LeastNodes || !g.n.Divisible() {
		return nil
	}
	if _, ok := emit.Here.Writer(g.f).(emit.ActiveWriter); !ok {
		return nil
	}
	return &partFinder{whole: g.n, pol: g.pol, saves: g.pol.Parts.Saves}
}

func (f *partFinder) full() bool { return f.a != nil && f.a.Full() }

func (f *partFinder) looks() int { return f.pol.Parts.Looks }

func (f *partFinder) again() float64 { return f.pol.Parts.Again }

// drifting is short at first: the first samples may be of a program's start, unlike all that follows.
func (f *partFinder) drifting(look int) float64 {
	return min(f.pol.Parts.Drifting*float64(look), f.pol.Parts.Again)
}

func (f *partFinder) effort() choose.Effort {
	return choose.Effort(f.pol.Parts.Node * float64(len(f.whole.N)))
}

// longest is the longest gap between bursts, in cycles: shorter in nets whose cycles are so dear that
// the run between the samples would take longer than the look.
func (f *partFinder) longest(g *Gated) uint64 {
	bursts := float64(f.pol.Parts.Samples / f.pol.Parts.Burst)
	span := f.pol.Parts.Span
	if g.on {
		span = f.pol.Parts.SpanLater
	}
	run := span * float64(f.effort()) / (g.CycleEffort() * bursts)
	return max(1, min(f.pol.Parts.Gap, uint64(2*run)))
}

// sample takes bursts of successive cycles with random gaps between.
func (f *partFinder) sample(g *Gated, base unsafe.Pointer, cycles uint64) (done uint64, stopped bool) {
	if f.n == nil {
		f.n = f.whole.Vectors(&f.pol.Net.Vectors).Concats().Enables().Prepared()
	}
	if f.a == nil {
		f.a = f.n.NewActivity(f.pol.Parts.Samples)
		f.most = f.longest(g)
	}
	s := stateAt{f.n, base}
	for done < cycles && !f.a.Full() {
		// Bursts, because a change is a difference between successive cycles. The first sample of a
		// burst has nothing to differ from, hence one more.
		if f.burst == 0 {
			f.a.Gap()
			f.burst, f.gap = f.pol.Parts.Burst+1, g.random.draw()>>32%f.most
		}

		// Run to the next sample, with the gates if they are on: any code of a net computes the
		// same cycles.
		k := min(f.gap+1, cycles-done)
		left := g.call(base, k, g.on)
		if done += k - left; left > 0 {
			return done, true
		}

		// The call ended within the gap.
		if f.gap >= k {
			f.gap -= k
			continue
		}
		f.gap = 0
		f.a.Take(s)
		f.burst--
	}
	return done, false
}

// find divides the net by the samples, and compiles code of its parts if the estimate is good
// enough.
func (f *partFinder) find(g *Gated) *gates {
	// The next look takes new samples, because the activity may have drifted.
	a := f.a
	f.a, f.burst = nil, 0
	r := a.Partition(f.pol.Parts.Largest, &f.pol.Net.Parts)
	sum := a.Summary()
	g.note("look %d: %.1f %% of the work is active, %.1f %% of the values change; %d parts, %.0f active in a cycle, cost of a cycle %.0f of %.0f, which must be at most %.2f of it", g.looks,
		100*sum.Active, 100*sum.Changed, len(r.Parts), r.Active, r.Cost, r.Base, f.saves)
	if r.Cost >= f.saves*r.Base {
		return nil
	}
	code, p, err := compileActive(r, g.f, g.first, g.room, f.pol)
	if err != nil {
		g.note("%v", err)
		return nil
	}
	code.cycle = f.pol.RunCycle + (f.pol.Parts.Cost+f.pol.Parts.CostCrowd*r.Crowd)*r.Cost

	// Callers may have declared words as shared before there was code.
	p.share(g.shared)
	return &gates{Code: code, raise: p.raise, renew: p.renew, note: p.note, share: p.share, flagged: p.flagged, expected: r.Woken, busy: p.busy, active: r.Active, work: r.Cost / r.Base}
}

// stateAt is the state of a net at an address.
type stateAt struct {
	n    *net.Net
	base unsafe.Pointer
}

func (s stateAt) Reg(r int) uint64 {
	return *(*uint64)(unsafe.Add(s.base, 8*int(s.n.Regs[r].Slot)))
}

func (s stateAt) Mem(m int32, addr uint64) uint64 {
	at := &s.n.Mems[m]
	p := unsafe.Add(s.base, 8*int(int32(at.At)))
	if at.Far > 0 {
		return choose.FarLoad(*(*unsafe.Pointer)(p), at.Far, addr)
	}
	return *(*uint64)(unsafe.Add(p, 8*int(addr)*int(max(1, at.Step))))
}
