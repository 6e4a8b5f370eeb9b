package passes_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/text"
	"etch/passes"
	"etch/testbench/randcircuit"
)

func TestTable(t *testing.T) {
	require.NoError(t, passes.CheckTable(passes.Table))
	for i, p := range passes.Table { // every need is one: without what provides it the table is wrong
		for _, n := range p.Needs {
			require.NotEmpty(t, n.Why, "%s", p.Name)
			var without []passes.Pass
			for _, q := range passes.Table[:i] {
				provides := false
				for _, f := range q.Provides {
					provides = provides || f == n.Fact
				}
				if !provides {
					without = append(without, q)
				}
			}
			require.ErrorContains(t, passes.CheckTable(append(without, p)), "needs")
		}
	}
	require.ErrorContains(t, passes.CheckTable([]passes.Pass{{Name: "x"}}), `"x" is not complete`)
	twice := append([]passes.Pass{passes.Table[0]}, passes.Table[0])
	require.ErrorContains(t, passes.CheckTable(twice), "not the only one")
}

func TestCount(t *testing.T) {
	var c passes.Count
	require.Equal(t, "", c.String())
	c[passes.Folded], c[passes.LutPins] = 2, 3
	c.Add(c)
	require.Equal(t, "folded 4, LUT pins 6", c.String())
	require.Equal(t, 10, c.Total())
	names := map[string]bool{}
	for k := range passes.NumKinds {
		require.NotEmpty(t, k.String())
		require.False(t, names[k.String()])
		names[k.String()] = true
	}
}

// TestEveryKindOccurs: no kind of change is only there on paper.
func TestEveryKindOccurs(t *testing.T) {
	var c passes.Count
	for seed := range uint64(160) {
		d := randcircuit.Design(seed, randcircuit.Config{Nodes: 60, Modules: int(seed % 3), State: true, Stmts: seed%4 == 0})
		passes.Optimize(d, passes.Options{Count: &c})
		passes.Optimize(d, passes.Options{Count: &c, Flatten: true})
	}
	for k := range passes.NumKinds {
		require.NotZero(t, c[k], "%s", k)
	}
}

func TestDebug(t *testing.T) {
	d := randcircuit.Design(5, randcircuit.Config{Nodes: 60, Modules: 2, State: true})
	run := func(env string, b passes.Debug) (string, *ir.Design) {
		var out bytes.Buffer
		b.Out = &out
		t.Setenv(passes.DebugEnv, env)
		small := passes.Optimize(d, passes.Options{Debug: b})
		return out.String(), small
	}
	out, small := run("", passes.Debug{})
	require.Empty(t, out)

	out, _ = run("", passes.Debug{Print: "fold"})
	require.Contains(t, out, "// after fold, round 1: ")
	require.NotContains(t, out, "// after cse")
	at := strings.Index(out, "etch 1")
	end := strings.Index(out, "// after fold, round 2")
	back, err := text.Parse(strings.NewReader(out[at:end]), "debug")
	require.NoError(t, err, "what is printed can be read back")
	require.Len(t, back.Modules, 3)

	out, _ = run("print=all", passes.Debug{})
	for _, p := range passes.Table {
		require.Contains(t, out, "// after "+p.Name+", round 1")
	}

	out, stopped := run("time,stop=cse", passes.Debug{})
	require.Contains(t, out, "narrow ")
	require.NotEqual(t, text.String(small), text.String(stopped))
	require.Equal(t, 7, strings.Count(out, "\n"))
	fromOption, same := run("", passes.Debug{Time: true, Stop: "cse"})
	require.Equal(t, 7, strings.Count(fromOption, "\n"))
	require.Equal(t, text.String(stopped), text.String(same))

	out, _ = run("print=nonsense, tine", passes.Debug{})
	require.Equal(t, 2, strings.Count(out, "is not print=PASS"))
}

// TestRounds: the table settles well before the bound.
func TestRounds(t *testing.T) {
	for seed := range uint64(40) {
		d := randcircuit.Design(seed, randcircuit.Config{Nodes: 80, State: true})
		var out bytes.Buffer
		passes.Optimize(d, passes.Options{Debug: passes.Debug{Print: "dce", Out: &out}})
		require.NotContains(t, out.String(), "round 8:", "seed %d", seed)
	}
}

// doubling is a design of n levels, each with two instances of the one below.
func doubling(n int) *ir.Design {
	d := &ir.Design{Src: ir.NewSources()}
	for i := range n {
		m := ir.NewModule(strings.Repeat("m", i+1), d.Src)
		x := m.AddInput("x", 8, 0, 0)
		out := m.Add(ir.Node{Op: ir.Not, Width: 8}, x)
		for j := 0; j < 2 && i > 0; j++ {
			at := m.AddInst([]string{"a", "b"}[j], d.Top, 0)
			m.Insts[at].Conns[0] = out
			out = m.Insts[at].Conns[1]
		}
		m.AddOutput("y", 8, 0, out, 0)
		d.Modules, d.Top = append(d.Modules, m), m
	}
	return d
}

// TestFlattenBounded: a short design that is huge when flat is refused and left
// alone, also by Optimize.
func TestFlattenBounded(t *testing.T) {
	d := doubling(60)
	require.NoError(t, ir.Verify(d))
	before := text.String(d)
	_, err := passes.Flatten(d)
	require.ErrorContains(t, err, "more than")
	require.Equal(t, before, text.String(d))
	require.Len(t, passes.Optimize(d, passes.Options{Flatten: true}).Modules, 60)

	d = doubling(10)
	c, err := passes.Flatten(d)
	require.NoError(t, err)
	require.Equal(t, 1<<10-2, c[passes.Flattened])
	require.Len(t, d.Modules, 1)
	require.NoError(t, ir.Verify(d))
}

// TestClone: a clone has the same text and shares no table with the original.
func TestClone(t *testing.T) {
	d := randcircuit.Design(3, randcircuit.Config{Nodes: 40, Modules: 2, State: true, Stmts: true, Extern: true})
	before := text.String(d)
	c := d.Clone()
	require.Equal(t, before, text.String(c))
	for _, m := range c.Modules {
		for id := ir.ID(1); int(id) < m.Len(); id++ {
			m.SetName(id, "other")
			if args := m.Args(id); len(args) > 0 {
				args[0] = 1
			}
		}
		ir.EachRef(m, func(ref *ir.ID) { *ref = 1 })
		m.Ports[0].Name = "other"
	}
	require.Equal(t, before, text.String(d))
}
