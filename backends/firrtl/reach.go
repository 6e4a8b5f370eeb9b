package firrtl

import (
	"etch/ir"
)

// sinkKind is a kind of place that uses a value.
type sinkKind uint8

const (
	outputSink sinkKind = iota
	nextSink            // of register i
	clockSink
	resetSink
	readAddress // of port j of memory i
	readEnable
	readClock
	writeAddress // of port j of memory i
	writeData
	writeEnable
	writeMask
	writeClock
	pinSink   // port j of instance i
	netValue  // of driver j of net i
	netEnable // of driver j of net i
	stmtClock
	stmtEnable
	stmtCondition
	stmtArgument // j of statement i
)

// sink is a place that uses a value and is no node.
type sink struct {
	kind sinkKind
	i, j int32
	node ir.ID
}

// reach lists the sinks, and the live nodes on which they depend, arguments first.
func (p *module) reach() {
	// The order of the sinks is that of the text, and so is that of the nodes below them.
	p.collectSinks()
	for i := range p.sinks {
		p.walk(p.sinks[i].node, live, func(n ir.ID) {
			p.order = append(p.order, n)
			if p.m.Op(n) == ir.MemRead {
				p.planAsync(n)
			}
		})
	}
}

// walk calls f for a node and everything below it without mark k, arguments first, and
// marks it. It is a depth-first search with an explicit stack; -n on the stack means that
// the operands of n are done.
func (p *module) walk(root ir.ID, k mark, f func(ir.ID)) {
	if p.is(root, k) {
		return
	}
	stack := append(p.stack[:0], root)
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		if n < 0 {
			f(-n)
			stack = stack[:len(stack)-1]
			continue
		}
		if p.is(n, k) {
			stack = stack[:len(stack)-1]
			continue
		}
		p.marks[n] |= k
		stack[len(stack)-1] = -n
		// State is a leaf: it is listed, but not followed.
		if p.isState(n) {
			continue
		}
		args := p.m.Args(n)
		for i := len(args) - 1; i >= 0; i-- {
			if !p.is(args[i], k) {
				stack = append(stack, args[i])
			}
		}
	}
	p.stack = stack
}

// collectSinks lists the sinks in the order in which they are printed.
// The order decides the order of names and lines in the text.
func (p *module) collectSinks() {
	m := p.m

	// Registers, memories, instances and nets take values; outputs and statements end the text.
	for i := range m.Regs {
		r := &m.Regs[i]
		p.sink(clockSink, i, 0, r.Clk)
		p.sink(resetSink, i, 0, r.Rst)
		p.sink(nextSink, i, 0, r.Next)
	}

	for i := range p.mems {
		p.memorySinks(i)
	}

	for i := range m.Insts {
		inst := &m.Insts[i]
		for j := range inst.Mod.Ports {
			if inst.Mod.Ports[j].Dir == ir.In {
				p.sink(pinSink, i, j, inst.Conns[j])
			}
		}
	}

	for i := range m.Nets {
		for j, d := range m.Nets[i].Drivers {
			p.sink(netValue, i, j, d.Value)
			p.sink(netEnable, i, j, d.En)
		}
	}

	for i := range m.Ports {
		if port := &m.Ports[i]; port.Dir == ir.Out {
			p.sink(outputSink, i, 0, port.Node)
		}
	}

	for i := range m.Stmts {
		s := &m.Stmts[i]
		p.sink(stmtClock, i, 0, s.Clk)
		p.sink(stmtEnable, i, 0, s.En)
		p.sink(stmtCondition, i, 0, s.Cond)
		for j, a := range s.Args {
			p.sink(stmtArgument, i, j, a)
		}
	}
}

func (p *module) sink(k sinkKind, i, j int, n ir.ID) {
	if n != ir.None {
		p.sinks = append(p.sinks, sink{k, int32(i), int32(j), n})
	}
}
