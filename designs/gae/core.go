package gae

import (
	"etch/designs/gae/model"
	"etch/hw"
	"etch/hw/axi"
	"etch/hw/stream"
)

// Core is the rows with all that serves them: loading, statistics, the choice of a
// row for each vector, registers and counters. The host reaches it by a stream of
// reads and writes of registers, see [Accelerator.Registers], and may send steps by a
// stream of their own, one a cycle. Results leave by registers, or one a cycle by a
// stream.
type Core struct{ model.System }

type CorePorts struct {
	Request stream.Stream[axi.Request] `dir:"in"`
	Reply   stream.Stream[axi.Reply]   `dir:"out"`
	Steps   stream.Stream[Incoming]    `dir:"in"`
	Results stream.Stream[Outgoing]    `dir:"out"`
	Busy    hw.Bit                     `dir:"out"` // draining
	Done    hw.Bit                     `dir:"out"` // the last Start is finished
}

// Incoming is a step on its way into the core: to be measured, or to join the
// vector that has begun.
type Incoming struct {
	Measure hw.Bit
	Sample
}

// Outgoing is a stored result on its way out, in units of the settings' steps; see
// [model.Send].
type Outgoing struct {
	Stored
	Last hw.Bit // of a Send
}

func outgoingOf(s model.System) Outgoing { return Outgoing{Stored: storedOf(s)} }

func incomingOf() Incoming { return Incoming{Sample: SampleOf()} }

func (k Core) Ports() CorePorts {
	return CorePorts{
		Request: stream.Of(axi.RequestOf(model.HostBits)),
		Reply:   stream.Of(axi.ReplyOf()),
		Steps:   stream.Of(incomingOf()),
		Results: stream.Of(outgoingOf(k.System)),
	}
}

type corePhase string

const (
	listening corePhase = "listening"
	choosing  corePhase = "choosing" // of the row of a vector
	settling  corePhase = "settling" // of the statistics
	fetching  corePhase = "fetching" // of a result
)

func (k Core) Build(m *hw.Module, p CorePorts) {
	state := hw.Reg(m, "state", hw.EnumOf(listening, choosing, settling, fetching), hw.Val(listening))
	wait := hw.Reg(m, "wait", hw.Unsigned(5), hw.U(0))

	// The registers see a request when the core can do it.
	free := hw.Wire(m, "free", hw.Bit{})
	taken := hw.Wire(m, "request_taken", hw.Bit{})
	p.Request.Ready.Set(taken.And(free))
	open := stream.Stream[axi.Request]{Valid: p.Request.Valid.And(free), Ready: taken, Data: p.Request.Data}
	bank := registersOf(k.System).Bank(m, open, p.Reply)

	// The parts: rows, their drain, the vector that is being loaded, the results' way out, the
	// steps' way in.
	c := newCore(k.System, m, bank)
	rows := c.rows()
	drain := c.drain(rows)
	vector := c.vector(state.Is(choosing).And(wait.Is(0)))
	sending := c.fetch(rows, state.Is(fetching).And(wait.Is(0)), p.Results)
	in := c.intake(p, drain.busy.Or(sending), vector, state.Is(settling))
	c.fill(rows, in, vector)
	settled := c.statistics(in)
	c.status(rows, drain, vector)
	bank.Done()

	// Requests wait only while the core answers none; the register bank never sees them earlier.
	free.Set(state.Is(listening).AndNot(blocked(p.Request.Data, in, drain.busy, sending)))
	p.Busy.Set(drain.busy)
	p.Done.Set(drain.done)

	// The state machine waits for pipelines of fixed length, counted down in wait.
	wait.Set(hw.Mux(wait.Any(), wait.Dec(), wait))
	for s := range state.Cases() {
		switch s {
		case listening:
			state.GotoIf(c.on.settle, settling)
			m.When(c.on.begin, func() {
				wait.Set(hw.U(Schedule{k.System}.ScheduleLatency() + 1))
				state.Goto(choosing)
			})
			m.When(c.on.fetch, func() {
				wait.Set(hw.U(fetchLatency))
				state.Goto(fetching)
			})
		case choosing, fetching:
			state.GotoIf(wait.Is(0), listening)
		case settling:
			state.GotoIf(settled, listening)
		}
	}

	stream.Check(m, "reply", p.Reply)
	stream.Check(m, "results", p.Results)
	m.Assert(p.Request.Fire().Implies(state.Is(listening)), "a request is taken while another one is under way")
}

// blocked tells a request that has to wait.
func blocked(request axi.Request, in intake, draining, sending hw.Bit) hw.Bit {
	word := request.Word
	asks := func(regs ...model.Register) hw.Bit {
		var is []hw.Bit
		for _, r := range regs {
			is = append(is, word.Is(int(r)))
		}
		return request.Write.And(hw.AnyOf(is...))
	}
	between := func(from, to model.Register) hw.Bit {
		return word.Ge(word.Lit(int(from))).And(word.Le(word.Lit(int(to))))
	}
	restoring := request.Write.And(between(model.RewardScale, model.ReturnStep)) // the settings of a drain
	counting := request.Write.Not().And(between(model.Count, model.ClippedBoot))

	// Each group of commands, with the activity that would disturb it or be disturbed.
	return hw.AnyOf(
		asks(model.PushStep).And(in.full),
		asks(model.Start, model.Settle, model.Clear, model.Fetch, model.Send).Or(restoring).And(draining),
		asks(model.Start, model.Fetch, model.Send).And(sending),
		asks(model.Start, model.Settle, model.Clear).Or(counting).And(hw.AnyOf(in.loading, in.measuring, in.offered)),
	)
}
