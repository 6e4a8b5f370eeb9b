package native

import (
	"sort"

	"etch/sim/net"
)

// segment is consecutive blocks of one shape. All are full except perhaps the last. They run one
// after the other, in one direction.
type segment struct {
	shape
	at, size int32 // lanes: the first, and their number
	blocks   []block
	patches  []patch // of all segments
	up       bool    // runs from the first block to the last
	shadow   bool    // results go to shadows first, because a block reads lanes that another wrote
	firstC   int32   // first cell of the patches, in execution order
	conds    []int32 // by choice: the cell of its condition
	spreads  []int32 // by vector: the cell of a vSpread
	cells    []int32 // by block in execution order: its first cell, from firstC
}

// segments joins neighbouring blocks of one shape.
func (p *packer) segments() []segment {
	var segs []segment
	for at := 0; at < len(p.blocks); {
		first := &p.blocks[at]
		s := segment{shape: p.shapes[first.shape], at: first.at, patches: p.patches}
		end := at

		// Only the last block of a run may be short, so a short one ends its segment.
		for end < len(p.blocks) && s.size%laneCount == 0 && p.blocks[end].shape == first.shape && p.blocks[end].at == s.at+s.size {
			s.size += p.blocks[end].n
			end++
		}

		s.blocks = p.blocks[at:end]
		segs = append(segs, s)
		at = end
	}
	return segs
}

// patched is the patches of block b.
func (s *segment) patched(b int) []patch {
	k := &s.blocks[b]
	return s.patches[k.patch:][:k.count]
}

// loads calls f for each vector load of the segment, with its first lane relative to the first
// block.
func (s *segment) loads(f func(base int32)) {
	for i := range s.nodes {
		if s.nodes[i].k == vLoad {
			f(s.nodes[i].base)
		}
	}
}

// order sorts segments topologically: readers of lanes before the segment that writes them. It
// gives each segment its direction. On a cycle, results go to shadows.
func order(segs []segment) []segment {
	readers := make([][]int32, len(segs)) // by segment: the segments whose lanes it reads
	waits := make([]int32, len(segs))     // by segment: its readers that have not run
	noted := filled(nil, len(segs))       // by segment: the last reader noted
	for i := range segs {
		// A segment that loads its own lanes runs away from them: upwards if it only reads
		// higher lanes.
		s := &segs[i]
		down, up := true, true
		s.loads(func(base int32) {
			lo, hi := s.at+base, s.at+base+s.size
			for k := sort.Search(len(segs), func(k int) bool { return segs[k].at+segs[k].size > lo }); k < len(segs) && segs[k].at < hi; k++ {
				if k == i {
					down = down && base <= 0
					up = up && base >= 0
				} else if noted[k] != int32(i) {
					noted[k] = int32(i)
					readers[i] = append(readers[i], int32(k))
					waits[k]++
				}
			}
		})
		s.up, s.shadow = up && !down, !up && !down
	}

	out := make([]segment, 0, len(segs))
	done := make([]bool, len(segs))
	var ready []int32
	run := func(i int32) {
		done[i] = true
		out = append(out, segs[i])
		for _, k := range readers[i] {
			if waits[k]--; waits[k] == 0 && !done[k] {
				ready = append(ready, k)
			}
		}
	}

	// Kahn's algorithm. When no segment is ready, the first one left writes to shadows and runs.
	for i := range segs {
		if waits[i] == 0 {
			ready = append(ready, int32(i))
		}
	}
	for at := 0; len(out) < len(segs); {
		if k := len(ready); k > 0 {
			i := ready[k-1]
			ready = ready[:k-1]
			if !done[i] {
				run(i)
			}
			continue
		}

		for done[at] {
			at++
		}
		segs[at].shadow = true
		run(int32(at))
	}
	return out
}

// layCells assigns cells to the values that segments need from plain code. Conditions and spread
// values share a cell per node; patched lanes of a block are in a row.
func (k *packs) layCells(n *net.Net) {
	cellOf := map[net.ID]int32{}
	cell := func(x net.ID) int32 {
		v, isConst := n.IsConst(x)
		k.cells, k.fixed, k.consts = append(k.cells, x), append(k.fixed, isConst), append(k.consts, v)
		return int32(len(k.cells) - 1)
	}

	shared := func(x net.ID) int32 {
		c, ok := cellOf[x]
		if !ok {
			c = cell(x)
			cellOf[x] = c
		}
		return c
	}

	for i := range k.segs {
		s := &k.segs[i]
		k.slow = k.slow || s.shadow
		s.conds = make([]int32, len(s.choices))
		for j, ch := range s.choices {
			if ch.cond >= 0 {
				s.conds[j] = shared(ch.cond)
			}
		}
		s.spreads = make([]int32, len(s.nodes))
		for j := range s.nodes {
			if s.nodes[j].k == vSpread {
				s.spreads[j] = shared(s.nodes[j].node)
			}
		}
	}

	for i := range k.segs {
		s := &k.segs[i]
		s.firstC = int32(len(k.cells))
		s.cells = make([]int32, 0, len(s.blocks)+1)
		for at := range s.blocks {
			s.cells = append(s.cells, int32(len(k.cells))-s.firstC)
			list := s.patched(s.index(at))
			for j := range list {
				k.patchCells(&list[j], cell)
			}
		}
		s.cells = append(s.cells, int32(len(k.cells))-s.firstC)
	}
}

// patchCells assigns consecutive cells to the lanes of a patch, with gaps for lanes that it
// lacks.
func (k *packs) patchCells(t *patch, cell func(net.ID) int32) {
	lo, hi := span(t.mask)
	t.cell = int32(len(k.cells))
	for i := lo; i <= hi; i++ {
		if t.of[i] >= 0 {
			cell(t.of[i])
		} else {
			k.cells, k.fixed, k.consts = append(k.cells, net.None), append(k.fixed, false), append(k.consts, 0)
		}
	}
}

// span is the first and the last lane in a mask, which is not 0.
func span(mask uint8) (lo, hi int) {
	for mask>>lo&1 == 0 {
		lo++
	}
	for hi = laneCount - 1; mask>>hi&1 == 0; hi-- {
	}
	return lo, hi
}

// kinds numbers the blocks by their patches: blocks with one number share code.
func (s *segment) kinds() []int32 {
	known := map[string]int32{"": 0}
	kinds := make([]int32, len(s.blocks))
	var key []byte
	for at := range kinds {
		key = key[:0]
		for _, t := range s.patched(s.index(at)) {
			key = append(key, byte(t.v), byte(t.v>>8), t.mask)
		}
		k, ok := known[string(key)]
		if !ok {
			k = int32(len(known))
			known[string(key)] = k
		}
		kinds[at] = k
	}
	return kinds
}

// index is the block that runs at position at.
func (s *segment) index(at int) int {
	if s.up {
		return at
	}
	return len(s.blocks) - 1 - at
}

// full is the number of lanes of block b.
func (s *segment) full(b int) int32 { return min(laneCount, s.size-int32(b)*laneCount) }

// mostLive is the largest number of live vectors in a graph: all registers but three for values
// common to all blocks and three temporaries.
const mostLive = 10

// fits reports whether the vector registers suffice for each graph of the segment.
func (s *segment) fits() bool {
	for _, ch := range s.choices {
		if ch.cond >= 0 || ch.root < 0 {
			continue
		}

		last := s.lastUses(ch.root)
		live, most := 0, 0
		for i := range s.nodes {
			if last[i] < 0 {
				continue
			}
			live++
			most = max(most, live)
			for j := range i + 1 {
				if last[j] == int32(i) {
					live--
				}
			}
		}

		if most > mostLive {
			return false
		}
	}
	return true
}

// lastUses is, by vector, the last vector that uses it, or -1 if root does not need it. The root
// is used behind all others.
func (s *segment) lastUses(root int32) []int32 {
	last := filled(nil, len(s.nodes))
	last[root] = int32(len(s.nodes))
	for i := len(s.nodes) - 1; i >= 0; i-- {
		if last[i] < 0 {
			continue
		}

		v := &s.nodes[i]
		if v.k != vOp {
			continue
		}
		for _, x := range [3]int32{v.a, v.b, v.c} {
			if x >= 0 && last[x] < 0 {
				last[x] = int32(i)
			}
		}
	}
	return last
}
