package replay

import (
	"math/bits"

	"etch/designs/replay/model"
	"etch/hw"
	"etch/hw/arith"
	"etch/hw/pipe"
	"etch/hw/stream"
)

// Buffer is a replay memory of transitions of any form: a tree in a pipeline, a
// memory of transitions, exponents, batches with weights, a rate limit.
//
// Inserts go before updates, updates before draws, one operation a cycle. Transitions
// are written and read by a unit at the end of the tree's pipeline, in its order: a
// draw before an insert into the same slot gets the old transition whole, a draw
// after it the new one, each with its own index, generation and priority. A draw
// starts only when there is room for its response, so that the pipeline never waits for the taker
// of batches.
type Buffer[T any] struct {
	Config
	Elem   T      // a transition; with no bits, the memory is one of indexes
	Flight int    `help:"inserts whose transitions wait for their operations" range:"1..64"`
	Seed   uint64 `help:"state of the generator after reset" range:"1..2^32"`
}

// Value is a priority to be.
type Value struct {
	Code hw.UInt // 32 bits: |δ| with 16 fraction bits; if Raw, the priority in LSBs, the largest for more
	Raw  hw.Bit
}

// Insertion is a transition on its way in.
type Insertion[T any] struct {
	Transition T
	AtMax      hw.Bit // with the largest priority so far, and not Value's
	Value      Value
}

// Change is an update of a priority. It has no effect if the slot's generation is
// another by then.
type Change struct {
	Index, Generation hw.UInt
	Value             Value
}

// Draws asks for a batch of 1 to Strata draws; stratified ones are a power of two.
// Others are refused: they give no batch.
type Draws struct {
	Count      hw.UInt
	Stratified hw.Bit
}

// Element is a draw of a batch. Of an empty memory it is all zero but for Empty and
// Last.
type Element[T any] struct {
	Transition        T
	Index, Generation hw.UInt
	Priority          hw.UInt
	Weight            hw.UInt // (least/p)^β, 16 fraction bits: 1.0 is 2^16
	Empty, Last       hw.Bit
}

// Settings may change at any time; an operation on its way may see either.
type Settings struct {
	Alpha, Beta hw.UInt // 0 to 1 with 16 fraction bits
	Epsilon     hw.UInt // with 16 fraction bits
	// Least is the priority whose weight is 1; 0 takes the least of the batch. The
	// least of the whole memory would need a tree of its own, for a tree that goes
	// downward in one pass cannot keep it.
	Least hw.UInt
	// MinFill is the number of slots to be filled before any draw.
	MinFill hw.UInt
	// Ratio is draws per insert, 16 fraction bits, from MinFill on; 0 for no limit.
	// Whichever side is ahead by more than Tolerance, in draws with 16 fraction bits,
	// waits. Tolerance is at least Ratio and 1.0, or nothing moves.
	Ratio, Tolerance hw.UInt
}

// Events are high for a cycle each.
type Events struct{ Inserted, Sampled, Stale, Unfilled, Empty, Refused hw.Bit }

type BufferPorts[T any] struct {
	Settings Settings
	Clear    hw.Bit                 // forgets all transitions, behind everything accepted before
	Seed     stream.Stream[hw.UInt] // the generator's next state, 64 bits; 0 has no effect
	Insert   stream.Stream[Insertion[T]]
	Update   stream.Stream[Change]
	Request  stream.Stream[Draws]
	Batch    stream.Stream[Element[T]]
	Events   Events
	Filling  Filling
}

func valueOf() Value { return Value{Code: hw.Unsigned(errorBits)} }

func (c Config) changeOf() Change {
	return Change{hw.Unsigned(c.indexWidth()), hw.Unsigned(generationBits), valueOf()}
}

func (c Config) drawsOf() Draws { return Draws{Count: hw.UpTo(c.Strata)} }

func elementOf[T any](c Config, elem T) Element[T] {
	return Element[T]{Transition: elem, Index: hw.Unsigned(c.indexWidth()), Generation: hw.Unsigned(generationBits), Priority: hw.Unsigned(c.Leaf), Weight: hw.Unsigned(unitBits)}
}

func (c Config) settingsOf() Settings {
	unit, long := hw.Unsigned(unitBits), hw.Unsigned(32)
	return Settings{unit, unit, long, hw.Unsigned(c.Leaf), hw.UpTo(c.Capacity), long, long}
}

func (b Buffer[T]) Ports() BufferPorts[T] {
	return BufferPorts[T]{
		Settings: hw.In(b.settingsOf()), Clear: hw.In(hw.Bit{}), Seed: hw.In(stream.Of(hw.Unsigned(64))),
		Insert:  hw.In(stream.Of(Insertion[T]{Transition: b.Elem, Value: valueOf()})),
		Update:  hw.In(stream.Of(b.changeOf())),
		Request: hw.In(stream.Of(b.drawsOf())),
		Batch:   hw.Out(stream.Of(elementOf(b.Config, b.Elem))),
		Events:  hw.Out(Events{}), Filling: hw.Out(b.filling()),
	}
}

// room is the number of draws from their start until the batch's taker has them: a
// whole batch, for its least priority is known at its end, and the draws in the pipeline.
func (b Buffer[T]) room() int {
	return 1 << bits.Len(uint(b.Strata+Pipelined{Config: b.Config}.Latency()+b.Read))
}

// leaving is the number of draws between a complete batch and its taker: draws in the
// stages of read, weight and queue, and a draw whose place is given back a cycle later.
// With fewer, a batch does not leave at a draw a cycle.
const leaving = weightLatency + 4

// BatchCycles is the number of cycles from the acceptance of a request to its last
// element, if its taker never waits and nothing else is under way: draws go down the
// tree, and when the last is there, elements leave with their weights.
func (b Buffer[T]) BatchCycles(draws int) int {
	return 2*draws + Pipelined{Config: b.Config}.Latency() + b.Read + weightLatency + 2
}

// openBatches is the number of batches that are drawn or complete at once.
const openBatches = 4

// bufferBody holds the values that the parts of a buffer share.
type bufferBody[T any] struct {
	Buffer[T]
	m *hw.Module
	p BufferPorts[T]

	// Wires, set where their meaning is made.
	insertLeft hw.Bit // an insert is at the pipeline's end
	drawTaken  hw.Bit // the taker has a draw
	batchLeft  hw.Bit // and it was the last of its batch
}

func (b Buffer[T]) Build(m *hw.Module, p BufferPorts[T]) {
	x := bufferBody[T]{b, m, p, hw.Wire(m, "insert_left", hw.Bit{}), hw.Wire(m, "draw_taken", hw.Bit{}), hw.Wire(m, "batch_left", hw.Bit{})}
	l := x.limit()
	w := x.writes(l)
	d := x.draws(l, w.valid)

	// Writes go before draws, an operation a cycle.
	tree := hw.Inst(m, "tree", Tree{Config: b.Config, Seed: b.Seed}, TreePorts{Seed: p.Seed, Filling: p.Filling})
	tree.Op.Send(w.valid.Or(d.now), hw.Mux(w.valid, w.op, d.op))
	hw.Unused(m, tree.Op.Ready) // a pipeline never waits
	l.inserted.Set(p.Insert.Fire())
	l.drawn.Set(d.now)

	// Results meet their transitions, and draws become batches.
	r := tree.Result
	x.batches(x.end(w, d, r))
	p.Events.Inserted.Set(x.insertLeft)
	p.Events.Sampled.Set(x.drawTaken)
	p.Events.Stale.Set(r.Valid.And(r.Stale))
	p.Events.Unfilled.Set(r.Valid.And(r.Unfilled))
	p.Events.Empty.Set(r.Valid.And(r.Empty))
	p.Events.Refused.Set(d.refused)
	hw.Unused(m, r.Sum)
	hw.Unused(m, r.OutOfRange)
}

// limiter is the rate limit, after that of Reverb (Cassirer et al., 2021).
type limiter struct {
	inserts, draws  hw.Bit // may go now
	inserted, drawn hw.Bit // to be set: one went
}

func (b bufferBody[T]) limit() limiter {
	const w = 48
	m, s := b.m, b.p.Settings

	// Each insert pays for ratio draws, each draw takes one. Inserts wait while too much is
	// unspent, draws while the debt would grow beyond the tolerance.
	balance := hw.Reg(m, "balance", hw.Signed(w), hw.S(0)) // draws that inserts have paid for, less draws made
	wide := func(x hw.UInt) hw.SInt { return x.Extend(w).AsSigned() }
	one := hw.S(1 << 16).Extend(w)
	filled := b.p.Filling.Count.Ge(s.MinFill)
	off := s.Ratio.Is(0)
	l := limiter{inserted: hw.Wire(m, "limit_inserted", hw.Bit{}), drawn: hw.Wire(m, "limit_drawn", hw.Bit{})}
	l.inserts = hw.AnyOf(off, filled.Not(), balance.Add(wide(s.Ratio)).Le(wide(s.Tolerance)))
	l.draws = filled.And(off.Or(balance.Add(wide(s.Tolerance)).Ge(one)))

	// Inserts up to the least filling are free: nothing can be drawn before.
	paid := hw.Gate(l.inserted.And(filled), wide(s.Ratio)).Sub(hw.Gate(l.drawn, one))
	balance.Set(hw.Mux(b.p.Clear.Or(off), balance.Lit(0), balance.Add(paid)))
	return l
}

// written is a write at the head of the tree.
type written[T any] struct {
	valid hw.Bit
	op    Operation
	is    hw.Bit // an insert
	data  T      // the transition of the next insert at the pipeline's end
}

// writes is the way of inserts, updates and clears to the tree: through the exponents,
// which take as many cycles for each.
func (b bufferBody[T]) writes(l limiter) written[T] {
	m, p := b.m, b.p

	// An insert begins while the queue of transitions has room for it; then updates.
	flying := hw.Reg(m, "flying", hw.UpTo(b.Flight), hw.U(0))
	room := flying.IsLt(b.Flight).And(l.inserts).AndNot(p.Clear)
	p.Insert.Ready.Set(room)
	insert := p.Insert.Fire()
	p.Update.Ready.Set(p.Clear.Or(insert).Not())
	m.When(insert.AndNot(b.insertLeft), func() { flying.Set(flying.Inc()) }).
		ElseWhen(b.insertLeft.AndNot(insert), func() { flying.Set(flying.Dec()) })
	m.Assert(flying.IsLe(b.Flight), "%d inserts are on their way", flying)

	// The other fields of an operation travel beside the exponents.
	value := hw.Mux(insert, p.Insert.Data.Value, p.Update.Data.Value)
	code := value.Code
	if b.Leaf < errorBits {
		code = hw.Mux(code.Range(errorBits-1, b.Leaf).Any(), hw.Ones(b.Leaf), code.Trunc(b.Leaf))
	}
	type beside struct {
		Kind                    hw.Enum[model.Kind]
		Raw                     hw.Bit
		Index, Generation, Code hw.UInt
	}
	const at = priorityLatency
	kinds := hw.EnumOf(model.Kinds()...)
	kind := hw.Wire(m, "write_kind", kinds, hw.Val(updateKind))
	kind.GotoIf(insert, model.Insert)
	kind.GotoIf(insert.And(p.Insert.Data.AtMax), insertMaxKind)
	kind.GotoIf(p.Clear, clearKind)
	valid := pipe.Of(m, "write_valid", 0, hw.AnyOf(insert, p.Update.Fire(), p.Clear), hw.Low).At(at)
	rest := pipe.Of(m, "write", 0, beside{kind, value.Raw, p.Update.Data.Index, p.Update.Data.Generation, code}).At(at)
	powered := b.priority(m, value.Code, p.Settings.Alpha, p.Settings.Epsilon).At(at)

	// The operation, with a priority that was given or comes of an error.
	op := hw.Zero(b.operation())
	op.Kind, op.Index, op.Generation = rest.Kind, rest.Index, rest.Generation
	op.Priority = hw.Mux(rest.Raw, rest.Code, powered)
	w := written[T]{valid: valid, op: op, is: valid.And(rest.Kind.Is(insertKinds...))}

	// Transitions wait until their insert comes out of the tree.
	if hw.WidthOf(b.Elem) > 0 {
		q := hw.Inst(m, "waiting", stream.Queue[T]{Elem: b.Elem, Depth: b.Flight})
		q.Push.Send(hw.Delay(m, "inserting", insert, 1, hw.Low), hw.Delay(m, "inserting_transition", p.Insert.Data.Transition, 1))
		q.Pop.Ready.Set(b.insertLeft)
		hw.Unused(m, q.Push.Ready) // there is room for as many as may be on their way
		hw.Unused(m, q.Pop.Valid)
		hw.Unused(m, q.Level)
		w.data = q.Pop.Data
	}
	return w
}

// drawing is a draw at the head of the tree.
type drawing struct {
	now     hw.Bit
	op      Operation
	last    hw.Bit // of its batch
	refused hw.Bit // a request is
	batch   stream.Stream[hw.UInt]
}

// draws serves one request after the other, in cycles that no write takes.
func (b bufferBody[T]) draws(l limiter, write hw.Bit) drawing {
	m, p := b.m, b.p
	active := hw.Reg(m, "drawing", hw.Bit{}, hw.Low)
	left := hw.Reg(m, "draws_left", hw.UpTo(b.Strata)) // behind this one
	stratum := hw.Reg(m, "stratum", hw.Unsigned(b.stratumBits()))
	strata := hw.Reg(m, "strata", hw.Unsigned(b.strataBits()))
	stratified := hw.Reg(m, "stratified", hw.Bit{})
	open := hw.Reg(m, "open", hw.UpTo(b.room()), hw.U(0))
	batches := hw.Reg(m, "open_batches", hw.UpTo(openBatches), hw.U(0))

	// A request is taken between two others, if a batch more may be open. Strata have a
	// power of two as their number.
	r := p.Request.Data
	many := r.Count.PopCount().IsNot(1).And(r.Stratified)
	bad := r.Count.Is(0).Or(r.Count.IsGt(b.Strata), many)
	p.Request.Ready.Set(active.Not().And(batches.IsLt(openBatches)))
	begin := p.Request.Fire().AndNot(bad)

	// A draw goes when there is room for its response, so that the tree never waits.
	d := drawing{refused: p.Request.Fire().And(bad)}
	d.now = active.And(open.IsLt(b.room()), l.draws).AndNot(write).AndNot(p.Clear)
	d.last = left.Is(0)
	d.op = hw.Zero(b.operation())
	d.op.Kind = hw.Val(sampleKind)
	d.op.Stratum, d.op.Strata = hw.Gate(stratified, stratum), hw.Gate(stratified, strata)

	// The draws of a request, one after the other.
	m.When(begin, func() {
		active.Set(hw.High)
		left.Set(r.Count.Dec())
		stratum.Set(stratum.Lit(0))
		strata.Set(arith.Resize(r.Count.FirstOne(), strata.Width()))
		stratified.Set(r.Stratified)
	}).ElseWhen(d.now, func() {
		left.Set(left.Dec())
		stratum.Set(stratum.Inc())
		active.SetIf(d.last, hw.Low)
	})

	// Draws and batches that their taker does not have yet.
	m.When(d.now.AndNot(b.drawTaken), func() { open.Set(open.Inc()) }).
		ElseWhen(b.drawTaken.AndNot(d.now), func() { open.Set(open.Dec()) })
	m.When(begin.AndNot(b.batchLeft), func() { batches.Set(batches.Inc()) }).
		ElseWhen(b.batchLeft.AndNot(begin), func() { batches.Set(batches.Dec()) })
	return d
}

// arrival is a draw at the pipeline's end with its transition.
type arrival[T any] struct {
	valid      hw.Bit
	last       hw.Bit
	drawn      drawn
	transition T
}

// drawn is the result of a draw. Empty says that there was no transition to draw.
type drawn struct {
	Index, Generation, Priority hw.UInt
	Empty                       hw.Bit
}

// end is the unit at the pipeline's end: it writes the transitions of inserts and reads
// the transitions of draws, in the order of the tree.
func (b bufferBody[T]) end(w written[T], d drawing, r Result) arrival[T] {
	m := b.m

	// The kind of an operation travels beside the tree.
	type sort struct{ Insert, Draw, Last hw.Bit }
	none := sort{hw.Low, hw.Low, hw.Low}
	is := hw.Delay(m, "sort", sort{w.is, d.now, d.last}, Pipelined{Config: b.Config}.Latency(), none)
	b.insertLeft.Set(is.Insert)
	m.Assert(hw.AnyOf(is.Insert, is.Draw).Implies(r.Valid), "an operation has no result")

	// The memory is written and read at one stage: a draw behind an insert sees it.
	a := arrival[T]{
		valid: hw.Delay(m, "arrives", is.Draw, b.Read, hw.Low),
		last:  hw.Delay(m, "arrives_last", is.Last, b.Read),
		drawn: hw.Delay(m, "arrived", drawn{r.Index, r.Generation, r.Priority, r.Empty}, b.Read),
	}
	if hw.WidthOf(b.Elem) > 0 {
		data := hw.Mem(m, "transitions", b.Capacity, b.Elem, hw.Style("block"))
		m.When(is.Insert, func() { data.Write(r.Index, w.data) })
		a.transition = hw.Delay(m, "arrived_transition", data.SyncRead("read", r.Index, hw.Undefined), b.Read-1)
	}
	return a
}

// batches keeps the draws of a batch until the last is there, and gives them with
// their weights.
func (b bufferBody[T]) batches(a arrival[T]) {
	m, p := b.m, b.p
	room := b.room()

	// Draws wait for the end of their batch, with the lengths of their priorities: a memory
	// of blocks is slow, and the search for a priority's highest one is not to come behind it.
	type waiting struct {
		Drawn  drawn
		Length hw.UInt
	}
	shape := drawn{hw.Unsigned(b.indexWidth()), hw.Unsigned(generationBits), hw.Unsigned(b.Leaf), hw.Bit{}}
	held := hw.Mem(m, "held", room, waiting{shape, hw.UpTo(b.Leaf)}, hw.Style("block"))
	at := hw.Reg(m, "held_tail", hw.AddressOf(room), hw.U(0))
	m.When(a.valid, func() {
		held.Write(at, waiting{a.drawn, a.drawn.Priority.BitLen()})
		at.Set(at.Inc())
	})

	// A batch is complete with its last draw.
	now, count := b.arrived(a)
	type complete struct{ Least, Others hw.UInt }
	q := hw.Inst(m, "complete", stream.Queue[complete]{Elem: complete{hw.Unsigned(b.Leaf), hw.UpTo(b.Strata)}, Depth: openBatches})
	q.Push.Send(a.valid.And(a.last), complete{hw.Mux(p.Settings.Least.Any(), p.Settings.Least, now), count})
	hw.Unused(m, q.Push.Ready) // no more batches are open
	hw.Unused(m, q.Level)

	// Draws of the oldest complete batch leave when their taker has room.
	next := hw.Reg(m, "held_head", hw.AddressOf(room), hw.U(0))
	gone := hw.Reg(m, "gone", hw.UpTo(b.Strata), hw.U(0))
	between := hw.Reg(m, "between", hw.UpTo(leaving), hw.U(0))
	last := gone.Eq(q.Pop.Data.Others)
	leaves := q.Pop.Valid.And(between.IsLt(leaving))
	q.Pop.Ready.Set(leaves.And(last))
	m.When(leaves, func() {
		next.Set(next.Inc())
		gone.Set(hw.Mux(last, gone.Lit(0), gone.Inc()))
	})
	m.When(leaves.AndNot(b.drawTaken), func() { between.Set(between.Inc()) }).
		ElseWhen(b.drawTaken.AndNot(leaves), func() { between.Set(between.Dec()) })

	// Stage 0 is the cycle in which a draw has been read.
	read := held.SyncRead("read", next, hw.Undefined)
	leastRead := hw.Delay(m, "least_read", q.Pop.Data.Least, 1)
	weight := b.weight(m, read.Drawn.Priority, read.Length, leastRead, p.Settings.Beta)
	const end = weightLatency
	valid := pipe.Of(m, "weighed", 0, hw.Delay(m, "read_valid", leaves, 1, hw.Low), hw.Low).At(end)
	lastRead := pipe.Of(m, "weighed_last", 0, hw.Delay(m, "read_last", last, 1)).At(end)
	k := pipe.Of(m, "weighed_draw", 0, read.Drawn).At(end)
	e := Element[T]{Index: k.Index, Generation: k.Generation, Priority: k.Priority, Weight: hw.Gate(k.Empty.Not(), weight.At(end)), Empty: k.Empty, Last: lastRead}
	if hw.WidthOf(b.Elem) > 0 {
		// Transitions are read late: beside the weights they would take a register each.
		moved := hw.Mem(m, "held_transitions", room, b.Elem, hw.Style("block"))
		m.When(a.valid, func() { moved.Write(at, a.transition) })
		e.Transition = moved.SyncRead("read", pipe.Of(m, "held_at", 0, hw.Delay(m, "read_at", next, 1)).At(end-2), hw.Undefined)
		e.Transition = hw.Gate(k.Empty.Not(), hw.Delay(m, "held_transition", e.Transition, 1))
	}
	b.give(valid, e)
}

// arrived gives the least priority of the batch that arrives, the present draw's included, and the
// number of its draws before that one.
func (b bufferBody[T]) arrived(a arrival[T]) (now, count hw.UInt) {
	least := hw.Reg(b.m, "least", hw.Unsigned(b.Leaf), hw.Ones(b.Leaf))
	count = hw.Reg(b.m, "arrived_count", hw.UpTo(b.Strata), hw.U(0))
	now = hw.Mux(a.drawn.Empty.Not().And(a.drawn.Priority.Lt(least)), a.drawn.Priority, least)
	b.m.When(a.valid, func() {
		least.Set(hw.Mux(a.last, least.Lit(1<<b.Leaf-1), now))
		count.Set(hw.Mux(a.last, count.Lit(0), count.Inc()))
	})
	return now, count
}

// give passes the elements of batches to their taker. A queue takes the elements that are on
// their way when the taker stops.
func (b bufferBody[T]) give(valid hw.Bit, e Element[T]) {
	out := hw.Inst(b.m, "leaving", stream.Queue[Element[T]]{Elem: elementOf(b.Config, b.Elem), Depth: leaving})
	out.Push.Send(valid, e)
	hw.Unused(b.m, out.Push.Ready) // no more are between
	hw.Unused(b.m, out.Level)
	hw.Set(b.p.Batch, out.Pop)
	taken := b.p.Batch.Valid.And(b.p.Batch.Ready)
	b.drawTaken.Set(taken)
	b.batchLeft.Set(taken.And(b.p.Batch.Data.Last))
}
