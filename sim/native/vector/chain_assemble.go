package vector

// Words of a chain's frame, behind the addresses of state, scratch and memories.
const (
	missedAt = 24 // cycles run by General
	lookAt   = 32 // if not 0, leave before the first of these
	leftAt   = 40 // set when that happens
)

// chainAssembler writes the code of a chain:
//
//	top:      the guards hold? go to the body for this state
//	body k:   its memory words hold? a cycle; go to the next body
//	general:  a cycle for any state; go to top
//	ways out: write the values that bodies have not written; go on
type chainAssembler struct {
	*assembler
	c       *Chain
	body    []label
	general label
	outs    []wayOut
}

// wayOut is the transition from a body to other code.
type wayOut struct {
	at, to label
	due    []Equal // values to write before
}

// Assemble is Program.Assemble for a chain. Of the frame at ctx, the fourth word counts the
// cycles run by General. If the fifth is not 0, the code leaves before the first of these, and
// sets the sixth.
func (c *Chain) Assemble(arch Arch) ([]byte, error) {
	g := &chainAssembler{assembler: newAssembler(arch), c: c}

	// The pool's constants move behind the scratch slots of all programs.
	g.pool = g.scratch.plus(c.temps() * g.bytes)
	if err := g.reaches(c.General); err != nil {
		return nil, err
	}

	g.general = g.newLabel()
	for range c.Bodies {
		g.body = append(g.body, g.newLabel())
	}

	// Dispatch, bodies, general code, transitions.
	g.enter(true)
	g.bind(g.top)
	g.equal(c.Guards, g.general)
	g.choice(c.Top, nil)

	for k := range c.Bodies {
		g.align(32)
		g.bind(g.body[k])
		g.bodyCode(&c.Bodies[k])
	}

	g.align(32)
	g.bind(g.general)
	// A caller may want to look at the state before General runs.
	on := g.newLabel()
	g.ifZero(lookAt, on)
	g.setOne(leftAt)
	g.jump(g.exit)
	g.bind(on)
	g.increment(missedAt)

	g.stops = g.exit
	g.cycle(c.General, g.exit)
	g.jump(g.top)
	g.waysOut()
	return g.end()
}

// bodyCode writes a body: a test of its assumptions, one cycle, and the choice of the next body.
func (g *chainAssembler) bodyCode(b *Body) {
	// lost: something that the body assumes does not hold.
	lost := g.out(b.Begin, g.general)
	g.equal(b.Words, lost)

	g.ways = g.ways[:0]
	for _, k := range b.Ways {
		if k == General {
			g.ways = append(g.ways, lost)
		} else {
			g.ways = append(g.ways, g.body[k])
		}
	}

	g.stops = g.out(b.Begin, g.exit)
	g.cycle(b.Program, g.out(b.End, g.exit))
	g.choice(b.Next, b.End)
}

// out is a label that writes due and goes on to to. Recent equal transitions are shared.
func (g *chainAssembler) out(due []Equal, to label) label {
	if len(due) == 0 {
		return to
	}

	for _, o := range g.outs[max(0, len(g.outs)-4):] {
		// Lists are compared by address: the exits of one body share its lists.
		if o.to == to && &o.due[0] == &due[0] {
			return o.at
		}
	}
	at := g.newLabel()
	g.outs = append(g.outs, wayOut{at, to, due})
	return at
}

// waysOut writes the transitions. Consecutive equal constants are loaded once.
func (g *chainAssembler) waysOut() {
	for _, o := range g.outs {
		g.bind(o.at)
		for i, e := range o.due {
			if i == 0 || e.Want != o.due[i-1].Want {
				g.load(0, g.slot(e.Want))
			}
			g.store(g.slot(e.Slot), 0)
		}
		g.jump(o.to)
	}
}

// cycle writes a cycle; done is the target if no cycles are left.
func (g *chainAssembler) cycle(p *Program, done label) {
	g.p = p
	for i := range p.Instrs {
		g.instr(&p.Instrs[i])
	}
	g.count(1, false, done)
}

// equal goes to otherwise unless all of list holds.
func (g *chainAssembler) equal(list []Equal, otherwise label) {
	// Collect all differences by OR, for a single test.
	for i, e := range list {
		at := g.slot(e.Slot)
		if e.Row {
			at = g.row(e.Slot)
		}
		x := uint8(min(i, 1))
		g.load(x, at)
		g.operate(&Instr{Op: Xor, D: x, A: x, B: Mem}, g.slot(e.Want))
		if i > 0 {
			g.operate(&Instr{Op: Or, D: 0, A: 0, B: x}, place{})
		}
	}

	if len(list) > 0 {
		g.test(0, true, otherwise)
	}
}

// choice writes a decision; due is the values not written yet.
func (g *chainAssembler) choice(h *Choice, due []Equal) {
	if h.Yes == nil {
		switch h.Body {
		case AtTop:
			g.jump(g.out(due, g.top))
		case General:
			g.jump(g.out(due, g.general))
		default:
			g.equal(h.Equal, g.out(due, g.general))
			g.jump(g.body[h.Body])
		}
		return

	}
	no := g.newLabel()
	g.unless(g.slot(h.Slot), h.Bits, h.Below, h.Value, no)
	g.choice(h.Yes, due)
	g.bind(no)
	g.choice(h.No, due)
}
