package aiger_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/backends/aiger"
	"etch/backends/verilog"
	"etch/designs/examples/arbiter"
	"etch/designs/examples/counter"
	"etch/hw"
	"etch/ir"
	"etch/ir/bits"
	"etch/passes/aig"
	"etch/testbench/randcircuit"
	"etch/testbench/tools"
)

func system(t testing.TB, d *ir.Design) *aig.System {
	t.Helper()
	c, err := aig.Blast(d, aig.Options{})
	require.NoError(t, err)
	return c.System()
}

func file(t testing.TB, s *aig.System) *aiger.File {
	t.Helper()
	f, err := aiger.FromSystem(s)
	require.NoError(t, err)
	return f
}

// TestRoundTrip: files of random designs, in both forms, read back as they were,
// and make a system that does the same.
func TestRoundTrip(t *testing.T) {
	for seed := range uint64(40) {
		d := randcircuit.Design(seed, randcircuit.Config{Nodes: 20, Modules: int(seed % 2), State: seed%3 != 0, Stmts: true, Widths: randcircuit.Narrow})
		s := system(t, d)
		for _, sys := range []*aig.System{s, s.ZeroStart()} {
			f := file(t, sys)
			f.Comment = "two\nlines"
			var text, binary bytes.Buffer
			require.NoError(t, f.WriteASCII(&text))
			require.NoError(t, f.WriteBinary(&binary))
			for _, b := range []*bytes.Buffer{&text, &binary} {
				back, err := aiger.Read(bytes.NewReader(b.Bytes()))
				require.NoError(t, err)
				clean(f)
				require.Equal(t, f, back, "seed %d", seed)
				again, err := back.System()
				require.NoError(t, err)
				same(t, sys, again, seed)
			}
		}
	}
}

// clean makes names what a line can hold, and an empty list nil.
func clean(f *aiger.File) {
	line := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r < ' ' || r == 0x7f {
				return '_'
			}
			return r
		}, s)
	}
	for i := range f.Latches {
		f.Latches[i].Name = line(f.Latches[i].Name)
	}
	for _, list := range [][]aiger.Symbol{f.Inputs, f.Outputs, f.Bad, f.Constraints} {
		for i := range list {
			list[i].Name = line(list[i].Name)
		}
	}
}

// same runs two systems side by side on random inputs.
func same(t testing.TB, a, b *aig.System, seed uint64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	va, vb := make([]uint64, a.Graph.Len()), make([]uint64, b.Graph.Len())
	require.Len(t, b.Free, len(a.Free))
	for i := range a.Free {
		x := rng.Uint64()
		va[a.Free[i].Node()], vb[b.Free[i].Node()] = x, x
	}
	a.Graph.Simulate(va)
	b.Graph.Simulate(vb)
	start := func(s *aig.System, v []uint64) (q []uint64) {
		for _, l := range s.Latches {
			q = append(q, aig.Value(v, l.Init))
		}
		return q
	}
	qa, qb := start(a, va), start(b, vb)
	for range 10 {
		for i := range a.Inputs {
			x := rng.Uint64()
			va[a.Inputs[i].Node()], vb[b.Inputs[i].Node()] = x, x
		}
		for i := range a.Latches {
			va[a.Latches[i].Q.Node()], vb[b.Latches[i].Q.Node()] = qa[i], qb[i]
		}
		a.Graph.Simulate(va)
		b.Graph.Simulate(vb)
		for _, list := range [][2][]aig.Lit{{a.Outputs, b.Outputs}, {a.Bad, b.Bad}, {a.Constraints, b.Constraints}} {
			require.Len(t, list[1], len(list[0]))
			for i := range list[0] {
				require.Equal(t, aig.Value(va, list[0][i]), aig.Value(vb, list[1][i]))
			}
		}
		for i := range a.Latches {
			qa[i], qb[i] = aig.Value(va, a.Latches[i].Next), aig.Value(vb, b.Latches[i].Next)
		}
	}
}

// TestSample is a file by hand: a latch that toggles, with everything the format
// has.
func TestSample(t *testing.T) {
	text := "aag 4 1 2 1 1 1 1\n2\n4 5\n6 2 6\n4\n8\n3\n8 6 4\ni0 en\nl0 toggle\nl1 held\no0 q\nb0 both\nc0 low\nc\nby hand\n"
	f, err := aiger.Read(strings.NewReader(text))
	require.NoError(t, err)
	require.Equal(t, &aiger.File{
		MaxVar:      4,
		Inputs:      []aiger.Symbol{{Lit: 2, Name: "en"}},
		Latches:     []aiger.Latch{{Lit: 4, Next: 5, Name: "toggle"}, {Lit: 6, Next: 2, Init: 6, Name: "held"}},
		Outputs:     []aiger.Symbol{{Lit: 4, Name: "q"}},
		Bad:         []aiger.Symbol{{Lit: 8, Name: "both"}},
		Constraints: []aiger.Symbol{{Lit: 3, Name: "low"}},
		Ands:        []aiger.And{{Lit: 8, A: 6, B: 4}},
		Comment:     "by hand",
	}, f)
	var b bytes.Buffer
	require.NoError(t, f.WriteASCII(&b))
	require.Equal(t, text, b.String())
}

func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "the file is empty",
		"aag 1 1\n":                           "line 1: \"aag 1 1\" is no header",
		"aag x 1 0 0 0\n":                     "\"x\" is no number",
		"aag 99999999999 1 0 0 0\n":           "\"99999999999\" is no number",
		"aag 4000000000 1 0 0 0\n":            "4000000000 is more than 67108864",
		"aag 1 2 0 0 0\n":                     "1 variables for 2 inputs, latches and gates",
		"aig 3 2 0 0 0\n":                     "3 variables for 2 inputs, latches and gates",
		"aag 1 1 0 0 0 0 0 1\n2\n":            "justice and fairness properties are not supported",
		"aag 1 1 0 0 0\n":                     "line 2: the file ends where an input should be",
		"aag 1 1 0 0 0\n3\n":                  "line 2: 3 is not the literal of a variable",
		"aag 1 1 0 0 0\n4\n":                  "line 2: 4 is not the literal of a variable",
		"aag 2 2 0 0 0\n2\n2\n":               "line 3: 2 is defined twice",
		"aag 1 1 0 1 0\n2\n4\n":               "line 3: 4 is larger than the largest literal, 3",
		"aag 1 0 1 0 0\n2 2 3\n":              "line 2: latch 2 starts at 3, which is neither 0, 1 nor itself",
		"aag 1 1 0 0 0\n2 2\n":                "line 2: \"2 2\" is not an input",
		"aag 1 1 0 0 0\n2\ni1 x\n":            "line 3: i1 names nothing",
		"aag 1 1 0 0 0\n2\nhello\n":           "line 3: \"hello\" is neither a symbol nor the start of a comment",
		"aig 1 0 0 0 1\n":                     "gate 2: the file ends within it",
		"aig 1 0 0 0 1\n\x00\x00":             "gate 2: it does not follow from smaller ones",
		"aig 1 0 0 0 1\n\xff\xff\xff\xff\xff": "gate 2: a number of more than 32 bits",
	} {
		_, err := aiger.Read(strings.NewReader(text))
		require.ErrorContains(t, err, want, "%q", text)
	}
	for text, want := range map[string]string{
		"aag 2 0 0 1 2\n2\n2 4 4\n4 2 2\n": "follows from itself",
		"aag 2 0 0 1 1\n4\n2 4 4\n":        "nothing defines literal 4",
		"aag 2 0 0 1 0\n4\n":               "nothing defines literal 4",
	} {
		f, err := aiger.Read(strings.NewReader(text))
		require.NoError(t, err)
		_, err = f.System()
		require.ErrorContains(t, err, want, "%q", text)
	}
	f, err := aiger.Read(strings.NewReader("aag 2 1 0 0 1\n4\n2 4 4\n"))
	require.NoError(t, err)
	require.ErrorContains(t, f.WriteBinary(&bytes.Buffer{}), "in a binary file")
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("aag 4 1 2 1 1 1 1\n2\n4 5\n6 2 6\n4\n8\n3\n8 6 4\ni0 en\nc\nx\n"))
	f.Add([]byte("aig 3 1 1 1 1\n6\n6\n\x02\x02"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1000 {
			return
		}
		file, err := aiger.Read(bytes.NewReader(data))
		if err != nil || file.MaxVar > 1000 {
			return
		}
		if s, err := file.System(); err == nil {
			again, err := aiger.FromSystem(s)
			require.NoError(t, err)
			require.NoError(t, again.WriteBinary(&bytes.Buffer{}))
		}
	})
}

// ask writes a system whose only output is bad and has ABC decide whether it can
// be high.
func ask(t testing.TB, f *aiger.File, commands string) string {
	t.Helper()
	abc := tools.Need(t, "berkeley-abc")[0]
	dir := t.TempDir()
	var b bytes.Buffer
	require.NoError(t, f.WriteBinary(&b))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "f.aig"), b.Bytes(), 0o666))
	cmd := abc.Command(t.Context(), "-q", "read_aiger f.aig; "+commands+"; print_status")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	switch {
	case strings.Contains(string(out), "Status = 1"):
		return "proved"
	case strings.Contains(string(out), "Status = 0"):
		return "refuted"
	}
	return string(out)
}

// TestZeroStartTrap: a latch that may start high, and then stays, can be high. ABC
// says that it cannot, when it is told so by the reset field of the format: it takes
// the latch to start at 0. With ZeroStart it gives the right answer.
func TestZeroStartTrap(t *testing.T) {
	g := aig.New()
	start, q := g.Leaf(), g.Leaf()
	s := &aig.System{Graph: g, Free: []aig.Lit{start}, Latches: []aig.Latch{{Q: q, Next: q, Init: start}}, Outputs: []aig.Lit{q}}
	f := file(t, s)
	require.Equal(t, f.Latches[0].Lit, f.Latches[0].Init, "the format's way to say that anything is possible")
	z := file(t, s.ZeroStart())
	for _, l := range z.Latches {
		require.Zero(t, l.Init)
	}
	for _, commands := range []string{"pdr", "bmc3 -F 5", "scorr; pdr"} {
		if got := ask(t, f, commands); got != "proved" {
			t.Logf("%s: this ABC is right about latches that start at anything: %s", commands, got)
		}
		require.Equal(t, "refuted", ask(t, z, commands), commands)
	}
	one := &aig.System{Graph: g, Latches: []aig.Latch{{Q: q, Next: q, Init: aig.True}}, Outputs: []aig.Lit{q}}
	require.Equal(t, "refuted", ask(t, file(t, one), "pdr"))
	require.Equal(t, "refuted", ask(t, file(t, one.ZeroStart()), "pdr"))
	one.Outputs[0] = q.Not()
	require.Equal(t, "proved", ask(t, file(t, one), "pdr"))
	require.Equal(t, "proved", ask(t, file(t, one.ZeroStart()), "pdr"))

	s.Start = []aig.Lit{start.Not()}
	_, err := aiger.FromSystem(s)
	require.ErrorContains(t, err, "ZeroStart")
	s.Start, s.Latches[0].Init = nil, start.Not()
	_, err = aiger.FromSystem(s)
	require.ErrorContains(t, err, "ZeroStart")
}

// miter is two systems with the inputs of a name in common, and one output that is
// high when outputs of a name differ.
func miter(t testing.TB, a, b *aig.System) *aig.System {
	m := &aig.System{Graph: aig.New()}
	inputs, outs := map[string]aig.Lit{}, [2]map[string]aig.Lit{{}, {}}
	for side, s := range []*aig.System{a, b} {
		s = s.ZeroStart()
		r := aig.NewRebuilder(s.Graph, m.Graph)
		for i, l := range s.Inputs {
			if _, ok := inputs[s.InputNames[i]]; !ok {
				inputs[s.InputNames[i]] = m.Graph.Leaf()
				m.Inputs = append(m.Inputs, inputs[s.InputNames[i]])
			}
			r.Set(l, inputs[s.InputNames[i]])
		}
		first := len(m.Latches)
		for _, l := range s.Latches {
			q := m.Graph.Leaf()
			r.Set(l.Q, q)
			m.Latches = append(m.Latches, aig.Latch{Q: q})
		}
		for i, l := range s.Latches {
			m.Latches[first+i].Next = r.Lit(l.Next)
		}
		for i, l := range s.Outputs {
			outs[side][s.OutputNames[i]] = r.Lit(l)
		}
	}
	require.Equal(t, len(outs[0]), len(outs[1]))
	bad := aig.False
	for _, name := range a.OutputNames {
		other, ok := outs[1][name]
		require.True(t, ok, "no output %s", name)
		bad = m.Graph.Or(bad, m.Graph.Xor(outs[0][name], other))
	}
	m.Outputs = []aig.Lit{bad}
	return m
}

// TestAgainstYosys: the gates of a design are equal to those that yosys makes of its
// Verilog, and ABC says so; it finds a bit that was turned.
func TestAgainstYosys(t *testing.T) {
	tools.Need(t, "yosys", "berkeley-abc")
	designs := map[string]*ir.Design{}
	for seed := range uint64(3) {
		designs[fmt.Sprint("random", seed)] = randcircuit.Design(seed, randcircuit.Config{Nodes: 12, Widths: []int{1, 3, 5, 8}})
	}
	var err error
	designs["counter"], _, err = hw.Build(counter.Counter{Width: 5})
	require.NoError(t, err)
	designs["arbiter"], _, err = hw.Build(arbiter.RoundRobin{N: 3})
	require.NoError(t, err)
	for name, d := range designs {
		t.Run(name, func(t *testing.T) {
			for i := range d.Top.Regs { // the Verilog starts at zero
				d.Top.Regs[i].Init = d.Top.Const(bits.Zero(d.Top.Width(d.Top.Regs[i].Node)), 0)
			}
			ours := system(t, d)
			m := miter(t, ours, synthesised(t, d))
			how := "iprove"
			if len(m.Latches) > 0 {
				how = "scorr; pdr"
			}
			if m.Outputs[0] != aig.False {
				require.Equal(t, "proved", ask(t, file(t, m), how))
			}
			ours.Outputs = append([]aig.Lit(nil), ours.Outputs...)
			last := len(ours.Outputs) - 1
			ours.Outputs[last] = ours.Graph.Xor(ours.Outputs[last], ours.Inputs[len(ours.Inputs)-1])
			require.Equal(t, "refuted", ask(t, file(t, miter(t, ours, synthesised(t, d))), how))
		})
	}
}

// synthesised are the gates that yosys makes.
func synthesised(t testing.TB, d *ir.Design) *aig.System {
	t.Helper()
	yosys := tools.Need(t, "yosys")[0]
	dir := t.TempDir()
	var v bytes.Buffer
	require.NoError(t, verilog.Write(&v, d, verilog.Options{NoPositions: true}))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "d.v"), v.Bytes(), 0o666))
	cmd := yosys.Command(t.Context(), "-q", "-p", "read_verilog d.v; prep -flatten -top "+d.Top.Name+"; memory_map; techmap; async2sync; dffunmap; aigmap; opt_clean; write_aiger -symbols d.aig")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	text, err := os.ReadFile(filepath.Join(dir, "d.aig"))
	require.NoError(t, err)
	f, err := aiger.Read(bytes.NewReader(text))
	require.NoError(t, err)
	s, err := f.System()
	require.NoError(t, err)
	return s
}
