package vector

// What a chain finds and leaves behind the addresses of state, scratch and
// memories.
const (
	missedAt = 24 // the cycles of General are counted
	lookAt   = 32 // not 0: leave before the first of them
	leftAt   = 40 // that is why it left
)

// chainAssembler writes the code of a chain:
//
//	top:      the guards hold? go to the body for this state
//	body k:   its words of memories are there? a cycle; go to the next body
//	general:  a cycle for any state; go to top
type chainAssembler struct {
	*assembler
	c       *Chain
	body    []label
	general label
}

// Assemble is Program.Assemble for a chain. Of what ctx points to the fourth word
// counts the cycles that General made; if the fifth is not 0 the code leaves before
// the first of them, and sets the sixth.
func (c *Chain) Assemble(arch Arch) ([]byte, error) {
	g := &chainAssembler{assembler: newAssembler(arch), c: c}
	if err := g.reaches(c.General); err != nil {
		return nil, err
	}
	g.general = g.newLabel()
	for range c.Bodies {
		g.body = append(g.body, g.newLabel())
	}
	g.enter(true)
	g.bind(g.top)
	g.equal(c.Guards)
	g.choice(c.Top)
	for k := range c.Bodies {
		b := &c.Bodies[k]
		g.align(32)
		g.bind(g.body[k])
		g.equal(b.Words)
		g.cycle(b.Program)
		g.choice(b.Next)
	}
	g.align(32)
	g.bind(g.general)
	on := g.newLabel()
	g.ifZero(lookAt, on)
	g.setOne(leftAt)
	g.jump(g.exit)
	g.bind(on)
	g.increment(missedAt)
	g.cycle(c.General)
	g.jump(g.top)
	return g.end()
}

// cycle writes a cycle, after which there may be none left to make.
func (g *chainAssembler) cycle(p *Program) {
	g.p = p
	for i := range p.Instrs {
		g.instr(&p.Instrs[i])
	}
	g.count(1, false, g.exit)
}

// equal leaves for the general body unless all of list holds.
func (g *chainAssembler) equal(list []Equal) {
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
		g.test(0, true, g.general)
	}
}

// choice writes a decision.
func (g *chainAssembler) choice(h *Choice) {
	if h.Yes == nil {
		switch h.Body {
		case AtTop:
			g.jump(g.top)
		case General:
			g.jump(g.general)
		default:
			g.equal(h.Equal)
			g.jump(g.body[h.Body])
		}
		return
	}
	no := g.newLabel()
	g.unless(g.slot(h.Slot), h.Bits, h.Below, h.Value, no)
	g.choice(h.Yes)
	g.bind(no)
	g.choice(h.No)
}
