package equiv

import (
	"errors"
	"fmt"

	"etch/ir"
	"etch/passes/aig"
)

// problem is a question about a design as a transition system, with the maps from its traces
// back to the design.
type problem struct {
	design  *ir.Design
	circuit *aig.Circuit
	sys     *aig.System
	o       *options
	paired  bool // the design is a pair
	bads    []bad
	models  map[string]aig.Model // of memories that are not expanded
	unlike  aig.Lit              // memories became different in the reset

	inputs []aig.Word         // by input of the circuit: leaves or constants of sys.Graph
	rises  []aig.Lit          // by clock: it rises in this step
	falls  []aig.Lit          // by clock: it falls in this step
	levels []aig.Lit          // leaves: levels of clocks
	resets [][]aig.Word       // by reset cycle, by input of the circuit
	start  []aig.Word         // by state: its value at power-up
	alone  map[aig.Lit]string // leaves of start without a counterpart: name of the state
	pairs  [][2][2]int        // of states and bits that may be equal
	seen   []bool             // by node of the circuit: an output depends on it
	place  *aig.Rebuilder     // from addresses of kept words to their starts
	placed map[int]bool       // leaves of such addresses
	at     map[aig.Lit]int    // inputs of sys by leaf
	free   map[aig.Lit]int
}

// bad is the meaning of a bad literal of the system: a difference of an output, a failing
// statement, or a difference of memories that must be equal.
type bad struct {
	out  *match
	box  [2]int // of inputs of black boxes: outputs of the circuit
	stmt *aig.Stmt

	memory *aig.Unlike
}

// newProblem makes the system of a design. Its only bad literals so far are differences of
// memories in models. With paired set the design is a [pair].
func newProblem(d *ir.Design, o *options, paired bool, models map[string]aig.Model) (*problem, error) {
	c, err := aig.Blast(d, aig.Options{
		MaxMemory: o.memory, Together: o.together, Late: o.late,
		Memory: func(mem *ir.Memory) aig.Model { return models[mem.Name] },
	})
	switch {
	case errors.Is(err, aig.ErrLate):
		return nil, errLate
	case err != nil:
		return nil, err
	}
	p := &problem{models: models, design: d, paired: paired, circuit: c, o: o, sys: &aig.System{Graph: aig.New()}, at: map[aig.Lit]int{}, free: map[aig.Lit]int{}}
	p.sys.Graph.Limit(4 * aig.DefaultMaxNodes)
	p.sys.Graph.Until(o.late)
	if err := p.holds(); err != nil {
		return nil, err
	}

	if o.late() {
		return nil, errLate
	}

	// Symbolic simulation of the reset: the system starts from the state after it.
	p.powerUp(paired && !o.unpaired)
	state := p.start
	for range p.resetCycles() {
		if o.late() {
			return nil, errLate
		}
		state = p.reset(state, paired)
	}
	if o.late() {
		return nil, errLate
	}

	// Reset cycles count as steps before the start only if a later step could be like them: not if a
	// reset is held at another value later, nor with memories that are not expanded.
	if p.heldReset() || len(models) > 0 {
		p.sys.Before = 0
	}
	p.step(state, paired)
	if o.late() {
		return nil, errLate
	}
	return p, nil
}

// errLate is the error of a problem for which there was no time.
var errLate = errors.New("the time was over before there were gates to compare")

// holds checks that inputs named by options exist with their width.
func (p *problem) holds() error {
	for what, list := range [2][]held{p.o.hold, p.o.resetBy} {
		option := [...]string{"Hold", "ResetBy"}[what]
		for _, h := range list {
			i := p.input(h.port)
			if i < 0 {
				return fmt.Errorf("%s: there is no input %s", option, h.port)
			}
			if w := len(p.circuit.Inputs[i].Bits); w != h.value.Width() {
				return fmt.Errorf("%s: %s has %d bits, not %d", option, h.port, w, h.value.Width())
			}
		}
	}
	return nil
}

// input returns the index of an input of the top, -1 if there is none.
func (p *problem) input(port string) int {
	for i, in := range p.circuit.Inputs {
		if in.Box == "" && in.Name == port {
			return i
		}
	}
	return -1
}

// resetCycles returns the number of reset cycles.
func (p *problem) resetCycles() int {
	if p.o.resets >= 0 {
		return p.o.resets
	}
	for _, in := range p.circuit.Inputs {
		if in.Reset {
			return 1
		}
	}
	return min(1, len(p.o.resetBy))
}

// heldReset reports whether a reset has a value in the reset cycles that it cannot have later.
func (p *problem) heldReset() bool {
	for _, in := range p.circuit.Inputs {
		_, held := valueOf(p.o.hold, in)
		if _, named := valueOf(p.o.resetBy, in); held && (in.Reset || named) {
			return true
		}
	}
	return false
}

// newFree adds a leaf that has one value for a whole run.
func (p *problem) newFree() aig.Lit {
	l := p.sys.Graph.Leaf()
	p.free[l] = len(p.sys.Free)
	p.sys.Free = append(p.sys.Free, l)
	return l
}

// newInput adds a leaf that has a new value in each step.
func (p *problem) newInput() aig.Lit {
	l := p.sys.Graph.Leaf()
	p.at[l] = len(p.sys.Inputs)
	p.sys.Inputs = append(p.sys.Inputs, l)
	return l
}

// twin returns a name without its side, and the side, 0 for neither.
func twin(name string) (string, byte) {
	if len(name) > 1 && (name[0] == 'a' || name[0] == 'b') && name[1] == '.' {
		return name[2:], name[0]
	}
	return name, 0
}
