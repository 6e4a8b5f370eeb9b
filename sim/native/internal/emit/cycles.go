package emit

import (
	"etch/sim/native/cpu"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// Cycles writes the code of cycles: it translates the branches of a schedule itself and leaves
// the other instructions to the writer.
type Cycles struct {
	Writer
	*source
	Exit  Label // target of stops, before a cycle
	Side  Label // target of side exits
	ifs   []ifJump
	aside []aside

	Effects *Effects // of a part of a partition, or nil
}

// ifJump is an open if. end is -1 unless the first arm jumps over the second.
type ifJump struct{ els, end Label }

// NewCycles begins code of cycles by m, and declares the label of its exit.
func NewCycles(m Writer) *Cycles { return &Cycles{Writer: m, source: m.from(), Exit: m.Declare()} }

// Plain is machine code that runs cycles of c until none are left or the net stops, for a
// processor with features f.
func Plain(t Target, c *schedule.Code, f cpu.Features) ([]byte, error) {
	w := NewCycles(t.Writer(f))
	w.Enter()
	top := w.Declare()
	w.Entry(top)
	w.Body(c)
	w.Count(true, top)
	w.Define(w.Exit)
	w.Leave()
	w.Asides()
	return w.Text()
}

// Body writes the code of one cycle. The caller writes the loop around it.
func (w *Cycles) Body(c *schedule.Code) {
	w.turnTo(c, w.Effects)
	w.at = -1
	w.begin(len(c.Out))

	// Registers that are read after their write need their old value: it is copied to a scratch word.
	for r, o := range c.Old {
		if o >= 0 {
			w.fetch(w.slot(r), w.width(r))
			w.keep(scratchWord(o), 8)
		}
	}
	w.instructions(0, int32(len(c.Out)))
}

// turnTo makes c, with its effects as a part, the code that is being written.
func (w *Cycles) turnTo(c *schedule.Code, f *Effects) {
	w.c, w.n, w.Effects, w.cells, w.near, w.words = c, c.N, f, nil, nil, nil
	if f != nil {
		w.cells, w.near, w.words = f.Cells, f.Near, f.Words
	}
}

// Count counts a cycle, and jumps to l if cycles are left (more), or if none are (!more).
func (w *Cycles) Count(more bool, l Label) {
	w.count()
	if more {
		w.jumpIf(notEqual, l)
	} else {
		w.jumpIf(equal, l)
	}
}

// instructions writes the instructions from number at up to, not including, end.
func (w *Cycles) instructions(at, end int32) {
	for ; at < end; at++ {
		w.at = at
		if in := w.c.Out[at]; in.K == schedule.KIf {
			if len(w.ifs) == 0 && w.c.IsGate(net.ID(in.A)) {
				at = w.gate(at)
				continue
			}
			if end, ok := w.uneven(at); ok {
				at = end
				continue
			}
		}
		w.instruction(at)
	}
}

func (w *Cycles) instruction(at int32) {
	switch in := w.c.Out[at]; in.K {
	case schedule.KEval:
		if w.c.Loc[in.A].K != schedule.Nowhere {
			w.eval(net.ID(in.A))
		}
	case schedule.KIf:
		j := ifJump{w.Declare(), -1}
		w.branch(net.ID(in.A), false, j.els)
		w.ifs = append(w.ifs, j)
	case schedule.KElse:
		// An empty else needs no jump over it.
		j := &w.ifs[len(w.ifs)-1]
		if w.c.Out[at+1].K != schedule.KEnd {
			j.end = w.Declare()
			w.Jump(j.end)
		}
		w.Define(j.els)
	case schedule.KEnd:
		if j := w.ifs[len(w.ifs)-1]; j.end >= 0 {
			w.Define(j.end)
		}
		w.ifs = w.ifs[:len(w.ifs)-1]
	case schedule.KPhi:
		w.phi(net.ID(in.A), net.ID(in.B))
	case schedule.KWrite:
		if f := w.Effects; f != nil {
			f.W.changed(f.Layout, in.A, net.ID(in.B), &f.Words[in.A])
			return
		}
		w.write(w.slot(int(in.A)), 8, net.ID(in.B))
		w.guardOf(in.A, net.ID(in.B))
	case schedule.KStore:
		if f := w.Effects; f != nil {
			f.W.stored(f.Layout, &w.c.N.Writes[in.A], f.Stores[in.A])
			return
		}
		w.memoryStore(&w.c.N.Writes[in.A])
	case schedule.KOut:
		w.output(in.A)
	case schedule.KStop:
		w.branch(net.ID(in.A), true, w.Exit)
	case schedule.KBranch:
		w.branch(net.ID(in.A), false, w.Side)
	}
}

// output stores an output in the row being kept, in its cell of a pack, or in its word of the
// state.
func (w *Cycles) output(i int32) {
	o := &w.n.Outs[i]
	if l := w.log; l != nil {
		at := &l.Fields[l.Outs[o.Slot]]
		w.write(l.place(at, ofFresh), l.bytes(at), o.Node)
		return
	}
	if k := w.packs; k != nil && int(i) >= k.First {
		w.write(cell(k.CellAt(k.Outs[int(i)-k.First])), 4, o.Node)
		return
	}
	w.write(stateWord(o.Slot), 8, o.Node)
}
