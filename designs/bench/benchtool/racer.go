package benchtool

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"etch/designs/bench"
	"etch/designs/bench/rival"
	"etch/ir"
)

// racer runs a design: an engine, or a model of Verilator or GSIM.
type racer struct {
	engine Engine
	design *ir.Design
	core   *rival.Core  // whose memories are compared; nil: none
	model  *rival.Model // nil for an engine
	by     string       // behind the model's versions in the table
	cycles uint64       // of a timed run

	rates    []float64 // of the timed runs
	compiles []float64 // ms, for an engine
	parts    *Parts    // of the last run, nil without parts
}

func (r *racer) String() string {
	if r.model != nil {
		return r.model.Simulator + " " + r.model.String() + r.by
	}
	return "engine " + r.engine.Name
}

func (r *racer) isGSIM() bool { return r.model != nil && r.model.Simulator == "GSIM" }

type result struct {
	sum     uint64
	memory  uint64  // a hash of the memories with contents; 0: not made
	seconds float64 // of the timed cycles
	compile time.Duration
}

// run makes the cycles behind the one of reset.
func (r *racer) run(ctx context.Context, cycles uint64, timed bool) (result, error) {
	if err := ctx.Err(); err != nil {
		return result{}, err
	}

	if r.model != nil {
		x, err := r.model.Run(ctx, cycles)
		return result{sum: x.Sum, memory: x.Memory, seconds: x.Seconds}, err
	}

	// Garbage of earlier runs must not be collected inside the timed loop.
	runtime.GC()
	begin := time.Now()
	s, err := r.engine.start(r.design, timed)
	if err != nil {
		return result{}, err
	}
	defer s.Close()
	x := result{compile: time.Since(begin)}

	// Processor time, so that other work on the machine does not count.
	before := processor()
	if err := steps(ctx, s, cycles); err != nil {
		return result{}, err
	}
	x.seconds = (processor() - before).Seconds()
	x.sum = s.sum()
	r.parts = partsOf(s)
	if !timed {
		x.memory, err = memoryOf(s, r.core)
	}
	return x, err
}

// steps makes cycles. An end of ctx is seen between pieces, which become longer until one takes a
// tenth of a second: an interpreted core takes that for a few cycles. The first piece is long enough
// that machine code is made at once, as for a call of all cycles.
func steps(ctx context.Context, s runner, cycles uint64) error {
	for piece := uint64(512); cycles > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, begin := min(piece, cycles), time.Now()
		s.Step(int(n))
		if cycles -= n; time.Since(begin) < 100*time.Millisecond {
			piece *= 2
		}
	}
	return nil
}

// memoryOf is a hash of the memories of a core with contents at power-up, of one instance.
func memoryOf(s runner, core *rival.Core) (hash uint64, err error) {
	one, ok := s.(single)
	if !ok || core == nil {
		return 0, nil
	}
	if len(core.Memories) > 0 {
		hash = rival.HashStart
	}
	for _, m := range core.Memories {
		mem, err := one.Mem(bench.Instance + "." + m.Path)
		if err != nil {
			return 0, err
		}
		for addr := range min(mem.Depth(), rival.MostCompared) {
			for _, w := range mem.Read(addr).Words() {
				hash = rival.HashWord(hash, w)
			}
		}
	}
	return hash, nil
}

// calibrate finds the cycles of a timed run of about slot seconds.
func (r *racer) calibrate(ctx context.Context, slot float64) error {
	// Longer and longer runs, until one takes a quarter of the slot and tells the rest by
	// proportion.
	for n := uint64(16); ; {
		x, err := r.run(ctx, n, true)
		if err != nil {
			return err
		}
		more := 100.0
		if x.seconds > 0 {
			more = slot / x.seconds
		}
		if more < 4 || n > 1<<40 {
			r.cycles = max(1, uint64(float64(n)*more))
			return nil
		}

		// A short run gives a rough rate: the next one aims at half the slot, and is at most a hundred
		// times as long.
		n = uint64(float64(n) * min(more/2, 100))
	}
}

// measure makes a timed run.
func (r *racer) measure(ctx context.Context) error {
	x, err := r.run(ctx, r.cycles, true)
	if err != nil {
		return err
	}

	// A cycle of lanes is a cycle of each instance.
	instances := float64(max(1, r.engine.Lanes))
	r.rates = append(r.rates, instances*float64(r.cycles)/max(x.seconds, 1e-9))
	r.compiles = append(r.compiles, x.compile.Seconds()*1000)
	return nil
}

// agree compares the checksums of two racers after as many cycles as neither takes long for, and
// their memories where both tell of them. It returns the number of cycles and the result.
func agree(ctx context.Context, a, b *racer) (cycles uint64, x result, err error) {
	cycles = min(a.cycles, b.cycles)
	if x, err = a.run(ctx, cycles, false); err != nil {
		return 0, x, err
	}
	y, err := b.run(ctx, cycles, false)
	switch {
	case err != nil:
		return 0, x, err
	case x.sum != y.sum:
		return 0, x, fmt.Errorf("after %d cycles %s has the sum %016x, %s %016x%s", cycles, a, x.sum, b, y.sum, without(b))
	case x.memory != y.memory && x.memory != 0 && y.memory != 0:
		return 0, x, fmt.Errorf("after %d cycles the memories of %s have the hash %016x, of %s %016x%s", cycles, a, x.memory, b, y.memory, without(b))
	}

	// A hash that one side alone has was compared with nothing.
	if y.memory == 0 {
		x.memory = 0
	}
	return cycles, x, nil
}

// without is the way to go on where GSIM differs.
func without(r *racer) string {
	if r.isGSIM() {
		return "; -rival verilator leaves GSIM out"
	}
	return ""
}

func median(xs []float64) float64 {
	xs = slices.Sorted(slices.Values(xs))
	return xs[len(xs)/2]
}

// Parts tells how much of a large design runs in a cycle.
type Parts struct {
	Parts  int     `json:"parts"`
	Active float64 `json:"active"` // parts in a cycle
	Work   float64 `json:"work"`   // share of the operations, by their cost
}

// partsOf is the parts of a simulator of one instance, nil if it has none.
func partsOf(s runner) *Parts {
	one, ok := s.(single)
	if !ok {
		return nil
	}
	for _, c := range one.Report().Codes {
		if c.Parts > 0 {
			return &Parts{c.Parts, c.Active, c.Work}
		}
	}
	return nil
}
