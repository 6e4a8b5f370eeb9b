package hw

import (
	"fmt"

	"etch/ir"
)

// portRoutes let the parent of a finished module follow signals
// that cross clocks, and resets, through its instances.
type portRoutes struct {
	in     map[int32]syncInput // by input port: a synchroniser that takes it as it is
	out    []outRoute          // by port
	resets []resetUse
}

// syncInput is a synchroniser behind an input port.
type syncInput struct {
	what string
	pos  ir.Pos
	root int32 // the port of its clock, -1 for a clock from within
}

// outRoute says where an output comes from. Outputs that are resets use roots and through,
// others through and logic.
type outRoute struct {
	logic   ir.ID   // an operation that may glitch, None where there is only wiring
	through []int32 // input ports that lead here by wiring alone, or may reset by this output
	roots   []int32 // of a reset: clock ports of the registers that it is made of
}

// resetUse is a register that an input port resets.
type resetUse struct {
	port, root int32 // the reset and the clock of the register
	async      bool
	what       string // register count
}

// wiring follows a value back to registers, ports and constants through nodes that cannot
// glitch: wires, inverters, slices and concatenations.
type wiring struct {
	c      *clockInference
	seen   map[ir.ID]bool
	inputs []int32
	regs   []ir.ID
	logic  *Note // the first operation on the way that may glitch
	at     ir.ID // that operation, or the output of an instance that it is behind
}

func (c *clockInference) wiringOf(id ir.ID) *wiring {
	w := &wiring{c: c, seen: map[ir.ID]bool{}}
	w.follow(id)
	return w
}

func (w *wiring) follow(id ir.ID) {
	b := w.c.b
	if id == ir.None || w.logic != nil || w.seen[id] {
		return
	}

	w.seen[id] = true
	switch n := b.m.Node(id); n.Op {
	case ir.Const, ir.MemOut, ir.NetOut: // a pad or net has drivers elsewhere
	case ir.Reg:
		w.regs = append(w.regs, id)
	case ir.Input:
		w.inputs = append(w.inputs, n.Aux)
	case ir.InstOut:
		w.instance(id, n)
	case ir.Wire, ir.Not, ir.Slice, ir.Cat, ir.ZExt, ir.SExt:
		if b.sync[id].kind == anyCross {
			return // it stands still
		}
		for _, a := range b.m.Args(id) {
			w.follow(a)
		}
	default:
		w.at, w.logic = id, &Note{b.at(id), b.describe(id, 2) + " is logic"}
	}
}

// instance follows an output of an instance into its module, and out again by the inputs
// that lead to it. Nothing is known of a black box.
func (w *wiring) instance(id ir.ID, n *ir.Node) {
	b := w.c.b
	child := b.insts[n.Aux]
	if int(n.Aux2) >= len(child.clocks.routes.out) {
		return
	}

	route := child.clocks.routes.out[n.Aux2]
	if route.logic != ir.None {
		w.at = id
		w.logic = &Note{child.at(route.logic), fmt.Sprintf("%s is %s, which is logic, in %s", b.describe(id, 1), child.describe(route.logic, 2), child.m.Name)}
		return
	}

	// Only wiring: go on behind the inputs that lead to this output.
	for _, port := range route.through {
		w.follow(b.m.Insts[n.Aux].Conns[port])
	}
}

// crossings checks that nothing in front of a synchroniser can glitch, here and in
// instances that have one behind an input. It records the routes of the ports for the
// parent.
func (c *clockInference) crossings() {
	b, m := c.b, c.b.m
	routes := &b.clocks.routes
	routes.in = map[int32]syncInput{}
	for i := range m.Regs {
		r := &m.Regs[i]
		if x, ok := b.sync[r.Node]; ok && (x.kind == bitCross || x.kind == grayCross) {
			w := c.crossing(x.from, c.source(r.Clk), syncInput{x.what, x.pos, c.rootOf(r.Clk)}, x.pos, x.what)
			if x.kind == grayCross && m.Width(r.Node) > 1 {
				c.binary(x, w)
			}
		}
	}

	// An instance's input may lead straight to a synchroniser inside.
	for at := range m.Insts {
		inst := &m.Insts[at]
		for port := range inst.Mod.Ports {
			x, ok := b.insts[at].clocks.routes.in[int32(port)]
			if !ok {
				continue
			}

			// Variable 0 where the clock is made inside of the instance: no signal here can be on
			// it.
			clk := int32(0)
			if x.root >= 0 {
				clk = c.source(inst.Conns[x.root])
				x.root = c.rootOf(inst.Conns[x.root])
			}
			c.crossing(inst.Conns[port], clk, x, inst.Pos, "instance "+inst.Name)
		}
	}

	// Record where the outputs come from, for the parent.
	routes.out = make([]outRoute, len(m.Ports))
	for i, p := range m.Ports {
		if p.Dir == ir.Out && p.Node != ir.None {
			w := c.wiringOf(p.Node)
			routes.out[i] = outRoute{logic: w.at, through: w.inputs}
		}
	}
}

// crossing checks one value that goes to the synchroniser x of clock clk. Input ports that
// lead there are recorded, so that the parent checks beyond them.
func (c *clockInference) crossing(from ir.ID, clk int32, x syncInput, pos ir.Pos, what string) *wiring {
	b := c.b
	if from == ir.None {
		return nil
	}
	if v := c.link.Find(c.node[from]); v != 0 && v == c.link.Find(clk) {
		return nil // of the same clock, where a glitch is over at the edge
	}

	w := c.wiringOf(from)

	// The parent checks beyond the ports.
	for _, port := range w.inputs {
		if _, known := b.clocks.routes.in[port]; !known {
			b.clocks.routes.in[port] = x
		}
	}

	if w.logic != nil {
		notes := []Note{*w.logic}
		if x.pos != pos {
			notes = append(notes, Note{b.d.src.At(x.pos), x.what + " is here"})
		}
		notes = append(notes, Note{Msg: "hw.Delay on the clock that it comes from gives it a register; only wires, inverters and the choice of bits may stand between"})
		b.d.report(Diag{Code: "clock", Pos: b.d.src.At(pos), Notes: notes,
			Msg: fmt.Sprintf("%s: %s may glitch, and the first register of the synchroniser would catch it", what, b.describe(from, 1))})
	}
	return w
}

// rootOf is the input port that a clock comes from, -1 if it is made within.
func (c *clockInference) rootOf(clk ir.ID) int32 {
	m := c.b.m
	clk = m.Unwired(clk)
	if m.Op(clk) == ir.Input {
		return m.Node(clk).Aux
	}
	return -1
}

// binary refuses a register behind SyncGray that clearly counts: one that takes itself plus
// or minus a constant.
func (c *clockInference) binary(x crossing, w *wiring) {
	if w == nil {
		return
	}

	b := c.b
	for _, reg := range w.regs {
		if sum := b.counts(b.m.Regs[b.m.Node(reg).Aux].Next, reg, 16); sum != ir.None && b.m.Width(reg) > 1 {
			b.d.report(Diag{Code: "clock", Pos: b.d.src.At(x.pos),
				Msg: fmt.Sprintf("%s: %s counts in binary, where several bits change at once", x.what, b.describe(reg, 1)),
				Notes: []Note{{b.at(sum), b.describe(reg, 1) + " takes " + b.describe(sum, 2)},
					{Msg: "keep the Gray code in a register of its own: gray.Set(next.Xor(next.Shr(1)))"}}})
		}
	}
}

// counts finds reg plus or minus a constant among the values that a register may take,
// through at most levels multiplexers and wires.
func (b *body) counts(id, reg ir.ID, levels int) ir.ID {
	if levels == 0 || id == ir.None {
		return ir.None
	}

	m, args := b.m, b.m.Args(id)
	switch m.Op(id) {
	case ir.Wire:
		return b.counts(args[0], reg, levels-1)
	case ir.Mux, ir.Case:
		// Any arm of a choice may take the sum.
		for _, a := range args[1:] {
			if sum := b.counts(a, reg, levels-1); sum != ir.None {
				return sum
			}
		}
	case ir.Add, ir.Sub:
		if args[0] == reg && m.Op(args[1]) == ir.Const || args[1] == reg && m.Op(args[0]) == ir.Const {
			return id
		}
	}
	return ir.None
}
