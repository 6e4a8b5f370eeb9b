package cells

// sorter puts cells of logic in order, each after those that it reads
// (Tarjan's algorithm, without recursion: netlists of gates are deep).
type sorter struct {
	reads  func(cell int32, f func(from int32))
	index  []int32 // 1, 2, … in the order of discovery; 0: not seen
	low    []int32
	on     []bool
	stack  []int32
	count  int32
	groups [][]int32 // strongly connected cells, in order
}

type visit struct {
	cell int32
	in   []int32
	next int
}

func newSorter(cells int, reads func(int32, func(int32))) *sorter {
	return &sorter{reads: reads, index: make([]int32, cells), low: make([]int32, cells), on: make([]bool, cells)}
}

// from adds root and whatever it needs.
func (s *sorter) from(root int32) {
	if s.index[root] != 0 {
		return
	}

	// Tarjan's algorithm with a stack of its own: deep logic must not end the process.
	open := []visit{s.open(root)}
	for len(open) > 0 {
		v := &open[len(open)-1]
		if v.next < len(v.in) {
			to := v.in[v.next]
			v.next++
			if s.index[to] == 0 {
				open = append(open, s.open(to))
			} else if s.on[to] {
				s.low[v.cell] = min(s.low[v.cell], s.index[to])
			}
			continue
		}

		// All inputs are visited. A cell whose low link is itself closes a component.
		cell := v.cell
		open = open[:len(open)-1]
		if len(open) > 0 {
			up := open[len(open)-1].cell
			s.low[up] = min(s.low[up], s.low[cell])
		}
		if s.low[cell] == s.index[cell] {
			s.close(cell)
		}
	}
}

func (s *sorter) open(cell int32) visit {
	s.count++
	s.index[cell], s.low[cell], s.on[cell] = s.count, s.count, true
	s.stack = append(s.stack, cell)
	v := visit{cell: cell}
	s.reads(cell, func(from int32) { v.in = append(v.in, from) })
	return v
}

// close takes the group of a cell off the stack.
func (s *sorter) close(cell int32) {
	// Everything above the cell on the stack is of its component.
	for i := len(s.stack) - 1; ; i-- {
		s.on[s.stack[i]] = false
		if s.stack[i] == cell {
			s.groups = append(s.groups, append([]int32(nil), s.stack[i:]...))
			s.stack = s.stack[:i]
			return
		}
	}
}
