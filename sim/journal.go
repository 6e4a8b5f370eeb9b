package sim

import (
	"math/bits"
	"slices"

	"etch/ir"
	"etch/sim/net"
)

// Machine code does not leave when a design prints: it keeps the values that print
// statements print, and goes on. They are formatted and written when the code comes
// back, in the order in which they would have been. What it keeps is a journal, in
// memory behind the state: a record for each cycle in which anything is printed, of
// the number of the cycle within the call, a bit for each print statement that
// prints, and the words of their arguments, each at a place of its own.

// journal is where the values of print statements are kept.
type journal struct {
	state   uint32  // slot of the number of records; behind it, of the cycles of this call. 0: nothing is printed
	prints  []int32 // the print statements, by bit
	args    []int   // by print statement: where its arguments are in a record
	words   int     // of a record
	records int     // for which there is room
}

// Sizes of journals. Of both words and records the number is a power of two.
const (
	journalWords = 1 << 14 // about
	mostRecords  = 1 << 10
	leastRecords = 1 << 4
	mostRecord   = 1 << 16 // words; statements that need more are interpreted
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

// lay lays out a record.
func (j *journal) lay(stmts []statement) {
	if j.state == 0 {
		return
	}
	for i := range stmts {
		if stmts[i].src.Kind == ir.Print {
			j.prints = append(j.prints, int32(i))
		}
	}
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

// room is the words that a journal takes.
func (j *journal) room() uint32 { return uint32(j.words * j.records) }

// journalBuilder is the part of a net that keeps a journal.
type journalBuilder struct {
	mem  int32
	row  net.ID   // the record of this cycle
	says []net.ID // by print statement: whether it prints; None for those that are not looked at
}

// openJournal has print statements keep what they print, and all others heed mute.
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

// enter makes the record of a cycle. Code leaves when there is no room for it.
func (b *netBuilder) enter() {
	n, j, l := b.n, b.journal, &b.p.journal
	any := n.Const(0)
	for _, x := range j.says {
		if x >= 0 {
			any = n.Or(any, x)
		}
	}
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

// marks is the bits of some print statements side by side.
func (b *netBuilder) marks(says []net.ID) net.ID {
	z := b.n.Const(0)
	for i, x := range says {
		if x >= 0 {
			z = b.n.Or(z, shifted(b.n, x, i))
		}
	}
	return z
}

// enterArguments keeps the arguments of print statement i when it says something.
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

// put has a word of the record written.
func (b *netBuilder) put(at int, en, x net.ID) {
	n, j := b.n, b.journal
	addr := n.Cat(j.row, n.Const(uint64(at)), uint8(bits.Len(uint(b.p.journal.words))-1))
	n.Writes = append(n.Writes, net.Write{Mem: j.mem, En: en, Addr: addr, Data: x, Mask: net.None})
}

// hostWords is how many state words there may be that are not the design's.
const hostWords = 3

// hostWord is the number of a new state word that is not the design's.
func (b *netBuilder) hostWord(slot uint32, w uint8) int {
	b.n.Regs = append(b.n.Regs, net.Reg{Slot: slot, W: w, Q: net.None, Next: net.None, Host: true})
	return len(b.n.Regs) - 1
}

// emptyJournal is to be done before machine code runs.
func (s *Sim) emptyJournal() {
	at := s.p.journal.state
	s.v[at], s.v[at+1] = 0, 0
}

// hasJournal reports whether there is anything in the journal; if not, it is ready for
// the next call of machine code.
func (s *Sim) hasJournal() bool {
	at := s.p.journal.state
	s.v[at+1] = 0
	return s.v[at] > 0
}

// print writes what the journal holds to the output, and empties it; full reports
// whether there was no more room. The call of machine code began with event number
// done of those at t, the first of which is the next that Cycles counts; done is
// negative where it has counted them. Who is written to may look at
// the simulator, and finds the state that the call has left.
func (s *Sim) print(t times, done int) (full bool) {
	j := &s.p.journal
	records := int(s.v[j.state])
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
