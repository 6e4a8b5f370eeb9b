package nets

import (
	"math/bits"

	"etch/sim/internal/program"
	"etch/sim/net"
)

// journalBuilder builds the journal's part of a net.
type journalBuilder struct {
	mem  int32
	row  net.ID   // index of this cycle's record
	says []net.ID // by print statement: whether it prints; None if it is not in the net
}

// OpenJournal lets print statements write to the journal, and all other statements obey the mute
// word.
func (b *Builder) OpenJournal() {
	p := b.p
	if p.Mute != 0 {
		b.mute = b.N.Leaf(b.hostWord(p.Mute, 1))
	}
	if p.Journal.State == 0 {
		return
	}
	b.journal = &journalBuilder{mem: b.journalMem, says: make([]net.ID, len(p.Journal.Prints))}
	for i := range b.journal.says {
		b.journal.says[i] = net.None
	}
}

// enter makes the record of a cycle. The code stops if there is no room for it.
func (b *Builder) enter() {
	n, j, l := b.N, b.journal, &b.p.Journal

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

	// Two state words of the simulator count the records and the cycles.
	lg := uint8(bits.Len(uint(l.Records)) - 1)
	count, cycle := b.hostWord(l.State, lg+1), b.hostWord(l.State+1, program.CycleBits)
	records := n.Leaf(count)
	n.Regs[count].Next = n.Add(records, any, lg+1)
	n.Regs[cycle].Next = n.Add(n.Leaf(cycle), n.Const(1), program.CycleBits)

	// The count's top bit says that all records are used.
	b.stop(n.Slice(records, lg, 1))
	j.row = n.Slice(records, 0, lg)

	// A record is the cycle, the mark bits, then the arguments.
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
func (b *Builder) marks(says []net.ID) net.ID {
	z := b.N.Const(0)
	for i, x := range says {
		if x >= 0 {
			z = b.N.Or(z, shifted(b.N, x, i))
		}
	}
	return z
}

// enterArguments records the arguments of print statement i under its condition.
func (b *Builder) enterArguments(i int, says net.ID) {
	if v, ok := b.N.IsConst(says); ok {
		if v == 0 {
			return
		}

		// The statement prints in every cycle, so it needs no enable.
		says = net.None
	}

	at := b.p.Journal.Args[i]
	for _, a := range b.p.Stmts[b.p.Journal.Prints[i]].Args {
		for _, x := range b.words(a.Slot, a.Width) {
			b.put(at, says, x)
			at++
		}
	}
}

// put writes a word of the record.
func (b *Builder) put(at int, en, x net.ID) {
	n, j := b.N, b.journal
	addr := n.Cat(j.row, n.Const(uint64(at)), uint8(bits.Len(uint(b.p.Journal.Words))-1))
	n.Writes = append(n.Writes, net.Write{Mem: j.mem, En: en, Addr: addr, Data: x, Mask: net.None})
}

// hostWords is the largest number of state words that belong to the simulator instead of the
// design.
const hostWords = 3

// hostWord adds such a state word, and returns its register number.
func (b *Builder) hostWord(slot uint32, w uint8) int {
	b.N.Regs = append(b.N.Regs, net.Reg{Slot: int32(slot), W: w, Q: net.None, Next: net.None, Host: true})
	return len(b.N.Regs) - 1
}
