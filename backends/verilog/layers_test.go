package verilog_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/backends/verilog"
	"etch/hw"
	"etch/ir"
	"etch/passes"
)

// whens is a module of random blocks of When, ElseWhen, Else and Cases, in and behind
// each other, that set registers and outputs.
type whens struct{ Seed uint64 }

type whensPorts struct {
	Conds [5]hw.Bit
	X     hw.UInt
	Out   [5]hw.UInt
	Wires [2]hw.UInt
}

func (c whens) Ports() whensPorts {
	p := whensPorts{X: hw.In(hw.Unsigned(3))}
	for i := range p.Conds {
		p.Conds[i] = hw.In(hw.Bit{})
	}
	for i := range p.Out {
		p.Out[i] = hw.Out(hw.Unsigned(3))
	}
	for i := range p.Wires {
		p.Wires[i] = hw.Out(hw.Unsigned(3))
	}
	return p
}

// whensBuild is the state of building one.
type whensBuild struct {
	*rand.Rand
	m       *hw.Module
	conds   []hw.Bit
	targets []hw.UInt
	values  []hw.UInt
	state   hw.Enum[string]
}

func (c whens) Build(m *hw.Module, p whensPorts) {
	b := &whensBuild{Rand: rand.New(rand.NewPCG(c.Seed, 1)), m: m, conds: p.Conds[:]}
	b.state = hw.Reg(m, "state", hw.EnumOf("idle", "run", "wait"), hw.Val("idle"))
	b.values = append(b.values, p.X, p.X.Not(), hw.U(0), hw.U(5))
	for i := range p.Out {
		reg := hw.Reg(m, []string{"a", "b", "c", "d", "e"}[i], hw.Unsigned(3), hw.U(0))
		p.Out[i].Set(reg)
		b.targets = append(b.targets, reg)
		b.values = append(b.values, reg, reg.Inc())
	}
	for i := range p.Wires {
		p.Wires[i].Set(p.X)
		b.targets = append(b.targets, p.Wires[i])
	}
	for i := range b.conds {
		b.conds = append(b.conds, b.conds[i].Not(), b.conds[i].And(b.conds[(i+1)%5]), p.X.Is(i))
	}
	for _, x := range b.targets[:5] {
		m.When(b.cond(), func() { x.Set(b.values[b.IntN(len(b.values))]) })
	}
	m.When(b.cond(), func() { b.state.Goto("run") })
	b.block(0)
	b.block(0)
}

// cond is one of few conditions, so that blocks share them.
func (b *whensBuild) cond() hw.Bit { return b.conds[b.IntN(len(b.conds))] }

// sets gives some of the targets values; at most one each, as a second would be lost.
func (b *whensBuild) sets() {
	for _, at := range b.Perm(len(b.targets))[:b.IntN(3)] {
		if b.IntN(3) == 0 {
			b.part(b.targets[at])
			continue
		}
		b.targets[at].Set(b.values[b.IntN(len(b.values))])
	}
	if b.IntN(5) == 0 {
		b.state.Goto([]string{"idle", "run", "wait"}[b.IntN(3)])
	}
}

// part gives some bits of a target those of another value.
func (b *whensBuild) part(x hw.UInt) {
	lo := b.IntN(3)
	hi := lo + b.IntN(3-lo)
	x.Range(hi, lo).Set(b.targets[b.IntN(5)].Range(hi, lo)) // of a register: no loop
}

// block makes some statements: plain ones first, as they would undo the others.
func (b *whensBuild) block(depth int) {
	if depth > 0 {
		b.sets()
	}
	for range b.IntN(5 - depth) {
		if b.IntN(3) == 0 {
			for range b.state.Cases() {
				if b.IntN(3) > 0 {
					b.block(depth + 1)
				}
			}
			continue
		}
		chain := b.m.When(b.cond(), func() { b.block(depth + 1) })
		for range b.IntN(3) {
			chain = chain.ElseWhen(b.cond(), func() { b.block(depth + 1) })
		}
		if b.IntN(3) == 0 {
			chain.Else(func() { b.block(depth + 1) })
		}
	}
}

// TestLayersAgree: overlapping blocks mean in Verilog what they mean in the netlist.
func TestLayersAgree(t *testing.T) {
	n := 4 * *circuits
	if testing.Short() {
		n = 24
	}
	agree(t, n, func(seed uint64) *ir.Design { return overlapping(t, seed) })
}

// overlapping is a random design of blocks; every second one went through the passes,
// and in every third the lines are of random blocks: lines give the order, not the
// meaning.
func overlapping(t *testing.T, seed uint64) *ir.Design {
	t.Helper()
	d, _, err := hw.Build(whens{seed})
	require.NoError(t, err)
	if seed%2 == 0 {
		d = passes.Optimize(d, passes.Options{})
	}
	if seed%3 == 0 {
		shuffle(d, seed)
	}
	return d
}

// shuffle gives choices the lines of other nodes.
func shuffle(d *ir.Design, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 2))
	for _, m := range d.Modules {
		for id := ir.ID(1); int(id) < m.Len(); id++ {
			if op := m.Op(id); op == ir.Mux || op == ir.Case {
				m.Node(id).Pos = m.Node(ir.ID(1 + r.IntN(m.Len()-1))).Pos
			}
		}
	}
}

// TestLayersLint: no tool complains about them.
func TestLayersLint(t *testing.T) {
	for seed := range uint64(8) {
		d := overlapping(t, seed)
		lint(t, d, verilog.Options{})
	}
}
