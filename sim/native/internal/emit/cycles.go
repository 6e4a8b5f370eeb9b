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
	c     *schedule.Code
	Exit  Label // target of stops, before a cycle
	Side  Label // target of side exits
	ifs   []ifJump
	aside []aside

	Effects *Effects // of a part of a partition, or nil
}

// ifJump is an open if. end is -1 unless the first arm jumps over the second.
type ifJump struct{ els, end Label }

// NewCycles writes cycles by a Writer.
func NewCycles(m Writer) *Cycles { return &Cycles{Writer: m, Exit: m.Declare()} }

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
	w.asides()
	return w.Text()
}

// Body writes the code of one cycle.
func (w *Cycles) Body(c *schedule.Code) {
	w.c = c
	w.begin(c)
	w.instructions(0, int32(len(c.Out)))
}

// instructions writes the instructions from number at up to, not including, end.
func (w *Cycles) instructions(at, end int32) {
	for ; at < end; at++ {
		w.reach(at)
		if in := w.c.Out[at]; in.K == schedule.KIf && len(w.ifs) == 0 && w.c.IsGate(net.ID(in.A)) {
			at = w.gate(at)
			continue
		}
		w.instruction(at)
	}
}

// instruction writes one instruction.
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
		w.write(in.A, net.ID(in.B))
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

// guardOf sets the flag if register r, whose value bodies assume, is written with another value.
func (w *Cycles) guardOf(r int32, x net.ID) {
	c := w.c
	if c.Guards == nil || c.Guards[r] < 0 {
		return
	}

	want := uint64(c.Guards[r])
	if v, ok := c.N.IsConst(x); ok && v == want {
		return
	}
	c.FlagUsed = true
	w.guard(r, x, want)
}
