package replay

import (
	"etch/hw"
	"etch/hw/arith"
)

// Serial is the tree that takes one operation after the other: one level's logic is used
// for all levels in turn, Read + 2 cycles each. Nothing is forwarded. Head and product
// are as in [Pipelined].
type Serial struct{ Config }

func (t Serial) Ports() UnitPorts { return t.unitPorts() }

// Latency is the number of cycles from an operation to its result; the next may be
// accepted in the cycle of the result.
func (t Serial) Latency() int {
	return Pipelined{Config: t.Config}.targetStage() + 2 + len(t.Levels())*(t.Read+2)
}

func (t Serial) Build(m *hw.Module, p UnitPorts) {
	busy := hw.Reg(m, "busy", hw.Bit{}, hw.Low)
	p.Op.Ready.Set(busy.Not())

	front := Pipelined{Config: t.Config}
	h := front.head(m, p.Op.Fire(), p.Op.Data)
	at := front.sumStage()
	p.Step.Set(h.valid.At(at).And(h.random.At(at)))
	p.Filling.Sum.Set(h.sum)
	p.Filling.Count.Set(h.count)
	p.Filling.Max.Set(h.max)
	n := front.target(m, h, p.Random)

	d := t.descend(m, h, n)
	e := exit{d.op, d.path, d.x.Trunc(t.Leaf).Sub(d.y.Trunc(t.Leaf))}
	e.Valid = d.done
	t.leave(m, e, h.sum, p.Result)
	m.When(p.Op.Fire(), func() { busy.Set(hw.High) }).ElseWhen(d.done, func() { busy.Set(hw.Low) })
}

// descent is the operation on its way down, in registers.
type descent struct {
	op      sort
	x, y    hw.UInt
	path    hw.UInt
	fresh   hw.Bit
	level   hw.UInt
	phase   hw.UInt // 0: the row's address is there; Read: the row; Read + 1: the distances
	running hw.Bit
	done    hw.Bit // the descent has ended
}

// descend is the loop over the levels. All levels share one width: distances are
// right modulo that of the sum, and children that the root lacks are never chosen.
func (t Serial) descend(m *hw.Module, h head, n node) descent {
	levels, w, at := t.Levels(), t.SumBits(), n.stage
	k := 0
	for _, l := range levels {
		k = max(k, l.Words())
	}
	d := descent{
		x: hw.Reg(m, "x", hw.Unsigned(max(w, t.Leaf+1))), y: hw.Reg(m, "y", hw.Unsigned(w)),
		path: hw.Reg(m, "path", hw.Unsigned(t.IndexBits())), fresh: hw.Reg(m, "fresh", hw.Bit{}),
		level: hw.Reg(m, "level", hw.AddressOf(len(levels)), hw.U(0)), phase: hw.Reg(m, "phase", hw.UpTo(t.Read+1), hw.U(0)),
		running: hw.Reg(m, "running", hw.Bit{}, hw.Low),
		done:    hw.Reg(m, "done", hw.Bit{}, hw.Low),
	}
	now := h.at(at, n.miss.At(at))
	held := hw.Reg(m, "op", hw.Like(now))
	d.op = held
	m.When(now.Valid, func() {
		hw.Set(held, now)
		d.x.Set(n.x.At(at))
		d.y.Set(n.y.At(at))
		d.path.Set(hw.U(0))
		d.fresh.Set(h.fresh.At(at).And(h.write.At(at)))
		d.level.Set(hw.U(0))
		d.phase.Set(hw.U(0))
		d.running.Set(hw.High)
	})

	// The row of the level, its words all as wide as the sum. The number of the level chooses
	// among the levels' own memories.
	row := make([]hw.UInt, k)
	has := make([]hw.Bit, k) // the level has that word
	for j := range row {
		row[j], has[j] = hw.Zeros(w), hw.Low
	}
	digit, left, store := hw.Zeros(t.digitBits()), hw.Zeros(t.IndexBits()), d.running.And(d.phase.Is(t.Read), held.Write)
	var banks []func(next []hw.UInt)
	for i, l := range levels {
		here := d.level.Is(i)
		mem := hw.Mem(m, hw.Name("rows", i), l.Rows, l.rowOf(), hw.Style(styleOf(l.Rows)))
		address := arith.Resize(d.path, hw.AddressOf(l.Rows).Width())
		words := mem.SyncRead("read", address, hw.Undefined)
		if t.Read == 2 {
			words = hw.Delay(m, hw.Name("rows_read", i), words, 1)
		}
		for j, word := range words {
			row[j] = hw.Mux(here, word.Extend(w), row[j])
			has[j] = hw.Mux(here, hw.High, has[j])
		}
		digit = hw.Mux(here, arith.Resize(d.y.Range(l.Below+l.Digit-1, l.Below), t.digitBits()), digit)
		left = hw.Mux(here, arith.Resize(d.y.Trunc(l.Below+l.Digit), t.IndexBits()), left)
		banks = append(banks, func(next []hw.UInt) {
			out := make([]hw.UInt, l.Words())
			for j := range out {
				out[j] = next[j].Trunc(l.WordBits(j))
			}
			m.When(store.And(here), func() { mem.Write(address, out) })
		})
	}
	for j := range row {
		row[j] = hw.Gate(d.fresh.And(left.Is(0)).Not(), row[j])
	}
	difference := sizedS(d.x.Trunc(t.Leaf+1).AsSigned(), w).AsUnsigned()
	next := make([]hw.UInt, k)
	for j, sum := range row {
		next[j] = sum.Add(hw.Gate(digit.IsLe(j), difference))
	}
	for _, put := range banks {
		put(next)
	}
	t.choose(m, d, row, has, digit)
	return d
}

// styleOf chooses the cells of a memory of so many rows: a few rows are not worth a
// block.
func styleOf(rows int) string {
	if rows <= 16 {
		return "logic"
	}
	return "block"
}

// choose makes the distances when the row is there, and takes two of them a cycle
// later.
func (t Serial) choose(m *hw.Module, d descent, row []hw.UInt, has []hw.Bit, digit hw.UInt) {
	// Distances of all children at once; their choice follows a cycle later, when they are in
	// registers.
	w := t.SumBits()
	apart, passed := make([]hw.UInt, len(row)), make([]hw.Bit, len(row))
	for j, sum := range row {
		distance := d.x.Trunc(w).SubGrow(sum)
		apart[j] = hw.Delay(m, hw.Name("apart", j), hw.Mux(has[j], distance.Trunc(w).AsUnsigned(), d.y), 1)
		passed[j] = hw.Delay(m, hw.Name("passed", j), has[j].AndNot(distance.IsNeg()), 1)
	}
	child := arith.Resize(thermometer(passed), t.digitBits())
	xs, ys := hw.Vec[hw.UInt]{d.x.Trunc(w)}, hw.Vec[hw.UInt]{}
	xs, ys = append(xs, apart...), append(append(ys, apart...), d.y)

	last := d.level.Is(len(t.Levels()) - 1)
	draw := d.op.Draw
	d.done.Set(hw.Low)
	m.When(d.running, func() {
		d.phase.Set(d.phase.Inc())
		m.When(d.phase.Is(t.Read+1), func() {
			d.phase.Set(hw.U(0))
			d.level.Set(d.level.Inc())
			m.When(draw, func() {
				d.x.Set(arith.Resize(xs.At(child), d.x.Width()))
				d.y.Set(ys.At(child))
			})
			chosen := hw.Mux(draw, child, hw.Delay(m, "digit", digit, 1))
			d.path.Set(arith.Resize(hw.Cat(d.path, chosen), t.IndexBits()))
			m.When(last, func() {
				d.running.Set(hw.Low)
				d.done.Set(hw.High)
			})
		})
	})
}
