package cover

import (
	"etch/ir"
	"etch/sim"
)

// The sample of conditions: the readings, the cycles between two of them, and how many times longer
// than their span the run is. A design with more values than mostReads is not sampled.
const (
	usualReadings = 64
	usualApart    = 61 // a prime, so that few loops keep step with it
	usualShare    = 16

	usualFrom = usualReadings * usualShare // cycles of the shortest run that has a sample
)

// usual returns which conditions of a design's branches hold at most edges of a run's begin, by
// counter. A counter that counts at most edges costs time at most edges, so the counter of such a
// condition counts the other edges. The result is nil, without a sample, for a short run, several
// clocks or too many conditions. length is the cycles of the run, 0 if they are not known yet.
func usual(r Recorded, d *ir.Design, kinds Kinds, length uint64) ([]bool, error) {
	if !kinds.Branches || !oneClock(d) || 0 < length && length < usualFrom && !kinds.early {
		return nil, nil
	}

	// The conditions are nodes of the instrumented design. Without registers they cost nothing but when read.
	instrumented := New(d, Kinds{Branches: true, bare: true})
	p, err := r.PlayerOn(instrumented.Design)
	if err != nil {
		return nil, err
	}
	s := p.Sim()
	defer s.Close()

	first, last := p.Cycles()
	apart := min(usualApart, (last-first)/usualFrom)
	if kinds.early {
		apart = 1
	}
	signals, all := instrumented.conditions(s)
	if apart == 0 || all*usualReadings > mostReads {
		return nil, nil
	}

	held := make([]int, len(signals))
	for k := range uint64(usualReadings) {
		if err := p.Forward(min(first+(k+1)*apart, last)); err != nil {
			return nil, err
		}
		for i, at := range signals {
			for _, sig := range at {
				held[i] += int(s.Get(sig))
			}
		}
	}

	usual := make([]bool, len(signals))
	for i, n := range held {
		usual[i] = 2*n > len(signals[i])*usualReadings
	}
	return usual, nil
}

// conditions returns the signals of each counter's condition, in some instances of its module, and
// their number.
func (in *Instrumented) conditions(s *sim.Sim) (signals [][]sim.Signal, all int) {
	signals = make([][]sim.Signal, len(in.counters))
	for k, c := range in.counters {
		if c.every {
			continue
		}
		instances := in.instances[c.mod]
		for _, of := range instances[:min(len(instances), mostInstances)] {
			sig, err := s.NodeOf(of.path, c.cond)
			if err != nil {
				break // a Model runs the instance
			}
			signals[k] = append(signals[k], sig)
		}
		all += len(signals[k])
	}
	return signals, all
}

// mostlyUsual reports whether most conditions of some counters usually hold.
func (c *counters) mostlyUsual(group []int) bool {
	n := 0
	for _, k := range group {
		if c.usual != nil && c.usual[k] {
			n++
		}
	}
	return 2*n > len(group)
}
