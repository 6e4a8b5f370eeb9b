package native

import (
	"errors"
	"time"
	"unsafe"

	"etch/sim/native/cpu"
	"etch/sim/net"
)

// Gates skip idle parts of large nets. While plain code runs, samples record which state words
// change in which cycle. From the samples follow regions of the net that rest most of the time
// (net.Regions), and code that skips each region whose inputs have not changed. That code takes
// over if it is measurably faster.
//
// Gates add flags and kept values of regions. Both are scratch words, below the state, so their
// slots are negative.

// Sizes of gated code.
const (
	gateSamples = 256     // cycles, a multiple of 64
	gateScratch = 1 << 16 // scratch words for flags and kept values
)

// Gated runs a net by plain code, or by code with gates if that is faster. It belongs to one
// state at a time.
type Gated struct {
	diary
	pol   *Policy
	n     *net.Net
	f     cpu.Features
	plain *Code
	room  int // scratch words

	gates *Code // nil: none yet, or they did not pay
	flags int32 // number of scratch words with flags, from firstScratch on
	on    bool  // gates are faster
	fresh bool  // the last call was by gates, and the flags are as it left them

	lo, hi  uint32
	running effort // since the last look
	wait    effort // to run before the next look
	looks   int
	random  lcg
	samples int
	step    int        // calls of the trial so far
	took    [2]float64 // ns per cycle, without gates and with them
	changed []uint64   // by register: rows of gateSamples bits
	before  []uint64
}

// compileGated makes plain code that may get gates later. Errors: those of Compile.
func compileGated(n *net.Net, o Options) (Runner, error) {
	plain, err := Compile(n, o.Features)
	if err != nil {
		return nil, err
	}
	return withGates(n, o.Features, plain, plain.Scratch()+gateScratch, o.policy(), o.Recover), nil
}

// withGates wraps plain code so that it may get gates later. Both kinds may use room scratch
// words.
func withGates(n *net.Net, f cpu.Features, plain *Code, room int, pol *Policy, shield bool) plainRunner {
	if len(n.N) < pol.LeastGated || len(n.N) > pol.MostGated || len(n.Regs) == 0 || plain.keeps {
		return plain
	}
	g := newGated(n, f, plain, room, pol)
	g.shield = shield
	return g
}

func newGated(n *net.Net, f cpu.Features, plain *Code, room int, pol *Policy) *Gated {
	g := &Gated{n: n, f: f, plain: plain, room: room, pol: pol, wait: effort(pol.GateWait * pol.PlainNode * float64(len(n.N)))}
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

// Run runs up to cycles cycles. It returns the number of cycles left when the net stopped, else
// 0.
func (g *Gated) Run(base unsafe.Pointer, cycles uint64) uint64 {
	left := g.RunOn(base, cycles, false)
	g.fresh = false
	return left
}

// GiveBack is Keeper's. The code keeps only flags and values that follow from the state, so it
// only drops them.
func (g *Gated) GiveBack(unsafe.Pointer) { g.fresh = false }

// Whole is Keeper's: true, since no region reads registers of the Host.
func (g *Gated) Whole() bool { return true }

// RunOn is Keeper's. It samples, tries and runs in turn, as the policy asks.
func (g *Gated) RunOn(base unsafe.Pointer, cycles uint64, again bool) uint64 {
	g.fresh = g.fresh && again
	for cycles > 0 {
		switch {
		// Sampling runs single cycles until the samples are complete.
		case g.running >= g.wait && g.looks < g.pol.GateLooks && g.gates == nil:
			done, stopped := g.sample(base, cycles)
			if cycles -= done; stopped {
				return cycles
			}
			if g.samples == gateSamples {
				g.guard(g.look, func() { g.looks = g.pol.GateLooks })
			}
			continue

		// A trial alternates between both kinds of code, one call at a time.
		case g.gates != nil && g.running >= g.wait && (again || cycles >= g.pol.GateLeast):
			if g.step >= 2*g.pol.GateBlock*g.pol.GateBlocks {
				g.begin()
			}
			return g.trial(base, cycles, again)
		}

		on := g.on && (again || cycles >= g.pol.GateLeast)
		left := g.call(base, cycles, on)
		g.running += effort(g.CycleEffort()) * effort(cycles-left)
		return left
	}
	return 0
}

// call runs one kind of code. After other code has run, all flags are raised first: anything may
// have changed.
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

// sample runs single cycles with random gaps between and records the registers that change.
func (g *Gated) sample(base unsafe.Pointer, cycles uint64) (done uint64, stopped bool) {
	if g.samples == 0 {
		g.changed, g.before = make([]uint64, len(g.n.Regs)*gateSamples/64), make([]uint64, g.hi-g.lo)
	}

	state := unsafe.Slice((*uint64)(unsafe.Add(base, 8*int(g.lo))), g.hi-g.lo)
	for done < cycles && g.samples < gateSamples {
		if k := min(g.random.draw()>>32%g.pol.GateGap, cycles-done-1); k > 0 {
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

// look divides the net by the samples, and compiles code with gates if the estimate is good
// enough.
func (g *Gated) look() {
	w := watch()
	r := g.n.Divide(g.changed, gateSamples/64, gateSamples)
	g.changed, g.before = nil, nil

	g.looks++
	if r.Count > 0 && r.Cost < g.pol.GateSaves*r.Base {
		if c, err := g.compile(r); err == nil {
			if g.gates != nil {
				g.gates.Close()
			}
			g.gates, g.flags, g.fresh, g.on = c, int32(r.Count), false, false
			g.running, g.wait = 0, 0 // the trial starts at once
			g.begin()
			g.tell(r)
			w.compare(&g.diary, "gates", g.lookEffort())
			return
		}
	}

	g.tell(r)
	w.compare(&g.diary, "a look for gates", g.lookEffort())
	g.later(g.lookEffort())
}

// lookEffort is the effort of a look.
func (g *Gated) lookEffort() effort { return effort(g.pol.GateNode * float64(len(g.n.N))) }

// CycleEffort is Runner's.
func (g *Gated) CycleEffort() float64 {
	if g.on {
		return g.gates.CycleEffort()
	}
	return g.plain.CycleEffort()
}

// later postpones the next look.
func (g *Gated) later(took effort) {
	g.wait = max(g.wait, g.running, took) * effort(g.pol.GateAgain)
	g.running, g.samples = 0, 0
}

// compile makes code with gates. Errors: the code needs more scratch words than there are; those
// of Compile.
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
	code, err := newCode(text, int(c.scratch), len(c.n.N))
	if err == nil {
		code.banks, code.gates, code.cycle = len(c.n.Banks), r.Count, float64(g.pol.cycle(r.Cost))
	}
	return code, err
}

// trial runs one call of a trial. Blocks of calls by either kind of code alternate. The shortest
// time per cycle counts, because other processes disturb the longer ones. At the end the faster
// kind stays.
func (g *Gated) trial(base unsafe.Pointer, cycles uint64, again bool) (left uint64) {
	kind := g.step / g.pol.GateBlock % 2
	first := g.step%g.pol.GateBlock == 0 && again // by gates, this call runs all regions and finds cold caches: not counted
	start := time.Now()
	left = g.call(base, cycles, kind == 1)
	if done := cycles - left; !first && done > 0 {
		g.took[kind] = min(g.took[kind], float64(time.Since(start))/float64(done))
	}

	if g.step++; g.step < 2*g.pol.GateBlock*g.pol.GateBlocks {
		return left
	}

	g.on = g.took[1] < g.pol.GateFaster*g.took[0]
	g.tellTrial()
	if g.on {
		g.wait, g.running = max(g.wait, g.lookEffort())*effort(g.pol.GateAgain), 0
		return left
	}

	g.fresh = false
	g.gates.Close()
	g.gates = nil
	g.later(g.lookEffort())
	return left
}

// begin starts a trial.
func (g *Gated) begin() {
	g.step, g.took = 0, [2]float64{1e18, 1e18}
}
