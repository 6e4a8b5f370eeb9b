package tool

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"etch/designs/bench"
	"etch/designs/bench/rival"
	"etch/designs/cli"
	"etch/ir"
)

// track is a design that is ready to be raced.
type track struct {
	name   string
	net    *ir.Design
	theirs *ir.Design // Verilator's form of it
	args   []string   // and with which arguments
	ops    int
	models []*racer
	why    string // there are no models
}

// lay makes the netlists of designs and then the models, the small ones first.
func (o *settings) lay(ctx context.Context, designs ...bench.Design) ([]*track, error) {
	var tracks []*track
	for _, d := range designs {
		net, err := d.Make()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.Name, err)
		}
		stats, err := cli.StatsOf(net)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.Name, err)
		}
		t := &track{name: d.Name, net: net, theirs: net, ops: stats.Ops}
		if d.Original != nil {
			t.theirs, t.args = d.Original()
		}
		tracks = append(tracks, t)
	}

	// Small designs first: a short run has a limit on the time of all builds.
	bySize := slices.Clone(tracks)
	slices.SortStableFunc(bySize, func(a, b *track) int { return a.ops - b.ops })
	for _, t := range bySize {
		if o.early && o.verilator != nil {
			if err := o.tell(ctx, t); err != nil {
				return nil, err
			}
		}
		if o.models(ctx, t); ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return tracks, nil
}

// models makes the models of a design with each compiler. The first compiler is
// the one that takes less time: where it fails for that the others do too.
func (o *settings) models(ctx context.Context, t *track) {
	if o.verilator == nil {
		t.why = o.why
		return
	}
	var failed []string
	for _, c := range o.verilator.Compilers {
		m, err := o.build(ctx, t, c)
		if err == nil {
			t.models = append(t.models, &racer{model: m})
			continue
		}
		failed = append(failed, err.Error())
		if errors.Is(err, rival.ErrTime) || errors.Is(err, errLater) || ctx.Err() != nil {
			break
		}
	}
	t.why = strings.Join(failed, "; ")
}

// errLater is the error of a build that is left for a longer run.
var errLater = errors.New("not built with -short")

// build makes one model or finds it. A short run makes one of a design, if that
// is small.
func (o *settings) build(ctx context.Context, t *track, c rival.Compiler) (*rival.Model, error) {
	// A model in the cache is free; a short run builds small ones only, and one for a design.
	limit := o.buildLimit
	if !o.verilator.Has(t.theirs, c, t.args...) {
		if o.short {
			if limit = time.Until(o.buildsEnd); limit < 0 || t.ops > shortOps || len(t.models) > 0 {
				return nil, errLater
			}
		}
		fmt.Fprintf(o.log, "building %s with Verilator %s and %s\n", t.name, o.verilator.Version, c)
	}

	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	m, err := o.verilator.Build(ctx, t.theirs, c, t.args...)
	switch {
	case err == nil:
		return m, nil
	case errors.Is(err, context.Canceled): // the user's interruption ends the command
		return nil, err
	case errors.Is(err, rival.ErrTime) && o.short:
		err = errLater
	case errors.Is(err, rival.ErrTime):
		err = fmt.Errorf("%w (limit %.0f s)", err, limit.Seconds())
	}
	fmt.Fprintf(o.log, "%s: %v\n", t.name, err)
	return nil, err
}
