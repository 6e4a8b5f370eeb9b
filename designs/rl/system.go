package rl

import (
	"etch/designs/learner"
	"etch/designs/replay"
	"etch/hw"
	"etch/hw/arith"
	"etch/hw/axi"
	"etch/hw/stream"
)

// Ports are the host's port, which carries commands, transitions, actions and weights.
type Ports struct {
	Host axi.Lite `dir:"in" hw:"s_axi"`
	Busy hw.Bit   `dir:"out"` // an act, a step or an insert is under way, as in status
}

// ModuleName is the learner's name for its system.
func (s System[L]) ModuleName() string { return s.Learner.moduleName() }

func (s System[L]) Ports() Ports { return Ports{Host: axi.LiteOf(s.Registers().AddressBits())} }

// body is shared by the parts of a system.
type body[L Learner] struct {
	System[L]
	m      *hw.Module
	regs   *axi.Bank
	unit   unit
	buffer replay.BufferPorts[Transition]

	acting hw.Bit
	clear  hw.Bit   // the command
	lost   []hw.Bit // commands at the wrong time
}

// Build joins the host's registers, the learner and the replay memory, and runs the commands.
func (s System[L]) Build(m *hw.Module, p Ports) {
	// The host port, the learner, the memory.
	regs := s.Registers()
	bus := hw.Inst(m, "bus", axi.Bridge{AddressBits: regs.AddressBits()}, axi.BridgePorts{Host: p.Host})
	b := &body[L]{
		System: s, m: m, regs: regs.Bank(m, registered(m, bus.Request), bus.Reply),
		unit: s.Learner.inst(m), buffer: hw.Inst(m, "buffer", s.buffer(), replay.BufferPorts[Transition]{}),
		acting: hw.Reg(m, "acting", hw.Bit{}, hw.Low),
	}

	// What the host does with them. Acting and weights have their turn between steps; acting
	// also waits for an insert that takes long, for that changes the observation at its end.
	clear, x := b.regs.Command("clear")
	hw.Unused(m, x)
	b.clear = hw.Delay(m, "clears", clear, 1, hw.Low)
	waits, inserting := b.transitions()
	steps := b.steps(inserting)
	free := hw.AnyOf(steps.on, b.acting).Not()
	b.act(free.AndNot(inserting))
	b.weights(free)
	busy := hw.AnyOf(steps.on, b.acting, waits)
	p.Busy.Set(busy)
	b.regs.Status("status", hw.FromBits(busy, steps.left, steps.empty))
	b.settings()
	b.counters(steps)
	b.regs.Done()
	m.Assert(steps.on.And(b.acting).Not(), "the learner acts within a step")
}

// registered is requests a cycle later, out of registers: commands go far. A request is
// taken when it is taken behind them.
func registered(m *hw.Module, from stream.Stream[axi.Request]) stream.Stream[axi.Request] {
	offered := hw.Reg(m, "request_offered", hw.Bit{}, hw.Low)
	to := stream.Stream[axi.Request]{Valid: offered, Ready: hw.Wire(m, "request_ready", hw.Bit{}), Data: hw.Delay(m, "request", from.Data, 1)}
	offered.Set(from.Valid.AndNot(to.Fire()))
	from.Ready.Set(to.Fire())
	return to
}

// command is a command that has its effect only at the right time; else it is lost.
func (b *body[L]) command(name string, allowed hw.Bit) (now hw.Bit, data hw.UInt) {
	asked, data := b.regs.Command(name)
	b.lost = append(b.lost, asked.AndNot(allowed))
	return asked.And(allowed), data
}

// shift is a vector into which a command shifts elements, the first one first, a cycle
// after it.
func (b *body[L]) shift(name string, shape hw.Vec[hw.UInt], now hw.Bit, data hw.UInt) hw.Vec[hw.UInt] {
	x := hw.Reg(b.m, name, shape)
	in := hw.Delay(b.m, name+"_in", arith.Resize(data, shape[0].Width()), 1)
	b.m.When(hw.Delay(b.m, name+"_shifts", now, 1, hw.Low), func() { hw.Set(x, append(x[1:len(x):len(x)], in)) })
	return x
}

// transitions collects a transition from the host's writes, and inserts it. An insert
// waits for the memory, and for the end of acting, which reads the observation. One that
// takes more than a cycle is long.
func (b *body[L]) transitions() (waits, long hw.Bit) {
	m, t := b.m, b.Learner.transitionOf()

	// Registers shift: elements come by one address, the first one first.
	waits = hw.Reg(m, "insert_waits", hw.Bit{}, hw.Low)
	collects := waits.Not()
	stateNow, stateData := b.command("state", collects.AndNot(b.acting))
	state := b.shift("observation", t.State, stateNow, stateData)
	nextNow, nextData := b.command("next", collects)
	next := b.shift("next_observation", t.Next, nextNow, nextData)
	actionNow, actionData := b.command("action", collects)
	action := b.shift("action_taken", t.Action, actionNow, actionData)
	insert, _ := b.command("insert", collects)

	// The insert, after which the next observation is the present one.
	hw.Set(b.unit.Observation, state)
	stored := Transition{state, next, action, b.regs.Setting("reward"), b.regs.Setting("discount")}
	if b.joins() {
		b.join(insert, waits, stored)
		return waits, waits
	}
	b.buffer.Insert.Send(waits.AndNot(b.acting), replay.Insertion[Transition]{
		Transition: stored, AtMax: hw.High, Value: hw.Zero(b.buffer.Insert.Data.Value),
	})
	m.When(insert, func() { waits.Set(hw.High) }).
		ElseWhen(b.buffer.Insert.Fire(), func() {
			waits.Set(hw.Low)
			hw.Set(state, next)
		})
	return waits, hw.Low
}

// act has the learner answer the observation.
func (b *body[L]) act(free hw.Bit) {
	now, data := b.command("act", free)
	hw.Unused(b.m, data)
	begun := hw.Reg(b.m, "act_begun", hw.Bit{}, hw.Low)
	b.unit.Act.Set(b.acting.AndNot(begun))
	begun.Set(b.acting)
	b.m.When(now, func() { b.acting.Set(hw.High) }).
		ElseWhen(begun.AndNot(b.unit.Busy), func() { b.acting.Set(hw.Low) })

	if len(b.unit.Best) > 0 {
		b.regs.Status("best", b.unit.Best[0])
	}
}

// weights are read and written a word at a time; the word is a register between host and
// learner.
func (b *body[L]) weights(free hw.Bit) {
	m, u := b.m, b.unit

	// A word goes in by elements and out by select, and whole between here and the learner.
	write, data := b.regs.Command("weight")
	word := b.shift("weights", b.Learner.unitOf().Word, write, data)
	store, x := b.command("store", free)
	fetch, y := b.command("fetch", free)
	hw.Unused(m, x, y)
	part := b.regs.Setting("part")
	hw.Set(u.Host, learner.Host{
		Write: store, Read: fetch, Bias: part.Bit(0), Target: part.Bit(1),
		Layer: b.regs.Setting("layer"), Word: b.regs.Setting("word"), Data: word,
	})
	m.When(hw.Delay(m, "fetched", fetch, 3, hw.Low), func() { hw.Set(word, u.Word) })

	// One element of the vector that the host reads.
	element := b.regs.Setting("select")
	b.regs.Status("value", pick(u.Answer, element))
	b.regs.Status("weight_out", pick(word, element))
}

// pick is an element of a vector, by a number that may be too large: then any.
func pick(xs hw.Vec[hw.UInt], at hw.UInt) hw.UInt {
	return xs.At(arith.Resize(at, hw.AddressOf(len(xs)).Width()))
}

// settings connects the memory's and the learner's settings.
func (b *body[L]) settings() {
	m, r := b.m, b.regs
	s := hw.Zero(b.buffer.Settings)
	s.Alpha, s.Beta, s.Epsilon = r.Setting("alpha"), r.Setting("beta"), r.Setting("epsilon")
	hw.Set(b.buffer.Settings, s) // no limit of rates, and the least priority of each batch

	// Clear and seed take effect at once; a host gives them between steps.
	b.buffer.Clear.Set(b.clear)
	seed, low := r.Command("seed")
	b.buffer.Seed.Send(seed, hw.Cat(r.Setting("seed_high"), low))
	hw.Unused(m, b.buffer.Seed.Ready)
	b.unit.Tau.Set(r.Setting("tau"))
	r.Status("count", b.buffer.Filling.Count)
	hw.Unused(m, b.buffer.Filling.Sum, b.buffer.Filling.Max)
}

// counters count events and the cycles of each phase.
func (b *body[L]) counters(s stepping) {
	r, e := b.regs, b.buffer.Events
	clear, x := r.Command("clear_counters")
	hw.Unused(b.m, x)
	b.m.When(clear, func() { s.empty.Set(hw.Low) })
	r.Counter("steps", clear, s.done)
	r.Counter("inserted", clear, e.Inserted)
	r.Counter("stale", clear, e.Stale)
	r.Counter("lost", clear, b.lost...)
	r.Counter("cycles_draw", clear, s.drawing)
	r.Counter("cycles_learn", clear, s.learning)
	r.Counter("cycles_update", clear, s.updating)
	r.Counter("cycles_act", clear, b.acting)
	hw.Unused(b.m, e.Sampled, e.Unfilled, e.Empty, e.Refused)

	// Counters of saturations belong to the learner, which keeps them until the reset.
	n := b.unit.Saturated
	if !b.Learner.counts() {
		hw.Unused(b.m, n)
		return
	}
	for i, count := range []hw.UInt{n.Weight, n.Activation, n.Gradient} {
		r.Status(saturated[i], count)
	}
}

var (
	_ hw.Component[Ports] = System[Values]{}
	_ hw.Component[Ports] = System[Actions]{}
)

// ask is a request for a whole batch.
func (b *body[L]) ask(now hw.Bit) {
	b.buffer.Request.Send(now, replay.Draws{Count: hw.U(b.Learner.batch()), Stratified: b.regs.Setting("plain").IsNot(1)})
	stream.Check(b.m, "batch", b.buffer.Batch)
}
