package native

import (
	"etch/sim/native/cpu"
	"etch/sim/net"
)

// cycles writes the code of cycles: it translates the branches of a schedule itself and leaves
// the other instructions to the writer.
type cycles struct {
	writer
	c     *code
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
func plainText(t target, c *code, f cpu.Features) ([]byte, error) {
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
func (w *cycles) body(c *code) {
	w.c = c
	w.begin(c)
	w.instructions(0, int32(len(c.out)))
}

// instructions writes the instructions from number at up to, not including, end.
func (w *cycles) instructions(at, end int32) {
	for ; at < end; at++ {
		w.reach(at)
		if in := w.c.out[at]; in.k == kIf && len(w.ifs) == 0 && w.c.isGate(net.ID(in.a)) {
			at = w.gate(at)
			continue
		}
		w.instruction(at)
	}
}

// instruction writes one instruction.
func (w *cycles) instruction(at int32) {
	switch in := w.c.out[at]; in.k {
	case kEval:
		if w.c.loc[in.a].k != nowhere {
			w.eval(net.ID(in.a))
		}
	case kIf:
		j := ifJump{w.newLabel(), -1}
		w.branch(net.ID(in.a), false, j.els)
		w.ifs = append(w.ifs, j)
	case kElse:
		// An empty else needs no jump over it.
		j := &w.ifs[len(w.ifs)-1]
		if w.c.out[at+1].k != kEnd {
			j.end = w.newLabel()
			w.jump(j.end)
		}
		w.bind(j.els)
	case kEnd:
		if j := w.ifs[len(w.ifs)-1]; j.end >= 0 {
			w.bind(j.end)
		}
		w.ifs = w.ifs[:len(w.ifs)-1]
	case kPhi:
		w.phi(net.ID(in.a), net.ID(in.b))
	case kWrite:
		if f := w.effects; f != nil {
			f.w.changed(f.layout, in.a, net.ID(in.b), &f.words[in.a])
			return
		}
		w.write(in.a, net.ID(in.b))
		w.guardOf(in.a, net.ID(in.b))
	case kStore:
		if f := w.effects; f != nil {
			f.w.stored(f.layout, &w.c.n.Writes[in.a], f.stores[in.a])
			return
		}
		w.memoryStore(&w.c.n.Writes[in.a])
	case kOut:
		w.output(in.a)
	case kStop:
		w.branch(net.ID(in.a), true, w.exit)
	case kBranch:
		w.branch(net.ID(in.a), false, w.side)
	}
}

// guardOf sets the flag if register r, whose value bodies assume, is written with another value.
func (w *cycles) guardOf(r int32, x net.ID) {
	c := w.c
	if c.guards == nil || c.guards[r] < 0 {
		return
	}

	want := uint64(c.guards[r])
	if v, ok := c.n.IsConst(x); ok && v == want {
		return
	}
	c.flagUsed = true
	w.guard(r, x, want)
}
