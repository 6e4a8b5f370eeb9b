package replay

import (
	"etch/designs/arith"
	"etch/hw"
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
	stage := t.sumStage() + t.product().Latency() + 1
	if t.Strata > 1 {
		stage++
	}
	return stage
}

// Build describes the body.
func (t Pipelined) Build(m *hw.Module, p UnitPorts) {
	p.Op.Ready.Set(hw.High)
	h := t.head(m, p.Op.Valid, p.Op.Data)
	at := t.sumStage()
	p.Step.Set(h.valid.At(at).And(h.random.At(at)))
	p.Filling.Sum.Set(h.sum)
	p.Filling.Count.Set(h.count)
	p.Filling.Max.Set(h.max)

	n := t.target(m, h, p.Random)
	for i, l := range t.Levels() {
		n = t.level(m.Scope("level", i), l, h, n)
	}
	t.exit(m, h, n, p.Result)
}

// head is what is known of an operation once it is accepted.
type head struct {
	valid  pipe.Value[hw.Bit] // reset; of the others none is, and without valid none counts
	write  pipe.Value[hw.Bit] // a leaf gets another priority; reset
	insert pipe.Value[hw.Bit]
	clear  pipe.Value[hw.Bit] // reset
	draw   pipe.Value[hw.Bit] // a sample or find
	random pipe.Value[hw.Bit] // a sample
	fresh  pipe.Value[hw.Bit] // an insert into a slot that was unfilled
	late   pipe.Value[hw.Bit] // an update that is dropped, for the slot is unfilled
	stale  pipe.Value[hw.Bit] // an update that is dropped, for its generation is another
	strata pipe.Value[hw.UInt]
	index  pipe.Value[hw.UInt] // of a write, or of an update that is dropped
	load   pipe.Value[hw.UInt] // the priority of a write, the stratum or shifted target of a draw
	diff   pipe.Value[hw.SInt] // new leaf − old one of a write; from stage Read + 1

	count, sum, max hw.UInt
	leaf            hw.UInt // of a write, at stage Read
}

// head accepts operations: slot numbers, generations, the old leaf, the difference,
// the sum.
func (t Pipelined) head(m *hw.Module, valid hw.Bit, op Operation) (h head) {
	is := t.accept(m, &h, valid, op)
	t.difference(m, &h, is)
	h.sum = t.running(m, "sum", h, t.sumStage())
	return h
}

// accept is stage 0; it returns what the stage behind needs besides.
func (t Pipelined) accept(m *hw.Module, h *head, valid hw.Bit, op Operation) (atMax pipe.Value[hw.Bit]) {
	insert := op.Kind.Is(insertKinds...)
	update, clear := op.Kind.Is(updateKind), op.Kind.Is(clearKind)
	find, sample := op.Kind.Is(findKind), op.Kind.Is(sampleKind)

	s := t.slotsOf(m)
	s.step(m, valid.And(insert), valid.And(clear))
	h.count = hw.Reg(m, "count", hw.UpTo(t.Capacity), hw.U(0))
	full := h.count.Is(t.Capacity)
	m.When(valid.And(clear), func() { h.count.Set(h.count.Lit(0)) }).
		ElseWhen(valid.And(insert).AndNot(full), func() { h.count.Set(h.count.Inc()) })

	wide := max(op.Index.Width(), h.count.Width())
	filled := sized(op.Index, wide).Lt(sized(h.count, wide))
	same := op.Generation.Eq(s.generation(op.Index))

	flag := func(name string, x hw.Bit) pipe.Value[hw.Bit] { return pipe.Of(m, name, 0, x) }
	h.valid = pipe.Of(m, "valid", 0, valid, hw.Low)
	h.write = pipe.Of(m, "write", 0, valid.And(insert.Or(update.And(filled, same))), hw.Low)
	h.clear = pipe.Of(m, "clear", 0, valid.And(clear), hw.Low)
	h.insert, h.draw, h.random = flag("insert", insert), flag("draw", find.Or(sample)), flag("random", sample)
	h.fresh = flag("fresh", insert.AndNot(full))
	h.late, h.stale = flag("late", update.AndNot(filled)), flag("stale", update.And(filled).AndNot(same))
	h.index = pipe.Of(m, "index", 0, hw.Mux(insert, s.head, op.Index))

	// One register for what only a write, a draw or a find has.
	width := max(t.SumBits()+t.targetShift(), t.stratumBits(), t.Leaf)
	load := hw.Mux(find, sized(op.Target.PadLow(t.targetShift()), width), sized(op.Priority, width))
	if t.Strata > 1 {
		load = hw.Mux(sample, sized(op.Stratum, width), load)
		h.strata = pipe.Of(m, "strata", 0, hw.Gate(sample, op.Strata))
	} else {
		hw.Unused(m, op.Stratum, op.Strata)
	}
	h.load = pipe.Of(m, "load", 0, load)
	return flag("at_max", op.Kind.Is(insertMaxKind))
}

// difference is stage Read: the old leaf comes from the head's own copy of the
// leaves, which nothing else reads. A leaf memory that draws read too would show them
// leaves of operations behind them.
func (t Pipelined) difference(m *hw.Module, h *head, atMax pipe.Value[hw.Bit]) {
	at := t.Read
	h.max = hw.Reg(m, "max", hw.Unsigned(t.Leaf), hw.U(1<<t.Fraction))
	leaf := hw.Mux(atMax.At(at), h.max, h.load.At(at).Trunc(t.Leaf))
	raise := h.write.At(at).And(leaf.Gt(h.max))
	m.When(h.clear.At(at), func() { h.max.Set(h.max.Lit(1 << t.Fraction)) }).
		ElseWhen(raise, func() { h.max.Set(leaf) })

	leaves := bankOf(m, t, shallowHead, "leaves", t.Capacity, hw.Unsigned(t.Leaf), 0, h.index, h.write)
	leaves.store(leaf)
	h.leaf = leaf
	old := hw.Gate(h.fresh.At(at).Not(), leaves.element)
	diff := leaf.SubGrow(old)
	h.diff = pipe.Of(m, "diff", at+1, hw.Delay(m, "diff_first", diff, 1))
}

// running is a register that has the sum of all leaves at a stage: with the
// difference of the operation there, and of all before it. One at each place that
// needs the sum takes fewer registers than the sum on its way from one to the next.
func (t Pipelined) running(m *hw.Module, name string, h head, stage int) hw.UInt {
	sum := hw.Reg(m, name, hw.Unsigned(t.SumBits()), hw.U(0))
	m.When(h.clear.At(stage-1), func() { sum.Set(sum.Lit(0)) }).
		ElseWhen(h.write.At(stage-1), func() { sum.Set(sum.Add(sizedS(h.diff.At(stage-1), t.SumBits()).AsUnsigned())) })
	return sum
}

// node is what goes down the levels, at a stage. A draw has its target x, as a
// distance from the node's first leaf, and y = x − the node's total, which is below 0;
// at a leaf, x − y is the priority. A write has its difference in the bits of x and
// what is left of its index in those of y.
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
	load, wide := h.load.At(at), x.A
	fraction := sized(random, wide)
	if b := t.stratumBits(); b > 0 {
		fraction = sized(hw.Cat(load.Trunc(b), random), wide)
	}
	one := hw.UVal(oneAt(x.B, t.targetPower()))
	product := pipe.Through(m, "product", x, at, arith.ProductPorts{
		A: hw.Mux(find, sized(load, wide), fraction),
		B: hw.Mux(find, one, sized(t.drawSum(m, h), x.B)),
	}, func(p arith.ProductPorts) hw.UInt { return p.Out })

	// ⌊⌊r·S / 2^u⌋ / 2^b⌋ is ⌊r·S / 2^(u+b)⌋.
	at = product.Stage()
	quotient := product.At(at)
	quotient = quotient.Range(quotient.Width()-1, t.DrawBits())
	if t.Strata > 1 {
		quotient = sized(quotient, t.SumBits()+t.stratumBits()).ShrBy(h.strata.At(at))
		quotient = pipe.Of(m, "quotient", at, sized(quotient, t.SumBits())).At(at + 1)
		at++
	} else {
		quotient = sized(quotient, t.SumBits())
	}

	// Behind the product the sum is another register: see running.
	sum := t.running(m, "sum_drawn", h, at)
	distance := quotient.SubGrow(sum)
	write, w := h.draw.At(at).Not(), t.SumBits()
	n := node{stage: at + 1}
	difference := sizedS(h.diff.At(at), max(w, t.Leaf+1)).AsUnsigned()
	n.x = pipe.Of(m, "x", at, hw.Mux(write, difference, sized(quotient, max(w, t.Leaf+1))))
	n.y = pipe.Of(m, "y", at, hw.Mux(write, sized(h.index.At(at), w), distance.Trunc(w).AsUnsigned()))
	n.miss = pipe.Of(m, "miss", at, h.draw.At(at).AndNot(distance.IsNeg()))
	n.fresh = pipe.Of(m, "fresh_root", at, h.fresh.At(at).And(h.write.At(at)).AndNot(h.index.At(at).Any()))
	return n
}

// drawSum is the sum that draws are from.
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

// exit gives the result: a second count of slots and a third sum are behind all
// operations that went before, so neither goes down the pipeline.
func (t Pipelined) exit(m *hw.Module, h head, n node, r Result) {
	at := n.stage
	out := m.Scope("exit")
	s := t.slotsOf(out)
	insert := h.valid.At(at).And(h.insert.At(at))
	s.step(out, insert, h.clear.At(at))
	sum := t.running(m, "sum_exit", h, at+1)

	var index hw.UInt
	if t.IndexBits() > 0 {
		index = n.path.At(at)
	} else {
		index = hw.Gate(h.draw.At(at).Not(), h.index.At(at))
	}
	found := n.miss.At(at).Not()
	priority := n.x.At(at).Trunc(t.Leaf).Sub(n.y.At(at).Trunc(t.Leaf))
	if t.flaw == sharedLeaf {
		// A copy that is written as the head's is stands for a second port of it.
		copied := hw.Mem(m, "leaves_shared", t.Capacity, hw.Unsigned(t.Leaf))
		m.When(h.write.At(t.Read), func() {
			copied.Write(h.index.At(t.Read), h.leaf)
		})
		priority = copied.Read(index)
	}
	written := hw.Mux(h.insert.At(at), s.lap, s.generation(index))
	kept := h.draw.At(at).And(found).Or(h.write.At(at))
	r.Valid.Set(h.valid.At(at + 1))
	r.Index.Set(hw.Delay(m, "exit_index", hw.Gate(found.AndNot(h.clear.At(at)), index), 1))
	r.Generation.Set(hw.Delay(m, "exit_generation", hw.Gate(kept, written), 1))
	r.Priority.Set(hw.Delay(m, "exit_priority", hw.Gate(h.draw.At(at).And(found), priority), 1))
	r.Sum.Set(sum)
	r.Unfilled.Set(h.late.At(at + 1))
	r.Stale.Set(h.stale.At(at + 1))
	miss := n.miss.At(at + 1)
	r.Empty.Set(miss.And(sum.Is(0)))
	r.OutOfRange.Set(miss.And(sum.Any()))
}
