package ir

// Pull is the value of a net while nothing drives it.
type Pull uint8

// The pulls. A net without pull reads as 0 while nothing drives it, since values have two
// states. In Verilog it floats, unless a pull outside holds it.
const (
	PullNone Pull = iota
	PullUp
	PullDown
)

// String is the pull's name in the text form: "none", "up" or "down".
func (p Pull) String() string { return [...]string{"none", "up", "down"}[p] }

// Net is a wire with any number of tri-state drivers. It lies within one module, or is the
// module's end of a wire that a pad, a port of direction [InOut], leads out. The drivers of
// all modules that the wire passes through drive it together.
type Net struct {
	Node    ID // its NetOut node, which carries name, width, type and position
	Pull    Pull
	Drivers []Driver
}

// Driver puts Value on a net while En is high. Two drivers with different values at once
// are an error of the design, which simulation reports.
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

// appendNetFanin appends the nodes on which the net of node id depends within the cycle:
// its drivers here, and the inputs of instances that reach the drivers inside them.
func (p Paths) appendNetFanin(to []ID, m *Module, id ID) []ID {
	for _, d := range m.Nets[m.nodes[id].Aux].Drivers {
		to = append(to, d.Value, d.En)
	}

	// Drivers inside an instance, seen through its pads.
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

// PadOf returns the index of the port that leads the net of node id out of m, -1 if the net
// ends in m.
func (m *Module) PadOf(id ID) int {
	for i := range m.Ports {
		if m.Ports[i].Dir == InOut && m.Ports[i].Node == id {
			return i
		}
	}
	return -1
}
