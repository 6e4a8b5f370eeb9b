package native

import (
	"etch/sim/native/cpu"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// cycles writes the code of cycles: it translates the branches of a schedule itself and leaves
// the other instructions to the writer.
type cycles struct {
	writer
	c     *schedule.Code
	exit  label // target of stops, before a cycle
	side  label // target of side exits
	ifs   []ifJump
	aside []aside

	effects *effects // of a part of a partition, or nil
}

// ifJump is an open if. end is -1 unless the first arm jumps over the second.
type ifJump struct{ els, end label }

func newCycles(m writer) *cycles { return &cycles{writer: m, exit: m.newLabel()} }

// plainText is machine code that runs cycles of c until none are left or the net stops, for a
// processor with features f.
func plainText(t target, c *schedule.Code, f cpu.Features) ([]byte, error) {
	w := newCycles(t.writer(f))
	w.enter()
	top := w.newLabel()
	w.entry(top)
	w.body(c)
	w.count(true, top)
	w.bind(w.exit)
	w.leave()
	w.asides()
	return w.text()
}

// body writes the code of one cycle.
func (w *cycles) body(c *schedule.Code) {
	w.c = c
	w.begin(c)
	w.instructions(0, int32(len(c.Out)))
}

// instructions writes the instructions from number at up to, not including, end.
func (w *cycles) instructions(at, end int32) {
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
func (w *cycles) instruction(at int32) {
	switch in := w.c.Out[at]; in.K {
	case schedule.KEval:
		if w.c.Loc[in.A].K != schedule.Nowhere {
			w.eval(net.ID(in.A))
		}
	case schedule.KIf:
		j := ifJump{w.newLabel(), -1}
		w.branch(net.ID(in.A), false, j.els)
		w.ifs = append(w.ifs, j)
	case schedule.KElse:
		// An empty else needs no jump over it.
		j := &w.ifs[len(w.ifs)-1]
		if w.c.Out[at+1].K != schedule.KEnd {
			j.end = w.newLabel()
			w.jump(j.end)
		}
		w.bind(j.els)
	case schedule.KEnd:
		if j := w.ifs[len(w.ifs)-1]; j.end >= 0 {
			w.bind(j.end)
		}
		w.ifs = w.ifs[:len(w.ifs)-1]
	case schedule.KPhi:
		w.phi(net.ID(in.A), net.ID(in.B))
	case schedule.KWrite:
		if f := w.effects; f != nil {
			f.w.changed(f.layout, in.A, net.ID(in.B), &f.words[in.A])
			return
		}
		w.write(in.A, net.ID(in.B))
		w.guardOf(in.A, net.ID(in.B))
	case schedule.KStore:
		if f := w.effects; f != nil {
			f.w.stored(f.layout, &w.c.N.Writes[in.A], f.stores[in.A])
			return
		}
		w.memoryStore(&w.c.N.Writes[in.A])
	case schedule.KOut:
		w.output(in.A)
	case schedule.KStop:
		w.branch(net.ID(in.A), true, w.exit)
	case schedule.KBranch:
		w.branch(net.ID(in.A), false, w.side)
	}
}

// guardOf sets the flag if register r, whose value bodies assume, is written with another value.
func (w *cycles) guardOf(r int32, x net.ID) {
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
