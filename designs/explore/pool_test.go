package explore

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
)

// byText is a pool whose jobs go through JSON to a plan that was made for itself, in
// reverse order.
type byText struct {
	other Plan
	jobs  int
}

func (b *byText) Measure(ctx context.Context, m Measure, jobs []Job, done func(int, Result) error) error {
	for i := len(jobs) - 1; i >= 0; i-- {
		b.jobs++
		text, err := json.Marshal(jobs[i])
		if err != nil {
			return err
		}
		var job Job
		if err := json.Unmarshal(text, &job); err != nil {
			return err
		}
		if err := done(i, b.other.Do(ctx, job)); err != nil {
			return err
		}
	}
	return nil
}

// A pool gets the dear measures that have a Spec, each subject once, and gives the table
// of a run alone; a plan that builds other netlists, or has another tool, does not
// measure.
func TestPool(t *testing.T) {
	var runs atomic.Int64
	plan := func(suffix, tool string) Plan {
		cheap := table("ops", 0, &runs, func(x map[string]int) (map[string]float64, error) { return map[string]float64{"ops": 1}, nil })
		dear := table("area", Dear, &runs, func(x map[string]int) (map[string]float64, error) {
			if x["k"] == 3 {
				return nil, errors.New("too hard")
			}
			return map[string]float64{"lut": float64(x["k"])}, nil
		})
		dear.ByValues, dear.Tool, dear.Spec = false, tool, json.RawMessage(`{}`)
		p := Plan{Design: "d", Sweeps: sweeps(t, "k=1..9", "j=1,2"), Measures: []Measure{cheap, dear}, Axes: []Axis{{"lut", false}}}
		p.Build = func(values map[string]string) (*ir.Design, error) {
			return &ir.Design{Top: &ir.Module{Name: values["k"] + suffix}}, nil
		}
		p.Text = func(d *ir.Design) ([]byte, error) { return []byte(d.Top.Name), nil }
		return p
	}
	elsewhere := func(p Plan) *byText { p.Measures = p.Measures[1:]; return &byText{other: p} }

	alone, err := explored(t, t.TempDir(), plan("", "1")).CSV()
	require.NoError(t, err)
	p := plan("", "1")
	b := elsewhere(p)
	p.Pool = b
	there, err := explored(t, t.TempDir(), p).CSV()
	require.NoError(t, err)
	require.Equal(t, string(alone), string(there))
	require.Equal(t, 9, b.jobs)

	for _, other := range []Plan{plan("x", "1"), plan("", "2")} {
		runs.Store(0)
		p.Pool = elsewhere(other)
		o := explored(t, t.TempDir(), p)
		require.Len(t, o.Passing, 9)
		require.ErrorContains(t, o.Passing[0], "is another circuit here")
		require.EqualValues(t, 18, runs.Load(), "the cheap ones")
	}

	p.Measures[1].Spec = nil // no data: measured here
	b.jobs = 0
	p.Pool = b
	require.Equal(t, 16, explored(t, t.TempDir(), p).Count(Done))
	require.Zero(t, b.jobs)
}
