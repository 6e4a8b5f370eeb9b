package pack

import (
	"math/rand/v2"
	"testing"

	"etch/sim/choose"
	"etch/sim/net"
	"etch/sim/net/randnet"
)

// narrow has elements of all sizes stored narrow.
var narrow = func() choose.Packs {
	p := choose.Standard().Packs
	p.NarrowFrom = 0
	return p
}()

// What again recognises is what match would have found, and it recognises nearly all.
func TestBlocksLikeOthersMatchAsTheyDo(t *testing.T) {
	like, missed := 0, 0
	for seed := range uint64(400) {
		n := randnet.Arrays(rand.New(rand.NewPCG(seed, 11)))
		p := newPacker(n, &narrow)
		p.findRuns()
		p.matchAll()
		blocks, shapes := p.blocks, p.shapes
		p.blocks, p.shapes = nil, nil
		for _, a := range blocks {
			for _, b := range blocks {
				if a.n < ElementCount || a.count > 0 || b.n < ElementCount || b.count > 0 {
					continue
				}
				again := p.again(&shapes[a.shape], b.reg)
				own := p.match(b.reg, ElementCount)
				same := own.count == 0 && own.gain == a.gain && p.shapes[own.shape].equal(&shapes[a.shape])
				switch {
				case again && !same:
					t.Fatalf("seed %d: registers from %d on were found to be like those from %d on, which they are not", seed, b.reg, a.reg)
				case again:
					like++
				case same:
					missed++
				}
			}
		}
	}
	if like < 10000 || 20*missed > like {
		t.Errorf("%d blocks were like others, %d more were not seen to be", like, missed)
	}
}

// alike are next values of a register q, of which the second one is nearly like the first.
var alike = map[string][2]func(n *net.Net, q, s, u net.ID) net.ID{
	"operand used twice": {
		func(n *net.Net, q, s, u net.ID) net.ID { return n.Sub(n.Not(n.Add(q, s, 8), 8), n.Add(q, s, 8), 8) },
		func(n *net.Net, q, s, u net.ID) net.ID { return n.Sub(n.Not(n.Add(q, u, 8), 8), n.Add(q, s, 8), 8) },
	},
	"width": {
		func(n *net.Net, q, s, u net.ID) net.ID { return n.Eq(n.Add(q, s, 9), u) },
		func(n *net.Net, q, s, u net.ID) net.ID { return n.Eq(n.Add(q, s, 8), u) },
	},
	"select": {
		func(n *net.Net, q, s, u net.ID) net.ID { return n.Mux(s, n.Sub(q, s, 8), q) },
		func(n *net.Net, q, s, u net.ID) net.ID { return n.Mux(u, n.Sub(q, s, 8), q) },
	},
	"constant": {
		func(n *net.Net, q, s, u net.ID) net.ID { return n.Sub(q, n.Const(3), 8) },
		func(n *net.Net, q, s, u net.ID) net.ID { return n.Sub(q, n.Const(5), 8) },
	},
	"order": {
		func(n *net.Net, q, s, u net.ID) net.ID { return n.Sub(q, s, 8) },
		func(n *net.Net, q, s, u net.ID) net.ID { return n.Sub(s, q, 8) },
	},
}

func TestBlocksNearlyAlikeAreTold(t *testing.T) {
	for name, next := range alike {
		n := net.New()
		for i := range 3*ElementCount + 2 {
			n.Regs = append(n.Regs, net.Reg{Slot: int32(i), W: 8, Q: net.None, Next: net.None})
		}
		s, u := n.Leaf(3*ElementCount), n.Leaf(3*ElementCount+1)
		for i := range 3 * ElementCount {
			n.Regs[i].Next = next[i/(2*ElementCount)](n, n.Leaf(i), s, u)
		}
		p := newPacker(n, &narrow)
		p.findRuns()
		b := p.match(0, ElementCount)
		for i, want := range []bool{true, true, false} {
			if p.again(&p.shapes[b.shape], int32(i*ElementCount)) != want {
				t.Errorf("%s: that the first block is like block %d is not said to be %v", name, i, want)
			}
		}
	}
}
