package sim_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/sim"
	"etch/sim/internal/simtest"
)

// talker has one statement of each kind in an instance.
func talker() *ir.Design {
	b := simtest.NewBuild("talker")
	on := b.AddInput("on", 1, 0, 0)
	ok := b.AddInput("ok", 1, 0, 0)
	x := b.AddInput("x", 7, 0, 0)
	y := b.AddInput("y", 7, ir.TypeID(ir.SInt), 0)
	wide := b.AddInput("wide", 70, ir.TypeID(ir.SInt), 0)
	at := func(line int) ir.Pos { return b.Src.Line("t/talker.go", line) }
	b.Stmts = []ir.Stmt{
		{Kind: ir.Assert, Name: "good", Clk: b.Clk, En: on, Cond: ok, Format: "x is %d, 100%%", Args: []ir.ID{x}, Pos: at(3)},
		{Kind: ir.Assume, Name: "promised", Clk: b.Clk, Cond: ok, Pos: at(4)},
		{Kind: ir.Cover, Name: "seen", Clk: b.Clk, En: on, Cond: ok, Pos: at(5)},
		{Kind: ir.Print, Name: "say", Clk: b.Clk, En: on, Format: "%d %d %x %b %c %d %x.\n", Args: []ir.ID{x, y, x, x, x, wide, wide}, Pos: at(6)},
	}
	top := simtest.NewBuild("top")
	in := []ir.ID{top.Clk}
	for _, p := range b.Ports[1:] {
		in = append(in, top.AddInput(p.Name, p.Width, 0, 0))
	}
	top.Child("u", b.Module, in...)
	top.Src = b.Src
	return simtest.Design(top, b.Module)
}

func TestStatements(t *testing.T) {
	var out bytes.Buffer
	s := start(t, talker(), sim.WithOutput(&out))
	var told []uint64
	s.OnFailure(func(f sim.Failure) { told = append(told, f.Cycle) })
	setAll(t, s, access{"on": 1, "ok": 1, "x": 65, "y": 127, "wide": 10})
	s.Step(2)
	require.Equal(t, "65 -1 41 1000001 A 10 00000000000000000a.\n65 -1 41 1000001 A 10 00000000000000000a.\n", out.String())
	require.Empty(t, s.Failures())
	setAll(t, s, access{"on": 1, "x": 7})
	s.Step(1)
	setAll(t, s, access{"x": 8})
	s.Step(1)
	at := func(line int) ir.Location { return ir.Location{File: "t/talker.go", Line: line} }
	require.Equal(t, []sim.Failure{
		{Kind: ir.Assert, Name: "good", Instance: "u", At: at(3), Cycle: 2, Time: 25, Message: "x is 7, 100%"},
		{Kind: ir.Assume, Name: "promised", Instance: "u", At: at(4), Cycle: 2, Time: 25},
		{Kind: ir.Assume, Name: "promised", Instance: "u", At: at(4), Cycle: 3, Time: 35},
	}, s.Failures())
	require.Equal(t, "talker.go:3: assert u.good failed in cycle 2: x is 7, 100%", s.Failures()[0].Error())
	require.Equal(t, []uint64{2, 2, 3}, told)
	require.Equal(t, []sim.CoverPoint{{Name: "seen", Instance: "u", At: at(5), Count: 2}}, s.Coverage())
	s.Step(3 * sim.MaxFailures)
	require.Len(t, s.Failures(), sim.MaxFailures)
	require.EqualValues(t, 3*sim.MaxFailures+3, s.FailureCount())

	// Failures that were to come are cleared; the next one is the first.
	s.ClearResults()
	require.Empty(t, s.Failures())
	require.Zero(t, s.FailureCount())
	s.Step(1)
	require.EqualValues(t, 4+3*sim.MaxFailures, s.Failures()[0].Cycle)
	require.NotZero(t, s.Coverage()[0].Count)
	s.Restart()
	require.Empty(t, s.Failures())
	require.Zero(t, s.FailureCount()+s.Coverage()[0].Count+s.Cycles()+s.Time()+get(t, s, "x"))
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestPrintError(t *testing.T) {
	s := start(t, talker(), sim.WithOutput(broken{}))
	set(t, s, "on", 1)
	require.NoError(t, s.Err())
	s.Step(2)
	require.EqualError(t, s.Err(), "sim: print u.say: disk full")
}

// TestStatementsSeeOldValues: a statement looks just before the edge.
func TestStatementsSeeOldValues(t *testing.T) {
	b := simtest.NewBuild("old")
	q := b.Register("q", 4, 0)
	b.Feed(q, b.Put(ir.Add, 4, q, b.Number(4, 1)))
	b.Stmts = []ir.Stmt{{Kind: ir.Print, Name: "p", Clk: b.Clk, Format: "%d ", Args: []ir.ID{q}}}
	var out bytes.Buffer
	s := start(t, simtest.Design(b), sim.WithOutput(&out))
	s.Step(4)
	require.Equal(t, "0 1 2 3 ", out.String())
}
