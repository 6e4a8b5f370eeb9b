package benchtool

import (
	"context"
	"fmt"
	"io"
	"time"

	"etch/designs/bench/rival"
	"etch/designs/cli"
	"etch/ir"
)

// Row is a design under an engine. The pointers are nil where the rival is missing or its model was
// not built.
type Row struct {
	Design                   string   `json:"design"`
	Engine                   string   `json:"engine"`
	CyclesPerSecond          float64  `json:"cycles_per_s"`
	CompileMS                float64  `json:"compile_ms"`
	VerilatorCyclesPerSecond *float64 `json:"verilator_cycles_per_s"`
	Ratio                    *float64 `json:"ratio"`

	Verilator        string   `json:"verilator"` // versions of it and of the compiler, or why there is none
	VerilatorBuildMS *float64 `json:"verilator_build_ms"`
	Cycles           uint64   `json:"cycles"` // of the comparison of checksums
	Checksum         string   `json:"checksum"`
	Parts            *Parts   `json:"parts,omitempty"`

	// GSIM runs a user's own FIRRTL alone.
	GSIM                string   `json:"gsim,omitempty"` // as verilator
	GSIMCyclesPerSecond *float64 `json:"gsim_cycles_per_s,omitempty"`
	GSIMRatio           *float64 `json:"gsim_ratio,omitempty"`
	GSIMBuildMS         *float64 `json:"gsim_build_ms,omitempty"`
	Memory              string   `json:"memory,omitempty"` // a hash of the memories that -mem fills, equal in GSIM
}

// settings hold the values of the flags.
type settings struct {
	engines    []Engine
	cycles     uint64 // of a run, 0 for as many as fit slot
	slot       float64
	short      bool
	buildLimit time.Duration // for one model
	buildsEnd  time.Time     // no build goes on behind this moment, if it is set
	verilator  *rival.Verilator
	why        string // there is no verilator
	wantsGSIM  bool   // for a user's own FIRRTL
	named      bool   // -rival names gsim
	gsim       *rival.GSIM
	whyGSIM    string   // there is no gsim
	foreign    *foreign // a user's own design; nil without
	log        io.Writer
	working    *cli.Progress // nil: nothing is told
}

// core is a user's own FIRRTL, nil without.
func (o *settings) core() *rival.Core {
	if o.foreign == nil {
		return nil
	}
	return o.foreign.core
}

// rounds is how often all take their turn.
const rounds = 5

// race runs one design on all engines and models.
func (o *settings) race(ctx context.Context, t *track) ([]Row, error) {
	engines := o.enginesFor(t.net)
	all := append(engines[:len(engines):len(engines)], t.models...)
	if t.gsim != nil {
		all = append(all, t.gsim)
	}

	// Each racer has its own number of cycles, so that all take about as long.
	for _, r := range all {
		if r.cycles = o.cycles; r.cycles == 0 {
			if err := r.calibrate(ctx, o.slot); err != nil {
				return nil, err
			}
		}
	}

	// All checksums agree before anything is timed.
	rows := make([]Row, len(engines))
	for i, e := range engines {
		rows[i] = Row{Design: t.name, Engine: e.engine.Name}
		if t.gsim != nil {
			e.core = o.core()
		}
		if err := rows[i].check(ctx, e, all); err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
	}

	// Racers take turns, so that a change of the machine's speed hits all alike.
	for range rounds {
		for _, r := range all {
			if err := r.measure(ctx); err != nil {
				return nil, err
			}
		}
	}

	best := fastest(t.models)
	for i, e := range engines {
		rows[i].CyclesPerSecond, rows[i].CompileMS = median(e.rates), median(e.compiles)
		rows[i].Parts = e.parts
		rows[i].against(best, t.why, t.gsim, t.whyGSIM)
	}
	return rows, nil
}

// check compares the checksum of an engine with those of all others.
func (row *Row) check(ctx context.Context, e *racer, all []*racer) error {
	for _, other := range all {
		// An engine without a rival is compared with itself: equal runs must agree.
		if other == e && len(all) > 1 {
			continue
		}
		cycles, x, err := agree(ctx, e, other)
		if err != nil {
			return err
		}
		if x.memory != 0 {
			row.Memory = fmt.Sprintf("%016x", x.memory)
		}

		// The row shows the longest of the comparisons.
		if cycles >= row.Cycles {
			row.Cycles, row.Checksum = cycles, fmt.Sprintf("%016x", x.sum)
		}
	}
	return nil
}

// against fills in the figures of Verilator's fastest model and of GSIM's, nil where there is none;
// then the reasons stand in place of their names.
func (row *Row) against(verilator *racer, noVerilator string, gsim *racer, noGSIM string) {
	row.Verilator, row.VerilatorCyclesPerSecond, row.Ratio, row.VerilatorBuildMS = row.figures(verilator, noVerilator)
	row.GSIM, row.GSIMCyclesPerSecond, row.GSIMRatio, row.GSIMBuildMS = row.figures(gsim, noGSIM)
}

// figures is a rival's name, rate in cycles per second, ratio of etch's rate to it, and build time in
// ms.
func (row *Row) figures(rival *racer, why string) (name string, rate, ratio, ms *float64) {
	if rival == nil {
		return why, nil, nil, nil
	}
	cycles := median(rival.rates)
	return rival.model.String() + rival.by, new(cycles), new(row.CyclesPerSecond / cycles), new(float64(rival.model.BuildTime.Milliseconds()))
}

// fastest is the model with the best median, nil if there is none.
func fastest(models []*racer) (best *racer) {
	for _, m := range models {
		if best == nil || median(m.rates) > median(best.rates) {
			best = m
		}
	}
	return best
}

// enginesFor are the chosen engines that can run a design here.
func (o *settings) enginesFor(net *ir.Design) (racers []*racer) {
	for _, e := range o.engines {
		// The start is a trial: some engines cannot run some designs.
		s, err := e.start(net, false)
		if err != nil {
			fmt.Fprintln(o.log, err)
			continue
		}
		s.Close()
		racers = append(racers, &racer{engine: e, design: net})
	}
	return racers
}

// tell measures each engine that runs one instance, once, and prints its figures to the log.
func (o *settings) tell(ctx context.Context, t *track) error {
	for _, r := range o.enginesFor(t.net) {
		if r.engine.Lanes > 0 {
			continue
		}

		// As in race, a run takes about a slot.
		if r.cycles = o.cycles; r.cycles == 0 {
			if err := r.calibrate(ctx, o.slot); err != nil {
				return err
			}
		}

		// One run suffices for a first figure; the race repeats it.
		if err := r.measure(ctx); err != nil {
			return err
		}
		fmt.Fprintf(o.log, "%s, engine %s: %s cycles/s, first cycle after %s\n", t.name, r.engine.Name, rate(median(r.rates)), seconds(median(r.compiles)))
	}
	return nil
}

// explain prints the reports of the engines, after as many cycles as a run has.
func (o *settings) explain(t *track) error {
	for _, r := range o.enginesFor(t.net) {
		if r.cycles = o.cycles; r.cycles == 0 {
			if err := r.calibrate(context.Background(), o.slot); err != nil {
				return err
			}
		}

		// The engine has learned what it can by then: a report of the start says little.
		s, err := r.engine.start(t.net, false)
		if err != nil {
			return err
		}
		s.Step(int(r.cycles))
		fmt.Fprintf(o.log, "%s, engine %s: %v\n", t.name, r.engine.Name, s.report())
		s.Close()
	}
	return nil
}
