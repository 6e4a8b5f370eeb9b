package schedule

import "etch/sim/net"

// armOrder orders the registers that one arm of a branch writes. Its slices are reused from arm
// to arm.
type armOrder struct {
	writers []int32  // muxes that write registers, as indices into the branch's list
	by      []int32  // by resource written in the arm: its writer
	written []uint64 // bit set of these resources
	first   []int32  // by writer: the start of its readers in the list below
	readers []int32
	done    []bool
}

// armWrites appends the muxes of phi that write registers. A mux whose value reads a register
// comes before the mux that writes that register, except on cycles.
func (s *Scheduler) armWrites(list []int32, phi []net.ID, value func(net.ID) net.ID) []int32 {
	a := &s.arms

	a.writers = a.writers[:0]
	for k, m := range phi {
		if s.writes[m] >= 0 {
			a.writers = append(a.writers, int32(k))
		}
	}

	// Order matters only between two writers, and is unknown without rows.
	if len(a.writers) < 2 || s.reads.words == 0 {
		return append(list, a.writers...)
	}

	s.findReaders(phi, value)
	a.done = Sized(a.done, len(a.writers))
	for w := range a.writers {
		list = a.visit(list, int32(w))
	}
	return list
}

// visit appends a writer after all readers of its register: a depth-first post-order.
func (a *armOrder) visit(list []int32, w int32) []int32 {
	if a.done[w] {
		return list
	}
	a.done[w] = true
	for _, r := range a.readers[a.first[w]:a.first[w+1]] {
		list = a.visit(list, r)
	}
	return append(list, a.writers[w])
}

// findReaders lists for each writer the other writers that read its register, in compressed
// rows.
func (s *Scheduler) findReaders(phi []net.ID, value func(net.ID) net.ID) {
	a, rd := &s.arms, &s.reads
	a.written = Sized(a.written, rd.words)
	if len(a.by) < 64*rd.words { // entries of earlier arms stay there and are never read
		a.by = make([]int32, 64*rd.words)
	}

	// The registers that the arm writes, as a set to intersect with rows of reads, and as a way
	// back to the writer.
	for w, k := range a.writers {
		r := rd.res[s.writes[phi[k]]]
		a.written[r>>6] |= 1 << (r & 63)
		a.by[r] = int32(w)
	}

	// Calls f for each pair of a reader and the writer of a register that it reads.
	each := func(f func(reader int, w int32)) {
		for reader, k := range a.writers {
			row := s.readBy(value(phi[k]))
			for i, v := range a.written {
				for v &= row[i]; v != 0; v &= v - 1 {
					f(reader, a.by[i*64+Trailing(v)])
				}
			}
		}
	}

	// Two passes: count the readers of each writer, then fill. first is shifted by two so that
	// it ends up as the index of starts.
	a.first = Sized(a.first, len(a.writers)+2)
	each(func(_ int, w int32) { a.first[w+2]++ })
	for w := range a.writers {
		a.first[w+2] += a.first[w+1]
	}

	a.readers = Sized(a.readers, int(a.first[len(a.writers)+1]))
	each(func(reader int, w int32) {
		a.readers[a.first[w+1]] = int32(reader)
		a.first[w+1]++
	})
}
