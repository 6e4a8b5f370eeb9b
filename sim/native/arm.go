package native

import "etch/sim/net"

// armOrder orders the registers that an arm of a branch writes. It is used over and
// over.
type armOrder struct {
	writers []int32  // muxes that write registers, by their places among the branch's
	by      []int32  // by resource that the arm writes: its writer
	written []uint64 // those resources
	first   []int32  // by writer: where those that read what it writes begin in readers
	readers []int32
	done    []bool
}

// armWrites appends to list the muxes of phi that write registers, such that those whose
// values depend on a register come before the one that writes it, as far as there is
// no cycle.
func (s *scheduler) armWrites(list []int32, phi []net.ID, value func(net.ID) net.ID) []int32 {
	a := &s.arms
	a.writers = a.writers[:0]
	for k, m := range phi {
		if s.writes[m] >= 0 {
			a.writers = append(a.writers, int32(k))
		}
	}
	if len(a.writers) < 2 || s.reads.words == 0 {
		return append(list, a.writers...)
	}
	s.findReaders(phi, value)
	a.done = sized(a.done, len(a.writers))
	for w := range a.writers {
		list = a.visit(list, int32(w))
	}
	return list
}

// visit appends a writer behind all that read what it writes.
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

// findReaders finds the readers of what each writer writes.
func (s *scheduler) findReaders(phi []net.ID, value func(net.ID) net.ID) {
	a, rd := &s.arms, &s.reads
	a.written = sized(a.written, rd.words)
	if len(a.by) < 64*rd.words { // what is left there from other arms is never looked at
		a.by = make([]int32, 64*rd.words)
	}
	for w, k := range a.writers {
		r := rd.res[s.writes[phi[k]]]
		a.written[r>>6] |= 1 << (r & 63)
		a.by[r] = int32(w)
	}
	each := func(f func(reader int, w int32)) {
		for reader, k := range a.writers {
			row := s.readBy(value(phi[k]))
			for i, v := range a.written {
				for v &= row[i]; v != 0; v &= v - 1 {
					f(reader, a.by[i*64+trailing(v)])
				}
			}
		}
	}
	a.first = sized(a.first, len(a.writers)+2)
	each(func(_ int, w int32) { a.first[w+2]++ })
	for w := range a.writers {
		a.first[w+2] += a.first[w+1]
	}
	a.readers = sized(a.readers, int(a.first[len(a.writers)+1]))
	each(func(reader int, w int32) {
		a.readers[a.first[w+1]] = int32(reader)
		a.first[w+1]++
	})
}
