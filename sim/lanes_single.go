package sim

import (
	"bytes"
	"fmt"
	"sync"

	"etch/ir/bits"
	"etch/sim/internal/program"
)

// singleLanes has a simulator for each lane, and runs one after the other.
type singleLanes struct {
	*laneSet
	sims  []*Sim
	back  *groupedLanes // the engine that the lanes come from, without groups now; nil: none
	trial bool          // a trial against groups is on
	kept  laneLog       // results from before
}

// singly gives every lane a simulator of its own, at power-up.
func (l *laneSet) singly(c config) ([]*Sim, error) {
	var sims []*Sim
	for lane := range l.n {
		out := &lanePrinter{}
		c.output, c.seed = out, l.seed+uint64(lane)
		s, err := l.another(sims, c)
		if err != nil {
			for _, s := range sims {
				s.Close()
			}
			return nil, err
		}
		out.s = s
		sims = append(sims, s)
	}
	return sims, nil
}

// another makes a simulator for the next lane. Lanes of one worker share a program and its
// machine code, unless there are Models.
func (l *laneSet) another(before []*Sim, c config) (*Sim, error) {
	// Lane k belongs to worker k modulo their number, and simulators that share machine code must
	// not run at the same time.
	if k := len(before); k >= len(l.worker) && len(l.one.p.Boxes) == 0 {
		return before[k%len(l.worker)].twin(c)
	}
	p, models, err := program.Compile(l.one.p.Source, c.models, c.pack)
	if err != nil {
		return nil, err
	}
	return newSim(p, models, c)
}

// eachSim calls f for every simulator; each worker calls it for its lanes in turn.
func (l *singleLanes) eachSim(f func(s *Sim)) {
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

// some is the laneEngine's.
func (l *singleLanes) some(on []byte, n int) int {
	// During a trial, events of all clocks teach or are timed.
	if l.trial && n >= l.back.study.pol.Lanes.Least && bytes.Equal(on, l.all()) {
		n = l.back.study.tried(l, n)
	} else {
		l.eachSim(func(s *Sim) { s.runEvents(on, n) })
	}
	l.cycles += uint64(n)
	return n
}

// runEvents runs n cycles of the clocks marked in on.
func (s *Sim) runEvents(on []byte, n int) {
	copy(s.set, on)
	s.byHand(n)
}

// adopt turns a signal into that of another simulator of the same design.
func (s *Sim) adopt(sig Signal) Signal {
	sig.mustSim()
	sig.s = s
	return sig
}

// put is the laneEngine's.
func (l *singleLanes) put(sig Signal, lane int, words []uint64) {
	s := l.sims[lane]
	to := s.st.V[sig.slot:][:bits.WordCount(int(sig.width))]
	clear(to[copy(to, words):])
	s.touch()
}

// fill is the laneEngine's.
func (l *singleLanes) fill(sig Signal, words []uint64) {
	for lane := range l.n {
		l.put(sig, lane, words)
	}
}

// putSlice is the laneEngine's.
func (l *singleLanes) putSlice(sig Signal, v []uint64) {
	for lane, s := range l.sims {
		s.st.V[sig.slot] = v[lane]
		s.touch()
	}
}

// get is the laneEngine's.
func (l *singleLanes) get(sig Signal, lane int) uint64 {
	return l.sims[lane].Get(l.sims[lane].adopt(sig))
}

// getBits is the laneEngine's.
func (l *singleLanes) getBits(sig Signal, lane int) bits.Value {
	return l.sims[lane].GetBits(l.sims[lane].adopt(sig))
}

// getSlice is the laneEngine's.
func (l *singleLanes) getSlice(sig Signal, dst []uint64) {
	for lane := range l.sims {
		dst[lane] = l.get(sig, lane)
	}
}

// readMem is the laneEngine's.
func (l *singleLanes) readMem(mem, addr, lane int) bits.Value {
	return Mem{l.sims[lane], int32(mem)}.Read(addr)
}

// writeMem is the laneEngine's.
func (l *singleLanes) writeMem(mem, addr, lane int, v bits.Value) error {
	return Mem{l.sims[lane], int32(mem)}.Write(addr, v)
}

// state is the laneEngine's.
func (l *singleLanes) state(lane int) *Sim { return l.sims[lane] }

// reset is the laneEngine's.
func (l *singleLanes) reset(lane int) { l.sims[lane].Reset() }

// restart is the laneEngine's.
func (l *singleLanes) restart() {
	l.kept = laneLog{}
	for _, s := range l.sims {
		s.Restart()
	}
}

// restartLane is the laneEngine's.
func (l *singleLanes) restartLane(lane int) { l.sims[lane].Restart() }

// coverage is the laneEngine's.
func (l *singleLanes) coverage(lane int) []CoverPoint { return l.sims[lane].Coverage() }

// trace is the laneEngine's. During a trial the simulators may go.
func (l *singleLanes) trace(lane int, t Tracer) (can bool, err error) {
	if l.trial {
		return false, nil
	}
	return true, l.sims[lane].Trace(t)
}

// takeLog is the laneEngine's.
func (l *singleLanes) takeLog() laneLog {
	all := l.kept
	l.kept = laneLog{}
	for lane, s := range l.sims {
		g := s.takeLog(lane)
		all.take(&g)
	}
	return all
}

// failure is the laneEngine's.
func (l *singleLanes) failure() error {
	for lane, s := range l.sims {
		if err := s.st.Large.Err; err != nil {
			return fmt.Errorf("lane %d: %w", lane, err)
		}
	}
	return nil
}

// close is the laneEngine's.
func (l *singleLanes) close(keep func(error)) {
	if l.back != nil {
		l.back.study.apart.spare = nil // it is l
		l.back.close(keep)
	}
	l.closeSims(keep)
}
