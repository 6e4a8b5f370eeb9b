package native

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"etch/sim/native/cpu"
	"etch/sim/net"
)

// randomNet makes a net of every op, with registers, a memory and stores.
func randomNet(r *rand.Rand, nodes int) *net.Net { return randomNetOf(r, nodes, 32, 64) }

// randomNetOf is randomNet with memories of other widths.
func randomNetOf(r *rand.Rand, nodes int, widths ...uint8) *net.Net {
	n := net.New()
	regs := 3 + r.IntN(12)
	for i := range regs {
		n.Regs = append(n.Regs, net.Reg{Slot: int32(i), W: uint8(1 + r.IntN(64)), Q: net.None, Next: net.None})
		if r.IntN(3) == 0 {
			n.Regs[i].W = 1
		}
	}
	n.Mems = []net.Mem{{At: uint32(regs), Words: 16, Depth: 16, W: widths[0]}, {At: uint32(regs + 16), Words: 4, Depth: 4, W: widths[1]}}
	g := &growth{r: r, n: n, regs: regs}
	for i := range regs {
		g.all = append(g.all, n.Leaf(i))
	}
	for range nodes {
		g.node()
	}
	pick, narrow := g.pick, g.narrow
	for i := range regs {
		if r.IntN(5) > 0 {
			n.Regs[i].Next = n.Slice(pick(), 0, n.Regs[i].W)
			if r.IntN(2) == 0 {
				n.Regs[i].Next = n.Mux(n.Slice(pick(), 0, 1), n.Regs[i].Next, n.Leaf(i))
			}
		}
	}
	for range r.IntN(4) {
		m := r.IntN(2)
		w := net.Write{Mem: int32(m), En: n.Slice(pick(), 0, 1), Addr: narrow([]uint8{4, 2}[m]), Data: narrow(widths[m]), Mask: net.None}
		if r.IntN(2) == 0 {
			w.Mask = narrow(widths[m])
		}
		n.Writes = append(n.Writes, w)
	}
	return n.Compact()
}

// growth is a net that grows by random nodes over its first regs registers and
// two memories, of 16 words of 32 bits and of 4 words of 64.
type growth struct {
	r    *rand.Rand
	n    *net.Net
	regs int
	all  []net.ID
}

// pick is a node, most likely a recent one.
func (g *growth) pick() net.ID {
	return g.all[len(g.all)-1-g.r.IntN(min(len(g.all), 1+g.r.IntN(40)))]
}

func (g *growth) narrow(w uint8) net.ID { return g.n.Slice(g.pick(), 0, w) }

// node adds a node of any op.
func (g *growth) node() {
	r, n, pick, narrow := g.r, g.n, g.pick, g.narrow
	var x net.ID
	a, b := pick(), pick()
	wa, wb := n.Width(a), n.Width(b)
	w := uint8(1 + r.IntN(64))
	switch op := net.Op(r.IntN(int(net.Lut) + 1)); op {
	case net.Const:
		x = n.Const(r.Uint64() >> r.IntN(64))
	case net.Leaf:
		x = n.Leaf(r.IntN(g.regs))
	case net.Read:
		m := r.IntN(2)
		x = n.Read(int32(m), narrow([]uint8{4, 2}[m]))
	case net.Lut:
		k := 1 + r.IntN(6)
		in := make([]net.ID, k)
		for i := range in {
			in[i] = n.Slice(pick(), 0, 1)
		}
		x = n.Lut(r.Uint64(), in)
	case net.Mux:
		x = n.Mux(n.Slice(pick(), 0, 1), a, b)
	case net.Slice:
		lo := uint8(r.IntN(int(wa)))
		x = n.Slice(a, lo, 1+uint8(r.IntN(int(wa-lo))))
	case net.Cat:
		if int(wa)+int(wb) > 64 {
			return
		}
		x = n.Cat(a, b, wb)
	case net.SExt:
		x = n.SExt(a, wa, max(w, wa))
	case net.DivS, net.RemS, net.LtS, net.LeS, net.ShrS:
		sw := max(wa, wb)
		if op == net.LtS || op == net.LeS {
			w = 1
		} else {
			w = sw
		}
		x = n.Make(op, w, a, b, net.None, uint64(sw))
	case net.Div, net.Sub, net.Add, net.Mul, net.Shl, net.Not, net.Rem:
		w = max(w, wa, wb)
		if op == net.Not {
			b = net.None
		}
		x = n.Make(op, w, a, b, net.None, 0)
	case net.Parity, net.Pop:
		x = n.Make(op, 1, a, net.None, net.None, 0)
	default:
		x = n.Make(op, w, a, b, net.None, 0)
	}
	g.all = append(g.all, x)
}

// settled are the values of all nodes by the reference semantics.
func settled(n *net.Net, state []uint64) []uint64 {
	v := make([]uint64, len(n.N))
	for i := range n.N {
		nd := &n.N[i]
		arg := func(x net.ID) uint64 {
			if x < 0 {
				return 0
			}
			return v[x]
		}
		switch nd.Op {
		case net.Leaf:
			v[i] = state[n.Regs[nd.Imm].Slot]
		case net.Read:
			v[i] = *word(n, int32(nd.Imm), v[nd.A], state)
		case net.Lut:
			at := uint64(0)
			for k, x := range n.Pool[nd.A : nd.A+nd.B] {
				at |= v[x] << k
			}
			v[i] = nd.Imm >> at & 1
		default:
			v[i] = net.Eval(nd.Op, nd.W, nd.Imm, arg(nd.A), arg(nd.B), arg(nd.C))
		}
		if nd.W < 64 && v[i]>>nd.W != 0 {
			panic(fmt.Sprintf("%%%d = %#x exceeds its width\n%s", i, v[i], n))
		}
	}
	return v
}

// word is a word of a memory.
func word(n *net.Net, mem int32, addr uint64, state []uint64) *uint64 {
	m := &n.Mems[mem]
	return &state[int(int32(m.At))+int(addr)*int(max(1, m.Step))]
}

// step is one cycle of a net by the reference semantics.
func step(n *net.Net, state []uint64) {
	v := settled(n, state)
	for _, w := range n.Writes {
		if w.En < 0 || v[w.En] != 0 {
			p := word(n, w.Mem, v[w.Addr], state)
			mask := ^uint64(0)
			if w.Mask >= 0 {
				mask = v[w.Mask]
			}
			*p = *p&^mask | v[w.Data]&mask
		}
	}
	for _, r := range n.Regs {
		if r.Next >= 0 {
			state[r.Slot] = v[r.Next]
		}
	}
}

func TestPlainCodeAgreesWithSemantics(t *testing.T) {
	host := cpu.Host()
	if !Supported(host) {
		t.Skip("no native engine on this machine")
	}
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 7))
		n := randomNet(r, 5+r.IntN(150))
		f := host
		f.BMI = f.BMI && seed%2 == 0
		c, err := Compile(n, f)
		if err != nil {
			t.Fatal(err)
		}
		size := len(n.Regs) + 20
		want := make([]uint64, size)
		for _, g := range n.Regs {
			want[g.Slot] = r.Uint64() & net.Mask(g.W)
		}
		for i := range 16 {
			want[len(n.Regs)+i] = uint64(r.Uint32())
		}
		block := make([]uint64, c.Scratch()+size)
		got := block[c.Scratch():]
		copy(got, want)
		for cycle := range 12 {
			step(n, want)
			if left := c.Run(unsafe.Pointer(&got[0]), 1); left != 0 {
				t.Fatalf("seed %d: %d cycles are left", seed, left)
			}
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("seed %d, cycle %d, word %d: %#x, want %#x\n%s", seed, cycle, i, got[i], want[i], n)
				}
			}
		}
		c.Close()
	}
}
