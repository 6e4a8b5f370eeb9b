package sim

import (
	"math/bits"
	"slices"

	"etch/ir"
	"etch/sim/net"
)

// Machine code does not stop when a design prints. It records the arguments of print statements
// and goes on; the text is formatted and written when the code returns, in the original order.
// The record is the journal, in memory behind the state. It has a record for each cycle that
// prints: the cycle's number within the call, one bit per print statement that prints, and the
// words of all arguments, each at a fixed place.

// journal is the layout of the memory that records prints.
type journal struct {
	state   uint32  // slot of the number of records; behind it, of the cycles of this call; 0: nothing is printed
	prints  []int32 // print statements, by bit
	args    []int   // by print statement: offset of its arguments in a record
	words   int     // per record
	records int     // number of records for which there is room
}

// Sizes of journals. The numbers of words and of records are powers of two.
const (
	journalWords = 1 << 14 // approximate size of a journal, in words
	mostRecords  = 1 << 10
	leastRecords = 1 << 4
	mostRecord   = 1 << 16 // words; designs that need more are interpreted
	cycleBits    = 48
)

// says reports whether the design has statements of these kinds.
func (p *program) says(kinds ...ir.StmtKind) bool {
	for _, k := range p.kinds {
		if k.run > 0 && slices.ContainsFunc(k.mod.Stmts, func(st ir.Stmt) bool { return slices.Contains(kinds, st.Kind) }) {
			return true
		}
	}
	return false
}

// lay computes the layout of a record.
func (j *journal) lay(stmts []statement) {
	if j.state == 0 {
		return
	}
	for i := range stmts {
		if stmts[i].src.Kind == ir.Print {
			j.prints = append(j.prints, int32(i))
		}
	}

	// Number of the cycle, mark bits, then all arguments.
	at := 1 + (len(j.prints)+63)/64
	for _, i := range j.prints {
		j.args = append(j.args, at)
		for _, a := range stmts[i].args {
			at += net.Words(a.width)
		}
	}

	if j.words = pow2(at); j.words > mostRecord {
		*j = journal{}
		return
	}
	j.records = min(max(journalWords/j.words, leastRecords), mostRecords)
}

// room is the size of the journal, in words.
func (j *journal) room() uint32 { return uint32(j.words * j.records) }

// journalBuilder builds the journal's part of a net.
type journalBuilder struct {
	mem  int32
	row  net.ID   // index of this cycle's record
	says []net.ID // by print statement: whether it prints; None if it is not in the net
}

// openJournal lets print statements write to the journal, and all other statements obey the mute
// word.
func (b *netBuilder) openJournal() {
	p := b.p
	if p.mute != 0 {
		b.mute = b.n.Leaf(b.hostWord(p.mute, 1))
	}
	if p.journal.state == 0 {
		return
	}
	b.journal = &journalBuilder{mem: b.journalMem, says: make([]net.ID, len(p.journal.prints))}
	for i := range b.journal.says {
		b.journal.says[i] = net.None
	}
}

// enter makes the record of a cycle. The code stops if there is no room for it.
func (b *netBuilder) enter() {
	n, j, l := b.n, b.journal, &b.p.journal

	any := n.Const(0)
	for _, x := range j.says {
		if x >= 0 {
			any = n.Or(any, x)
		}
	}

	// A net that never prints needs no journal; a conditional one skips all writes together.
	always, ok := n.IsConst(any)
	if ok && always == 0 {
		return
	}
	if !ok {
		n.Entry = any
	}

	lg := uint8(bits.Len(uint(l.records)) - 1)
	count, cycle := b.hostWord(l.state, lg+1), b.hostWord(l.state+1, cycleBits)
	records := n.Leaf(count)
	n.Regs[count].Next = n.Add(records, any, lg+1)
	n.Regs[cycle].Next = n.Add(n.Leaf(cycle), n.Const(1), cycleBits)

	// The count's top bit says that all records are used.
	b.stop(n.Slice(records, lg, 1))
	j.row = n.Slice(records, 0, lg)

	b.put(0, n.Entry, n.Leaf(cycle))
	for w := 0; 64*w < len(j.says); w++ {
		b.put(1+w, n.Entry, b.marks(j.says[64*w:min(64*w+64, len(j.says))]))
	}

	for i, x := range j.says {
		if x >= 0 {
			b.enterArguments(i, x)
		}
	}
}

// marks is the print bits of up to 64 statements, as one word.
func (b *netBuilder) marks(says []net.ID) net.ID {
	z := b.n.Const(0)
	for i, x := range says {
		if x >= 0 {
			z = b.n.Or(z, shifted(b.n, x, i))
		}
	}
	return z
}

// enterArguments records the arguments of print statement i under its condition.
func (b *netBuilder) enterArguments(i int, says net.ID) {
	if v, ok := b.n.IsConst(says); ok {
		if v == 0 {
			return
		}
		says = net.None
	}

	at := b.p.journal.args[i]
	for _, a := range b.p.stmts[b.p.journal.prints[i]].args {
		for _, x := range b.words(a.slot, a.width) {
			b.put(at, says, x)
			at++
		}
	}
}

// put writes a word of the record.
func (b *netBuilder) put(at int, en, x net.ID) {
	n, j := b.n, b.journal
	addr := n.Cat(j.row, n.Const(uint64(at)), uint8(bits.Len(uint(b.p.journal.words))-1))
	n.Writes = append(n.Writes, net.Write{Mem: j.mem, En: en, Addr: addr, Data: x, Mask: net.None})
}

// hostWords is the largest number of state words that belong to the simulator instead of the
// design.
const hostWords = 3

// hostWord adds such a state word, and returns its register number.
func (b *netBuilder) hostWord(slot uint32, w uint8) int {
	b.n.Regs = append(b.n.Regs, net.Reg{Slot: slot, W: w, Q: net.None, Next: net.None, Host: true})
	return len(b.n.Regs) - 1
}

// emptyJournal empties the journal, before machine code runs.
func (s *Sim) emptyJournal() {
	at := s.p.journal.state
	s.v[at], s.v[at+1] = 0, 0
}

// hasJournal reports whether the journal has records. If not, it is ready for the next call.
func (s *Sim) hasJournal() bool {
	at := s.p.journal.state
	s.v[at+1] = 0
	return s.v[at] > 0
}

// print writes the records of the journal to the output and empties it. full reports whether it
// had been full. The call began with event number done of the events at t, whose first one is
// the next that Cycles counts; done is negative if they are counted already. The writer may look
// at the simulator, and finds the state after the call.
func (s *Sim) print(t times, done int) (full bool) {
	j := &s.p.journal
	records := int(s.v[j.state])

	// While a record is written, time and cycle count are those of its event.
	s.emptyJournal()
	now, cycles := s.now, s.cycles

	for r := range records {
		record := s.journal[r*j.words:][:j.words]
		event := uint64(done) + record[0]
		s.now, s.cycles = t.first+event*t.step, cycles+event
		for w, marks := range record[1:][:(len(j.prints)+63)/64] {
			for ; marks != 0; marks &= marks - 1 {
				k := 64*w + bits.TrailingZeros64(marks)
				s.say(&s.p.stmts[j.prints[k]], record[j.args[k]:])
			}
		}
	}

	s.now, s.cycles = now, cycles
	return records == j.records
}
