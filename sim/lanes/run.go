package lanes

import (
	"fmt"

	"etch/sim"
)

// Cycles returns the number of events so far.
func (l *Lanes) Cycles() uint64 { return l.cycles }

// Step runs n cycles in which all clocks of the top rise together.
func (l *Lanes) Step(n int) { l.run(l.all(), n) }

// Tick runs n cycles in which only clk rises. It panics if clk is no clock.
func (l *Lanes) Tick(clk sim.Signal, n int) {
	on := l.none()
	on[l.clockIndex(clk)] = 1
	l.run(on, n)
}

// TickAll runs one cycle in which exactly these clocks rise together. It panics if one of them
// is no clock.
func (l *Lanes) TickAll(clks ...sim.Signal) {
	on := l.none()
	for _, clk := range clks {
		on[l.clockIndex(clk)] = 1
	}
	l.run(on, 1)
}

// Reset runs one Step with every reset input of the top high, and leaves them low.
func (l *Lanes) Reset() {
	l.resets(1)
	l.Step(1)
	l.resets(0)
}

// resets gives every reset input of the top the value v in all lanes.
func (l *Lanes) resets(v uint64) {
	l.open()
	top := l.one.Top()
	for _, port := range l.m.P.Resets {
		l.engine.fill(top[port], []uint64{v})
	}
}

// ResetLane runs one cycle of a single lane with its resets high. All other lanes stand still.
func (l *Lanes) ResetLane(lane int) {
	l.check(lane)
	l.engine.reset(lane)
	l.collect()
}

// Restart returns to power-up: the state of New, inputs 0, no cycles, no failures.
func (l *Lanes) Restart() {
	l.open()
	l.cycles, l.failures, l.failed, l.stops, l.err = 0, nil, 0, nil, nil
	l.engine.restart()
}

// RestartLane returns one lane to power-up, with its inputs 0.
func (l *Lanes) RestartLane(lane int) {
	l.check(lane)
	l.engine.restartLane(lane)
}

// run runs n events.
func (l *Lanes) run(on []byte, n int) {
	l.open()
	if n <= 0 {
		return
	}

	// Traced lanes copy inputs and state before the lanes advance.
	l.trace(on, n)
	for n > 0 {
		n -= l.engine.some(on, n)
	}
	l.collect()
}

// clockIndex returns the number of a clock; it panics for other signals.
func (l *Lanes) clockIndex(sig sim.Signal) int {
	l.own(sig)
	k := l.m.P.ClockAt(slotOf(sig))
	if k < 0 {
		panic(fmt.Sprintf("sim: %s is not a clock of the top %s", sig.Name(), l.m.P.Mod(0).Name))
	}
	return k
}
