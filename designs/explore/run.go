package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"etch/ir"
)

// row is a candidate while it is explored.
type row struct {
	values map[string]string
	keys   []Key
	err    error  // of building
	spared string // why it got no dear measures
}

// run is an exploration under way.
type run struct {
	*Plan
	journal *Journal
	rows    []row

	mu      sync.Mutex
	claimed map[Key]bool // measured by this run, or being measured
	fresh   map[Key]bool // measured by this run
	passing []error      // failures that are not kept
}

// Run explores, with results in a journal. When ctx ends, Run returns the table so far and
// the context's error. It fails where no candidate is valid.
func Run(ctx context.Context, j *Journal, p Plan) (*Outcome, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	all, err := product(p.Sweeps, p.Fixed)
	if err != nil {
		return nil, err
	}
	if p.Meter == nil {
		p.Meter = &Meter{}
	}

	// Rows stand in the order of the product, however many workers there are.
	r := &run{Plan: &p, journal: j, rows: make([]row, len(all)), claimed: map[Key]bool{}, fresh: map[Key]bool{}}
	for i, values := range all {
		r.rows[i].values = values
	}

	// An interrupted run has a table too; a failed one has none.
	err = r.stages(ctx)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	out, err2 := r.outcome()
	return out, errors.Join(err, err2)
}

// stages applies the measures by cost.
func (r *run) stages(ctx context.Context) error {
	// Every candidate is built, and measured by the cheap measures, in one pass.
	r.Meter.begin("configurations", len(r.rows))
	err := pool(ctx, r.workers(), len(r.rows), func(ctx context.Context, i int) error {
		defer r.Meter.step()
		return r.first(ctx, &r.rows[i])
	})
	if err != nil {
		return err
	}
	if err := r.survivors(); err != nil {
		return err
	}
	if err := r.axesExist(); err != nil {
		return err
	}

	// Before each step up in cost, candidates that the cheaper results show to be beaten drop out.
	dear := r.indices(func(m Measure) bool { return m.Cost >= Dear })
	slices.SortStableFunc(dear, func(a, b int) int { return r.Measures[a].Cost - r.Measures[b].Cost })
	cost := 0
	for _, m := range dear {
		if c := r.Measures[m].Cost; c > cost {
			r.spare(c)
			cost = c
		}
		if err := r.dear(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// indices are the measures that a condition holds for.
func (r *run) indices(is func(Measure) bool) (list []int) {
	for i, m := range r.Measures {
		if is(m) {
			list = append(list, i)
		}
	}
	return list
}

// first builds a candidate, which validates it, and takes the cheap measures while the
// netlist is at hand.
func (r *run) first(ctx context.Context, at *row) error {
	c, err := r.candidate(at.values)
	if err == nil {
		at.keys, err = guarded(func() ([]Key, error) { return r.keys(c) })
	}
	if err != nil {
		at.err = err
		return nil
	}

	// A claim is taken before the measure runs: two workers may hold netlists of equal text.
	for _, m := range r.indices(func(m Measure) bool { return m.Cost < Dear }) {
		if !r.claim(at.keys[m]) {
			continue
		}
		res := r.Measures[m].take(ctx, c)
		if ctx.Err() != nil {
			return ctx.Err() // it may have failed for that alone
		}
		if err := r.keep(at.keys[m], c.Values, res); err != nil {
			return err
		}
	}
	return nil
}

// candidate builds the design of some values, if the plan builds designs. A panic becomes an error.
func (p *Plan) candidate(values map[string]string) (Candidate, error) {
	c := Candidate{Values: values}
	if p.Build == nil {
		return c, nil
	}
	var err error
	c.Net, err = guarded(func() (*ir.Design, error) { return p.Build(values) })
	return c, err
}

// guarded makes a panic an error: one bad candidate must not end the others.
func guarded[T any](f func() (T, error)) (x T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return f()
}

// claim reports whether a result has yet to be measured, and leaves it to the caller.
func (r *run) claim(k Key) bool {
	old, known := r.journal.Find(k)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.claimed[k] || known && (old.Error == "" || !r.Retry) {
		return false
	}
	r.claimed[k] = true
	return true
}

// dear applies one measure to all candidates that are left, each subject once.
func (r *run) dear(ctx context.Context, m int) error {
	var todo []int
	reused := 0
	for i := range r.rows {
		at := &r.rows[i]
		switch {
		case at.err != nil || at.spared != "":
		case r.claim(at.keys[m]):
			todo = append(todo, i)
		default:
			reused++
		}
	}

	// Jobs are data: the pool may be other machines.
	r.Meter.begin(r.Measures[m].Name, len(todo))
	r.Meter.reuse(reused)
	if len(todo) == 0 {
		return nil
	}
	jobs := make([]Job, len(todo))
	for i, at := range todo {
		jobs[i] = Job{Key: r.rows[at].keys[m], Design: r.Design, Values: r.rows[at].values}
	}

	elsewhere := r.Pool
	if elsewhere == nil || r.Measures[m].Spec == nil {
		elsewhere = local{r.Plan}
	}
	return elsewhere.Measure(ctx, r.Measures[m], jobs, func(i int, res Result) error {
		defer r.Meter.step()
		return r.keep(jobs[i].Key, jobs[i].Values, res)
	})
}

// keep writes a result to the journal before anything counts it. Its error is that of
// the journal, which ends the exploration.
func (r *run) keep(k Key, values map[string]string, res Result) error {
	if errors.Is(res.Err, ErrPassing) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.passing = append(r.passing, fmt.Errorf("%s of %v: %w", k.Measure, values, res.Err))
		return nil
	}

	// First into the journal, then into the counts: a kill between the two loses no result.
	record := Record{
		Measure: k.Measure, Tool: k.Tool, Subject: k.Subject, Design: r.Design,
		Values: values, Results: res.Numbers, Seconds: res.Seconds,
	}
	if res.Err != nil {
		record.Results, record.Error = nil, cmp.Or(res.Err.Error(), "failed")
	}
	if err := r.journal.Append(record); err != nil {
		return err
	}
	r.mu.Lock()
	r.fresh[k] = true
	r.mu.Unlock()
	r.Meter.best(r.Axes, values, record.Results)
	return nil
}

// survivors fails where no candidate is valid.
func (r *run) survivors() error {
	for i := range r.rows {
		if r.rows[i].err == nil {
			return nil
		}
	}
	return fmt.Errorf("none of %d configurations is valid; the first: %w", len(r.rows), r.rows[0].err)
}

// results are all numbers of a candidate so far from measures below a cost, by column.
func (r *run) results(at *row, below int) map[string]float64 {
	all := map[string]float64{}
	if at.err != nil {
		return all
	}

	// Full names, with the measure in front: the columns of the table are not known yet.
	for i, m := range r.Measures {
		if m.Cost >= below {
			continue
		}
		rec, _ := r.journal.Find(at.keys[i])
		for name, x := range rec.Results {
			all[m.Name+"."+name] = x
		}
	}
	return all
}

// spare marks candidates that another one beats by the margin in all results of measures below a
// cost. Only the front need be asked: a candidate that beats by the margin is on it, or is dominated
// by one that is, which then beats by the margin too.
func (r *run) spare(below int) {
	if r.Margin == 0 {
		return
	}

	// Every number of the cheaper measures is an axis, with its usual goal.
	points := make([]map[string]float64, len(r.rows))
	var axes []Axis
	for i := range r.rows {
		if at := &r.rows[i]; at.spared != "" || r.failed(at) {
			continue
		}
		points[i] = r.results(&r.rows[i], below)
		if axes == nil {
			for _, name := range sortedKeys(points[i]) {
				axes = append(axes, Axis{name, larger(name)})
			}
		}
	}
	if len(axes) == 0 {
		return
	}

	// Only the front is asked, see above.
	best := front(points, axes)
	for i := range r.rows {
		at := &r.rows[i]
		if at.err != nil || at.spared != "" || points[i] == nil || !complete(points[i], axes) {
			continue
		}
		for _, b := range best {
			if beats(points[b], points[i], axes, r.Margin) {
				at.spared = "beaten by " + r.label(b)
				break
			}
		}
	}
}

// failed reports whether a measure of a candidate did: it is then no reason to spare
// another.
func (r *run) failed(at *row) bool {
	return slices.ContainsFunc(at.keys, func(k Key) bool {
		rec, _ := r.journal.Find(k)
		return rec.Error != ""
	})
}

// label is a candidate's swept values.
func (r *run) label(i int) string {
	text := ""
	for _, s := range r.Sweeps {
		if text != "" {
			text += " "
		}
		text += s.Name + "=" + r.rows[i].values[s.Name]
	}
	return text
}
