package hw

import (
	"etch/hw/internal/caller"
	"etch/ir"
)

// Scalar is the kinds that a pad or a net can carry.
type Scalar interface {
	Bit | UInt | SInt
	Signal
}

// Pad is one end of a wire with several drivers: a port that is input and output at
// once (Verilog's inout), or a [Net] inside of a module. It is no value: Value reads
// the wire, Drive drives it. Pads that are connected to each other, from a module
// to its instances and theirs, are one wire.
//
//	type SensorPorts struct{ SDA hw.Pad[hw.Bit] }          // in Ports: SDA: hw.InOut(hw.Bit{}, hw.PullUp)
//
//	p.SDA.Drive(hw.B(false), pulling)                      // in Build: low or floating
//	line := hw.Sync(m, "line", p.SDA.Value())              // the wire, whoever drives it
//	hw.Inst(m, "phy", Phy{}, PhyPorts{SDA: p.SDA})         // an instance's pad on the same wire
//
// Two drivers that drive different values at once fail the simulation with the lines
// of both. Where nothing drives, a pull decides the wire; without one it reads as 0.
//
// The zero Pad is unset: in a bundle of ports each is made by [InOut], also inside
// of [In] and [Out].
type Pad[T Scalar] struct{ sig }

func (*Pad[T]) leaf() leafKind { return padLeaf }

// Pull is the value of a wire while nothing drives it.
type Pull = ir.Pull

// The pulls. In Verilog they are pullup and pulldown, which synthesis does not see.
const (
	PullUp   = ir.PullUp
	PullDown = ir.PullDown
)

// InOut is the shape of a pad that carries values of the given shape. A pull holds
// the wire wherever it leads; all pads on it must agree on it.
func InOut[T Scalar](shape T, pull ...Pull) Pad[T] {
	k, s := planOf[T]().parts[0].kind, *(*sig)(ptr(&shape))
	x := shapeFrom(k, s)
	if s.is(poison) {
		return Pad[T]{s}
	}
	if x == nil {
		return Pad[T]{mistake(nil, 1, "shape", nil, "InOut: the shape has no width")}
	}

	c := *x
	c.directed, c.dir, c.flip, c.pc = true, ir.InOut, false, caller.PC()

	var ok bool
	if c.pull, ok = onePull(pull); !ok {
		return Pad[T]{mistake(nil, x.width, "pad", nil, "InOut: a pad is pulled one way, not %s and %s", pull[0], pull[1])}
	}
	return Pad[T]{sig{x: &c}}
}

// onePull is the pull of a list; ok is false where there are two that differ.
func onePull(pulls []Pull) (p Pull, ok bool) {
	for _, q := range pulls {
		if p != ir.PullNone && q != ir.PullNone && p != q {
			return p, false
		}

		// PullNone is the least of them and gives way to any other.
		p = max(p, q)
	}
	return p, true
}

// Net is a wire inside of m that pads of instances share and that m itself can read
// and drive: a bus on a board.
func Net[T Scalar](m *Module, name string, shape T, pull ...Pull) Pad[T] {
	k, s := planOf[T]().parts[0].kind, *(*sig)(ptr(&shape))
	b := m.b
	if m.finished("Net " + name) {
		return Pad[T]{poisonOf(b, s.Width())}
	}

	f := form{what: "Net", path: join(m.prefix, name), pos: b.d.pos()}
	if !b.formOf(k, s, false, &f) {
		return Pad[T]{poisonLike(b, s)}
	}

	id := b.m.AddNet(f.path, f.width, f.typ, f.pos)
	b.claim(f.path, input, f.pos, ir.None)

	// A mistaken pull is reported and the net made all the same: others use its name.
	p, ok := onePull(pull)
	if !ok {
		m.Errorf("pad", "Net %s: it is pulled one way, not %s and %s", f.path, pull[0], pull[1])
	}
	b.m.Nets[b.m.Node(id).Aux].Pull = p
	return Pad[T]{b.padOf(id)}
}

// padOf is the handle of a net.
func (b *body) padOf(id ir.ID) sig {
	n := b.m.Node(id)
	return sig{b: b, id: id, x: &proto{is: padEnd, width: int(n.Width), typ: b.m.TypeOf(n.Type)}}
}

// Value is the value of the wire: that of its driver, here or elsewhere, else
// that of a pull, else 0.
func (p Pad[T]) Value() T {
	var v T
	to := (*sig)(ptr(&v))
	if p.usable() {
		*to = sig{b: p.b, id: p.id}
	} else {
		*to = p.mistaken("Value")
	}
	return v
}

// Drive drives the wire with v while enable is high and the conditions around hold;
// else this driver lets go. Every call is a driver of its own, which holds all bits
// or none.
func (p Pad[T]) Drive(v T, enable Bit) { p.drive("Drive", *(*sig)(ptr(&v)), enable) }

// DriveLow is Drive with 0, as an open-drain output does.
func (p Pad[T]) DriveLow(enable Bit) {
	p.drive("DriveLow", sig{x: zeroOf(p.Width())}, enable)
}

func zeroOf(width int) *proto {
	return zeroLiteral(&proto{width: max(width, 1), typ: ir.Type{Kind: ir.UInt}}).x
}

func (p Pad[T]) drive(op string, v sig, enable Bit) {
	b := p.b
	if !p.usable() {
		// A pad without a module reports in that of an operand.
		if to := moduleOf(v, enable.sig); to != nil {
			to.meet(p.mistaken(op))
		} else if b != nil {
			b.meet(p.mistaken(op))
		}
		return
	}

	// The value is as wide as the wire, which stands for it in the check.
	b.flush()
	xs, en := []sig{{b: b, id: p.id}, v}, []sig{enable.sig}
	_, bad := b.agree(op, ir.UInt, xs)
	if b.resolve(op, en, false) || bad {
		return
	}
	net := &b.m.Nets[b.m.Node(p.id).Aux]
	net.Drivers = append(net.Drivers, ir.Driver{Value: xs[1].id, En: b.and(b.enable(), en[0].id), Pos: b.d.pos()})
}

// usable tells whether p is an end of a wire of a module that is being built.
func (p Pad[T]) usable() bool { return p.is(padEnd) && !p.b.done }

// mistaken is a poisoned value that says why p is not usable, where it meets a
// module: p's own is of no help.
func (p Pad[T]) mistaken(op string) sig {
	switch {
	case p.is(padEnd):
		return mistake(nil, p.Width(), "module", nil, "%s: %s belongs to %s", op, describe(p.sig), p.b.where())
	case p.is(poison):
		return p.resize(p.Width())
	case !p.isSet():
		return mistake(nil, 1, "unset", nil, "%s: the pad is unset (a zero value of its type); hw.InOut makes the shape of one, hw.Net one inside of a module", op)
	}
	return mistake(nil, p.Width(), "shape", nil, "%s: %s is not a pad of a module", op, describe(p.sig))
}

// padNotValue reports the use of a pad as a value.
func (b *body) padNotValue(op string, s sig) {
	b.d.report(newDiag("pad", declared(s), "%s: %s is a pad, not a value; Value() reads it, Drive drives it, and instances take it by the ports given to Inst", op, describe(s)))
}

// joinPad connects pad port of instance at with the parent's pad for it. A mistake names
// both pads; the result is then poisoned.
func (b *body) joinPad(what string, at, port int, given sig) sig {
	inst := &b.m.Insts[at]
	p := &inst.Mod.Ports[port]

	note := []Note{{b.d.src.At(p.Pos), "the pad of " + inst.Mod.Name}}

	// From the gravest mistake to the least.
	switch {
	case given.is(poison):
		b.meet(given)
	case !given.is(padEnd):
		b.d.report(newDiag("shape", note, "%s: %s is not a pad of %s", what, describe(given), b.m.Name))
	case given.b != b || b.done:
		b.d.report(newDiag("module", append(declared(given), note...), "%s: %s belongs to %s, not to %s", what, describe(given), given.b.where(), b.m.Name))
	case given.Width() != p.Width:
		b.d.report(newDiag("width", append(declared(given), note...), "%s: %s has %s, the pad %s has %d", what, describe(given), plural(given.Width(), "bit"), p.Name, p.Width))
	case inst.Conns[port] != ir.None:
		b.d.report(newDiag("twice", note, "%s: the pad %s is connected already; one wire is one pad or hw.Net for both", what, p.Name))
	default:
		inst.Conns[port] = given.id
		b.checkPull(what, given, b.insts[at].pullOf(port), note)
		return given
	}
	return poisonOf(b, p.Width)
}

// checkPull gives the wire the pull of an instance's pad. Two opposite pulls are a mistake.
func (b *body) checkPull(what string, wire sig, pull Pull, note []Note) {
	net := &b.m.Nets[b.m.Node(wire.id).Aux]
	both, ok := onePull([]Pull{net.Pull, pull})
	if !ok {
		b.d.report(newDiag("pad", append(declared(wire), note...), "%s: %s is pulled %s, the pad of the instance %s", what, describe(wire), net.Pull, pull))
	}
	net.Pull = both
}

// pullOf is the pull of the wire that a port leads out of a module.
func (b *body) pullOf(port int) Pull { return b.m.Nets[b.m.Node(b.m.Ports[port].Node).Aux].Pull }

// loosePad gives a pad of an instance that its parent leaves unconnected a net of its own,
// which other instances may be given.
func (b *body) loosePad(at, port int) sig {
	inst := &b.m.Insts[at]
	p := inst.Mod.Ports[port]

	name := join(inst.Name, p.Name)
	id := b.m.AddNet(name, p.Width, b.m.AddType(inst.Mod.TypeOf(p.Type)), inst.Pos)
	b.claim(name, private, inst.Pos, id)

	inst.Conns[port] = id
	b.m.Nets[b.m.Node(id).Aux].Pull = b.insts[at].pullOf(port)
	return b.padOf(id)
}
