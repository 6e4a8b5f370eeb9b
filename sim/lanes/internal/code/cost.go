package code

import "etch/sim/native/vector"

// cost estimates the instructions per cycle of one instance in code of one form.
func cost(p *vector.Program, l *Layout, t Target) float64 {
	// Instructions in skipped blocks hardly ever run.
	instrs, cycles, skipping := 0, 1, false
	for i := range p.Instrs {
		switch in := &p.Instrs[i]; in.Op {
		case vector.Skip:
			skipping = true
		case vector.EndSkip:
			skipping = false
		case vector.Macro:
			instrs += accessCost(l, t)
		case vector.Gather:
			instrs += 2 * l.Lanes(t) * 2 / p.Macros[in.Slot].Elem
		case vector.Again:
			cycles = int(in.Imm)
		}
		if cycles > 1 { // code for single cycles follows
			break
		}
		if !skipping {
			instrs++
		}
	}

	return float64(instrs) / float64(cycles*l.Lanes(t))
}

// accessCost estimates the instructions of a memory read or write.
func accessCost(l *Layout, t Target) int {
	if l.Form == Words {
		return 3 * l.Lanes(t)
	}
	return 700 + 3*l.Lanes(t)
}
