package equiv

import (
	"errors"
	"fmt"
	"strings"

	"etch/ir"
	"etch/ir/bits"
	"etch/passes/aig"
	"etch/sim"
	"etch/sim/wave"
)

// most is the number of inputs, and of other signals, in a drawing.
const most = 16

// wave records a drawing of the inputs and the compared outputs; for assertions, of all outputs.
// The outputs that differ come first.
func (r *replay) wave() (*wave.Wave, error) {
	var names []string
	add := func(limit int, list ...string) {
		// Both sides of an output are drawn, or neither.
		if len(names)+len(list) <= limit {
			names = append(names, list...)
		}
	}

	for _, in := range r.p.circuit.Inputs {
		if in.Box == "" {
			add(most, in.Name)
		}
	}

	// The output that differs, on both sides.
	if b := r.p.bads[r.t.Bad]; b.out != nil && b.out.a != "" {
		names = append(names, r.side("a", b.out), r.side("b", b.out))
	}

	// Then the other outputs, as far as there is room.
	limit := len(names) + most
	for _, b := range r.p.bads {
		if b.out != nil && b.out.a != "" && b.out != r.p.bads[r.t.Bad].out {
			add(limit, r.side("a", b.out), r.side("b", b.out))
		}
	}

	if len(r.p.bads) > 0 && r.p.bads[0].out == nil {
		for _, out := range r.p.circuit.Outputs {
			if out.Box == "" {
				add(limit, out.Name)
			}
		}
	}

	// Record them from now on.
	var signals []sim.Signal
	for _, n := range names {
		sig, err := r.s.Signal(n)
		if err != nil {
			return nil, err
		}
		signals = append(signals, sig)
	}

	if len(signals) == 0 {
		return nil, nil
	}

	w := wave.New(signals...)
	return w, r.s.Trace(w)
}

// side returns the name of an output of one side: a port of the instance, or a port of the pair
// if the design is flat.
func (r *replay) side(side string, m *match) string {
	// A hierarchical pair shows the ports of its instances.
	if r.d == r.p.design {
		return side + "." + m.name
	}
	if side == "a" {
		return m.a
	}
	return m.b
}

// look reads the compared values in the last cycle, before its edge.
func (r *replay) look(c *Counterexample) error {
	b := c.bad
	if b.out == nil {
		return nil
	}
	c.Port = b.out.name
	var got [2]bits.Value
	for i := range got {
		var err error

		// Without a port, the value is an input of a black box.
		if b.out.a != "" {
			var sig sim.Signal
			if sig, err = r.s.Signal([...]string{b.out.a, b.out.b}[i]); err == nil {
				got[i] = r.s.GetBits(sig)
			}
		} else {
			got[i], err = r.boxInput(r.p.circuit.Outputs[b.box[i]])
		}
		if err != nil {
			return err
		}
	}
	c.A, c.B = got[0], got[1]
	return nil
}

// boxInput reads the signal at the input of a black box.
func (r *replay) boxInput(out aig.Signal) (bits.Value, error) {
	for i := range r.d.Top.Insts {
		inst := &r.d.Top.Insts[i]
		for j, p := range inst.Mod.Ports {
			if inst.Name == out.Box && out.Name == inst.Name+"."+p.Name {
				sig, err := r.s.NodeOf("", inst.Conns[j])
				if err != nil {
					return bits.Value{}, err
				}
				return r.s.GetBits(sig), nil
			}
		}
	}
	return bits.Value{}, fmt.Errorf("no black box %s", out.Box)
}

// failure returns the simulator's text about a failed statement, without its cycle: the
// simulator counts the reset cycles too.
func failure(f sim.Failure) string {
	text := fmt.Sprintf("%s: %s %s", f.At, f.Kind, strings.TrimSuffix(joined(f.Instance, f.Name), "."))
	text = strings.TrimSuffix(text, " ") + " failed"
	if f.Message != "" {
		text += ": " + f.Message
	}
	return text
}

// confirm checks that the simulator shows the failure that the prover has found. An error is a
// mistake in etch.
func (r *replay) confirm(c *Counterexample) error {
	if c.bad.out != nil {
		if c.A.Equal(c.B) {
			return fmt.Errorf("the simulator gives %s = %v on both sides in cycle %d", c.Port, c.A, c.Cycle)
		}
		return nil
	}

	// The statement of the prover has to be among the failures of the last cycle.
	for _, f := range r.failed {
		st := c.bad.stmt
		// The sides of a pair have tables of positions of their own.
		if f.Kind == st.Kind && joined(f.Instance, f.Name) == st.Name && (r.p.paired || f.At.String() == st.At || st.At == "") {
			c.Message = failure(f)
			c.Assertion = c.bad.stmt.Label()
			return nil
		}
	}
	if st := c.bad.stmt; st.Kind == ir.Cover || st.Kind == ir.Stop && !st.Fails() { // the simulator reports none of these
		c.Message, c.Assertion = st.Kind.String()+" "+st.Name+" is hit on one side only", c.bad.stmt.Label()
		return nil
	}
	return errors.New("no assertion fails in the simulator in the last cycle")
}
