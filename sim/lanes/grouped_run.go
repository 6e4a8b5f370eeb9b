package lanes

import (
	"bytes"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"etch/sim/internal/interp"
	"etch/sim/lanes/internal/code"
)

// reset implements engine.
func (l *grouped) reset(lane int) {
	// Machine code runs whole groups, so a single lane is interpreted.
	g, at := l.group(lane)
	l.load(g, at)
	l.m.Resets(1)
	l.interpretEvent(g, at, l.all(), l.cycles)
	l.count(g, at, l.m.Covered)

	// Falling edges come at the end of the cycle.
	if falls := l.falls(l.all()); falls != nil {
		l.interpretEvent(g, at, falls, l.cycles+1)
		l.count(g, at, l.m.Covered)
	}
	l.m.Resets(0)
	l.store(g, at)
}

// restart implements engine.
func (l *grouped) restart() {
	// Without a seed all lanes start alike, so the interpreter's state fills them.
	l.one.Restart()
	for _, g := range l.groups {
		g.Fill(l.words(), l.m.St.Mems)
		for i := range l.m.P.Covers {
			g.FillWord(l.coverAt(i), 0)
		}
		g.stale, g.log = true, results{}
	}
	l.kept, l.heard = results{}, false

	for lane := 0; l.seeded && lane < l.n; lane++ {
		l.restartLane(lane)
	}
}

// restartLane implements engine.
func (l *grouped) restartLane(lane int) {
	g, at := l.group(lane)

	// The shared simulator draws the lane's initial state from the lane's seed.
	l.m.St.Seed = l.seed + uint64(lane)
	l.m.PowerUp()
	l.store(g, at)
	for i := range l.m.P.Covers {
		g.SetWord(l.coverAt(i), at, 0)
	}
}

// some implements engine.
func (l *grouped) some(on []byte, n int) int {
	// A trial gives the lanes another engine, so the caller starts anew.
	if l.study != nil && l.study.apart.wanted {
		l.study.turnApart(l)
		return 0
	}

	// Falling edges come after each cycle, so cycles run singly.
	falls := l.falls(on)
	if falls != nil {
		n = 1
	}
	n = l.eventsOf(on, n)
	l.cycles += uint64(n)
	if falls != nil {
		l.eventsOf(falls, 1)
	}
	return n
}

// falls is the set of falling edges after an event, nil if nothing falls.
func (l *grouped) falls(on []byte) []byte {
	if len(l.m.P.Falls) == 0 {
		return nil
	}
	falls := slices.Clone(on)
	if !l.m.P.Falling(falls) {
		return nil
	}
	return falls
}

// eventsOf runs at most n events of one set of edges, and returns how many.
func (l *grouped) eventsOf(on []byte, n int) int {
	// Only the event of all clocks is studied.
	if l.study != nil && bytes.Equal(on, l.all()) {
		return l.study.events(l, n, l.cycles)
	}
	if p, err := l.event(on); err == nil {
		l.runGroups(p, on, n, l.cycles)
	} else { // a set of edges without a program
		l.each(func(_ *code.Worker, k int) { l.interpretGroup(l.groups[k], on, n) })
	}
	return n
}

// runGroups runs n events of all groups, the first at cycle.
func (l *grouped) runGroups(p code.Program, on []byte, n int, cycle uint64) {
	if len(l.worker) > 1 && len(l.groups) > 1 && !l.alone {
		l.each(func(w *code.Worker, k int) { l.runGroup(w, l.groups[k], p, on, n, cycle) })
		return
	}

	w := l.worker[0]
	if len(l.m.P.Async) > 0 {
		for _, g := range l.groups {
			l.settle(w, g)
		}
	}

	// One call runs all groups; a stop interrupts it for the group that has to be interpreted.
	for k := 0; k < len(l.groups); k++ {
		l.next = k
		done, left := p.RunAll(w, len(l.groups)-k, l.ofNext, n)
		if k += done; left > 0 {
			l.finish(w, l.groups[k], p, on, left, cycle+uint64(n))
		}
	}

	for _, g := range l.groups {
		g.stale = true
	}
}

// each calls f for every group, from one goroutine per worker.
func (l *grouped) each(f func(w *code.Worker, k int)) {
	n := len(l.groups)
	if len(l.worker) == 1 || n == 1 {
		for k := range n {
			f(l.worker[0], k)
		}
		return
	}

	// Workers take the next group when they are done: groups do not take equally long.
	var next atomic.Int32
	var wg sync.WaitGroup
	for _, w := range l.worker {
		wg.Go(func() {
			for k := int(next.Add(1)) - 1; k < n; k = int(next.Add(1)) - 1 {
				f(w, k)
			}
		})
	}
	wg.Wait()
}

// runGroup runs n events of a group, the first at cycle.
func (l *grouped) runGroup(w *code.Worker, g *group, p code.Program, on []byte, n int, cycle uint64) {
	l.settle(w, g)
	left := p.Run(w, g.Group, n, false)
	l.finish(w, g, p, on, left, cycle+uint64(n))
	g.stale = true
}

// finish runs the events of a group that a stop has left, up to the one before cycle end.
func (l *grouped) finish(w *code.Worker, g *group, p code.Program, on []byte, left int, end uint64) {
	for left > 0 {
		l.runSpeaking(w, g, p, on, end-uint64(left))
		left = p.Run(w, g.Group, left-1, false)
	}
}

// runSpeaking runs an event in which statements have results: the lanes concerned are
// interpreted, then the whole group runs, then the interpreted states replace theirs.
func (l *grouped) runSpeaking(w *code.Worker, g *group, p code.Program, on []byte, cycle uint64) {
	// The stopped lanes are a mask of 64 lanes per word.
	var after []state
	for k, word := range slices.Clone(p.Stopped(w)) {
		for ; word != 0; word &= word - 1 {
			after = append(after, l.speak(g, 64*k+bits.TrailingZeros64(word), on, cycle))
		}
	}

	// The group runs past its stop; the interpreted states then replace their lanes in the group.
	p.Run(w, g.Group, 1, true)
	for _, s := range after {
		s.restore(g)
	}
}

// settle applies asynchronous resets if the group is stale.
func (l *grouped) settle(w *code.Worker, g *group) {
	if g.stale && len(l.m.P.Async) > 0 {
		l.refresh(w, g)
	}
}

// refresh computes the outputs of a group after applying asynchronous resets. A reset register
// may reset others, so it repeats until nothing changes.
func (l *grouped) refresh(w *code.Worker, g *group) {
	if !g.stale {
		return
	}
	for range 1 + len(l.m.P.Async) {
		g.before = l.asyncState(g, g.before[:0])
		l.look.Run(w, g.Group, 1, true)
		g.after = l.asyncState(g, g.after[:0])
		if interp.EqualWords(g.before, g.after) {
			break
		}
	}
	g.stale = false
}

// asyncState appends the registers with asynchronous reset.
func (l *grouped) asyncState(g *group, all []uint64) []uint64 {
	for _, i := range l.m.P.Async {
		r := &l.m.P.Regs[i]
		for k := range uint32(r.Words) {
			all = g.AppendRaw(all, l.wordOf(r.Slot+k))
		}
	}
	return all
}

// interpretGroup runs n events of a group lane by lane.
func (l *grouped) interpretGroup(g *group, on []byte, n int) {
	// Each event is interpreted on the shared simulator, from the state in the group and back to
	// it.
	for lane := range min(g.Lanes(), l.n-g.first) {
		for k := range n {
			s := l.speak(g, lane, on, l.cycles+uint64(k))
			s.restore(g)
			l.count(g, lane, s.covered)
		}
	}
	g.stale = true
}
