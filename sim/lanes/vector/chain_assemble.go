package vector

import "etch/sim/native/amd64"

// regFrame keeps what code was called with.
const regFrame = amd64.R12

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
	body    []amd64.Label
	general amd64.Label
}

// Assemble is Program.Assemble for a chain. Of what ctx points to the fourth word
// counts the cycles that General made; if the fifth is not 0 the code leaves before
// the first of them, and sets the sixth.
func (c *Chain) Assemble(words int) ([]byte, error) {
	g := &chainAssembler{assembler: newAssembler(words), c: c}
	if err := g.reaches(c.General); err != nil {
		return nil, err
	}
	g.general = g.NewLabel()
	for range c.Bodies {
		g.body = append(g.body, g.NewLabel())
	}
	g.MovRR(amd64.S64, regFrame, amd64.RDI)
	g.enter()
	g.Bind(g.top)
	g.equal(c.Guards)
	g.choice(c.Top)
	for k := range c.Bodies {
		b := &c.Bodies[k]
		g.Align(32)
		g.Bind(g.body[k])
		g.equal(b.Words)
		g.cycle(b.Program)
		g.choice(b.Next)
	}
	g.Align(32)
	g.Bind(g.general)
	on := g.NewLabel()
	g.MI(amd64.CMP, amd64.S64, amd64.At(regFrame, lookAt), 0)
	g.Jcc(amd64.E, on)
	g.MovMI(amd64.S64, amd64.At(regFrame, leftAt), 1)
	g.Jmp(g.exit)
	g.Bind(on)
	g.IncM(amd64.S64, amd64.At(regFrame, missedAt))
	g.cycle(c.General)
	g.Jmp(g.top)
	g.leave()
	if err := g.Resolve(); err != nil {
		return nil, err
	}
	return g.Code, nil
}

// cycle writes a cycle, after which there may be none left to make.
func (g *chainAssembler) cycle(p *Program) {
	g.p = p
	for i := range p.Instrs {
		g.instr(&p.Instrs[i])
	}
	g.RI(amd64.SUB, amd64.S64, regCycles, 1)
	g.Jcc(amd64.E, g.exit)
}

// equal leaves for the general body unless all of list holds.
func (g *chainAssembler) equal(list []Equal) {
	for i, e := range list {
		base := regState
		if e.Row {
			base = regMems
		}
		x := amd64.Vec(min(i, 1))
		g.load(x, amd64.At(base, e.Slot*int32(g.bytes)))
		g.V3M(amd64.VPXOR, g.l, x, x, g.slot(e.Want))
		if i > 0 {
			g.V3(amd64.VPOR, g.l, 0, 0, x)
		}
	}
	if len(list) > 0 {
		g.test(0)
		g.Jcc(amd64.NE, g.general)
	}
}

// choice writes a decision.
func (g *chainAssembler) choice(h *Choice) {
	if h.Yes == nil {
		switch h.Body {
		case AtTop:
			g.Jmp(g.top)
		case General:
			g.Jmp(g.general)
		default:
			g.equal(h.Equal)
			g.Jmp(g.body[h.Body])
		}
		return
	}
	m, not := g.slot(h.Slot), amd64.NE
	if h.Below {
		not = amd64.AE
	}
	switch {
	case h.Bits == 64 && h.Value != uint64(int64(int32(h.Value))):
		g.MovRI(amd64.RAX, h.Value)
		g.MR(amd64.CMP, amd64.S64, m, amd64.RAX)
	case h.Bits == 64:
		g.MI(amd64.CMP, amd64.S64, m, int32(h.Value))
	case h.Bits == 32:
		g.MI(amd64.CMP, amd64.S32, m, int32(uint32(h.Value)))
	default:
		g.MovRM(amd64.S16, amd64.RAX, m)
		g.RI(amd64.CMP, amd64.S32, amd64.RAX, int32(h.Value))
	}
	no := g.JccRel32(not)
	g.choice(h.Yes)
	g.Patch(no, len(g.Code))
	g.choice(h.No)
}
