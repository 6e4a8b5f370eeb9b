package benchtool

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
	forms  []form // for Verilator
	ops    int
	models []*racer
	why    string // there are no models

	gsim    *racer // nil without
	whyGSIM string // there is no gsim; "" where it was not asked for
}

// lay makes the netlists of designs and then the models, the small ones first.
func (o *settings) lay(ctx context.Context, designs ...bench.Design) ([]*track, error) {
	if o.named && o.core() == nil {
		return nil, cli.Usagef("-rival gsim goes with -firrtl")
	}
	if o.core() != nil && o.wantsGSIM {
		var err error
		if o.gsim, err = rival.FindGSIM(); err != nil {
			o.whyGSIM = err.Error()
		}
	}
	var tracks []*track
	for _, d := range designs {
		o.working.Now("builds " + d.Name)
		net, err := d.Make()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.Name, err)
		}
		stats, err := cli.StatsOf(net)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.Name, err)
		}
		t := &track{name: d.Name, net: net, forms: []form{{design: net}}, ops: stats.Ops}
		if d.Original != nil {
			original, args := d.Original()
			t.forms = []form{{design: original, args: args}}
		}
		tracks = append(tracks, t)
	}

	// Small designs first: a short run has a limit on the time of all builds.
	bySize := slices.Clone(tracks)
	slices.SortStableFunc(bySize, func(a, b *track) int { return a.ops - b.ops })
	for i, t := range bySize {
		o.working.Now("prepares " + t.name)
		o.working.Count(uint64(i), uint64(len(bySize)), "designs")

		// A user's design may take long to build: etch's own figures come first.
		if o.foreign != nil && (o.verilator != nil || o.gsim != nil) {
			if err := o.tell(ctx, t); err != nil {
				return nil, err
			}
		}
		o.another(ctx, t)
		o.models(ctx, t)
		o.gsimModel(ctx, t)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return tracks, nil
}

// models makes the models of a design's forms with each compiler. The first compiler is
// the one that takes less time: where it fails for that the others do too.
func (o *settings) models(ctx context.Context, t *track) {
	if o.verilator == nil {
		t.why = o.why
		return
	}
	// All of them race, and the fastest counts.
	var failed []string
	for _, f := range t.forms {
		for _, c := range o.verilator.Compilers {
			m, err := o.build(ctx, t, f, c)
			if err == nil {
				t.models = append(t.models, &racer{model: m, by: f.by})
				continue
			}
			failed = append(failed, err.Error())
			if errors.Is(err, rival.ErrTime) || errors.Is(err, errLater) || ctx.Err() != nil {
				break
			}
		}
	}
	if len(failed) > 0 {
		t.why = strings.Join(failed, "; ")
	}
}

// errLater is the error of a build that is left for a longer run.
var errLater = errors.New("not built with -short")

// build makes one model or finds it. A short run makes one of a design, if that
// is small.
func (o *settings) build(ctx context.Context, t *track, f form, c rival.Compiler) (*rival.Model, error) {
	// A model in the cache is free; a short run builds small ones only, and one for a design.
	limit := o.buildLimit
	if !o.verilator.Has(f.design, c, f.args...) {
		if o.short {
			if limit = time.Until(o.buildsEnd); limit < 0 || t.ops > shortOps || len(t.models) > 0 {
				return nil, errLater
			}
		}
		fmt.Fprintf(o.log, "building %s with Verilator %s and %s%s\n", t.name, o.verilator.Version, c, f.by)
	}

	return o.limited(ctx, t, limit, func(ctx context.Context) (*rival.Model, error) {
		return o.verilator.Build(ctx, f.design, c, f.args...)
	})
}

// limited builds a model within a time, and logs why that failed.
func (o *settings) limited(ctx context.Context, t *track, limit time.Duration, build func(context.Context) (*rival.Model, error)) (*rival.Model, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	m, err := build(ctx)
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
