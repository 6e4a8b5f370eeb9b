package native

import (
	"fmt"
	"os"
	"slices"
	"time"

	"etch/sim/net"
)

// Debug switches, by environment. ETCH_PLANS=1 reports on standard error each change that an Engine makes to
// its bodies, when, and the result of gates.
var tellPlans = os.Getenv("ETCH_PLANS") == "1"

// tell prints a line about the present plan.
func (e *Engine) tell(what string) {
	if !tellPlans {
		return
	}

	guards, cover := 0, 0.0
	for _, v := range e.plan.guards {
		if v >= 0 {
			guards++
		}
	}
	for _, b := range e.bodies {
		cover += b.weight
	}
	partial := 0
	for _, b := range e.bodies {
		if slices.ContainsFunc(e.plan.dec, func(r int32) bool { return b.values[r] < 0 }) {
			partial++
		}
	}
	fmt.Fprintf(os.Stderr, "native: cycle %d: %s: %d guards, %d deciding registers, %d bodies for %.4f of the cycles, %d of them partial; cost of a cycle %.0f, %.0f expected, of %.0f; running %v, compiling %v, %d bytes\n",
		e.total, what, guards, len(e.plan.dec), len(e.bodies), cover, partial, e.plan.costs[len(e.plan.costs)-1], e.plan.expect, e.plan.general, e.running, e.compiling, e.Size())
}

// tellTrial prints a line about a trial of plain code.
func tellTrial(without, with time.Duration, cycles uint64) {
	if tellPlans {
		fmt.Fprintf(os.Stderr, "native: %d cycles take %v with bodies, %v without\n", cycles, with, without)
	}
}

// tell prints a line about a division into regions.
func (g *Gated) tell(r *net.Regions, took time.Duration) {
	if tellPlans {
		fmt.Fprintf(os.Stderr, "native: look %d: %d regions, cost of a cycle %.0f of %.0f, in %v\n", g.looks, r.Count, r.Cost, r.Base, took)
	}
}

// tellTrial prints a line about a trial of gates.
func (g *Gated) tellTrial() {
	if tellPlans {
		fmt.Fprintf(os.Stderr, "native: a cycle takes %.0f ns without gates, %.0f with them; %d bytes\n", g.took[0], g.took[1], g.Size())
	}
}
