package nets

import (
	"fmt"
	"slices"

	"etch/ir"
	"etch/sim/internal/program"
	"etch/sim/net"
)

// Events adds the effects of an edge of the clocks marked in on.
func (b *Builder) Events(on []byte) error {
	b.end = make([]net.ID, len(b.N.Regs))
	for i := range b.end {
		b.end[i] = net.None
	}

	rises := func(clock int32) bool { return clock >= 0 && on != nil && on[clock] != 0 }
	p := b.p
	left := func(inst int32) bool { return b.skips == nil || !b.skips(inst) }

	// Registers, read ports and writes.
	for i := range p.Regs {
		if r := &p.Regs[i]; rises(r.Clock) && left(r.Inst) {
			b.register(r)
		}
	}
	for i := range p.Reads {
		if r := &p.Reads[i]; rises(r.Clock) && left(r.Inst) {
			b.readPort(r, rises)
		}
	}
	for i := range p.Writes {
		if w := &p.Writes[i]; rises(w.Clock) && left(p.Mems[w.Mem].Inst) {
			b.writePort(w)
		}
	}

	// Statements stop the engine, unless they are muted or go to the journal.
	b.loud = b.loud[:0]
	for i := range p.Stmts {
		if s := &p.Stmts[i]; rises(s.Clock) && !b.quiet {
			b.statement(int32(i), s)
		}
	}
	loud := anyStop(b.N, b.loud)
	if b.mute >= 0 {
		loud = b.N.And(loud, b.N.Not(b.mute, 1))
	}
	b.stop(loud)

	if b.journal != nil {
		b.enter()
	}

	// Asynchronous resets see the values after the edge, so they come last.
	if on != nil {
		if err := b.asyncResets(); err != nil {
			return err
		}
	}

	// A word whose value comes out as its old one is not written.
	for i, x := range b.end {
		if r := &b.N.Regs[i]; x >= 0 && x != r.Q {
			r.Next = x
		}
	}
	return nil
}

func (b *Builder) setEnd(slot uint32, x net.ID) { b.end[slot-b.p.Inputs.Lo] = x }

// register makes the next value of a register.
func (b *Builder) register(r *program.Register) {
	for k := range uint32(r.Words) {
		next := b.At[r.Next+k]
		if r.Rst != program.ZeroSlot {
			next = b.N.Mux(b.At[r.Rst], b.At[r.Reset+k], next)
		}
		b.setEnd(r.Slot+k, next)
	}
}

// readPort makes the next data of a synchronous read port. For ir.New it includes the
// simultaneous writes of its own clock.
func (b *Builder) readPort(r *program.ReadPort, rises func(int32) bool) {
	n, m := b.N, &b.p.Mems[r.Mem]
	addr := b.At[r.Addr:][:r.AddrWords]
	data := b.read(r.Mem, addr)

	if r.Fresh {
		row, ok := b.row(m, addr)
		for i := range b.p.Writes {
			w := &b.p.Writes[i]
			if w.Mem != r.Mem || w.Clock != r.Clock || !rises(w.Clock) {
				continue
			}

			// In the order of ports, so that the later write wins.
			wrow, wok := b.row(m, b.At[w.Addr:][:w.AddrWords])
			hit := n.And(b.At[w.En], n.Eq(row, wrow))
			if ok >= 0 {
				hit = n.And(hit, ok)
			}
			if wok >= 0 {
				hit = n.And(hit, wok)
			}
			for k := range data {
				data[k] = n.Mux(hit, b.merged(w, data[k], k), data[k])
			}
		}
	}

	// A disabled port keeps its data.
	for k, x := range data {
		slot := r.Slot + uint32(k)
		b.setEnd(slot, n.Mux(b.At[r.En], x, b.reg(slot).Q))
	}
}

// merged is word k of old with the write of a port merged in.
func (b *Builder) merged(w *program.WritePort, old net.ID, k int) net.ID {
	n := b.N
	data := b.At[w.Data+uint32(k)]
	mask := b.mask(w, k)
	if mask < 0 {
		return data
	}
	width := uint8(min(64, b.p.Mems[w.Mem].Width-64*k))
	return n.Or(n.And(data, mask), n.And(old, n.Not(mask, width)))
}

// mask is word k of a port's mask, spread over the bits of its lanes; None without a mask.
func (b *Builder) mask(w *program.WritePort, k int) net.ID {
	if w.Lanes == 0 {
		return net.None
	}
	n := b.N
	z := n.Const(0)
	lo, hi := 64*k, min(64*k+64, b.p.Mems[w.Mem].Width)

	// From the top lane down; a lane may straddle words.
	for at := hi; at > lo; {
		lane := (at - 1) / w.Lane
		from := max(lane*w.Lane, lo)
		bit := n.Slice(b.At[w.Mask+uint32(lane/64)], uint8(lane%64), 1)
		z = n.Or(z, shifted(n, n.SExt(bit, 1, uint8(at-from)), from-lo))
		at = from
	}
	return z
}

func shifted(n *net.Net, x net.ID, by int) net.ID {
	if by == 0 {
		return x
	}
	return n.Cat(x, n.Const(0), uint8(by))
}

// writePort makes the writes of a port, one per word of a row.
func (b *Builder) writePort(w *program.WritePort) {
	n, m := b.N, &b.p.Mems[w.Mem]
	row, ok := b.row(m, b.At[w.Addr:][:w.AddrWords])
	en := b.At[w.En]
	if ok >= 0 {
		en = n.And(en, ok)
	}

	if v, isConst := n.IsConst(en); isConst && v == 0 {
		return
	}
	for k := range m.Words {
		n.Writes = append(n.Writes, net.Write{Mem: w.Mem, En: en, Addr: b.place(m, row, k), Data: b.At[w.Data+uint32(k)], Mask: b.mask(w, k)})
	}
}

// statement adds a statement's effect. Prints go to the journal, if there is one. Other
// statements stop the engine before a cycle in which they act; the interpreter then runs that
// cycle.
func (b *Builder) statement(i int32, s *program.Statement) {
	n := b.N
	says := b.At[s.En]
	switch s.Src.Kind {
	case ir.Assert, ir.Assume:
		says = n.And(says, n.Not(b.At[s.Cond], 1))
	// A cover count is a memory word that increments itself.
	case ir.Cover:
		at := n.Const(uint64(s.Cover))
		n.Writes = append(n.Writes, net.Write{Mem: b.covers, En: n.And(says, b.At[s.Cond]), Addr: at,
			Data: n.Add(n.Read(b.covers, at), n.Const(1), 64), Mask: net.None})
		return
	case ir.Print:
		if b.journal != nil {
			k, _ := slices.BinarySearch(b.p.Journal.Prints, i)
			b.journal.says[k] = says
			return
		}
	}
	b.loud = append(b.loud, says)
}

// stop stops the engine before a cycle in which x is 1.
func (b *Builder) stop(x net.ID) {
	n := b.N
	switch v, ok := n.IsConst(x); {
	case ok && v == 0:
	case n.Stop < 0:
		n.Stop = x
	default:
		n.Stop = n.Or(n.Stop, x)
	}
}

// asyncResets adds the asynchronous resets, and the values of latches, after the edge: it may
// have changed both.
func (b *Builder) asyncResets() error {
	p := b.p
	post := b.afterEdge()
	var moving []*program.Register // can change after an edge

	// Registers whose resets only follow inputs are done between calls.
	for _, i := range p.Async {
		r := &p.Regs[i]
		if b.quietReset(r) {
			continue
		}
		moving = append(moving, r)
		for k := range r.Words {
			word := int(r.Slot-p.Inputs.Lo) + int(k)
			if r.Latch {
				post.latch[word] = r
			} else {
				post.async[word] = r
			}
		}
	}

	// A reset may follow from a register that is reset that way too. The interpreter repeats its
	// look at all resets until nothing changes; rounds does the same without a loop.
	if err := post.order(moving); err != nil {
		return err
	}

	type change struct {
		slot uint32
		to   net.ID
	}

	// All values are computed before any is set: they follow from the values after the edge
	// without these resets.
	var changes []change
	for _, r := range moving {
		for k := range uint32(r.Words) {
			to, ok := post.settled(r, k)
			if !ok {
				return fmt.Errorf("sim: the asynchronous reset of %s follows from a memory or a black box, or a latch follows from such a reset", p.NodeName(r.Ref))
			}
			changes = append(changes, change{r.Slot + k, to})
		}
	}

	for _, c := range changes {
		b.setEnd(c.slot, c.to)
	}
	return nil
}

// quietReset reports whether a register's asynchronous reset follows inputs alone.
func (b *Builder) quietReset(r *program.Register) bool {
	seen := map[net.ID]bool{}
	quiet := b.still(b.At[r.Rst], seen)

	// The data of a latch must be still too.
	for k := range uint32(r.Words) {
		quiet = quiet && (!r.Latch || b.still(b.At[r.Reset+k], seen))
	}
	return quiet
}

// still reports whether a value follows inputs alone.
func (b *Builder) still(x net.ID, seen map[net.ID]bool) bool {
	todo := []net.ID{x}
	for len(todo) > 0 {
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[x] {
			continue
		}
		seen[x] = true

		// Memories may change at an edge.
		switch nd := &b.N.N[x]; nd.Op {
		case net.Read:
			return false
		case net.Leaf:
			if !b.p.Inputs.Has(uint32(b.N.Regs[nd.Imm].Slot)) {
				return false
			}
		}
		b.N.Args(x, func(y net.ID) { todo = append(todo, y) })
	}
	return true
}

// after computes values as they are after the edge.
type after struct {
	b      *Builder
	of     map[net.ID]net.ID         // by node: the node of its value after the edge
	async  map[int]*program.Register // state words whose own reset may come with the edge
	depth  map[*program.Register]int // of such a register: the rounds after which its reset is certain
	round  int                       // resets of so many rounds are in the values
	rounds []*after                  // values after each number of rounds; nil: resets do not follow from resets
	latch  map[int]*program.Register // state words of latches
	busy   map[int]bool              // words being computed: on a cycle, which resets may form, a word keeps its old value
}

func (b *Builder) afterEdge() *after {
	return &after{b: b, of: map[net.ID]net.ID{}, async: map[int]*program.Register{}, latch: map[int]*program.Register{}, busy: map[int]bool{}}
}

// held is word k of a register with asynchronous reset after the edge. ok is false if the reset
// cannot be followed.
func (a *after) held(r *program.Register, k uint32) (net.ID, bool) {
	b := a.b

	// The reset is taken after the edge, and so is the data of a latch.
	rst, ok := a.node(b.At[r.Rst])
	reset := b.At[r.Reset+k]
	if ok && r.Latch {
		reset, ok = a.node(reset)
	}
	if w := b.reg(r.Slot + k).W; b.N.Width(reset) > w { // for example the last word of a row of a memory
		reset = b.N.Slice(reset, 0, w)
	}

	// A word without an entry in end keeps its value.
	end := b.end[r.Slot+k-b.p.Inputs.Lo]
	if end < 0 {
		end = b.reg(r.Slot + k).Q
	}

	if !ok {
		return end, false
	}
	return b.N.Mux(rst, reset, end), true
}

// node rebuilds node x over the values after the edge. ok is false for memory reads and for
// resets behind resets.
func (a *after) node(x net.ID) (net.ID, bool) {
	if x < 0 {
		return x, true
	}

	// A node lies on the stack again, as its complement, below its operands.
	stack := []net.ID{x}
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if at < 0 {
			if !a.make(^at) {
				return x, false
			}
			continue
		}
		if _, ok := a.of[at]; ok {
			continue
		}
		stack = append(stack, ^at)
		a.b.N.Args(at, func(y net.ID) { stack = append(stack, y) })
	}
	return a.of[x], true
}

// make rebuilds a node whose operands are rebuilt. It returns false if it cannot.
func (a *after) make(x net.ID) bool {
	n := a.b.N
	nd := n.N[x]
	arg := func(x net.ID) net.ID {
		if x < 0 {
			return x
		}
		return a.of[x]
	}

	y, ok := x, true
	switch nd.Op {
	case net.Const:
	case net.Leaf:
		y, ok = a.leaf(x, int(nd.Imm))
	case net.Lut:
		in := make([]net.ID, nd.B)
		for k := range in {
			in[k] = arg(n.Pool[int(nd.A)+k])
		}
		y = n.Lut(nd.Imm, in)
	case net.Read, net.Tables, net.TableWord:
		return false
	default:
		y = n.Make(nd.Op, nd.W, arg(nd.A), arg(nd.B), arg(nd.C), nd.Imm)
	}
	if ok && n.Width(y) > nd.W { // simplification may have lost the narrower width
		y = n.Slice(y, 0, nd.W)
	}
	if ok {
		a.of[x] = y
	}
	return ok
}

// leaf is a state word after the edge.
func (a *after) leaf(x net.ID, word int) (net.ID, bool) {
	// The reset of this word's register may come with the edge: the round says which resets are in.
	if r := a.async[word]; r != nil {
		if a.rounds == nil {
			return x, false
		}
		return a.reset(r, uint32(word)-(r.Slot-a.b.p.Inputs.Lo), a.round)
	}
	if r := a.latch[word]; r != nil && !a.busy[word] {
		a.busy[word] = true
		defer delete(a.busy, word)
		return a.held(r, uint32(word)-(r.Slot-a.b.p.Inputs.Lo))
	}
	if y := a.b.end[word]; y >= 0 {
		return y, true
	}

	// An edge changes outputs of black boxes, and their Models run behind it.
	_, boxed := a.b.groupOf(word)
	return x, !boxed
}
