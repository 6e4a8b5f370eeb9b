package native

import (
	"fmt"
	"os"
)

func init() {
	if os.Getenv("ETCH_TRACE") != "" {
		tracePlan = func(e *Engine, p *plan, base, cost float64, what string) {
			fmt.Printf("%s at %d: snaps %d dec %d tuples %d cost %.0f of %.0f compiling %v running %v bodies %d code %d: ", what, e.total, len(e.past.snaps), len(p.dec), len(p.tuples), cost, base, e.compiling, e.running, len(e.bodies), e.Size())
			cov := 0.0
			for _, t := range p.tuples {
				cov += t.weight
			}
			g := 0
			for _, v := range p.guards {
				if v >= 0 {
					g++
				}
			}
			fmt.Println("cover", cov, "guards", g)
		}
	}
}
