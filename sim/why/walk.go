package why

import (
	"slices"

	"etch/ir"
	"etch/ir/bits"
)

// walk finds the signals that decided the value of root in a cycle, through operations without
// names, and adds each to c as a cause. The line of c becomes the line of the innermost arm that
// was taken, since the value was assigned there. With kept, root is the next value of register
// c, which kept its value: only the conditions that selected the register itself are causes.
func (e *Explainer) walk(c *Cause, root ref, cycle uint64, kept bool) error {
	if err := e.move(cycle); err != nil {
		return err
	}
	w := &walker{e: e, c: c, cycle: cycle, seen: map[ref]bool{}, choosing: c.Kind != Condition, kept: kept}

	// Causes are expanded by rank, later ones first.
	if w.rank = c.Since; c.Kind == Start || c.Kind == Reset {
		w.rank = cycle // a register that should have moved, perhaps
	}

	// The line of the operation counts, unless an arm gives a nearer one.
	if c.Kind != Condition && root.inst.mod.Op(root.id) != ir.Mux && root.inst.mod.Op(root.id) != ir.Case {
		w.at(root.line())
	}

	// Operands are taken in order, so the causes are in the order of the text.
	todo := []ref{root}
	for len(todo) > 0 {
		r := e.driver(todo[len(todo)-1])
		todo = todo[:len(todo)-1]

		if w.seen[r] {
			continue
		}
		w.seen[r] = true
		e.pass(r, cycle)

		// A named node, and one that the simulator holds, ends the walk.
		if (r != e.driver(root) || r.isLeaf()) && (r.name() != "" || r.isLeaf()) {
			w.items = append(w.items, item{signal: r})
			continue
		}

		w.pass(r)
		next := w.step(r)
		for i := len(next) - 1; i >= 0; i-- {
			todo = append(todo, next[i])
		}
	}

	// The other operations' lines stand below the cause.
	c.Also = slices.DeleteFunc(w.lines, func(l ir.Location) bool { return l == c.At })
	return w.finish()
}

// walker is the state of one walk through the logic of a cycle.
type walker struct {
	e        *Explainer
	c        *Cause
	cycle    uint64
	seen     map[ref]bool
	items    []item
	lines    []ir.Location // of operations
	choosing bool          // only multiplexers have been passed so far
	kept     bool          // of a register that kept its value
	rank     uint64        // of its conditions
}

// item is a cause that a walk has met: a condition, a word of a memory, or else a signal.
type item struct {
	condition *Cause
	word      *probe
	signal    ref
}

// finish makes the causes of the signals and words that were met. Their ages are found together,
// since that takes the run through earlier cycles.
func (w *walker) finish() error {
	// The conditions by which state kept its value say all; its other signals are of older cycles.
	e := w.e
	var probes []probe
	for _, x := range w.items {
		switch {
		case w.kept || x.condition != nil:
		case x.word != nil:
			probes = append(probes, *x.word)
		default:
			probes = append(probes, probe{at: x.signal})
			v := e.value(x.signal)
			w.c.Operands = append(w.c.Operands, &Operand{Signal: x.signal.label(), Value: x.signal.show(v)})
		}
	}

	list, err := e.causesOf(probes, w.cycle)
	if err != nil {
		return err
	}

	// In the order in which they were met.
	for _, x := range w.items {
		switch {
		case x.condition != nil:
			if w.kept && !x.condition.queued {
				x.condition.keeps, x.condition.rank = true, w.rank
			}
			w.c.Why = append(w.c.Why, x.condition)
		case !w.kept:
			w.c.Why = append(w.c.Why, list[0])
			list = list[1:]
		}
	}
	return nil
}

// pass notes the line of an operation, if it is not known yet.
func (w *walker) pass(r ref) {
	if op := r.inst.mod.Op(r.id); op == ir.Const || op == ir.Mux || op == ir.Case || op == ir.Cat || op == ir.Wire || w.kept {
		return
	}
	if l := r.line(); l.Line > 0 && !slices.Contains(w.lines, l) {
		w.lines = append(w.lines, l)
	}
}

// at sets the line that gave the value.
func (w *walker) at(l ir.Location) {
	if l.Line > 0 && !w.kept {
		w.c.At = l
	}
}

// label is the name of a signal.
func (r ref) label() string {
	if n := r.name(); n != "" {
		return n
	}
	return r.inst.mod.Op(r.id).String()
}

// step is the operands of a node that decided its value.
func (w *walker) step(r ref) []ref {
	m := r.inst.mod
	args := m.Args(r.id)
	in := func(ids ...ir.ID) (all []ref) {
		for _, x := range ids {
			all = append(all, ref{r.inst, x})
		}
		return all
	}

	// Of a choice the condition and one arm; of an and that is 0 one 0; of a slice the part that it
	// takes. Of all others every operand.
	switch op := m.Op(r.id); op {
	case ir.Mux, ir.Case:
		i := arm(m, r.id, w.e.value(ref{r.inst, args[0]}))
		w.choice(r, args[0], i-1)
		return in(args[i])
	case ir.And, ir.Or:
		if x, ok := w.decides(r, args, op == ir.And); ok {
			w.choosing = false
			return in(x)
		}
	case ir.Slice:
		if x := m.Node(args[0]); x.Op == ir.Cat && m.NameOf(args[0]) == "" {
			w.choosing = false
			w.e.pass(ref{r.inst, args[0]}, w.cycle)
			return in(parts(m, args[0], int(m.Node(r.id).Aux), m.Width(r.id))...)
		}
	case ir.MemRead:
		w.choosing = false
		w.items = append(w.items, item{word: w.e.wordOf(r)})
		return in(args...)
	case ir.Wire:
		if pos := m.ArmPos(r.id); pos != nil && w.choosing {
			w.at(m.Src.At(pos[0]))
		}
		return in(args...)
	}
	w.choosing = false
	return in(args...)
}

// arm is the operand that a Mux or Case takes for a selector: of a Mux 1 for a selector that is not
// 0, of a Case 1 for its default.
func arm(m *ir.Module, id ir.ID, sel bits.Value) int {
	if m.Op(id) == ir.Mux {
		if sel.IsZero() {
			return 2
		}
		return 1
	}

	for i, k := range m.KeysOf(id) {
		if k.Equal(sel) {
			return 2 + i
		}
	}
	return 1
}

// choice adds the condition of a multiplexer, and takes over the line of the arm.
func (w *walker) choice(r ref, sel ir.ID, arm int) {
	m := r.inst.mod
	if w.choosing {
		w.at(m.Src.At(m.ArmLine(r.id, arm)))
	}
	w.condition(ref{r.inst, sel}, m.Src.At(m.Node(r.id).Pos))
}

// condition adds the condition at a line as a cause, unless it is a constant.
func (w *walker) condition(sel ref, at ir.Location) {
	if sel.inst.mod.Op(sel.id) == ir.Const {
		w.e.pass(sel, w.cycle)
		return
	}

	// A selector without a condition's line has its own.
	if at.Line == 0 {
		at = sel.line()
	}

	// One cause for a selector at a cycle and line, whatever it decides.
	k := key{at: sel, cycle: w.cycle, line: at}
	c := w.e.causes[k]
	if c == nil {
		c = &Cause{Signal: sel.name(), Value: sel.show(w.e.value(sel)), Cycle: w.cycle, Since: w.cycle, Kind: Condition, at: sel, At: at}
		w.e.causes[k] = c
	}

	w.items = append(w.items, item{condition: c})
}

// decides returns an operand that alone makes an and 0, or an or all ones: the first with a name,
// else the first.
func (w *walker) decides(r ref, args []ir.ID, and bool) (ir.ID, bool) {
	v := w.e.value(r)
	full := func(v bits.Value) bool {
		if and {
			return v.IsZero()
		}
		return v.IsOnes()
	}
	if !full(v) {
		return 0, false
	}

	// A name says more than an expression.
	found := ir.None
	for _, x := range args {
		y := ref{r.inst, x}
		if !full(w.e.value(y)) {
			continue
		}
		if d := w.e.driver(y); d.name() != "" {
			return x, true
		}
		if found == ir.None {
			found = x
		}
	}
	return found, found != ir.None
}

// parts is the operands of a concatenation that bits lo to lo+width-1 come from.
func parts(m *ir.Module, cat ir.ID, lo, width int) (list []ir.ID) {
	// Operands are given from the most significant to the least.
	end := m.Width(cat)
	for _, x := range m.Args(cat) {
		begin := end - m.Width(x)
		if begin < lo+width && end > lo {
			list = append(list, x)
		}
		end = begin
	}
	return list
}
