package dwc

import (
	"etch/designs/dwc/network"
	"etch/hw"
)

// votes is the part that the heads share: the observation through encoder, layers and
// popcounts, with the registers that the pipeline asks for.
type votes struct {
	net    *network.Network
	pipe   Pipeline
	form   Form
	ranked bool // only the order of the counts matters: they are as of ballot
}

// stage is a value with the bit that says whether it belongs to an observation.
type stage struct {
	m     *hw.Module
	valid hw.Bit
}

// register puts a pipeline register behind x.
func register[T any](s *stage, on bool, name string, x T) T {
	if !on {
		return x
	}
	s.advance(name)
	return hw.Delay(s.m, name, x, 1)
}

// advance moves the valid bit on by a register.
func (s *stage) advance(name string) {
	v := hw.Reg(s.m, name+"_valid", hw.Bit{}, hw.Low)
	v.Set(s.valid)
	s.valid = v
}

// check says that a result belongs to the observation of latency cycles ago.
func (s *stage) check(observed hw.Bit, latency int) {
	s.m.Assert(s.valid.Eq(hw.Past(s.m, observed, latency)), "a result without its observation, or an observation without its result")
}

// counts returns a popcount per group.
func (v votes) counts(m *hw.Module, s *stage, obs hw.Vec[hw.SInt]) hw.Vec[hw.UInt] {
	obs = register(s, v.pipe.Input, "obs_q", obs)
	x := hw.Inst(m, "encoder", Encoder{v.net, v.form}, EncoderPorts{Obs: obs}).Bits
	return v.decide(m, s, register(s, v.pipe.Encoder, "encoded", x))
}

// decide is counts from the encoder's bits on.
func (v votes) decide(m *hw.Module, s *stage, x hw.UInt) hw.Vec[hw.UInt] {
	for i := range v.net.Layers {
		x = hw.Inst(m, hw.Name("layer", i+1), Layer{v.net, i}, LayerPorts{In: x}).Out
		if last := i == len(v.net.Layers)-1; !last {
			x = register(s, v.pipe.Layers, hw.Name("hidden", i+1), x)
		}
	}
	x = register(s, v.pipe.Votes, "votes", x)
	return register(s, v.pipe.Sums, "sum_q", v.count(s, x.BitVec()))
}

// count adds up the votes of each group, in 1+Counts steps.
func (v votes) count(s *stage, bit []hw.Bit) hw.Vec[hw.UInt] {
	if b := v.ballot(); b.chain {
		return v.chains(bit, b)
	}

	// At first every vote is a partial sum of one bit.
	width := hw.UpTo(v.net.Model.GroupSize()).Width()
	parts := make([][]hw.UInt, len(v.net.Groups))
	for g, group := range v.net.Groups {
		for _, b := range group.Bits {
			parts[g] = append(parts[g], bit[b].UInt())
		}
	}

	// Each step reduces every group to as many partial sums as the steps after it have to add, and
	// a register goes between steps.
	for left := v.pipe.Counts; left >= 0; left-- {
		for g := range parts {
			parts[g] = v.reduceSums(parts[g], pieces(len(v.net.Groups[g].Bits), left, v.pipe.Counts), width)
		}
		if left > 0 {
			parts = register(s, true, hw.Name("sums", v.pipe.Counts-left+1), parts)
		}
	}

	// Votes that a reduction found constant are added at the end.
	out := make(hw.Vec[hw.UInt], len(parts))
	for g := range parts {
		base := v.net.Groups[g].Base
		switch {
		case len(parts[g]) == 0:
			out[g] = hw.U(base).Extend(width)
		case base == 0:
			out[g] = parts[g][0].Extend(width)
		default:
			out[g] = parts[g][0].Extend(width).Add(hw.U(base))
		}
		out[g] = out[g].Named(hw.Name("votes_for", g))
	}
	return out
}

// chains counts the votes of each group by a chain.
func (v votes) chains(bit []hw.Bit, b ballot) (out hw.Vec[hw.UInt]) {
	for g, group := range v.net.Groups {
		var xs []hw.Bit
		for _, i := range group.Bits {
			xs = append(xs, bit[i])
		}
		out = append(out, chainCount(xs, b.columns).Named(hw.Name("votes_for", g)))
	}
	return out
}

// pieces is how many partial sums of a group of n votes remain when left of
// stages registers are still to come: equal ratios from step to step.
func pieces(n, left, stages int) int {
	p := 1
	for p < n && left > 0 {
		// The ratio is the least that brings n down to 1 in stages+1 steps.
		ratio := 2
		for power(ratio, stages+1) < n {
			ratio++
		}
		p *= ratio
		left--
	}
	return min(p, max(1, n))
}

func power(x, n int) int {
	p := 1
	for range n {
		p *= x
	}
	return p
}

// reduceSums adds neighbours until n sums remain.
func (v votes) reduceSums(xs []hw.UInt, n, width int) []hw.UInt {
	if len(xs) <= n {
		return xs
	}
	var out []hw.UInt

	for i := range n {
		piece := xs[i*len(xs)/n : (i+1)*len(xs)/n]
		if v.form == LUT6 {
			out = append(out, compress(piece, width))
		} else {
			out = append(out, sum(piece, width))
		}
	}
	return out
}

// sum is the sum of xs: a popcount for bits, a balanced tree for numbers.
func sum(xs []hw.UInt, width int) hw.UInt {
	if singleBits(xs) {
		return hw.Pack(xs).PopCount()
	}

	// Numbers are added in pairs; an odd one waits for the next round.
	for len(xs) > 1 {
		var next []hw.UInt
		for i := 0; i+1 < len(xs); i += 2 {
			w := max(xs[i].Width(), xs[i+1].Width())
			next = append(next, xs[i].Extend(w).AddGrow(xs[i+1].Extend(w)))
		}
		if len(xs)%2 == 1 {
			next = append(next, xs[len(xs)-1])
		}
		xs = next
	}
	if xs[0].Width() > width {
		return xs[0].Trunc(width) // the sum is at most G, which width holds
	}
	return xs[0]
}

func singleBits(xs []hw.UInt) bool {
	for _, x := range xs {
		if x.Width() != 1 {
			return false
		}
	}
	return true
}
