package sim

import (
	"fmt"
	"slices"

	"etch/ir"
	"etch/sim/net"
)

// events adds the effects of an edge of the clocks marked in on.
func (b *netBuilder) events(on []byte) error {
	b.end = make([]net.ID, len(b.n.Regs))
	for i := range b.end {
		b.end[i] = net.None
	}

	rises := func(clock int32) bool { return clock >= 0 && on != nil && on[clock] != 0 }
	p := b.p
	left := func(inst int32) bool { return b.skips == nil || !b.skips(inst) }

	// Registers, read ports and writes.
	for i := range p.regs {
		if r := &p.regs[i]; rises(r.clock) && left(r.inst) {
			b.register(r)
		}
	}
	for i := range p.reads {
		if r := &p.reads[i]; rises(r.clock) && left(r.inst) {
			b.readPort(r, rises)
		}
	}
	for i := range p.writes {
		if w := &p.writes[i]; rises(w.clock) && left(p.mems[w.mem].inst) {
			b.writePort(w)
		}
	}

	// Statements stop the engine, unless they are muted or go to the journal.
	b.loud = b.n.Const(0)
	for i := range p.stmts {
		if s := &p.stmts[i]; rises(s.clock) && !b.quiet {
			b.statement(int32(i), s)
		}
	}
	if b.mute >= 0 {
		b.loud = b.n.And(b.loud, b.n.Not(b.mute, 1))
	}
	b.stop(b.loud)

	if b.journal != nil {
		b.enter()
	}

	// Asynchronous resets see the values after the edge, so they come last.
	if on != nil {
		if err := b.asyncResets(); err != nil {
			return err
		}
	}
	for i, x := range b.end {
		if r := &b.n.Regs[i]; x >= 0 && x != r.Q {
			r.Next = x
		}
	}
	return nil
}

func (b *netBuilder) setEnd(slot uint32, x net.ID) { b.end[slot-b.p.inputs.lo] = x }

// register makes the next value of a register.
func (b *netBuilder) register(r *register) {
	for k := range uint32(r.words) {
		next := b.at[r.next+k]
		if r.rst != zeroSlot {
			next = b.n.Mux(b.at[r.rst], b.at[r.reset+k], next)
		}
		b.setEnd(r.slot+k, next)
	}
}

// readPort makes the next data of a synchronous read port. For ir.New it includes the
// simultaneous writes of its own clock.
func (b *netBuilder) readPort(r *readPort, rises func(int32) bool) {
	n, m := b.n, &b.p.mems[r.mem]
	addr := b.at[r.addr:][:r.addrWords]
	data := b.read(r.mem, addr)

	if r.fresh {
		row, ok := b.row(m, addr)
		for i := range b.p.writes {
			w := &b.p.writes[i]
			if w.mem != r.mem || w.clock != r.clock || !rises(w.clock) {
				continue
			}

			// In the order of ports, so that the later write wins.
			wrow, wok := b.row(m, b.at[w.addr:][:w.addrWords])
			hit := n.And(b.at[w.en], n.Eq(row, wrow))
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

	for k, x := range data {
		slot := r.slot + uint32(k)
		b.setEnd(slot, n.Mux(b.at[r.en], x, b.reg(slot).Q))
	}
}

// merged is word k of old with the write of a port merged in.
func (b *netBuilder) merged(w *writePort, old net.ID, k int) net.ID {
	n := b.n
	data := b.at[w.data+uint32(k)]
	mask := b.mask(w, k)
	if mask < 0 {
		return data
	}
	width := uint8(min(64, b.p.mems[w.mem].width-64*k))
	return n.Or(n.And(data, mask), n.And(old, n.Not(mask, width)))
}

// mask is word k of a port's mask, spread over the bits of its lanes; None without a mask.
func (b *netBuilder) mask(w *writePort, k int) net.ID {
	if w.lanes == 0 {
		return net.None
	}
	n := b.n
	z := n.Const(0)
	lo, hi := 64*k, min(64*k+64, b.p.mems[w.mem].width)

	// From the top lane down; a lane may straddle words.
	for at := hi; at > lo; {
		lane := (at - 1) / w.lane
		from := max(lane*w.lane, lo)
		bit := n.Slice(b.at[w.mask+uint32(lane/64)], uint8(lane%64), 1)
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
func (b *netBuilder) writePort(w *writePort) {
	n, m := b.n, &b.p.mems[w.mem]
	row, ok := b.row(m, b.at[w.addr:][:w.addrWords])
	en := b.at[w.en]
	if ok >= 0 {
		en = n.And(en, ok)
	}

	if v, isConst := n.IsConst(en); isConst && v == 0 {
		return
	}
	for k := range m.words {
		n.Writes = append(n.Writes, net.Write{Mem: w.mem, En: en, Addr: b.place(m, row, k), Data: b.at[w.data+uint32(k)], Mask: b.mask(w, k)})
	}
}

// statement adds a statement's effect. Prints go to the journal, if there is one. Other
// statements stop the engine before a cycle in which they act; the interpreter then runs that
// cycle.
func (b *netBuilder) statement(i int32, s *statement) {
	n := b.n
	says := b.at[s.en]
	switch s.src.Kind {
	case ir.Assert, ir.Assume:
		says = n.And(says, n.Not(b.at[s.cond], 1))
	// A cover count is a memory word that increments itself.
	case ir.Cover:
		at := n.Const(uint64(s.cover))
		n.Writes = append(n.Writes, net.Write{Mem: b.covers, En: n.And(says, b.at[s.cond]), Addr: at,
			Data: n.Add(n.Read(b.covers, at), n.Const(1), 64), Mask: net.None})
		return
	case ir.Print:
		if b.journal != nil {
			k, _ := slices.BinarySearch(b.p.journal.prints, i)
			b.journal.says[k] = says
			return
		}
	}
	b.loud = n.Or(b.loud, says)
}

// stop stops the engine before a cycle in which x is 1.
func (b *netBuilder) stop(x net.ID) {
	n := b.n
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
func (b *netBuilder) asyncResets() error {
	p := b.p
	post := b.afterEdge()
	var moving []*register // can change after an edge

	// Registers whose resets only follow inputs are done between calls.
	for _, i := range p.async {
		r := &p.regs[i]
		if b.quietReset(r) {
			continue
		}
		moving = append(moving, r)
		for k := range r.words {
			word := int(r.slot-p.inputs.lo) + int(k)
			if r.latch {
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
		for k := range uint32(r.words) {
			to, ok := post.settled(r, k)
			if !ok {
				return fmt.Errorf("sim: the asynchronous reset of %s follows from a memory, or a latch follows from such a reset", p.nodeName(r.ref))
			}
			changes = append(changes, change{r.slot + k, to})
		}
	}

	for _, c := range changes {
		b.setEnd(c.slot, c.to)
	}
	return nil
}

// quietReset reports whether a register's asynchronous reset follows inputs alone.
func (b *netBuilder) quietReset(r *register) bool {
	seen := map[net.ID]bool{}
	quiet := b.still(b.at[r.rst], seen)
	for k := range uint32(r.words) {
		quiet = quiet && (!r.latch || b.still(b.at[r.reset+k], seen))
	}
	return quiet
}

// still reports whether a value follows inputs alone.
func (b *netBuilder) still(x net.ID, seen map[net.ID]bool) bool {
	todo := []net.ID{x}
	for len(todo) > 0 {
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[x] {
			continue
		}
		seen[x] = true

		// Memories may change at an edge.
		switch nd := &b.n.N[x]; nd.Op {
		case net.Read:
			return false
		case net.Leaf:
			if !b.p.inputs.has(b.n.Regs[nd.Imm].Slot) {
				return false
			}
		}
		b.n.Args(x, func(y net.ID) { todo = append(todo, y) })
	}
	return true
}

// after computes values as they are after the edge.
type after struct {
	b      *netBuilder
	of     map[net.ID]net.ID // by node: the node of its value after the edge
	async  map[int]*register // state words whose own reset may come with the edge
	depth  map[*register]int // of such a register: the rounds after which its reset is certain
	round  int               // resets of so many rounds are in the values
	rounds []*after          // values after each number of rounds; nil: resets do not follow from resets
	latch  map[int]*register // state words of latches
	busy   map[int]bool      // words being computed: on a cycle, which resets may form, a word keeps its old value
}

func (b *netBuilder) afterEdge() *after {
	return &after{b: b, of: map[net.ID]net.ID{}, async: map[int]*register{}, latch: map[int]*register{}, busy: map[int]bool{}}
}

// held is word k of a register with asynchronous reset after the edge. ok is false if the reset
// cannot be followed.
func (a *after) held(r *register, k uint32) (net.ID, bool) {
	b := a.b
	rst, ok := a.node(b.at[r.rst])
	reset := b.at[r.reset+k]
	if ok && r.latch {
		reset, ok = a.node(reset)
	}
	if w := b.reg(r.slot + k).W; b.n.Width(reset) > w { // for example the last word of a row of a memory
		reset = b.n.Slice(reset, 0, w)
	}

	end := b.end[r.slot+k-b.p.inputs.lo]
	if end < 0 {
		end = b.reg(r.slot + k).Q
	}

	if !ok {
		return end, false
	}
	return b.n.Mux(rst, reset, end), true
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
		a.b.n.Args(at, func(y net.ID) { stack = append(stack, y) })
	}
	return a.of[x], true
}

// make rebuilds a node whose operands are rebuilt. It returns false if it cannot.
func (a *after) make(x net.ID) bool {
	n := a.b.n
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
	if r := a.async[word]; r != nil {
		if a.rounds == nil {
			return x, false
		}
		return a.reset(r, uint32(word)-(r.slot-a.b.p.inputs.lo), a.round)
	}
	if r := a.latch[word]; r != nil && !a.busy[word] {
		a.busy[word] = true
		defer delete(a.busy, word)
		return a.held(r, uint32(word)-(r.slot-a.b.p.inputs.lo))
	}
	if y := a.b.end[word]; y >= 0 {
		return y, true
	}
	return x, true
}
