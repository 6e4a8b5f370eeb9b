package native

import (
	"errors"
	"time"
	"unsafe"

	"etch/sim/native/cpu"
	"etch/sim/net"
)

// Gates skip what has nothing to do in large nets. While plain code runs, it is
// seen which words of the state change when; from that follow regions of the net
// that rest most of the time (net.Regions), and code that skips those whose inputs
// have not changed. It takes over when the clock says that it is faster.
//
// The words that gates add, flags and values of regions, are scratch words, below
// the state: their slots are negative numbers.

// Policy of gates.
const (
	leastGated  = 1500 // nodes of a net that is worth a look
	mostGated   = 1 << 19
	gateSamples = 256
	gateGap     = 8    // cycles between samples, on average half of it
	gateWait    = 2    // times what compiling took: to run before the first look
	gateAgain   = 16   // times as long: to run before the next one
	gateLooks   = 3    // looks at most
	gateSaves   = 0.7  // of the estimated cost must stay at most
	gateFaster  = 0.85 // of the time must be taken at most
	gateBlock   = 4    // calls of a trial in a row by one kind of code
	gateBlocks  = 3    // of each kind
	gateLeast   = 16   // cycles of a call that begins a run: fewer do not pay for raising all flags
	gateScratch = 1 << 16
)

// Gated runs a net by plain code, or by code with gates when that is faster. It
// belongs to one state at a time.
type Gated struct {
	n     *net.Net
	f     cpu.Features
	plain *Code
	room  int // scratch words

	gates *Code // nil: none yet, or they did not pay
	flags int32 // scratch words of the flags, from firstScratch on
	on    bool  // gates are faster
	fresh bool  // the last call was by gates, and the flags are as it left them

	lo, hi  uint32
	running time.Duration // since the last look
	wait    time.Duration // of running before the next one
	looks   int
	random  lcg
	samples int
	step    int        // calls of the trial so far
	took    [2]float64 // ns for a cycle, without gates and with them
	changed []uint64   // by register: rows of gateSamples bits
	before  []uint64
}

// compileGated makes plain code, which gets gates later where that may pay.
// Errors: those of Compile.
func compileGated(n *net.Net, f cpu.Features) (Runner, error) {
	start := time.Now()
	plain, err := Compile(n, f)
	if err != nil {
		return nil, err
	}
	k := withGates(n, f, plain, plain.Scratch()+gateScratch)
	if g, ok := k.(*Gated); ok {
		g.wait = gateWait * time.Since(start)
	}
	return k, nil
}

// withGates is plain code that gets gates later where that may pay; both may use
// room scratch words.
func withGates(n *net.Net, f cpu.Features, plain *Code, room int) Keeper {
	if len(n.N) < leastGated || len(n.N) > mostGated || len(n.Regs) == 0 || plain.keeps {
		return plain
	}
	return newGated(n, f, plain, room)
}

func newGated(n *net.Net, f cpu.Features, plain *Code, room int) *Gated {
	g := &Gated{n: n, f: f, plain: plain, room: room, wait: gateWait * time.Millisecond}
	g.lo, g.hi = n.Regs[0].Slot, n.Regs[0].Slot+1
	for i := range n.Regs {
		g.lo, g.hi = min(g.lo, n.Regs[i].Slot), max(g.hi, n.Regs[i].Slot+1)
	}
	return g
}

// Scratch is the number of words below the state that the code uses.
func (g *Gated) Scratch() int { return g.room }

// Size is the number of bytes of machine code at present.
func (g *Gated) Size() int {
	if g.gates != nil {
		return g.plain.Size() + g.gates.Size()
	}
	return g.plain.Size()
}

// Close frees the code.
func (g *Gated) Close() error {
	err := g.plain.Close()
	if g.gates != nil {
		err = errors.Join(err, g.gates.Close())
	}
	return err
}

// Run does up to cycles cycles and returns how many are left because the net
// stopped before them.
func (g *Gated) Run(base unsafe.Pointer, cycles uint64) uint64 {
	left := g.RunOn(base, cycles, false)
	g.fresh = false
	return left
}

// GiveBack is Keeper's: what code keeps are flags, and values that follow from
// the state.
func (g *Gated) GiveBack(unsafe.Pointer) { g.fresh = false }

// Whole is Keeper's: no region looks at registers of the Host.
func (g *Gated) Whole() bool { return true }

// RunOn is Keeper's.
func (g *Gated) RunOn(base unsafe.Pointer, cycles uint64, again bool) uint64 {
	g.fresh = g.fresh && again
	for cycles > 0 {
		switch {
		case g.running >= g.wait && g.looks < gateLooks && g.gates == nil:
			done, stopped := g.sample(base, cycles)
			if cycles -= done; stopped {
				return cycles
			}
			if g.samples == gateSamples {
				g.look()
			}
			continue
		case g.gates != nil && g.running >= g.wait && (again || cycles >= gateLeast):
			if g.step >= 2*gateBlock*gateBlocks {
				g.begin()
			}
			return g.trial(base, cycles, again)
		}
		on := g.on && (again || cycles >= gateLeast)
		if cycles < leastTimed && !again { // looking at the clock would take longer
			return g.call(base, cycles, on)
		}
		start := time.Now()
		left := g.call(base, cycles, on)
		g.running += time.Since(start)
		return left
	}
	return 0
}

// call runs one kind of code.
func (g *Gated) call(base unsafe.Pointer, cycles uint64, gates bool) uint64 {
	if !gates {
		g.fresh = false
		return g.plain.Run(base, cycles)
	}
	if !g.fresh {
		for i := range g.flags {
			*(*uint64)(unsafe.Add(base, -8*int(firstScratch+i+1))) = 1
		}
		g.fresh = true
	}
	return g.gates.Run(base, cycles)
}

// sample runs cycles one by one, with a few between, and notes what changes.
func (g *Gated) sample(base unsafe.Pointer, cycles uint64) (done uint64, stopped bool) {
	if g.samples == 0 {
		g.changed, g.before = make([]uint64, len(g.n.Regs)*gateSamples/64), make([]uint64, g.hi-g.lo)
	}
	state := unsafe.Slice((*uint64)(unsafe.Add(base, 8*int(g.lo))), g.hi-g.lo)
	for done < cycles && g.samples < gateSamples {
		if k := min(g.random.draw()>>32%gateGap, cycles-done-1); k > 0 {
			left := g.call(base, k, false)
			if done += k - left; left > 0 {
				return done, true
			}
		}
		copy(g.before, state)
		if g.call(base, 1, false) > 0 {
			return done, true
		}
		done++
		at := g.samples
		g.samples++
		for r := range g.n.Regs {
			if k := g.n.Regs[r].Slot - g.lo; state[k] != g.before[k] {
				g.changed[r*gateSamples/64+at/64] |= 1 << (at % 64)
			}
		}
	}
	return done, false
}

// look divides the net by the samples, and makes code with gates if that looks
// good.
func (g *Gated) look() {
	start := time.Now()
	r := g.n.Divide(g.changed, gateSamples/64, gateSamples)
	g.changed, g.before = nil, nil
	g.looks++
	if r.Count > 0 && r.Cost < gateSaves*r.Base {
		if c, err := g.compile(r); err == nil {
			if g.gates != nil {
				g.gates.Close()
			}
			g.gates, g.flags, g.fresh, g.on = c, int32(r.Count), false, false
			g.running, g.wait = 0, 0 // the trial comes at once
			g.begin()
			g.tell(r, time.Since(start))
			return
		}
	}
	g.tell(r, time.Since(start))
	g.later(time.Since(start))
}

// later puts the next look off.
func (g *Gated) later(took time.Duration) {
	g.wait = max(g.wait, g.running, took) * gateAgain
	g.running, g.samples = 0, 0
}

// compile makes code with gates. Errors: it takes more scratch words than there
// are; those of Compile.
func (g *Gated) compile(r *net.Regions) (*Code, error) {
	words := int32(0)
	n, flags, _ := g.n.Gated(r, func(i int) uint32 {
		words = max(words, int32(i)+1)
		return uint32(-(firstScratch + int32(i) + 1))
	})
	var s scheduler
	c := prepare(&s, n.Gather(), net.Assume{}, firstScratch+words)
	c.allocate(&allocator{}, here.registers(inPlain))
	c.gates = [2]int32{int32(flags[0]), int32(flags[0] + len(flags))}
	if int(c.scratch) > g.room {
		return nil, errors.New("native: code with gates takes more scratch words")
	}
	text, err := plainText(here, c, g.f)
	if err != nil {
		return nil, err
	}
	return newCode(text, int(c.scratch), len(c.n.N))
}

// trial does one call of a trial: blocks of calls by one kind of code and the
// other take turns, and the shortest time of a cycle counts, since others run too.
// At its end the faster kind goes on.
func (g *Gated) trial(base unsafe.Pointer, cycles uint64, again bool) (left uint64) {
	kind := g.step / gateBlock % 2
	first := g.step%gateBlock == 0 && again // of gates: all regions work; and nothing is in the caches
	start := time.Now()
	left = g.call(base, cycles, kind == 1)
	if done := cycles - left; !first && done > 0 {
		g.took[kind] = min(g.took[kind], float64(time.Since(start))/float64(done))
	}
	if g.step++; g.step < 2*gateBlock*gateBlocks {
		return left
	}
	g.on = g.took[1] < gateFaster*g.took[0]
	g.tellTrial()
	if g.on {
		g.wait, g.running = max(g.wait, time.Millisecond)*gateAgain, 0
		return left
	}
	g.fresh = false
	g.gates.Close()
	g.gates = nil
	g.later(time.Millisecond)
	return left
}

// begin begins a trial.
func (g *Gated) begin() {
	g.step, g.took = 0, [2]float64{1e18, 1e18}
}
