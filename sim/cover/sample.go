package cover

import (
	"math/bits"

	"etch/ir"
	value "etch/ir/bits"
	"etch/sim"
)

// sampler reads signals of a replay at each cycle and notes which of their bits rise and fall. Most do
// so within few cycles and in any instance of their module, so the replay is of the design as it is,
// and a few instances are read.
type sampler struct {
	s    *sim.Sim
	all  []*sample
	now  []uint64 // scratch
	size int      // signals that are read at each cycle
}

// sample is a register or port of a module, in some of the module's instances.
type sample struct {
	mod  *ir.Module
	id   ir.ID
	pos  ir.Pos
	name string
	at   []sim.Signal
	last [][]uint64 // by instance: the value at the cycle before

	rose, fell []uint64
}

// Bounds of a sample: the instances of a module that are read, and the values in all.
const (
	mostInstances = 8
	mostReads     = 1 << 20
)

// sampled replays the first cycles of a run, up to an end, and returns the toggles seen. It fills
// stage with the signals whose bits have all risen and fallen, and with the values at the first edge
// of signals that begin alike in every instance. A design whose state has several clocks, or that
// has too many signals, is not sampled: c is nil. last is the last cycle of the run, 0 if it has
// several clocks.
func sampled(r Recorded, d *ir.Design, stage Kinds, end uint64) (c *Counts, last uint64, err error) {
	if !oneClock(d) {
		return nil, 0, nil
	}
	p, err := r.PlayerOn(d)
	if err != nil {
		return nil, 0, err
	}
	defer p.Sim().Close()

	x := &sampler{s: p.Sim()}
	x.choose(d, stage)
	first, last := p.Cycles()

	// The cost is known beforehand: the number of values times that of cycles.
	if end = min(last, end); uint64(x.size)*(end-first) > mostReads {
		return nil, last, nil
	}

	x.read()
	for at := first; at < end; at++ {
		if err := p.Forward(at + 1); err != nil {
			return nil, 0, err
		}
		x.read()
	}

	c = &Counts{Design: d.Top.Name}
	for _, q := range x.all {
		width := q.mod.Width(q.id)
		rose, fell := value.FromWords(width, q.rose), value.FromWords(width, q.fell)
		if rose.IsOnes() && fell.IsOnes() {
			stage.settled[signal{q.mod.Name, q.name}] = true
		}
		c.Toggles = append(c.Toggles, toggleOf(q.mod, q.name, q.pos, rose, fell))
	}
	return c, last, nil
}

// choose takes the registers and ports of all modules that counters watch, in instances that are
// evenly spread, and reads what each begins with.
func (x *sampler) choose(d *ir.Design, stage Kinds) {
	instrumented := Instrumented{Design: d}
	instrumented.findInstances()
	for _, m := range d.Modules {
		instances := instrumented.instances[m]
		if len(instances) == 0 || m.Extern != nil && !m.Extern.Model {
			continue
		}

		// add takes one signal: its begin in all instances, its changes in some.
		add := func(id ir.ID, pos ir.Pos, name string) {
			q := &sample{mod: m, id: id, pos: pos, name: name}
			words := value.WordCount(m.Width(id))
			q.rose, q.fell = make([]uint64, words), make([]uint64, words)
			alike := true
			var begin value.Value
			for i, of := range instances {
				sig, err := x.s.NodeOf(of.path, id)
				if err != nil {
					return // a Model runs the instance
				}
				v := x.s.GetBits(sig)
				if i == 0 {
					begin = v
				}
				alike = alike && v.Equal(begin)

				// Evenly spread: the k-th of m samples is instance k·(n−1)/(m−1), the first and the last among
				// them.
				if n := len(instances); n <= mostInstances || len(q.at) < mostInstances && i == len(q.at)*(n-1)/(mostInstances-1) {
					q.at = append(q.at, sig)
					q.last = append(q.last, nil)
				}
			}

			if alike {
				stage.begin[signal{m.Name, name}] = begin
			}
			x.all = append(x.all, q)
			x.size += len(q.at) * words
		}

		for i := range m.Regs {
			if r := &m.Regs[i]; r.Kind != ir.Latch {
				add(r.Node, m.Node(r.Node).Pos, m.NameOf(r.Node))
			}
		}

		// A port that is a register of its name is told with that.
		for _, p := range m.Ports {
			if p.Dir == ir.InOut || p.Node == ir.None || m.TypeOf(p.Type).Kind == ir.Clock {
				continue
			}
			if n := m.Node(p.Node); n.Op != ir.Reg || m.Regs[n.Aux].Kind == ir.Latch || m.NameOf(p.Node) != p.Name {
				add(p.Node, p.Pos, p.Name)
			}
		}
	}
}

// read notes the changes since the cycle before, of signals that have bits left.
func (x *sampler) read() {
	for _, q := range x.all {
		if q.settled() {
			continue
		}
		for i, sig := range q.at {
			x.now = x.s.AppendWords(x.now[:0], sig)
			// The first reading has none before it.
			if q.last[i] == nil {
				q.last[i] = append(q.last[i], x.now...)
				continue
			}
			for k, now := range x.now {
				last := q.last[i][k]
				q.rose[k] |= now &^ last
				q.fell[k] |= last &^ now
				q.last[i][k] = now
			}
		}
	}
}

// settled reports whether every bit has risen and fallen.
func (q *sample) settled() bool {
	n := 0
	for k := range q.rose {
		n += bits.OnesCount64(q.rose[k] & q.fell[k])
	}
	return n == q.mod.Width(q.id)
}
