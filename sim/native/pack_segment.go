package native

import (
	"sort"

	"etch/sim/net"
)

// segment is blocks side by side of one shape: all are full, but the last one may be
// less. They run one after another in one direction.
type segment struct {
	shape
	at, size int32 // lanes of all
	blocks   []block
	patches  []patch // of all segments
	up       bool    // from the first block to the last
	shadow   bool    // results go to shadows first, since some block reads what another wrote
	firstC   int32   // first cell of the patches, in the order in which blocks run
	conds    []int32 // by choice: the cell of its condition
	spreads  []int32 // by vector: the cell of a vSpread
	cells    []int32 // by block in the order in which they run: its first cell, from firstC
}

// segments joins blocks.
func (p *packer) segments() []segment {
	var segs []segment
	for at := 0; at < len(p.blocks); {
		first := &p.blocks[at]
		s := segment{shape: p.shapes[first.shape], at: first.at, patches: p.patches}
		end := at
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

// patched is the patches of a block.
func (s *segment) patched(b int) []patch {
	k := &s.blocks[b]
	return s.patches[k.patch:][:k.count]
}

// loads calls f for the lanes that the segment's vectors load, in terms of its
// first block.
func (s *segment) loads(f func(base int32)) {
	for i := range s.nodes {
		if s.nodes[i].k == vLoad {
			f(s.nodes[i].base)
		}
	}
}

// order sorts segments such that those that read lanes come before the one that
// writes them, and gives each its direction. Where there is a cycle, results go
// to shadows.
func order(segs []segment) []segment {
	readers := make([][]int32, len(segs)) // of each segment
	waits := make([]int32, len(segs))     // readers that have not run
	noted := filled(nil, len(segs))       // the last one that was noted as a reader
	for i := range segs {
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

// layCells gives what segments need from plain code its cells.
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

// patchCells gives the lanes of a patch neighbouring cells.
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

// span is the first and the last lane in a mask.
func span(mask uint8) (lo, hi int) {
	for mask>>lo&1 == 0 {
		lo++
	}
	for hi = laneCount - 1; mask>>hi&1 == 0; hi-- {
	}
	return lo, hi
}

// kinds numbers the blocks by what they patch: blocks of one number are the same
// code.
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

// index is the block that runs as number at.
func (s *segment) index(at int) int {
	if s.up {
		return at
	}
	return len(s.blocks) - 1 - at
}

// full is how many lanes of block b there are.
func (s *segment) full(b int) int32 { return min(laneCount, s.size-int32(b)*laneCount) }

// mostLive is how many vectors of a graph may be alive at once: the registers
// but three that keep what is the same in all blocks, and three for the moment.
const mostLive = 10

// fits reports whether the vector registers suffice for every graph.
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

// lastUses is, for every vector that root needs, the last one that takes it;
// -1 for the others. The root ends behind all.
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
