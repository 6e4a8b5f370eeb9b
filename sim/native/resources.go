package native

import "etch/sim/net"

// reads tells which resources a node depends on. Resources are the registers
// that are written, numbered densely, then the memories. Rows of bits are exact;
// where they would take too much, there are none.
type reads struct {
	words int     // of a row
	res   []int32 // of a register, -1 when it is not written
	regs  int     // registers that are written
	rows  []uint64
	at    []int32 // by node: its row; 0: it depends on nothing
	free  []int32 // rows of nodes that nobody will ask about
}

// maxRows bounds the words of all rows together.
const maxRows = 1 << 21

// findReads numbers resources, and finds which ones nodes depend on.
func (s *scheduler) findReads() {
	n, rd := s.n, &s.reads
	rd.res = filled(rd.res, len(n.Regs))
	rd.regs = 0
	for i := range s.sinks {
		if r := s.sinks[i].reg; r >= 0 {
			rd.res[r] = int32(rd.regs)
			rd.regs++
		}
	}
	for i := range s.sinks {
		k := &s.sinks[i]
		switch {
		case k.reg >= 0:
			k.res = rd.res[k.reg]
		case k.store == entriesOf: // which nothing reads
			k.res = int32(rd.regs) + int32(len(n.Mems))
		default:
			k.res = int32(rd.regs) + n.Writes[k.store].Mem
		}
	}
	rd.words = (rd.regs + len(n.Mems) + 63) / 64
	if rd.words*len(n.N) > maxRows {
		rd.words = 0
	}
	if rd.words > 0 {
		s.findRows()
	}
}

// findRows makes the rows of nodes. Those of arguments that only had to be known for this
// serve again: what is asked about are next values and what arms write. It takes the
// counts of uses apart.
func (s *scheduler) findRows() {
	n, rd := s.n, &s.reads
	rd.rows, rd.free = append(rd.rows[:0], make([]uint64, rd.words)...), rd.free[:0]
	rd.at = sized(rd.at, len(n.N))
	var buf [3]net.ID
	for i := range n.N {
		nd := &n.N[i]
		if s.uses[i] == 0 || nd.Op == net.Const {
			continue
		}
		rd.at[i] = rd.newRow()
		row := rd.row(net.ID(i))
		switch nd.Op {
		case net.Leaf:
			rd.mark(row, rd.res[nd.Imm])
		case net.Read:
			rd.mark(row, int32(rd.regs)+int32(nd.Imm))
		}
		for _, x := range args(n, net.ID(i), &buf) {
			for k, v := range rd.row(x) {
				row[k] |= v
			}
			if s.writes[i] < 0 {
				s.used(x)
			}
		}
	}
}

// used says that a node's row was needed once more.
func (s *scheduler) used(x net.ID) {
	rd := &s.reads
	if s.uses[x]--; s.uses[x] == 0 && rd.at[x] > 0 {
		rd.free = append(rd.free, rd.at[x])
	}
}

// newRow returns an empty row.
func (rd *reads) newRow() int32 {
	if k := len(rd.free); k > 0 {
		at := rd.free[k-1]
		rd.free = rd.free[:k-1]
		clear(rd.rows[int(at)*rd.words:][:rd.words])
		return at
	}
	at := len(rd.rows) / rd.words
	rd.rows = append(rd.rows, rd.rows[:rd.words]...) // that of what depends on nothing
	return int32(at)
}

// mark notes a resource, none if it is negative.
func (rd *reads) mark(row []uint64, res int32) {
	if res >= 0 {
		row[res>>6] |= 1 << (res & 63)
	}
}

// row is the resources that node x depends on; there must be rows.
func (rd *reads) row(x net.ID) []uint64 { return rd.rows[int(rd.at[x])*rd.words:][:rd.words] }
