package why

import "etch/ir"

// state finds the causes of a register's value, or of the data of a synchronous read: the edge at
// which it took the value, and the conditions that have kept it.
func (e *Explainer) state(c *Cause) error {
	e.pass(c.at, c.Cycle)
	m := c.at.inst.mod
	n := m.Node(c.at.id)
	if n.Op == ir.MemOut {
		return e.readPort(c, &m.Mems[n.Aux].Reads[n.Aux2], int(n.Aux))
	}
	r := &m.Regs[n.Aux]

	// An asynchronous reset, and an open latch, act at once.
	if r.Async && r.Rst != ir.None {
		if err := e.move(c.Cycle); err != nil {
			return err
		}
		if rst := (ref{c.at.inst, r.Rst}); !e.value(rst).IsZero() {
			return e.reset(c, r, c.Cycle)
		}
	}
	if r.Kind == ir.Latch {
		if e.isStart(c) {
			c.Kind = Start
			return nil
		}
		return e.reset(c, r, c.Since)
	}

	// A register may have taken the same value again at the last edge.
	at, err := e.lastTaken(c, r)
	if err != nil || c.Kind == Start {
		return err
	}
	took, err := e.taken(c, r, at)
	if err != nil || !took {
		return err
	}
	return e.kept(c, r)
}

// lastTaken returns the cycle before the edge at which a register took its value: the edge of
// the last change, or the last edge of all if it did not keep the value there but took it again.
// For a whole slice it looks at every edge between.
func (e *Explainer) lastTaken(c *Cause, r *ir.Register) (uint64, error) {
	for at := c.Cycle; at > c.Since; at-- {
		if err := e.move(at - 1); err != nil {
			return 0, err
		}
		if !e.holds(c.at, r) {
			c.Since = at
			break
		}
		if !e.whole {
			break
		}
	}

	// State that never changed has no edge to explain.
	if e.isStart(c) {
		c.Kind = Start
		return 0, e.kept(c, r)
	}
	return c.Since - 1, e.move(c.Since - 1)
}

// holds reports whether a register keeps its value at the edge behind the present cycle: whether
// the arms that are taken lead to the register itself.
func (e *Explainer) holds(at ref, r *ir.Register) bool {
	in, m := at.inst, at.inst.mod
	if r.Rst != ir.None && !e.value(ref{in, r.Rst}).IsZero() {
		return false
	}

	// An arm that leads back to the register holds it, but for an assignment of its own value.
	given := false // by the innermost arm
	for x := r.Next; ; {
		y := e.driver(ref{in, x})
		if y == at {
			return !given
		}
		if y.inst != in {
			return false
		}
		x = y.id
		args := m.Args(x)
		switch m.Op(x) {
		case ir.Wire:
			x = args[0]
		case ir.Mux, ir.Case:
			i := arm(m, y.id, e.value(ref{in, args[0]}))
			x, given = args[i], isGiven(m, y.id, i-1)
		default:
			return false
		}
	}
}

// isGiven reports whether an arm of a multiplexer has the line of a statement of its own.
func isGiven(m *ir.Module, mux ir.ID, arm int) bool {
	pos := m.ArmPos(mux)
	return pos != nil && pos[arm] != 0
}

// taken finds the causes at the edge by which a register took its value. took is false if the
// register has another value than the edge gave it: the test has set it.
func (e *Explainer) taken(c *Cause, r *ir.Register, at uint64) (took bool, err error) {
	in := c.at.inst
	if r.Rst != ir.None && !r.Async && !e.value(ref{in, r.Rst}).IsZero() {
		return true, e.reset(c, r, at)
	}

	// Another value than the edge gave comes from a reset without a clock, or from the test.
	if !e.value(ref{in, r.Next}).Equal(c.v) {
		if r.Rst != ir.None && r.Async { // the reset came between
			return true, e.reset(c, r, c.Since)
		}
		c.Kind = Input
		return false, nil
	}

	// The register's assignment is the line, unless the walk finds a nearer one.
	c.At = c.at.line()
	if r.SetAt != 0 {
		c.At = in.mod.Src.At(r.SetAt)
	}
	return true, e.walk(c, ref{in, r.Next}, at, false)
}

// reset finds the causes of a reset at a cycle.
func (e *Explainer) reset(c *Cause, r *ir.Register, at uint64) error {
	c.Kind = Reset
	in := c.at.inst

	if r.Kind == ir.Latch {
		c.Kind = State
		if err := e.walk(c, ref{in, r.Reset}, at, false); err != nil {
			return err
		}
	} else if l := in.mod.Src.At(in.mod.Node(r.Reset).Pos); l.Line > 0 {
		c.At = l
	} else {
		c.At = c.at.line()
	}

	// The reset itself is a cause, beside its value.
	list, err := e.causesOf([]probe{{at: e.driver(ref{in, r.Rst})}}, at)
	if err != nil {
		return err
	}
	c.Why = append(c.Why, list...)
	return nil
}

// kept adds the conditions by which a register kept its value at the last edge.
func (e *Explainer) kept(c *Cause, r *ir.Register) error {
	if c.Cycle == c.Since || r.Kind == ir.Latch {
		return nil
	}

	last := c.Cycle - 1
	if e.whole { // every edge counts
		last = c.Since
	}
	for at := c.Cycle - 1; at >= last; at-- {
		if err := e.walk(c, ref{c.at.inst, r.Next}, at, true); err != nil || at == 0 {
			return err
		}
	}
	return nil
}

// readPort finds the causes of the data of a synchronous read.
func (e *Explainer) readPort(c *Cause, p *ir.ReadPort, mem int) error {
	in := c.at.inst
	c.At = in.mod.Src.At(p.Pos)

	// The last edge at which it was enabled, if that may be told from the last one.
	at := c.Since
	if c.Cycle > c.Since {
		if err := e.move(c.Cycle - 1); err != nil {
			return err
		}
		if p.En == ir.None || !e.value(ref{in, p.En}).IsZero() {
			at = c.Cycle
		} else if err := e.keptBy(c, ref{in, p.En}); err != nil {
			return err
		}
	}

	// The data of an edge are of the cycle before it.
	if c.Since = at; e.isStart(c) {
		c.Kind = Start
		return nil
	}

	at--
	if err := e.move(at); err != nil {
		return err
	}

	// With new data, the word is that behind the edge.
	name := c.at.name()
	probes := []probe{{at: e.driver(ref{in, p.Addr}), label: name + ", address"}}
	if p.En != ir.None {
		probes = append(probes, probe{at: e.driver(ref{in, p.En}), label: name + ", enable"})
	}
	word := e.wordAt(in, mem, e.value(ref{in, p.Addr}))
	list, err := e.causesOf(probes, at)
	if err != nil {
		return err
	}

	// A read that sees a write at its edge has the word of the cycle behind it.
	if p.Under == ir.New {
		at++
	}
	words, err := e.causesOf([]probe{*word}, at)
	if err != nil {
		return err
	}
	c.Why = append(append(c.Why, words...), list...)
	return nil
}

// wordCause finds the write that stored the word of a memory.
func (e *Explainer) wordCause(c *Cause) error {
	in, mem := c.at.inst, int(-1-c.at.id)
	if c.addr > in.mod.Mems[mem].Depth {
		return nil // past the end: 0 without a reason
	}
	if err := e.notWritten(c, mem); err != nil {
		return err
	}
	if e.isStart(c) {
		c.Kind = Start
		return nil
	}

	// A write at an edge has its operands in the cycle before.
	at := c.Since - 1
	if err := e.move(at); err != nil {
		return err
	}

	// The last port that is enabled and has the address wins.
	for i := len(in.mod.Mems[mem].Writes) - 1; i >= 0; i-- {
		w := &in.mod.Mems[mem].Writes[i]
		// A port writes if it is enabled and has the word's address.
		if w.En != ir.None && e.value(ref{in, w.En}).IsZero() {
			continue
		}
		if a := e.value(ref{in, w.Addr}); a.Len() > 62 || int(a.Uint64()) != c.addr-1 {
			continue
		}

		// The write is found: its data, and each input that let it happen.
		c.At = in.mod.Src.At(w.Pos)
		name := in.scope.Mems()[mem].Name() + " written"
		probes := []probe{{at: e.driver(ref{in, w.Data}), label: name + ", data"}, {at: e.driver(ref{in, w.Addr}), label: name + ", address"}}
		if w.En != ir.None {
			probes = append(probes, probe{at: e.driver(ref{in, w.En}), label: name + ", enable"})
		}
		if w.Mask != ir.None {
			probes = append(probes, probe{at: e.driver(ref{in, w.Mask}), label: name + ", mask"})
		}
		list, err := e.causesOf(probes, at)
		c.Why = append(c.Why, list...)
		return err
	}
	c.Kind = Input // the test has set it
	return nil
}

// keptBy adds a condition of 0 at the last edge, by which state kept its value.
func (e *Explainer) keptBy(c *Cause, enable ref) error {
	w := &walker{e: e, c: c, cycle: c.Cycle - 1, kept: true, rank: c.Cycle - 1}
	w.condition(enable, enable.line())
	return w.finish()
}

// notWritten adds the conditions by which a word was not written since: at the last edge, or for a
// whole slice at all of them.
func (e *Explainer) notWritten(c *Cause, mem int) error {
	in := c.at.inst
	for at := c.Cycle; at > c.Since; at-- {
		if err := e.move(at - 1); err != nil {
			return err
		}

		// Of each port, its enable if that was low, else its other address.
		w := &walker{e: e, c: c, cycle: at - 1, kept: true, rank: c.Since}
		if e.isStart(c) {
			w.rank = at - 1
		}
		for i := range in.mod.Mems[mem].Writes {
			p := &in.mod.Mems[mem].Writes[i]
			x := p.Addr
			if p.En != ir.None && e.value(ref{in, p.En}).IsZero() {
				x = p.En
			}
			w.condition(ref{in, x}, in.mod.Src.At(p.Pos))
		}

		if err := w.finish(); err != nil || !e.whole {
			return err
		}
	}
	return nil
}
