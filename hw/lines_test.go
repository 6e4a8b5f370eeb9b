package hw_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/ir"
	netlist "etch/ir/text"
	"etch/passes"
)

// lined sets registers, wires, outputs and an instance's input in every way that
// there is. A line whose comment is "given X" must be a line of a value of X in
// the netlist.
type lined struct{}

type linedPoint struct{ X, Y hw.UInt }

type linedPorts struct {
	A, B  hw.Bit
	Mode  hw.Enum[string]
	In    linedPoint
	Out   linedPoint
	Both  hw.Bit
	Sum   hw.UInt
	Lanes hw.Vec[hw.UInt]
}

func (lined) Ports() linedPorts {
	point := linedPoint{hw.Unsigned(8), hw.Unsigned(8)}
	return linedPorts{
		A: hw.In(hw.Bit{}), B: hw.In(hw.Bit{}), Mode: hw.In(hw.EnumOf("idle", "run", "stop")), In: hw.In(point),
		Out: hw.Out(point), Both: hw.Out(hw.Bit{}), Sum: hw.Out(hw.Unsigned(8)), Lanes: hw.Out(hw.VecOf(2, hw.Unsigned(4))),
	}
}

func (lined) Build(m *hw.Module, p linedPorts) {
	chain := hw.Reg(m, "chain", hw.Unsigned(8), hw.U(0))
	m.When(p.A, func() {
		chain.Set(p.In.X) // given chain
	}).ElseWhen(p.B, func() {
		chain.Set(p.In.Y) // given chain
	}).Else(func() {
		chain.Set(hw.U(7)) // given chain
	})

	state := hw.Reg(m, "state", hw.EnumOf("idle", "run", "stop"), hw.Val("idle"))
	w := hw.Wire(m, "w", hw.Unsigned(8), hw.U(1)) // given w
	for s := range p.Mode.Cases() {
		switch s {
		case "idle":
			state.Goto("run") // given state
			m.When(p.A, func() {
				w.Set(hw.U(2)) // given w
			})
		case "run":
			state.Goto("stop") // given state
			w.Set(p.In.X)      // given w
		}
	}

	later := hw.Reg(m, "later", hw.Unsigned(8))
	later.Set(w) // given later
	m.When(p.B, func() {
		m.When(p.A, func() {
			later.Set(chain) // given later
		})
	})
	p.Out.X.Set(later) // given out_x
	p.Out.Y.Set(chain) // given out_y
	p.Both.Set(p.A)    // given both
	m.When(p.B, func() {
		p.Both.Set(p.A) // given both
	})
	add := hw.Inst(m, "add", linedAdd{})
	add.A.Set(p.In.X) // given add.a
	m.When(p.A, func() {
		add.A.Set(p.In.Y) // given add.a
	})
	add.B.Set(chain) // given add.b
	p.Sum.Set(add.Y) // given sum
	for i, lane := range p.Lanes {
		keep(m, "lane", i, lane)
	}
}

// keep is a helper of the user's: what it makes has two lines on its call path.
func keep(m *hw.Module, name string, i int, out hw.UInt) {
	r := hw.Reg(m, hw.Name(name, i), hw.Unsigned(4))
	r.Set(r.Inc())
	out.Set(r)
}

type linedAdd struct{}

type linedAddPorts struct{ A, B, Y hw.UInt }

func (linedAdd) Ports() linedAddPorts {
	return linedAddPorts{hw.In(hw.Unsigned(8)), hw.In(hw.Unsigned(8)), hw.Out(hw.Unsigned(8))}
}
func (linedAdd) Build(m *hw.Module, p linedAddPorts) { p.Y.Set(p.A.Add(p.B)) }

// linesOf collects, for every target of a module, the lines of this file that its
// value came from: those of its driver, and of the choices below it.
func linesOf(m *ir.Module) map[string]map[int]bool {
	out := map[string]map[int]bool{}
	note := func(name string, set ir.Pos, driver ir.ID) {
		lines := map[int]bool{}
		for _, l := range m.Src.All(set) {
			lines[l.Line] = true
		}
		var visit func(id ir.ID)
		visit = func(id ir.ID) {
			for _, pos := range m.ArmPos(id) {
				for _, l := range m.Src.All(pos) {
					lines[l.Line] = true
				}
			}
			args := m.Args(id)
			from := len(args) - m.Arms(id)
			if op := m.Op(id); op == ir.ZExt || op == ir.Cat {
				from = 0 // wiring that narrowing put around a choice
			}
			for _, v := range args[from:] {
				visit(v)
			}
		}
		visit(driver)
		out[name] = lines
	}
	for _, p := range m.Ports {
		if p.Dir == ir.Out {
			note(p.Name, p.SetAt, p.Node)
		}
	}
	for _, r := range m.Regs {
		note(m.NameOf(r.Node), r.SetAt, r.Next)
	}
	for _, inst := range m.Insts {
		for j, p := range inst.Mod.Ports {
			if p.Dir == ir.In {
				note(inst.Name+"."+p.Name, inst.GivenAt(j), inst.Conns[j])
			}
		}
	}
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		if m.Arms(id) > 0 && m.NameOf(id) != "" {
			note(m.NameOf(id), 0, id)
		}
	}
	return out
}

// wantedLines reads the marks of this file.
func wantedLines(t *testing.T) map[string][]int {
	source, err := os.ReadFile("lines_test.go")
	require.NoError(t, err)
	mark := regexp.MustCompile(`// given ([a-z_.]+)$`)
	out := map[string][]int{}
	for i, line := range strings.Split(string(source), "\n") {
		if at := mark.FindStringSubmatch(line); at != nil {
			out[at[1]] = append(out[at[1]], i+1)
		}
	}
	require.Len(t, out, 10)
	return out
}

func TestArmsKeepTheirLines(t *testing.T) {
	d, _, err := hw.Build(lined{})
	require.NoError(t, err)
	check := func(t *testing.T, m *ir.Module) {
		got := linesOf(m)
		for name, lines := range wantedLines(t) {
			for _, line := range lines {
				require.Contains(t, got[name], line, "%s", name)
			}
		}
	}
	check(t, d.Top)

	t.Run("text", func(t *testing.T) {
		out := netlist.String(d)
		again, err := netlist.Parse(strings.NewReader(out), "lined.etch")
		require.NoError(t, err)
		require.Equal(t, out, netlist.String(again))
		check(t, again.Top)
	})
	t.Run("optimised", func(t *testing.T) {
		for _, m := range d.Modules {
			passes.Fold(m)
			passes.Muxes(m)
			passes.CSE(m)
			passes.Narrow(m, true)
		}
		check(t, d.Top)
	})
}

func TestConditionsKeepTheirLines(t *testing.T) {
	d, _, err := hw.Build(lined{})
	require.NoError(t, err)
	m := d.Top
	var lines []string
	source, err := os.ReadFile("lines_test.go")
	require.NoError(t, err)
	text := strings.Split(string(source), "\n")
	for _, r := range m.Regs {
		if m.NameOf(r.Node) != "chain" {
			continue
		}
		for id := r.Next; m.Op(id) == ir.Mux; id = m.Args(id)[2] {
			lines = append(lines, strings.TrimSpace(text[m.Src.At(m.Node(id).Pos).Line-1]))
		}
	}
	require.Equal(t, []string{"m.When(p.A, func() {", "}).ElseWhen(p.B, func() {"}, lines)
}

func TestPathsOfBundles(t *testing.T) {
	d, _, err := hw.Build(lined{})
	require.NoError(t, err)
	m := d.Top
	paths := map[string]string{}
	for _, p := range m.Ports {
		paths[p.Name] = p.Path
		if p.Dir == ir.In {
			require.Equal(t, p.Path, m.PathOf(p.Node))
		}
	}
	require.Equal(t, "in.x", paths["in_x"])
	require.Equal(t, "lanes.1", paths["lanes_1"])
	require.Equal(t, "", paths["sum"])
}

func TestCallsOfHelpers(t *testing.T) {
	d, _, err := hw.Build(lined{})
	require.NoError(t, err)
	source, err := os.ReadFile("lines_test.go")
	require.NoError(t, err)
	text := strings.Split(string(source), "\n")
	m := d.Top
	for _, r := range m.Regs {
		if !strings.HasPrefix(m.NameOf(r.Node), "lane_") {
			continue
		}
		var calls []string
		for _, l := range m.Src.Calls(m.Node(r.Next).Pos) {
			calls = append(calls, strings.TrimSpace(text[l.Line-1]))
		}
		require.Equal(t, []string{"r.Set(r.Inc())", `keep(m, "lane", i, lane)`}, calls)
	}
}
