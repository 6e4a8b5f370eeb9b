package lanes

import (
	"bytes"
	"fmt"
	"sync"

	"etch/ir/bits"
	"etch/sim"
	"etch/sim/internal/drive"
)

// singles has a simulator for each lane, and runs one after the other.
type singles struct {
	*common
	sims  []single
	back  *grouped // the engine that the lanes come from, without groups now; nil: none
	trial bool     // a trial against groups is on
	kept  results  // of groups, from before the lanes were apart
}

// single is the simulator of a lane.
type single struct {
	*sim.Sim
	m *drive.Stepper
}

// singly gives every lane a simulator of its own, at power-up.
func (l *common) singly(c drive.Config) ([]single, error) {
	var sims []single
	for lane := range l.n {
		out := &printer{}
		c.Output, c.Seed = out, l.seed+uint64(lane)
		m, err := l.another(sims, c)

		// A failure takes the simulators made so far along.
		if err != nil {
			for _, s := range sims {
				s.Close()
			}
			return nil, err
		}
		out.m = m
		sims = append(sims, single{sim.Of(m), m})
	}
	return sims, nil
}

// another makes the stepper of the next lane. Lanes of one worker share a program and its
// machine code, unless there are Models.
func (l *common) another(before []single, c drive.Config) (*drive.Stepper, error) {
	// Lane k belongs to worker k modulo their number, and simulators that share machine code must
	// not run at the same time.
	if k := len(before); k >= len(l.worker) && len(l.m.P.Boxes) == 0 {
		return before[k%len(l.worker)].m.Twin(c)
	}
	return drive.Make(l.m.P.Source, c)
}

// eachSim calls f for every simulator; each worker calls it for its lanes in turn.
func (l *singles) eachSim(f func(s single)) {
	some := func(w int) {
		for lane := w; lane < l.n; lane += len(l.worker) {
			f(l.sims[lane])
		}
	}

	var wg sync.WaitGroup

	// The calling goroutine is worker 0.
	for w := 1; w < len(l.worker); w++ {
		wg.Go(func() { some(w) })
	}
	some(0)
	wg.Wait()
}

// some implements engine.
func (l *singles) some(on []byte, n int) int {
	// During a trial, events of all clocks teach or are timed.
	if l.trial && n >= l.back.study.pol.Lanes.Least && bytes.Equal(on, l.all()) {
		n = l.back.study.tried(l, n)
	} else {
		l.eachSim(func(s single) { s.RunEvents(on, n) })
	}
	l.cycles += uint64(n)
	return n
}

// put implements engine.
func (l *singles) put(sig sim.Signal, lane int, words []uint64) {
	m := l.sims[lane].m
	to := m.St.V[slotOf(sig):][:bits.WordCount(sig.Width())]
	clear(to[copy(to, words):])
	m.Touch()
}

// fill implements engine.
func (l *singles) fill(sig sim.Signal, words []uint64) {
	for lane := range l.n {
		l.put(sig, lane, words)
	}
}

// putSlice implements engine.
func (l *singles) putSlice(sig sim.Signal, v []uint64) {
	for lane, s := range l.sims {
		s.m.St.V[slotOf(sig)] = v[lane]
		s.m.Touch()
	}
}

// get implements engine.
func (l *singles) get(sig sim.Signal, lane int) uint64 {
	return word(l.sims[lane].m, sig)
}

// getBits implements engine.
func (l *singles) getBits(sig sim.Signal, lane int) bits.Value {
	return l.sims[lane].m.Value(placeOf(sig))
}

// getSlice implements engine.
func (l *singles) getSlice(sig sim.Signal, dst []uint64) {
	for lane := range l.sims {
		dst[lane] = l.get(sig, lane)
	}
}

// readMem implements engine.
func (l *singles) readMem(mem, addr, lane int) bits.Value {
	return l.sims[lane].m.ReadMem(int32(mem), addr)
}

// writeMem implements engine.
func (l *singles) writeMem(mem, addr, lane int, v bits.Value) error {
	return l.sims[lane].m.WriteMem(int32(mem), addr, v)
}

// state implements engine.
func (l *singles) state(lane int) *drive.Stepper { return l.sims[lane].m }

// reset implements engine.
func (l *singles) reset(lane int) { l.sims[lane].Reset() }

// restart implements engine.
func (l *singles) restart() {
	l.kept = results{}
	for _, s := range l.sims {
		s.Restart()
	}
}

// restartLane implements engine.
func (l *singles) restartLane(lane int) { l.sims[lane].Restart() }

// coverage implements engine.
func (l *singles) coverage(lane int) []sim.CoverPoint { return l.sims[lane].Coverage() }

// trace implements engine. During a trial the simulators may go.
func (l *singles) trace(lane int, t sim.Tracer) (can bool, err error) {
	if l.trial {
		return false, nil
	}
	return true, l.sims[lane].Trace(t)
}

// takeLog implements engine.
func (l *singles) takeLog() results {
	all := l.kept
	l.kept = results{}
	for lane, s := range l.sims {
		g := takeLog(s, lane)
		all.take(&g)
	}
	return all
}

// failure implements engine.
func (l *singles) failure() error {
	for lane, s := range l.sims {
		if err := s.Err(); err != nil {
			return fmt.Errorf("lane %d: %w", lane, err)
		}
	}
	return nil
}

// close implements engine.
func (l *singles) close(keep func(error)) {
	if l.back != nil {
		l.back.study.apart.spare = nil // it is l
		l.back.close(keep)
	}
	l.closeSims(keep)
}
