package equiv

import (
	"fmt"

	"etch/ir"
	"etch/passes/aig"
)

// problem is a question about a design as a transition system, with what leads
// from its traces back to the design.
type problem struct {
	design  *ir.Design
	circuit *aig.Circuit
	sys     *aig.System
	o       *options
	paired  bool // the design is a pair
	bads    []bad

	inputs []aig.Word      // by input of the circuit: leaves or constants of sys.Graph
	ticks  []aig.Lit       // by clock
	resets [][]aig.Word    // by reset cycle, by input of the circuit
	start  []aig.Word      // by state: what it is at power-up
	at     map[aig.Lit]int // inputs of sys by leaf
	free   map[aig.Lit]int
}

// bad is what a bad literal of the system is about: an output of both sides, or a
// statement.
type bad struct {
	out  *match
	box  [2]int // inputs of black boxes: outputs of the circuit
	stmt *aig.Stmt
}

// newProblem makes the system of a design, without anything bad yet. With paired
// set the design is a [pair].
func newProblem(d *ir.Design, o *options, paired bool) (*problem, error) {
	c, err := aig.Blast(d, aig.Options{MaxMemory: o.memory, Together: o.together})
	if err != nil {
		return nil, err
	}
	p := &problem{design: d, paired: paired, circuit: c, o: o, sys: &aig.System{Graph: aig.New()}, at: map[aig.Lit]int{}, free: map[aig.Lit]int{}}
	p.sys.Graph.Limit(4 * aig.DefaultMaxNodes)
	if err := p.holds(); err != nil {
		return nil, err
	}
	p.powerUp(paired && !o.unpaired)
	state := p.start
	for range p.resetCycles() {
		state = p.reset(state, paired)
	}
	p.step(state, paired)
	return p, nil
}

// holds checks that what is held is there.
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

func (p *problem) input(port string) int {
	for i, in := range p.circuit.Inputs {
		if in.Box == "" && in.Name == port {
			return i
		}
	}
	return -1
}

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

// newFree adds a leaf that has one value for a whole run.
func (p *problem) newFree() aig.Lit {
	l := p.sys.Graph.Leaf()
	p.free[l] = len(p.sys.Free)
	p.sys.Free = append(p.sys.Free, l)
	return l
}

func (p *problem) newInput() aig.Lit {
	l := p.sys.Graph.Leaf()
	p.at[l] = len(p.sys.Inputs)
	p.sys.Inputs = append(p.sys.Inputs, l)
	return l
}

// powerUp gives every state its start; with paired set, state of the same name on
// both sides the same one.
func (p *problem) powerUp(paired bool) {
	type key struct {
		name  string
		row   int
		kind  aig.StateKind
		width int
		nth   int
	}
	known := map[key]aig.Word{}
	count := map[key]int{}
	for i := range p.circuit.States {
		s := &p.circuit.States[i]
		w := make(aig.Word, len(s.Init))
		name, side := s.Name, byte(0)
		if paired {
			name, side = twin(name)
		}
		k := key{name, s.Row, s.Kind, len(s.Q), 0}
		seen := k
		seen.name = string(side) + "." + name
		k.nth = count[seen]
		count[seen]++
		other, ok := known[k]
		for j, l := range s.Init {
			switch {
			case l.IsConst():
				w[j] = l
			case p.o.zero:
				w[j] = aig.False
			case ok && paired && !other[j].IsConst():
				w[j] = other[j]
			default:
				w[j] = p.newFree()
			}
		}
		if !ok {
			known[k] = w
		}
		p.start = append(p.start, w)
	}
}

// twin is the name of something without its side, and the side, 0 for neither.
func twin(name string) (string, byte) {
	if len(name) > 1 && (name[0] == 'a' || name[0] == 'b') && name[1] == '.' {
		return name[2:], name[0]
	}
	return name, 0
}
