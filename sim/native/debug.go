package native

import (
	"fmt"
	"os"
	"time"

	"etch/sim/net"
)

// Debug switches, by environment. ETCH_PLANS=1 tells on standard error what an
// Engine does to its bodies, and when, and what comes of gates.
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
	for _, t := range e.plan.tuples {
		cover += t.weight
	}
	fmt.Fprintf(os.Stderr, "native: cycle %d: %s: %d guards, %d deciding registers, %d tuples for %.4f of the cycles, %d bodies; cost of a cycle %.0f of %.0f; running %v, compiling %v, %d bytes\n",
		e.total, what, guards, len(e.plan.dec), len(e.plan.tuples), cover, len(e.bodies), e.plan.cost, e.plan.base, e.running, e.compiling, e.Size())
}

// tell prints a line about regions.
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
