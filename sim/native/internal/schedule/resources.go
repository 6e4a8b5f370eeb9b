package schedule

import (
	"slices"

	"etch/sim/net"
)

// reads tells which resources a node depends on. Resources are the written registers, numbered
// densely, then the memories. Dependencies are exact bit rows; nets that would need too many
// words have no rows.
type reads struct {
	words int     // per row; 0: no rows
	res   []int32 // by register: its resource, -1 if it is not written
	regs  int     // registers written
	rows  []uint64
	at    []int32  // by node, except leaves: its row; 0 is the empty row
	free  []int32  // rows to reuse
	one   []uint64 // a row for leaves
}

// maxRows is the largest number of words of all rows.
const maxRows = 1 << 21

// findReads numbers the resources and computes the rows.
func (s *Scheduler) findReads() {
	n, rd := s.n, &s.reads

	// Registers first, numbered densely: only a written register can be overwritten too early.
	rd.res = Filled(rd.res, len(n.Regs))
	rd.regs = 0

	for i := range s.sinks {
		if r := s.sinks[i].reg; r >= 0 {
			rd.res[r] = int32(rd.regs)
			rd.regs++
		}
	}

	// A sink writes one resource: a register, a memory, or the journal.
	for i := range s.sinks {
		k := &s.sinks[i]
		switch {
		case k.reg >= 0:
			k.res = rd.res[k.reg]
		case k.store == entriesOf: // nothing reads it
			k.res = int32(rd.regs) + int32(len(n.Mems))
		default:
			k.res = int32(rd.regs) + n.Writes[k.store].Mem
		}
	}

	// Exact rows take nodes × resources bits. Beyond the bound the order is approximate, and copies
	// repair it.
	rd.words = (rd.regs + len(n.Mems) + 63) / 64
	if rd.words*len(n.N) > maxRows {
		rd.words = 0
	}
	if rd.words > 0 {
		s.findRows()
	}
}

// findRows computes the rows of nodes. Only next values and values written in arms are asked
// about later. Rows of other nodes are reused after their last user, so s.uses is consumed by
// counting down.
func (s *Scheduler) findRows() {
	n, rd := s.n, &s.reads
	rd.one = Sized(rd.one, rd.words)
	rd.rows, rd.free = append(slices.Grow(rd.rows[:0], 2*rd.words*len(s.sinks)), rd.one...), rd.free[:0]
	rd.at = Sized(rd.at, len(n.N))

	var buf [3]net.ID
	for i := range n.N {
		if s.uses[i] == 0 || n.N[i].Op.IsLeaf() {
			continue
		}
		in, asked := args(n, net.ID(i), &buf), s.writes[i] >= 0 // the arguments may be asked about

		// The result may take over the row of an argument that ends here.
		own := int32(0)
		if !asked {
			own = s.lastRow(in)
		}

		// No argument ended: take a row from the free list or a new one.
		if own == 0 {
			own = rd.newRow()
		}
		rd.at[i] = own
		s.fill(net.ID(i), in)

		// Writers' values are asked about later, so their arguments keep their rows.
		if !asked {
			s.leave(in, own)
		}
	}
}

// leave counts down the uses of arguments and frees their rows, except own, which is in use
// again.
func (s *Scheduler) leave(in []net.ID, own int32) {
	rd := &s.reads
	for _, x := range in {
		if s.uses[x]--; s.uses[x] == 0 && rd.at[x] > 0 && rd.at[x] != own {
			rd.free = append(rd.free, rd.at[x])
		}
	}
}

// lastRow is the row of an argument without further uses, or 0.
func (s *Scheduler) lastRow(in []net.ID) int32 {
	for _, x := range in {
		if s.uses[x] == 1 && s.reads.at[x] > 0 {
			return s.reads.at[x]
		}
	}
	return 0
}

// fill adds the dependencies of node i to its row, which may have been an argument's.
func (s *Scheduler) fill(i net.ID, in []net.ID) {
	rd := &s.reads
	row := rd.row(i)

	// A look-up depends on the whole memory.
	if nd := &s.n.N[i]; nd.Op == net.Read {
		mark(row, int32(rd.regs)+int32(nd.Imm))
	}
	for _, x := range in {
		switch nd := &s.n.N[x]; {
		case nd.Op == net.Leaf:
			mark(row, rd.res[nd.Imm])
		case rd.at[x] != rd.at[i]:
			for k, v := range rd.row(x) {
				row[k] |= v
			}
		}
	}
}

// newRow returns an empty row.
func (rd *reads) newRow() int32 {
	// Reused rows are full of old bits.
	if k := len(rd.free); k > 0 {
		at := rd.free[k-1]
		rd.free = rd.free[:k-1]
		clear(rd.rows[int(at)*rd.words:][:rd.words])
		return at
	}

	at := len(rd.rows) / rd.words
	rd.rows = append(rd.rows, rd.rows[:rd.words]...) // the empty row
	return int32(at)
}

// mark adds a resource; negative ones are ignored.
func mark(row []uint64, res int32) {
	if res >= 0 {
		row[res>>6] |= 1 << (res & 63)
	}
}

func (rd *reads) row(x net.ID) []uint64 { return rd.rows[int(rd.at[x])*rd.words:][:rd.words] }

// readBy is the resources that a next value, or a value written by an arm, depends on. The slice
// is valid until the next call; there must be rows.
func (s *Scheduler) readBy(x net.ID) []uint64 {
	nd := &s.n.N[x]
	if nd.Op != net.Leaf {
		return s.reads.row(x)
	}
	clear(s.reads.one)
	mark(s.reads.one, s.reads.res[nd.Imm])
	return s.reads.one
}
