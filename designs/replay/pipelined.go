package replay

import (
	"etch/hw"
	"etch/hw/arith"
	"etch/hw/pipe"
)

// Pipelined is the tree that takes an operation every cycle. All operations go down
// one pipeline in order and never wait:
//
//	stage 0           accepted: slot and generation are known, updates that come too late dropped
//	      Read        old leaf, difference
//	      Read + 2    sum of all leaves; a draw's fraction of it begins
//	      …           product, shift by the strata, distance from the end
//	      …           levels: Read cycles for the row (none at the root), two for the choice
//	      Latency - 1 slot, priority, generation
type Pipelined struct {
	Config
	flaw flaw
}

// flaw is a mistake that a test builds in on purpose, to see that it is found.
type flaw uint8

const (
	noFlaw        flaw = iota
	shallowHead        // the head's leaves are forwarded to one operation fewer
	shallowLevel       // so are the rows
	latchedSum         // four draws are from the sum that the first of them saw
	inclusiveStep      // x equal to a running sum stays in front of it
	staleRows          // the first insert under a row does not begin it with zeros
	sharedLeaf         // a draw's priority is read from the head's leaves
)

func (t Pipelined) Ports() UnitPorts { return t.unitPorts() }

// Latency is the number of cycles from an operation to its result.
func (t Pipelined) Latency() int {
	cycles := t.targetStage() + 1
	for i := range t.Levels() {
		cycles += 2
		if i > 0 {
			cycles += t.Read
		}
	}
	return cycles
}

// sumStage is the stage at which the sum has an operation's difference.
func (t Pipelined) sumStage() int { return t.Read + 2 }

// targetStage is the stage at which target and distance are in registers.
func (t Pipelined) targetStage() int {
	return t.sumStage() + t.product().Latency() + 2
}

func (t Pipelined) Build(m *hw.Module, p UnitPorts) {
	p.Op.Ready.Set(hw.High)

	// The head knows the operation and the sum; a draw takes a number of the generator then.
	h := t.head(m, p.Op.Valid, p.Op.Data)
	at := t.sumStage()
	p.Step.Set(h.valid.At(at).And(h.random.At(at)))
	p.Filling.Sum.Set(h.sum)
	p.Filling.Count.Set(h.count)
	p.Filling.Max.Set(h.max)

	// Targets and differences go down the levels.
	n := t.target(m, h, p.Random)
	for i, l := range t.Levels() {
		n = t.level(m.Scope("level", i), l, h, n)
	}

	// At the end there is a slot, with the priority that was drawn.
	e := exit{h.at(n.stage, n.miss.At(n.stage)), t.slot(h, n), n.priority(t.Leaf)}
	if t.flaw == sharedLeaf {
		e.priority = t.shared(m, h, e.index)
	}
	diff := n.x.At(n.stage).Trunc(t.Leaf + 1).AsSigned()
	t.leave(m, e, t.running(m, "sum_exit", e.Valid.And(e.Clear), e.Write, diff), p.Result)
}

// head holds the fields of an operation once it is accepted.
type head struct {
	valid  pipe.Value[hw.Bit]  // reset; of the others none is, and without valid none counts
	write  pipe.Value[hw.Bit]  // a leaf gets another priority; reset
	clear  pipe.Value[hw.Bit]  // reset
	draw   pipe.Value[hw.Bit]  // a sample or find
	random pipe.Value[hw.Bit]  // a sample
	fresh  pipe.Value[hw.Bit]  // an insert into a slot that was unfilled
	which  pipe.Value[hw.UInt] // of operations that write, or that neither write nor draw
	strata pipe.Value[hw.UInt]
	index  pipe.Value[hw.UInt] // of a write, or of an update that is dropped
	load   pipe.Value[hw.UInt] // the priority of a write, the stratum or target of a draw
	diff   pipe.Value[hw.SInt] // new leaf − old one of a write; from stage Read + 1

	count, sum, max hw.UInt
	leaf            hw.UInt // of a write, at stage Read
}

// head accepts operations: slot numbers, generations, the old leaf, the difference,
// the sum.
func (t Pipelined) head(m *hw.Module, valid hw.Bit, op Operation) (h head) {
	is := t.accept(m, &h, valid, op)
	t.difference(m, &h, is)
	h.sum = h.sumAt(m, t.Config, "sum", t.sumStage())
	return h
}

// accept is stage 0; it returns a field that the next stage alone needs.
func (t Pipelined) accept(m *hw.Module, h *head, valid hw.Bit, op Operation) (atMax pipe.Value[hw.Bit]) {
	insert := op.Kind.Is(insertKinds...)
	update, clear := op.Kind.Is(updateKind), op.Kind.Is(clearKind)
	find, sample := op.Kind.Is(findKind), op.Kind.Is(sampleKind)

	// Inserts take one slot after the other; clear begins again.
	s := t.slotsOf(m)
	s.step(m, valid.And(insert), valid.And(clear))
	h.count = hw.Reg(m, "count", hw.UpTo(t.Capacity), hw.U(0))
	full := h.count.Is(t.Capacity)
	m.When(valid.And(clear), func() { h.count.Set(h.count.Lit(0)) }).
		ElseWhen(valid.And(insert).AndNot(full), func() { h.count.Set(h.count.Inc()) })

	m.Assert(h.count.Le(hw.U(t.Capacity)), "%d slots are filled", h.count)
	m.Assert(full.Or(arith.Resize(s.head, h.count.Width()).Eq(h.count)), "the head is %d, with %d slots filled", s.head, h.count)

	// An update counts where the slot is filled and of its generation.
	wide := max(op.Index.Width(), h.count.Width())
	filled := arith.Resize(op.Index, wide).Lt(arith.Resize(h.count, wide))
	same := op.Generation.Eq(s.generation(op.Index))

	// The fields that later stages need, in few registers: see head.
	flag := func(name string, x hw.Bit) pipe.Value[hw.Bit] { return pipe.Of(m, name, 0, x) }
	h.valid = pipe.Of(m, "valid", 0, valid, hw.Low)
	h.write = pipe.Of(m, "write", 0, valid.And(insert.Or(update.And(filled, same))), hw.Low)
	h.clear = pipe.Of(m, "clear", 0, valid.And(clear), hw.Low)
	h.draw, h.random = flag("draw", find.Or(sample)), flag("random", sample)
	h.fresh = flag("fresh", insert.AndNot(full))
	h.which = pipe.Of(m, "which", 0, hw.FromBits(hw.AnyOf(insert, update.And(filled).AndNot(same), clear), update.AndNot(filled).Or(clear)))
	h.index = pipe.Of(m, "index", 0, hw.Mux(insert, s.head, op.Index))

	// One register for the field that only a write, a draw or a find has.
	width := max(t.SumBits(), t.stratumBits())
	load := hw.Mux(find, arith.Resize(op.Target, width), arith.Resize(op.Priority, width))
	load = hw.Mux(sample, arith.Resize(op.Stratum, width), load)
	h.load = pipe.Of(m, "load", 0, load)
	h.strata = pipe.Of(m, "strata", 0, hw.Gate(sample, op.Strata))
	return flag("at_max", op.Kind.Is(insertMaxKind))
}

// difference is stage Read: the old leaf comes from the head's own copy of the
// leaves, which nothing else reads. A leaf memory that draws read too would show them
// leaves of operations behind them.
func (t Pipelined) difference(m *hw.Module, h *head, atMax pipe.Value[hw.Bit]) {
	at := t.Read

	// The new leaf; the greatest priority so far is over all writes before.
	h.max = hw.Reg(m, "max", hw.Unsigned(t.Leaf), hw.U(1<<t.Fraction))
	leaf := hw.Mux(atMax.At(at), h.max, h.load.At(at).Trunc(t.Leaf))
	raise := h.write.At(at).And(leaf.Gt(h.max))
	m.When(h.clear.At(at), func() { h.max.Set(h.max.Lit(1 << t.Fraction)) }).
		ElseWhen(raise, func() { h.max.Set(leaf) })

	// The old leaf, 0 of a slot that was unfilled: memories have no reset.
	leaves := bankOf(m, t, shallowHead, "leaves", t.Capacity, hw.Unsigned(t.Leaf), 0, h.index, h.write)
	leaves.store(leaf)
	h.leaf = leaf
	old := hw.Gate(h.fresh.At(at).Not(), leaves.element)
	diff := leaf.SubGrow(old)
	h.diff = pipe.Of(m, "diff", at+1, hw.Delay(m, "diff_first", diff, 1))
}

// running is a register that has the sum of all leaves, with the difference of the
// operation that was there in the cycle before and of all before it. One at each place that
// needs the sum takes fewer registers than the sum on its way from one to the next.
func (c Config) running(m *hw.Module, name string, clear, write hw.Bit, diff hw.SInt) hw.UInt {
	sum := hw.Reg(m, name, hw.Unsigned(c.SumBits()), hw.U(0))
	m.When(clear, func() { sum.Set(sum.Lit(0)) }).
		ElseWhen(write, func() { sum.Set(sum.Add(sizedS(diff, c.SumBits()).AsUnsigned())) })
	return sum
}

// sumAt is running for a stage.
func (h head) sumAt(m *hw.Module, c Config, name string, stage int) hw.UInt {
	return c.running(m, name, h.clear.At(stage-1), h.write.At(stage-1), h.diff.At(stage-1))
}

// node is the value that goes down the levels, at a stage. A draw has its target x, as a
// distance from the node's first leaf, and y = x − the node's total, which is below 0;
// at a leaf, x − y is the priority. A write has its difference in the bits of x and the
// rest of its index in the bits of y.
type node struct {
	stage int
	path  pipe.Value[hw.UInt] // the children chosen so far; none at the root
	x, y  pipe.Value[hw.UInt]
	fresh pipe.Value[hw.Bit] // a stage before: the row here begins with zeros
	miss  pipe.Value[hw.Bit] // the draw's target is not below the sum
}

// target makes a draw's target of its random bits and the sum.
func (t Pipelined) target(m *hw.Module, h head, random hw.UInt) node {
	at := t.sumStage()
	x := t.product()
	find := h.draw.At(at).AndNot(h.random.At(at))

	// Of a sample (stratum + random)·S; a find's target goes through the same product as
	// target·1, with the point where the quotient will have it.
	load, wide := h.load.At(at), x.A
	fraction := arith.Resize(hw.Cat(load.Trunc(t.stratumBits()), random), wide)
	one := hw.UVal(oneAt(x.B, t.targetPower()))
	product := pipe.Through(m, "product", x, at, arith.ProductPorts{
		A: hw.Mux(find, arith.Resize(load.PadLow(t.targetShift()), wide), fraction),
		B: hw.Mux(find, one, arith.Resize(t.drawSum(m, h), x.B)),
	}, func(p arith.ProductPorts) hw.UInt { return p.Out })

	// ⌊⌊r·S / 2^u⌋ / 2^b⌋ is ⌊r·S / 2^(u+b)⌋.
	at = product.Stage()
	quotient := product.At(at)
	quotient = quotient.Range(quotient.Width()-1, t.DrawBits())
	quotient = arith.Resize(arith.Resize(quotient, t.SumBits()+t.stratumBits()).ShrBy(h.strata.At(at)), t.SumBits())
	quotient = pipe.Of(m, "quotient", at, quotient).At(at + 1)
	at++

	// Behind the product the sum is another register: see running.
	sum := h.sumAt(m, t.Config, "sum_drawn", at)
	distance := quotient.SubGrow(sum)
	write, w := h.draw.At(at).Not(), t.SumBits()
	n := node{stage: at + 1}
	difference := sizedS(h.diff.At(at), max(w, t.Leaf+1)).AsUnsigned()
	n.x = pipe.Of(m, "x", at, hw.Mux(write, difference, arith.Resize(quotient, max(w, t.Leaf+1))))
	n.y = pipe.Of(m, "y", at, hw.Mux(write, arith.Resize(h.index.At(at), w), distance.Trunc(w).AsUnsigned()))
	n.miss = pipe.Of(m, "miss", at, h.draw.At(at).AndNot(distance.IsNeg()))
	n.fresh = pipe.Of(m, "fresh_root", at, h.fresh.At(at).And(h.write.At(at)).AndNot(h.index.At(at).Any()))
	return n
}

// at holds the fields of an operation in the head, for the exit.
func (h head) at(stage int, miss hw.Bit) sort {
	draw, write, which := h.draw.At(stage), h.write.At(stage), h.which.At(stage)
	rest := write.Or(draw).Not()
	return sort{
		Valid: h.valid.At(stage), Draw: draw, Write: write, Miss: miss,
		Insert: write.And(which.Is(whichInsert)), Clear: rest.And(which.Is(whichClear)),
		Late: rest.And(which.Is(whichLate)), Stale: rest.And(which.Is(whichStale)),
	}
}

// The codes of head.which. Of writes, an insert has 1 and an update 0. A code of 0
// besides is no operation: a code that the enumeration lacks.
const (
	whichInsert = 1
	whichStale  = 1 // an update that is dropped, for its generation is another
	whichLate   = 2 // an update that is dropped, for the slot is unfilled
	whichClear  = 3
)

// slot is the slot at which a descent has ended.
func (t Pipelined) slot(h head, n node) hw.UInt {
	if t.IndexBits() == 0 {
		return hw.Gate(h.draw.At(n.stage).Not(), h.index.At(n.stage))
	}
	return n.path.At(n.stage)
}

// priority is that of the leaf at which a descent has ended.
func (n node) priority(leaf int) hw.UInt {
	return n.x.At(n.stage).Trunc(leaf).Sub(n.y.At(n.stage).Trunc(leaf))
}

// shared is a priority from a copy that is written as the head's leaves are, which
// stands for a second port of that memory.
func (t Pipelined) shared(m *hw.Module, h head, index hw.UInt) hw.UInt {
	copied := hw.Mem(m, "leaves_shared", t.Capacity, hw.Unsigned(t.Leaf))
	m.When(h.write.At(t.Read), func() { copied.Write(h.index.At(t.Read), h.leaf) })
	return copied.Read(index)
}

// drawSum is the sum of priorities at the draw; with the flaw latchedSum, at the first draw of
// four.
func (t Pipelined) drawSum(m *hw.Module, h head) hw.UInt {
	if t.flaw != latchedSum {
		return h.sum
	}
	at := t.sumStage()
	drawing := h.valid.At(at).And(h.draw.At(at))
	inBatch := hw.Reg(m, "in_batch", hw.Unsigned(2), hw.U(0))
	latched := hw.Reg(m, "sum_latched", hw.Unsigned(t.SumBits()), hw.U(0))
	inBatch.SetIf(drawing, inBatch.Inc())
	latched.SetIf(inBatch.Is(0), h.sum)
	return hw.Mux(inBatch.Is(0), h.sum, latched)
}

// exit holds the fields that the exit needs, all at one stage.
type exit struct {
	sort
	index    hw.UInt // of the slot
	priority hw.UInt // of the drawn slot
}

// sort is the kind of an operation and its outcome; see head. Without Valid the other bits have no
// meaning.
type sort struct {
	Valid, Insert, Clear, Draw, Write, Late, Stale hw.Bit

	Miss hw.Bit // a draw's target was not below the sum
}

// leave gives the result, a cycle later. A second count of slots is behind all
// operations that went before, so it does not go down the pipeline; nor does the sum,
// which is that of the cycle of the result.
func (c Config) leave(m *hw.Module, e exit, sum hw.UInt, r Result) {
	m = m.Scope("exit")
	s := c.slotsOf(m)
	s.step(m, e.Valid.And(e.Insert), e.Valid.And(e.Clear))

	written := hw.Mux(e.Insert, s.lap, s.generation(e.index))
	found := e.Miss.Not()
	kept := e.Draw.And(found).Or(e.Write)
	later := func(name string, x hw.UInt) hw.UInt { return hw.Delay(m, name, x, 1) }
	r.Valid.Set(hw.Delay(m, "valid", e.Valid, 1, hw.Low))
	r.Index.Set(later("index", hw.Gate(found.AndNot(e.Clear), e.index)))
	r.Generation.Set(later("generation", hw.Gate(kept, written)))
	r.Priority.Set(later("priority", hw.Gate(e.Draw.And(found), e.priority)))
	r.Sum.Set(sum)
	r.Unfilled.Set(hw.Delay(m, "late", e.Late, 1))
	r.Stale.Set(hw.Delay(m, "stale", e.Stale, 1))
	miss := hw.Delay(m, "miss", e.Miss, 1)
	r.Empty.Set(miss.And(sum.Is(0)))
	r.OutOfRange.Set(miss.And(sum.Any()))
}
