package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/sim"
	"etch/sim/internal/simtest"
	"etch/sim/lanes"
)

// What is nil gives an error that says so, or is none.
func TestNil(t *testing.T) {
	for _, d := range []*ir.Design{nil, {}} {
		_, err := sim.New(d)
		require.EqualError(t, err, "sim: there is no design: it is nil, or has no top")
		_, err = lanes.New(d, 2)
		require.EqualError(t, err, "sim: there is no design: it is nil, or has no top")
	}
	m := buffer()
	d := &ir.Design{Top: m, Modules: []*ir.Module{m}, Src: m.Src}
	s, err := sim.New(d, nil, sim.WithSeed(1), nil, sim.WithOutput(nil))
	require.NoError(t, err)
	require.EqualError(t, s.Trace(nil), "sim: there is no Tracer to trace with")
	require.EqualError(t, s.Restore(nil), "sim: there is no snapshot to restore")
	l, err := lanes.New(d, 2, nil)
	require.NoError(t, err)
	require.NoError(t, l.Close())
}

// Prints to a nil Writer go nowhere.
func TestPrintToNil(t *testing.T) {
	b := simtest.NewBuild("top")
	b.Stmts = append(b.Stmts, ir.Stmt{Kind: ir.Print, Clk: b.Clk, En: ir.None, Cond: ir.None, Format: "x\n"})
	s, err := sim.New(simtest.Design(b), sim.WithOutput(nil))
	require.NoError(t, err)
	s.Step(3)
	require.NoError(t, s.Err())
}

// A statement without a name is spoken of without one.
func TestUnnamedFailure(t *testing.T) {
	at := ir.Location{File: "a/top.go", Line: 3}
	for want, f := range map[string]sim.Failure{
		"assert failed in cycle 7":              {},
		"assert in u failed in cycle 7":         {Instance: "u"},
		"assert below failed in cycle 7":        {Name: "below"},
		"assert u.below failed in cycle 7: why": {Name: "below", Instance: "u", Message: "why"},
	} {
		f.Kind, f.At, f.Cycle = ir.Assert, at, 7
		require.Equal(t, at.String()+": "+want, f.Error())
		require.Equal(t, "lane 4: "+at.String()+": "+want, lanes.Failure{Lane: 4, Failure: f}.Error())
	}
}
