package sim

import (
	"math/bits"

	"etch/sim/net"
)

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
