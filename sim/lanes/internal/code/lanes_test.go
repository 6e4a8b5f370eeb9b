package code_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/sim/choose"
	"etch/sim/lanes/internal/code"
	"etch/sim/native/cpu"
	"etch/sim/net"
	"etch/testbench/tools"
)

// pol is the tunables of all layouts.
var pol = &choose.Standard().LaneCode

// targets are those that can run here; the Go executor stands in for processors
// that are not there.
func targets() []code.Target {
	inGo := func(t code.Target) code.Target {
		t.Native = false
		t.Name += " in Go"
		return t
	}
	all := []code.Target{code.Portable, inGo(code.AVX2), inGo(code.AVX512)}
	tight := inGo(code.AVX2)
	if code.Best(cpu.Host()) == code.NEON {
		all = []code.Target{code.NEON} // what is executed in Go, amd64 tests
		tight = code.NEON
	}
	tight.Name, tight.Regs = "few registers", 4
	all = append(all, tight)
	if f := cpu.Host(); f.AVX2 {
		all = append(all, code.AVX2)
		if f.AVX512 {
			all = append(all, code.AVX512)
		}
	}
	return all
}

// Every state word and memory word of every instance is what the reference says,
// for random nets, after every cycle.
func TestRandomNets(t *testing.T) {
	seeds := 120
	if testing.Short() {
		seeds = tools.Trials(25, 10)
	}
	for seed := range uint64(seeds) {
		r := rand.New(rand.NewPCG(seed, 1))
		maxW := []int{1, 4, 16, 33, 64}[seed%5]
		n, tables := randomNet(r, 10+r.IntN(60), allOps, maxW)
		for _, target := range targets() {
			runBoth(t, fmt.Sprintf("seed %d, %s", seed, target.Name), n, tables, code.Sliced, target, r, 4)
		}
	}
}

// The same in word form.
func TestRandomWords(t *testing.T) {
	seeds, skipped := 400, 0
	if testing.Short() {
		seeds = tools.Trials(100, 42)
	}
	for seed := range uint64(seeds) {
		r := rand.New(rand.NewPCG(seed, 2))
		ops := wordOps
		if seed%4 == 0 {
			ops = append(ops[:len(ops):len(ops)], net.ShrS)
		}
		maxW := []int{1, 4, 16, 17, 32, 33, 64}[seed%7]
		if seed%3 == 0 {
			ops = ops[1:] // no memories
		}
		n, tables := randomNet(r, 5+r.IntN(60), ops, maxW)
		for _, target := range targets() {
			if !runBoth(t, fmt.Sprintf("seed %d, %s", seed, target.Name), n, tables, code.Words, target, r, 6) {
				skipped++
			}
		}
	}
	require.Less(t, skipped, seeds, "of %d", seeds*len(targets()))
}

// runBoth compares a group with instances; false if the form has no code for n.
func runBoth(t *testing.T, name string, n *net.Net, tables [][]uint64, f code.Form, target code.Target, r *rand.Rand, cycles int) bool {
	l := code.NewLayout(n, tables, f, pol)
	p, err := code.Compile(n, l, target)
	if f == code.Words && err != nil {
		return false
	}
	require.NoError(t, err, name)
	compareAll(t, name, n, tables, l, p, target, r, cycles)
	return true
}

// compareAll compares a group that p runs with instances, and closes p.
func compareAll(t *testing.T, name string, n *net.Net, tables [][]uint64, l *code.Layout, p code.Program, target code.Target, r *rand.Rand, cycles int) {
	defer p.Close()
	g, w := code.NewGroup(l, target), code.NewWorker()
	all := make([]*instance, g.Lanes())
	own := len(n.Mems) - len(tables)
	for lane := range all {
		s := newInstance(n, tables, r)
		all[lane] = s
		for i, v := range s.regs {
			g.SetWord(i, lane, v)
		}
		for m := range own {
			for row := range n.Mems[m].Depth {
				g.SetMem(m, row, lane, s.mems[m][row])
			}
		}
	}
	for range cycles {
		k := 1 + r.IntN(5)
		for _, s := range all {
			for range k {
				s.settle()
				s.step()
			}
		}
		require.Zero(t, p.Run(w, g, k, false), name)
		for lane, s := range all {
			for i, v := range s.regs {
				if got := g.Word(i, lane); got != v {
					t.Fatalf("%s, lane %d, word %d: %#x, want %#x", name, lane, i, got, v)
				}
			}
			for m := range own {
				for row := range n.Mems[m].Depth {
					if got, want := g.Mem(m, row, lane), s.mems[m][row]; got != want {
						t.Fatalf("%s, lane %d, memory %d, row %d: %#x, want %#x", name, lane, m, row, got, want)
					}
				}
			}
		}
	}
}

// A stop leaves before the cycle, and says for whom.
func TestStop(t *testing.T) {
	n := net.New()
	n.Regs = []net.Reg{{W: 8, Q: net.None, Next: net.None}}
	q := n.Leaf(0)
	n.Regs[0].Next = n.Add(q, n.Const(1), 8)
	n.Stop = n.Eq(q, n.Const(200))
	start := func(lane int) int { return (lane*7 + 28) % 50 } // 49 in lane 3
	for i, target := range slices.Repeat(targets(), 3) {
		l := code.NewLayout(n, nil, code.Form(i/len(targets())), pol)
		p, err := code.Compile(n, l, target)
		require.NoError(t, err)
		g, w := code.NewGroup(l, target), code.NewWorker()
		g.Activate(g.Lanes())
		for lane := range g.Lanes() {
			g.SetWord(0, lane, uint64(start(lane)))
		}
		require.Equal(t, 300-151, p.Run(w, g, 300, false), target.Name)
		for lane := range g.Lanes() {
			require.Equal(t, uint64(start(lane)+151), g.Word(0, lane))
			require.Equal(t, start(lane) == 49, p.Stopped(w)[lane/64]>>(lane%64)&1 != 0, "%s %d", target.Name, lane)
		}
		require.Zero(t, p.Run(w, g, 1, true))
		require.Equal(t, uint64(201), g.Word(0, 3))
		require.NoError(t, p.Close())
	}
}

// An array of multipliers is what code for several cycles at once is for: it must
// be there, and agree whatever instances load weights when.
func TestSeveralCycles(t *testing.T) {
	n := macNet(5)
	for _, target := range targets() {
		p, err := code.Compile(n, code.NewLayout(n, nil, code.Words, pol), target)
		require.NoError(t, err)
		require.Contains(t, p.(fmt.Stringer).String(), "= branch", target.Name)
		require.NoError(t, p.Close())
		r := rand.New(rand.NewPCG(3, 3))
		runBoth(t, target.Name, n, nil, code.Words, target, r, 20)
	}
}

// A word of one bit takes what is read from a memory of wider words: the last word
// of one of 65 bits is as wide as the first.
func TestBitOfWideWord(t *testing.T) {
	n := net.New()
	n.Regs = []net.Reg{{W: 3, Q: net.None, Next: net.None}, {Slot: 1, W: 1, Q: net.None, Next: net.None}, {Slot: 2, W: 1, Q: net.None, Next: net.None}}
	at, hold, bit := n.Leaf(0), n.Leaf(1), n.Leaf(2)
	n.Mems = []net.Mem{{Words: 8, Depth: 8, W: 64}}
	n.Regs[0].Next = n.Add(at, n.Const(3), 3)
	n.Regs[1].Next = n.Make(net.Xor, 1, hold, bit, net.None, 0)
	n.Regs[2].Next = n.Mux(hold, n.Read(0, at), bit)
	tables := [][]uint64{{0, 1, 1, 0, 1, 0, 0, 1}}
	for _, target := range targets() {
		for _, f := range []code.Form{code.Sliced, code.Words, code.Mixed} {
			require.True(t, runBoth(t, target.Name, n, tables, f, target, rand.New(rand.NewPCG(1, 1)), 6), target.Name)
		}
	}
}

// A table reads as what it holds, also where it is gates and no memory.
func TestTables(t *testing.T) {
	n := net.New()
	tables := [][]uint64{make([]uint64, 8), make([]uint64, 512)}
	for _, table := range tables {
		for k := range table {
			table[k] = uint64(k*k+1) & 7
		}
		n.Mems = append(n.Mems, net.Mem{Words: len(table), Depth: len(table), W: 3})
	}
	for _, f := range []code.Form{code.Sliced, code.Words, code.Mixed} {
		g := code.NewGroup(code.NewLayout(n, tables, f, pol), code.Portable)
		for m, table := range tables {
			for k, v := range table {
				require.Equal(t, v, g.Mem(m, k, 5), "form %d, table %d, word %d", f, m, k)
			}
		}
	}
}
