package replay

import (
	"etch/hw"
	"etch/hw/pipe"
	"etch/hw/stream"
)

// Scan is the tree after the paper (section 3.1): each node has a word with its own sum,
// and a draw looks at the children of a node one by one, one a cycle. Each level has a
// bank and a scanner, which one draw has to itself; so several draws are on their way at
// once, each on another level. Draws and writes come in passes, with a drain in between,
// so that responses equal the sequential object's.
//
// B draws take at most Σf + (B − 1)·max f cycles from the first bank's first read to
// the last bank's last, with f the children of a node by level, and a fixed number of
// cycles for head, product and registers besides. A write changes all its banks in
// one cycle, and one follows the other every cycle.
type Scan struct {
	Config
	Samplers int  `help:"draws on their way at once" range:"1..64"`
	Early    bool `help:"a scan ends at the child that it looks for"`
}

func (t Scan) Ports() UnitPorts { return t.unitPorts() }

func (t Scan) Build(m *hw.Module, p UnitPorts) {
	// A pass ends when nothing of it is on its way. Writes are over after a fixed
	// time; draws are counted.
	front := Pipelined{Config: t.Config}
	written := front.targetStage() + t.Read // the stage at which banks are written
	drawing := p.Op.Data.Kind.Is(sampleKind, findKind)
	draws := hw.Reg(m, "draws", hw.UpTo(t.Samplers), hw.U(0))
	writing := hw.Reg(m, "writing", hw.UpTo(written+2), hw.U(0))
	room := hw.Mux(drawing, draws.IsLt(t.Samplers).And(writing.Is(0)), draws.Is(0))
	p.Op.Ready.Set(room)
	fire := p.Op.Fire()
	m.When(fire.AndNot(drawing), func() { writing.Set(writing.Lit(written + 2)) }).
		ElseWhen(writing.Any(), func() { writing.Set(writing.Dec()) })

	h := front.head(m, fire, p.Op.Data)
	at := front.sumStage()
	p.Step.Set(h.valid.At(at).And(h.random.At(at)))
	p.Filling.Sum.Set(h.sum)
	p.Filling.Count.Set(h.count)
	p.Filling.Max.Set(h.max)
	n := front.target(m, h, p.Random)

	found := t.scan(m, h, n)
	leaves := found.Fire()
	m.When(fire.And(drawing).AndNot(leaves), func() { draws.Set(draws.Inc()) }).
		ElseWhen(leaves.AndNot(fire.And(drawing)), func() { draws.Set(draws.Dec()) })

	// Writes leave where their banks have been written, draws where they were found;
	// never both in one cycle.
	e := exit{h.at(written, found.Data.Miss), hw.Mux(leaves, found.Data.Path, h.index.At(written)), found.Data.X}
	e.Valid = leaves.Or(e.Valid.AndNot(e.Draw))
	for _, b := range []*hw.Bit{&e.Insert, &e.Clear, &e.Write, &e.Late, &e.Stale} {
		*b = b.AndNot(leaves)
	}
	e.Draw, e.Miss = leaves, leaves.And(e.Miss)
	t.leave(m, e, h.sumAt(m, t.Config, "sum_exit", written+1), p.Result)
}

// scanned is a draw between two levels.
type scanned struct {
	X    hw.UInt // the target from the node's first leaf on; behind the last level the priority
	Path hw.UInt
	Miss hw.Bit // the target is not below the sum: the finding does not count
}

func scannedOf(x, path int) scanned { return scanned{X: hw.Unsigned(x), Path: hw.Unsigned(path)} }

// scan is the banks with their scanners; draws come out in order.
func (t Scan) scan(m *hw.Module, h head, n node) stream.Stream[scanned] {
	at, levels := n.stage, t.Levels()
	w := t.SumBits()
	first := hw.Inst(m, "waiting", stream.Queue[scanned]{Elem: scannedOf(w, 1), Depth: t.Samplers})
	first.Push.Send(h.valid.At(at).And(h.draw.At(at)), scanned{n.x.At(at).Trunc(w), hw.Zeros(1), n.miss.At(at)})
	hw.Unused(m, first.Push.Ready) // no more draws are accepted than there is room for
	hw.Unused(m, first.Level)

	next := first.Pop
	for i, l := range levels {
		s := hw.Inst(m, hw.Name("scanner", i), scanner{l, t.Leaf, t.Capacity, t.Read, t.IndexBits(), i == 0, i == len(levels)-1, t.Early})
		hw.Set(s.In, next)
		s.Count.Set(h.count)

		// Writes take the same memory's port, in their own passes.
		nodes := (t.Capacity-1)>>l.Below + 1
		word := pipe.Of(m, hw.Name("word", i), at, h.index.At(at).Range(t.IndexBits()-1, l.Below))
		b := bankOf(m.Scope("bank", i), Pipelined{Config: t.Config}, shallowLevel, "sums", nodes, hw.Unsigned(t.Leaf+l.Below), at, word, h.write,
			reading{s.Issue, s.Address})
		s.Word.Set(b.element)

		// The first insert under a node since a clear begins it with zero.
		last := at + t.Read
		fresh := h.fresh.At(last)
		if l.Below > 0 {
			fresh = fresh.AndNot(h.index.At(last).Trunc(l.Below).Any())
		}
		difference := sizedS(h.diff.At(last), t.Leaf+l.Below).AsUnsigned()
		b.store(hw.Gate(fresh.Not(), b.element).Add(difference))
		next = s.Out
	}
	next.Ready.Set(hw.High)
	return next
}
