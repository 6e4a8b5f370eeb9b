package explore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
)

// table is a measure from a function of the swept integers, which counts its runs.
func table(name string, cost int, runs *atomic.Int64, f func(x map[string]int) (map[string]float64, error)) Measure {
	return Measure{Name: name, Tool: "table 1", Cost: cost, ByValues: true, Run: func(_ context.Context, c Candidate) (map[string]float64, error) {
		runs.Add(1)
		x := map[string]int{}
		for name, v := range c.Values {
			x[name], _ = strconv.Atoi(v)
		}
		return f(x)
	}}
}

func sweeps(t *testing.T, texts ...string) (list []Sweep) {
	for _, text := range texts {
		s, err := ParseSweep(text)
		require.NoError(t, err)
		list = append(list, s)
	}
	return list
}

func open(t *testing.T, dir string) *Journal {
	j, err := OpenJournal(dir)
	require.NoError(t, err)
	t.Cleanup(func() { j.Close() })
	return j
}

// explored runs a plan in a folder and closes the journal.
func explored(t *testing.T, dir string, p Plan) *Outcome {
	j, err := OpenJournal(dir)
	require.NoError(t, err)
	o, err := Run(t.Context(), j, p)
	require.NoError(t, err)
	require.NoError(t, j.Close())
	return o
}

// The front is that of brute force over all pairs, for two and three axes with many ties.
func TestFrontIsBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	axes := []Axis{{"area", false}, {"mhz", true}, {"cycles", false}}
	for n := range 40 {
		use := axes[:2+n%2]
		var points []map[string]float64
		for range n {
			points = append(points, map[string]float64{"area": float64(r.IntN(9)), "mhz": float64(r.IntN(9)), "cycles": float64(r.IntN(9))})
		}
		var want []int
		for i, p := range points {
			if !slices.ContainsFunc(points, func(q map[string]float64) bool { return dominates(q, p, use) }) {
				want = append(want, i)
			}
		}
		require.Equal(t, want, front(points, use))
	}
}

// A sweep measures each subject once, another one over the same folder what is new, and
// a tool of another version everything.
func TestResultsAreReused(t *testing.T) {
	dir := t.TempDir()
	var runs atomic.Int64
	m := table("area", Dear, &runs, func(x map[string]int) (map[string]float64, error) {
		return map[string]float64{"lut": float64(100 / x["k"]), "mhz": float64(10 * x["k"])}, nil
	})
	p := Plan{Design: "d", Sweeps: sweeps(t, "k=1..4"), Measures: []Measure{m}, Axes: []Axis{{"lut", false}, {"mhz", true}}}
	o := explored(t, dir, p)
	require.EqualValues(t, 4, runs.Load())
	require.Equal(t, 4, o.Fresh)
	require.True(t, o.Rows[3].Front)
	require.False(t, o.Rows[2].Front)

	p.Sweeps = sweeps(t, "k=2..6")
	require.Equal(t, 2, explored(t, dir, p).Fresh)
	require.EqualValues(t, 6, runs.Load())
	p.Measures[0].Tool = "table 2"
	require.Equal(t, 5, explored(t, dir, p).Fresh)
}

// Candidates whose netlists have one text are measured once, whatever their values.
func TestEqualNetlists(t *testing.T) {
	var runs atomic.Int64
	m := table("area", Dear, &runs, func(map[string]int) (map[string]float64, error) {
		return map[string]float64{"lut": 1}, nil
	})
	m.ByValues = false
	p := Plan{Design: "d", Sweeps: sweeps(t, "k=1..9", "j=1,2"), Measures: []Measure{m}}
	p.Build = func(values map[string]string) (*ir.Design, error) {
		return &ir.Design{Top: &ir.Module{Name: "half" + strconv.Itoa(int(values["k"][0]-'0')/2)}}, nil
	}
	p.Text = func(d *ir.Design) ([]byte, error) { return []byte(d.Top.Name), nil }
	o := explored(t, t.TempDir(), p)
	require.EqualValues(t, 5, runs.Load())
	require.Equal(t, 18, o.Count(Done))
}

// A candidate that fails is a row, and not measured again but with Retry; a panic is a
// failure; a failure of the machine is not kept.
func TestFailures(t *testing.T) {
	dir := t.TempDir()
	var runs atomic.Int64
	bad := true
	m := table("area", Dear, &runs, func(x map[string]int) (map[string]float64, error) {
		switch {
		case x["k"] == 2 && bad:
			return nil, errors.New("yosys gave up")
		case x["k"] == 3 && bad:
			panic("oops")
		case x["k"] == 4 && bad:
			return nil, fmt.Errorf("%w: killed", ErrPassing)
		case x["k"] == 6:
			return map[string]float64{"lut": 0 / float64(x["zero"])}, nil
		}
		return map[string]float64{"lut": float64(x["k"])}, nil
	})
	p := Plan{Design: "d", Sweeps: sweeps(t, "k=1..6"), Measures: []Measure{m}, Axes: []Axis{{"lut", false}}}
	p.Build = func(values map[string]string) (*ir.Design, error) {
		if values["k"] == "5" {
			return nil, errors.New("k is 5")
		}
		return nil, nil
	}
	o := explored(t, dir, p)
	var states []State
	for _, r := range o.Rows {
		states = append(states, r.State)
	}
	require.Equal(t, []State{Done, Failed, Failed, Open, Refused, Failed}, states)
	require.Contains(t, o.Rows[2].Note, "oops")
	require.Contains(t, o.Rows[5].Note, "lut is NaN")
	require.Len(t, o.Passing, 1)
	text, err := o.CSV()
	require.NoError(t, err)
	require.Contains(t, string(text), "k,lut,state,front,note\n1,1,measured,true,\n2,,failed,false,area: yosys gave up\n")

	bad = false
	require.Equal(t, 1, explored(t, dir, p).Fresh, "only the one that the machine failed")
	p.Retry = true
	require.Equal(t, 3, explored(t, dir, p).Fresh, "2, 3 and 6")
}

// What another candidate beats by the margin in all cheap results gets no dear measure;
// what it does not beat in one of them does.
func TestSpared(t *testing.T) {
	var cheap, dear atomic.Int64
	m1 := table("ops", 0, &cheap, func(x map[string]int) (map[string]float64, error) {
		return map[string]float64{"ops": float64(x["k"]), "latency": float64(8 / x["j"])}, nil
	})
	m2 := table("pnr", Dear, &dear, func(x map[string]int) (map[string]float64, error) {
		return map[string]float64{"lut": float64(x["k"])}, nil
	})
	p := Plan{Design: "d", Sweeps: sweeps(t, "k=1..3", "j=1,2,4"), Measures: []Measure{m1, m2}, Axes: []Axis{{"lut", false}, {"latency", false}}, Margin: 2}
	o := explored(t, t.TempDir(), p)
	// k=1 j=4 halves both numbers of j=1 and j=2 with k=2 and k=3.
	require.Equal(t, 4, o.Count(Spared))
	require.EqualValues(t, 5, dear.Load())
	require.Equal(t, "beaten by k=1 j=4", o.Rows[3].Note)
	p.Margin = 0
	require.Zero(t, explored(t, t.TempDir(), p).Count(Spared))
}

// Interrupted, an exploration gives what there is, and goes on later.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	var runs atomic.Int64
	m := table("area", Dear, &runs, func(x map[string]int) (map[string]float64, error) {
		if runs.Load() == 5 {
			cancel()
		}
		return map[string]float64{"lut": 1}, nil
	})
	p := Plan{Design: "d", Sweeps: sweeps(t, "k=1..20"), Measures: []Measure{m}, Workers: 1}
	j, err := OpenJournal(dir)
	require.NoError(t, err)
	o, err := Run(ctx, j, p)
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, j.Close())
	require.Equal(t, 4, o.Count(Done))
	require.Equal(t, 16, o.Count(Open))
	require.Equal(t, 16, explored(t, dir, p).Fresh)
}

// Mistakes in a plan are one error before anything is measured.
func TestPlanMistakes(t *testing.T) {
	var runs atomic.Int64
	m := table("area", Dear, &runs, func(map[string]int) (map[string]float64, error) { return nil, nil })
	m.Results = []string{"lut", "mhz"}
	for want, p := range map[string]Plan{
		"no measure":                                       {Sweeps: sweeps(t, "k=1")},
		"no sweep":                                         {Measures: []Measure{m}},
		"measure area is given twice":                      {Sweeps: sweeps(t, "k=1"), Measures: []Measure{m, m}},
		"k is swept twice":                                 {Sweeps: sweeps(t, "k=1", "k=2"), Measures: []Measure{m}},
		"k is swept and fixed":                             {Sweeps: sweeps(t, "k=1"), Fixed: map[string]string{"k": "1"}, Measures: []Measure{m}},
		"more than 100000 configurations":                  {Sweeps: sweeps(t, "k=1..1000", "j=1..1000"), Measures: []Measure{m}},
		"no measure gives lutt; these give lut, mhz":       {Sweeps: sweeps(t, "k=1"), Measures: []Measure{m}, Axes: []Axis{{"lutt", false}}},
		"none of 2 configurations is valid; the first: no": {Sweeps: sweeps(t, "k=1,2"), Measures: []Measure{m}, Build: func(map[string]string) (*ir.Design, error) { return nil, errors.New("no") }},
	} {
		j, err := OpenJournal(t.TempDir())
		require.NoError(t, err)
		_, err = Run(t.Context(), j, p)
		require.ErrorContains(t, err, want)
		require.NoError(t, j.Close())
	}
	require.Zero(t, runs.Load())
}

// An axis of a measure whose names only a run tells is checked before dear measures.
func TestLateAxis(t *testing.T) {
	var cheap, dear atomic.Int64
	m1 := table("cycles", 0, &cheap, func(x map[string]int) (map[string]float64, error) { return map[string]float64{"drain": 3}, nil })
	m2 := table("yosys", Dear, &dear, func(x map[string]int) (map[string]float64, error) { return map[string]float64{"lut": 3}, nil })
	m2.Results = []string{"lut"}
	j := open(t, t.TempDir())
	_, err := Run(t.Context(), j, Plan{Sweeps: sweeps(t, "k=1..3"), Measures: []Measure{m1, m2}, Axes: []Axis{{"drian", false}}})
	require.ErrorContains(t, err, "no measure gives drian; there are drain, lut")
	require.Zero(t, dear.Load())
}
