// Package arbiter shows how host loops and last-connect conditions make a
// priority: later conditions win.
package arbiter

import "etch/hw"

// RoundRobin grants one of N requests per cycle, in turn: after a grant, the
// requests above it come first.
type RoundRobin struct {
	N int `help:"requests" range:"1..1024"`
}

type RoundRobinPorts struct {
	Request hw.UInt `dir:"in"`  // bit i asks
	Grant   hw.UInt `dir:"out"` // one-hot, 0 if nobody asks
	Index   hw.UInt `dir:"out"` // of the grant
}

func (a RoundRobin) Ports() RoundRobinPorts {
	return RoundRobinPorts{Request: hw.Unsigned(a.N), Grant: hw.Unsigned(a.N), Index: hw.AddressOf(a.N)}
}

func (a RoundRobin) Build(m *hw.Module, p RoundRobinPorts) {
	last := hw.Reg(m, "last", hw.Like(p.Index), hw.U(0)) // granted last

	// From the least to the most wanted: any request, then those above the last.
	next := hw.Wire(m, "next", hw.Like(p.Index), hw.U(0))
	for _, above := range []bool{false, true} {
		for i := a.N - 1; i >= 0; i-- {
			want := p.Request.Bit(i)
			if above {
				want = want.And(last.IsLt(i))
			}
			next.SetIf(want, hw.U(i))
		}
	}

	p.Index.Set(next)
	p.Grant.Set(hw.U(1).Extend(a.N).ShlBy(next).And(p.Request))
	last.SetIf(p.Request.Any(), next)

	m.Assert(p.Grant.And(p.Grant.Dec()).Any().Not(), "grants %b at once", p.Grant)
	m.Assert(p.Grant.Any().Eq(p.Request.Any()), "requests %b, grants %b", p.Request, p.Grant)
	others := p.Request.And(hw.U(1).Extend(a.N).ShlBy(last).Not())
	m.Assert(others.Any().Implies(next.Ne(last)), "request %d goes twice, before the others of %b", next, p.Request)
}
