package pads

import (
	"etch/ir"
)

// Value is the name of the input through which the outside drives a pad of the top. Names
// made by hw contain no "$".
func Value(pad string) string { return pad + "$value" }

// Enable is the input of one bit that is high while the outside drives a pad.
func Enable(pad string) string { return pad + "$enable" }

// Driven is the output of one bit that is high while the design drives a pad.
func Driven(pad string) string { return pad + "$driven" }

// Lower returns a design without nets that behaves as d; d itself if it has none. d is not
// changed. The package comment says how its ports change.
func Lower(d *ir.Design) *ir.Design {
	if !d.HasNets() {
		return d
	}

	below := map[*ir.Module]bool{}
	reach(d.Top, below)
	l := &lowering{to: map[*ir.Module]*ir.Module{}, pads: map[*ir.Module][]pad{}}
	out := &ir.Design{Src: d.Src}
	for _, m := range d.Modules {
		if below[m] {
			out.Modules = append(out.Modules, l.module(m, m == d.Top))
		}
	}
	out.Top = l.to[d.Top]
	return out
}

func reach(m *ir.Module, seen map[*ir.Module]bool) {
	if seen[m] {
		return
	}
	seen[m] = true
	for i := range m.Insts {
		reach(m.Insts[i].Mod, seen)
	}
}

type lowering struct {
	to   map[*ir.Module]*ir.Module
	pads map[*ir.Module][]pad // by new module
}

// pad is a port that was a pad, with the drivers behind it.
type pad struct {
	port    int
	pull    ir.Pull
	drivers []end
}

// end is a driver as seen through the ports of a module.
type end struct {
	value, enable int    // the output ports
	from          string // its position, for messages: "u0.phy (phy.go:12)"
	inside        string // the instances on the way, "u0.phy"
	pos           ir.Pos
}

// source is a driver as seen in the module that holds the net.
type source struct {
	value, enable ir.ID
	end
}

// lowered is a module while it is lowered.
type lowered struct {
	*lowering
	m       *ir.Module
	sources [][]source // by net
	pulls   []ir.Pull
}

// module lowers one module; the modules of its instances are lowered already.
func (l *lowering) module(old *ir.Module, top bool) *ir.Module {
	m := old.Clone()
	l.to[old] = m
	w := &lowered{lowering: l, m: m, sources: make([][]source, len(m.Nets)), pulls: make([]ir.Pull, len(m.Nets))}

	// The drivers of each net: the module's own, then those of instances.
	for i, n := range m.Nets {
		w.pulls[i] = n.Pull
		for _, d := range n.Drivers {
			w.sources[i] = append(w.sources[i], source{d.Value, d.En, end{from: m.Src.At(d.Pos).String(), pos: d.Pos}})
		}
	}

	for i := range m.Insts {
		w.instance(i)
	}

	// A net that a pad leads out of the module is resolved above, unless there is
	// nothing above.
	leadsOut := make([]bool, len(m.Nets))
	for i := range old.Ports {
		if m.Ports[i].Dir != ir.InOut {
			continue
		}
		net := int(m.Node(m.Ports[i].Node).Aux)
		if leadsOut[net] = !top; top {
			w.topPad(i, net)
		} else {
			w.pad(i, net)
		}
	}

	for i := range m.Nets {
		if !leadsOut[i] {
			w.resolve(i)
		}
	}
	m.Nets = nil
	return m
}

// instance connects an instance to its lowered module: the outputs for drivers inside it
// join the nets of its pads.
func (w *lowered) instance(at int) {
	m, inst := w.m, &w.m.Insts[at]
	inst.Mod = w.to[inst.Mod]
	// New ports come behind the old ones: outputs only.
	for j := len(inst.Conns); j < len(inst.Mod.Ports); j++ {
		p := &inst.Mod.Ports[j]
		n := ir.Node{Op: ir.InstOut, Type: m.AddType(inst.Mod.TypeOf(p.Type)), Width: int32(p.Width), Pos: inst.Pos, Aux: int32(at), Aux2: int32(j)}
		inst.Conns = append(inst.Conns, m.Add(n))
	}

	for _, p := range w.pads[inst.Mod] {
		net := m.Node(inst.Conns[p.port]).Aux
		w.pulls[net] = max(w.pulls[net], p.pull)
		for _, e := range p.drivers {
			// The path of instances to the driver grows by this one.
			s := source{inst.Conns[e.value], inst.Conns[e.enable], e}
			s.inside = inst.Name
			if e.inside != "" {
				s.inside += "." + e.inside
			}
			w.sources[net] = append(w.sources[net], s)
		}
	}
}

// pad turns a pad into an input, and adds outputs for all drivers below it.
func (w *lowered) pad(port, net int) {
	m := w.m
	p := pad{port: port, pull: w.pulls[net]}
	sources, name := w.sources[net], m.Ports[port].Name
	// A black box has one driver of unknown value.
	if m.Extern != nil && !m.Extern.Model {
		sources = []source{{end: end{from: "black box " + m.Extern.Module, pos: m.Pos}}}
	}

	// Each driver gives two outputs. Numbers tell several apart.
	for k, s := range sources {
		suffix := ""
		if len(sources) > 1 {
			suffix = itoa(k)
		}
		s.end.value, s.end.enable = len(m.Ports), len(m.Ports)+1
		m.AddOutput(Value(name)+suffix, m.Ports[port].Width, m.Ports[port].Type, s.value, s.pos)
		m.AddOutput(Enable(name)+suffix, 1, ir.TypeID(ir.Bool), s.enable, s.pos)
		p.drivers = append(p.drivers, s.end)
	}

	// The pad's own node stays, as an input.
	m.Ports[port].Dir = ir.In
	n := m.Node(m.Ports[port].Node)
	n.Op, n.Aux = ir.Input, int32(port)
	w.pads[m] = append(w.pads[m], p)
}

// topPad turns a pad of the top into an output, and adds inputs for the drivers outside.
func (w *lowered) topPad(port, net int) {
	m := w.m
	p := m.Ports[port]
	// The design's own drivers only: the outside is no part of $driven.
	driven := w.any(w.sources[net], p.Pos)
	value := m.AddInput(Value(p.Name), p.Width, p.Type, p.Pos)
	enable := m.AddInput(Enable(p.Name), 1, ir.TypeID(ir.Bool), p.Pos)
	m.AddOutput(Driven(p.Name), 1, ir.TypeID(ir.Bool), driven, p.Pos)
	w.sources[net] = append(w.sources[net], source{value, enable, end{from: "from outside", pos: p.Pos}})
	m.Ports[port].Dir = ir.Out
}
