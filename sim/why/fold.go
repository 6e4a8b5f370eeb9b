package why

import (
	"slices"

	"etch/ir"
)

// fold joins state that has come to its value by equal steps, of which only the last is told: a
// counter counts, a value moves through registers that one line made, a sum through a row of
// elements. Each step took its value at one line, under conditions at equal lines, from state
// that is declared at one line.
func (e *Explainer) fold(c *Cause) error {
	step := c
	for range mostSteps {
		before := step.follows()
		if before == nil || before.queued {
			return nil
		}

		// Its causes are found in a copy: it may turn out to be no equal step. That it has had its value
		// since the start says nothing yet: a register may have taken the same value at every edge.
		sure := *before
		if err := e.state(&sure); err != nil {
			return err
		}
		if sure.Kind != State || sure.At != c.At || sure.follows() == nil || !slices.Equal(sure.lines(), step.lines()) {
			return nil
		}

		// The step is equal: the state before it takes its place among the causes.
		c.Why = slices.DeleteFunc(slices.Clone(c.Why), func(k *Cause) bool { return k == step.follows() })

		if before.at == c.at && c.Through == 0 {
			c.From, c.FromTill = before.Value, before.Since
		} else {
			c.From = ""
			c.Through++
		}

		before.queued = true
		c.Why = append(c.Why, sure.follows())
		step = &sure
	}
	return nil
}

// mostSteps is the number of equal steps that are joined: a counter may have made millions.
const mostSteps = 64

// follows is the state among the causes of state that is declared at the same line: itself,
// earlier, or its neighbour.
func (c *Cause) follows() *Cause {
	for _, k := range c.Why {
		if k.Kind == State && k.addr == 0 && k.at.inst.mod == c.at.inst.mod && k.at.line() == c.at.line() {
			return k
		}
	}
	return nil
}

// lines are the lines of the conditions of a cause.
func (c *Cause) lines() (all []ir.Location) {
	for _, k := range c.Why {
		if k.Kind == Condition && !k.keeps {
			all = append(all, k.At)
		}
	}
	return all
}
