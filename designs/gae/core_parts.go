package gae

import (
	"math/bits"

	"etch/designs/gae/model"
	"etch/hw"
	"etch/hw/axi"
	"etch/hw/pipe"
	"etch/hw/stream"
)

func (c *core) rows() []RowPorts {
	rows := make([]RowPorts, c.Rows)
	for i := range rows {
		rows[i] = hw.Inst(c.m, hw.Name("row", i), Row{c.System})
		hw.Unused(c.m, rows[i].Level...) // read where vectors go to the least loaded row
		hw.Set(rows[i].Settings, c.settings)
		rows[i].Start.Set(c.on.start)
	}
	return rows
}

// drain is the state of the rows.
type drain struct{ busy, done hw.Bit }

// drain follows the rows from a start until the last result is stored, and counts
// the cycles.
func (c *core) drain(rows []RowPorts) drain {
	m, started := c.m, c.on.start
	var popping []hw.Bit
	for _, r := range rows {
		popping = append(popping, r.Draining)
	}

	// The drain has ended a fixed number of cycles after the last step left a row's memory: tail
	// counts down from there.
	some := hw.Delay(m, "popping", hw.AnyOf(popping...), 1)
	last := Row{c.System}.storeStage() - 2 // cycles that some comes before the last result is stored
	busy := hw.Reg(m, "busy", hw.Bit{}, hw.Low)
	done := hw.Reg(m, "done", hw.Bit{}, hw.Low)
	tail := hw.Reg(m, "tail", hw.UpTo(last), hw.U(0))
	cycles := hw.Reg(m, "cycles", hw.Unsigned(axi.DataBits), hw.U(0))

	m.When(started, func() {
		busy.Set(hw.High)
		done.Set(hw.Low)
		tail.Set(hw.U(last))
		cycles.Set(hw.U(1)) // the cycle of the start counts
	}).ElseWhen(busy, func() {
		cycles.Set(cycles.Inc())
		tail.SetIf(some, hw.U(last)).
			ElseWhen(tail.Any(), func() { tail.Set(tail.Dec()) }).
			Else(func() {
				busy.Set(hw.Low)
				done.Set(hw.High)
			})
	})

	c.bank.Status("cycles", cycles)
	return drain{busy, done}
}

// vector is the vector that has begun.
type vector struct {
	left   hw.UInt // steps that are still to come
	target hw.UInt // its stack, among those of all rows
	fits   hw.Bit  // there was room
	inside hw.Bit  // a vector was begun, or a drain started, before it had all its steps
}

// vector begins a vector when a choice has been made.
func (c *core) vector(chosen hw.Bit) vector {
	m, begin := c.m, c.on.begin
	v := vector{
		left:   hw.Reg(m, "left", lengthOf(c.System), hw.U(0)),
		target: hw.Reg(m, "target", indexOf(c.System), hw.U(0)),
		fits:   hw.Reg(m, "fits", hw.Bit{}, hw.Low),
	}
	v.inside = hw.AnyOf(begin, c.on.start).And(v.left.Any())

	// A start or a cleared counter gives up a vector that lacks steps.
	v.left.SetIf(hw.AnyOf(c.on.start, c.on.clearCounters), hw.U(0))

	// The choice needs ScheduleLatency cycles; length, and whether it is plausible, are held
	// meanwhile.
	length := hw.Reg(m, "length", lengthOf(c.System), hw.U(0))
	sound := hw.Reg(m, "sound", hw.Bit{}, hw.Low)
	base := hw.Reg(m, "base", hw.AddressOf(c.Depth), hw.U(0))
	m.When(begin, func() {
		length.Set(c.data.Trunc(length.Width()))
		sound.Set(c.data.Le(c.data.Lit(c.Depth / c.Stacks())).And(v.left.Is(0)))
	})

	// A vector that does not fit anywhere is refused by leaving left at 0.
	schedule := hw.Inst(m, "schedule", Schedule{c.System})
	schedule.Length.Set(length)
	schedule.Clear.Set(c.on.start)
	takes := chosen.And(schedule.Fits, sound)
	schedule.Take.Set(takes)
	v.fits.SetIf(chosen, takes)
	m.When(takes, func() {
		v.left.Set(length)
		v.target.Set(schedule.Index)
		base.Set(Row{c.System}.address(c.stackOf(schedule.Index), schedule.Base))
	})

	c.bank.Status("row", c.rowOf(v.target))
	c.bank.Status("base", base)
	return v
}

// rowOf is the row of a stack that has this number among all rows'.
func (c *core) rowOf(index hw.UInt) hw.UInt {
	return index.Shr(bits.Len(uint(c.Stacks() - 1))).Trunc(hw.AddressOf(c.Rows).Width())
}

// stackOf is a stack's number in its row.
func (c *core) stackOf(index hw.UInt) hw.UInt {
	if c.Stacks() == 1 {
		return hw.Zeros(1)
	}
	return index.Trunc(bits.Len(uint(c.Stacks() - 1)))
}

// intake is the steps that come in.
type intake struct {
	measure hw.Bit // a step to be measured is there
	push    hw.Bit // a step of the vector is there
	stray   hw.Bit // a step of no vector is there
	step    Sample
	full    hw.Bit // rows take no step now
	// a start, a settlement and a clearing wait for these
	loading   hw.Bit // steps are on their way to rows
	measuring hw.Bit // steps are on their way to the statistics
	offered   hw.Bit // the stream offers a step that is going to be taken
}

// intake takes steps from registers and from the stream, steps from registers first.
//
// Steps of the only memory wait while it is drained or its results are sent.
func (c *core) intake(p CorePorts, taken hw.Bit, v vector, settling hw.Bit) intake {
	// With one memory per row a new step would overwrite steps that are being drained.
	m := c.m
	some := v.left.Any()
	full := hw.Low
	if !c.PingPong {
		full = taken.And(some)
	}

	register := func(name string, now hw.Bit) hw.SInt {
		x := hw.Reg(m, name, hw.Signed(model.Input.Width))
		x.SetIf(now, c.data.AsSigned())
		return x
	}
	written := Sample{
		Reward: register("reward_in", c.on.rewardIn), Value: register("value_in", c.on.valueIn), Boot: register("boot_in", c.on.bootIn),
		Term: c.data.Bit(0), Cut: c.data.Bit(1),
	}

	pushed, measured := c.on.pushStep, c.on.measure
	byRegister := pushed.Or(measured)
	streamed := p.Steps.Data
	p.Steps.Ready.Set(hw.Mux(streamed.Measure, settling.Not(), some.AndNot(full)).AndNot(byRegister))
	fire := p.Steps.Fire()

	in := intake{full: full, step: hw.Mux(byRegister, written, streamed.Sample)}
	in.step.Cut = in.step.Cut.Or(in.step.Term, v.left.Is(1)) // the last step of a vector is a cut
	in.measure = measured.Or(fire.And(streamed.Measure))
	in.push = pushed.And(some).Or(fire.AndNot(streamed.Measure))
	in.stray = pushed.AndNot(some)
	v.left.SetIf(in.push, v.left.Dec())

	// Latencies downstream: commands that would race with a step on its way wait for these.
	in.loading = c.under("there", in.push, LoadLatency)
	in.measuring = c.under("measured", in.measure, statisticsDepth+1)
	in.offered = p.Steps.Valid.And(streamed.Measure.Or(some))
	return in
}

// under is high for so many cycles after x was.
func (c *core) under(name string, x hw.Bit, cycles int) hw.Bit {
	late := pipe.Of(c.m, name, 0, x, hw.Low)
	var all []hw.Bit
	for s := 1; s <= cycles; s++ {
		all = append(all, late.At(s))
	}
	return hw.AnyOf(all...)
}

// fill brings steps to their row.
func (c *core) fill(rows []RowPorts, in intake, v vector) {
	m := c.m
	load := hw.Inst(m, "load", Load{c.System}, LoadPorts{Loading: c.loading, In: in.step})
	there := hw.Delay(m, "loaded", in.push, LoadLatency, hw.Low)
	target := hw.Delay(m, "loaded_target", v.target, LoadLatency)

	// Every row sees the word; only the target row takes it.
	for i, r := range rows {
		r.Push.Valid.Set(there.And(c.rowOf(target).Is(i)))
		r.Push.Stack.Set(c.stackOf(target))
		hw.Set(r.Push.Word, load.Word)
		r.Push.Boot.Set(load.Boot)
	}

	c.counter("reward", there.And(load.Clipped.Reward))
	c.counter("value", there.And(load.Clipped.Value))
	c.counter("boot", there.And(load.Clipped.Boot))
}

// fetchLatency is the number of cycles that the address of a result stands still
// before the result is taken, less one: one to read the row's memory, one to find
// the row among its neighbours, one to find these among all.
const fetchLatency = 2

// sendDepth is how many results wait for the stream to take them: more than there are
// under way, so that one moves in every cycle.
const sendDepth = 8

// fetch shows a stored result when now is high, and sends as many as SendCount says
// by the stream; sending is high from the Send until the last one has left.
func (c *core) fetch(rows []RowPorts, now hw.Bit, out stream.Stream[Outgoing]) (sending hw.Bit) {
	m := c.m
	row := hw.Reg(m, "fetch_row", hw.Unsigned(rowBits(c.System)))
	address := hw.Reg(m, "fetch_address", hw.AddressOf(c.Depth))
	count := hw.Reg(m, "send_count", hw.UpTo(c.Depth), hw.U(0))
	left := hw.Reg(m, "send_left", hw.UpTo(c.Depth), hw.U(0))
	inside := hw.Reg(m, "sent_inside", hw.UpTo(sendDepth), hw.U(0)) // results that have begun and not left
	count.SetIf(c.on.sendCount, hw.Mux(c.data.Gt(c.data.Lit(c.Depth)), count.Lit(c.Depth), c.data.Trunc(count.Width())))

	// A result begins where there will be room for it at the end.
	send := c.on.send
	begins := left.Any().And(inside.Lt(inside.Lit(sendDepth)))
	m.When(hw.AnyOf(c.on.fetch, send), func() {
		row.Set(c.data.Range(15+row.Width(), 16))
		address.Set(c.data.Trunc(address.Width()))
	}).ElseWhen(begins, func() { address.Set(address.Inc()) })
	left.SetIf(send, count).ElseWhen(begins, func() { left.Set(left.Dec()) })
	m.When(begins.AndNot(out.Fire()), func() { inside.Set(inside.Inc()) }).
		ElseWhen(out.Fire().AndNot(begins), func() { inside.Set(inside.Dec()) })

	// A row is found in two steps, the first of them behind the memories.
	result := c.ofRow(rows, row, address)
	fetched := hw.Reg(m, "fetched", storedOf(c.System))
	hw.SetIf(fetched, now, result)
	c.bank.SignedStatus("advantage", fetched.Advantage)
	c.bank.SignedStatus("return", fetched.Return)

	there := pipe.Of(m, "send_begins", 0, begins, hw.Low).At(fetchLatency)
	last := pipe.Of(m, "send_last", 0, left.Is(1)).At(fetchLatency)
	queue := hw.Inst(m, "results", stream.Queue[Outgoing]{Elem: outgoingOf(c.System), Depth: sendDepth})
	hw.Unused(m, queue.Level)
	queue.Push.Send(there, Outgoing{result, last})
	hw.Set(out, queue.Pop)
	m.Assert(there.Implies(queue.Push.Ready), "a result has no room in the queue of the stream")
	return left.Any().Or(inside.Any())
}

// ofRow is the stored result of a row, fetchLatency cycles after its address.
func (c *core) ofRow(rows []RowPorts, row, address hw.UInt) Stored {
	const group = 8
	var found hw.Vec[Stored]

	// The multiplexer over all rows is cut into groups of eight with a register behind each.
	for at := 0; at < len(rows); at += group {
		var results hw.Vec[Stored]
		for _, r := range rows[at:min(at+group, len(rows))] {
			r.Fetch.Set(address)
			results = append(results, r.Result)
		}

		one := results[0]
		if len(results) > 1 {
			one = results.At(row.Trunc(min(row.Width(), bits.Len(uint(len(results)-1)))))
		}
		found = append(found, hw.Delay(c.m, hw.Name("found", at/group), one, 1))
	}

	if len(found) == 1 {
		return found[0]
	}
	return found.At(row.Shr(bits.Len(group - 1)).Trunc(bits.Len(uint(len(found) - 1))))
}

// status shows the state of the rows, and counts.
func (c *core) status(rows []RowPorts, d drain, v vector) {
	all := func(of func(r RowPorts) hw.Bit) (bits []hw.Bit) {
		for _, r := range rows {
			bits = append(bits, of(r))
		}
		return bits
	}

	c.counter("data", all(func(r RowPorts) hw.Bit { return r.Clipped.Value })...)
	c.counter("delta", all(func(r RowPorts) hw.Bit { return r.Clipped.Delta })...)
	c.counter("advantage", all(func(r RowPorts) hw.Bit { return r.Clipped.Advantage })...)
	c.counter("return", all(func(r RowPorts) hw.Bit { return r.Clipped.Return })...)
	c.counter("stored_advantage", all(func(r RowPorts) hw.Bit { return r.Clipped.StoredAdvantage })...)
	c.counter("stored_return", all(func(r RowPorts) hw.Bit { return r.Clipped.StoredReturn })...)

	// Errors stay until they are cleared; busy and done are live.
	overflow := c.sticky("boot_overflow", hw.AnyOf(all(func(r RowPorts) hw.Bit { return r.Overflow })...))
	astray := c.sticky("out_of_sequence", v.inside.Or(c.on.pushStep.And(v.left.Is(0))))
	c.bank.Status("status", hw.FromBits(d.busy, d.done, v.fits, overflow, astray))
}

// sticky is high from when x is high until Clear.
func (c *core) sticky(name string, x hw.Bit) hw.Bit {
	r := hw.Reg(c.m, name, hw.Bit{}, hw.Low)
	r.SetIf(c.on.clearCounters, hw.Low)
	r.SetIf(x, hw.High)
	return r
}

// statistics measures steps and, when settled, overwrites the settings that standardise and
// restore them.
func (c *core) statistics(in intake) (settled hw.Bit) {
	if !c.HasStatistics() {
		return hw.High
	}
	s := hw.Inst(c.m, "statistics", Statistics{c.System}, StatisticsPorts{
		Valid: in.measure, Reward: in.step.Reward, Value: in.step.Value,
		Clear:  c.on.clearStatistics,
		Settle: c.on.settle, Shift: c.loading.Shift,
	})

	// The settled values go the way of a host's write: registers that both may set.
	c.m.When(s.SetReward, func() {
		hw.Set(c.loading.Reward, s.Out.Norm)
		c.settings.RewardScale.Set(s.Out.Scale)
		c.settings.RewardOffset.Set(s.Out.Offset)
	})
	c.m.When(s.SetValue, func() {
		hw.Set(c.loading.Value, s.Out.Norm)
		c.settings.ValueScale.Set(s.Out.Scale)
		c.settings.ValueOffset.Set(s.Out.Offset)
	})

	c.bank.Status("count", s.Count)
	return s.Settled
}
