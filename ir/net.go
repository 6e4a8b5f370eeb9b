package ir

// Pull is what a net holds while nothing drives it.
type Pull uint8

// The pulls. A net without one reads as 0 while nothing drives it: values have two
// states here. In Verilog it floats, unless a pull outside holds it.
const (
	PullNone Pull = iota
	PullUp
	PullDown
)

// String is the pull's name in the text form: "none", "up" or "down".
func (p Pull) String() string { return [...]string{"none", "up", "down"}[p] }

// Net is a wire with any number of tri-state drivers: one of the module, or the
// module's end of one that a pad, a port of direction [InOut], leads out of it. The
// drivers of all modules that it passes through drive one wire.
type Net struct {
	Node    ID // its NetOut node, which carries name, width, type and position
	Pull    Pull
	Drivers []Driver
}

// Driver puts Value on a net while En is high. Two drivers that do so at once with
// different values are an error of the design, which simulation finds.
type Driver struct {
	Value ID
	En    ID // one bit
	Pos   Pos
}

// AddNet adds a net with its node and returns the node.
func (m *Module) AddNet(name string, width int, typ TypeID, pos Pos) ID {
	id := m.Add(Node{Op: NetOut, Type: typ, Width: int32(width), Pos: pos, Aux: int32(len(m.Nets))})
	m.SetName(id, name)
	m.Nets = append(m.Nets, Net{Node: id})
	return id
}

// AddPad adds a port of direction InOut with its net and returns the net's node.
func (m *Module) AddPad(name string, width int, typ TypeID, pos Pos) ID {
	id := m.AddNet(name, width, typ, pos)
	m.Ports = append(m.Ports, Port{Name: name, Dir: InOut, Type: typ, Width: width, Node: id, Pos: pos})
	return id
}

// HasNets reports whether some module of the design has a net.
func (d *Design) HasNets() bool {
	for _, m := range d.Modules {
		if len(m.Nets) > 0 {
			return true
		}
	}
	return false
}

// appendNetFanin appends what the net of node id depends on within the cycle: what
// drives it here, and in instances the inputs that reach their drivers.
func (p Paths) appendNetFanin(to []ID, m *Module, id ID) []ID {
	for _, d := range m.Nets[m.nodes[id].Aux].Drivers {
		to = append(to, d.Value, d.En)
	}
	for i := range m.Insts {
		inst := &m.Insts[i]
		for j := range inst.Conns {
			if inst.Mod.Ports[j].Dir != InOut || inst.Conns[j] != id {
				continue
			}
			for _, in := range p.Of(inst.Mod)[j] {
				if d := inst.Conns[in]; d != None {
					to = append(to, d)
				}
			}
		}
	}
	return to
}

// PadOf returns the index of the port that leads the net of node id out of m, -1
// where it ends in m.
func (m *Module) PadOf(id ID) int {
	for i := range m.Ports {
		if m.Ports[i].Dir == InOut && m.Ports[i].Node == id {
			return i
		}
	}
	return -1
}
