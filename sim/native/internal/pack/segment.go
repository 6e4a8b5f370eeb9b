package pack

import (
	"sort"

	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// Segment is consecutive blocks of one shape. All are full except perhaps the last. They run one
// after the other, in one direction.
type Segment struct {
	shape
	At, Size int32 // elements: the first, and their number
	Blocks   []block
	patches  []Patch // of all segments
	Up       bool    // runs from the first block to the last
	Shadow   bool    // results go to shadows first, because a block reads elements that another wrote
	FirstC   int32   // first cell of the patches, in execution order
	Conds    []int32 // by choice: the cell of its condition
	Spreads  []int32 // by vector: the cell of a VSpread
	Cells    []int32 // by block in execution order: its first cell, from FirstC
}

// segments joins neighbouring blocks of one shape.
func (p *packer) segments() []Segment {
	var segs []Segment
	for at := 0; at < len(p.blocks); {
		first := &p.blocks[at]
		s := Segment{shape: p.shapes[first.shape], At: first.at, patches: p.patches}
		end := at

		// Only the last block of a run may be short, so a short one ends its segment.
		for end < len(p.blocks) && s.Size%ElementCount == 0 && p.blocks[end].shape == first.shape && p.blocks[end].at == s.At+s.Size {
			s.Size += p.blocks[end].n
			end++
		}

		s.Blocks = p.blocks[at:end]
		segs = append(segs, s)
		at = end
	}
	return segs
}

// Patched is the patches of block b.
func (s *Segment) Patched(b int) []Patch {
	k := &s.Blocks[b]
	return s.patches[k.patch:][:k.count]
}

// loads calls f for each vector load of the segment, with its first element relative to the first
// block.
func (s *Segment) loads(f func(base int32)) {
	for i := range s.Nodes {
		if s.Nodes[i].K == VLoad {
			f(s.Nodes[i].Base)
		}
	}
}

// order sorts segments topologically: readers of elements before the segment that writes them. It
// gives each segment its direction. On a cycle, results go to shadows.
func order(segs []Segment) []Segment {
	readers := make([][]int32, len(segs))    // by segment: the segments whose elements it reads
	waits := make([]int32, len(segs))        // by segment: its readers that have not run
	noted := schedule.Filled(nil, len(segs)) // by segment: the last reader noted
	for i := range segs {
		// A segment that loads its own elements runs towards those that it reads, so that it reads
		// them before it writes them: upwards if it only reads higher elements.
		s := &segs[i]
		down, up := true, true
		s.loads(func(base int32) {
			lo, hi := s.At+base, s.At+base+s.Size

			// Segments are sorted by elements: a search finds the first that may overlap.
			for k := sort.Search(len(segs), func(k int) bool { return segs[k].At+segs[k].Size > lo }); k < len(segs) && segs[k].At < hi; k++ {
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
		s.Up, s.Shadow = up && !down, !up && !down
	}

	out := make([]Segment, 0, len(segs))
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
		segs[at].Shadow = true
		run(int32(at))
	}
	return out
}

// layCells assigns cells to the values that segments need from plain code. Conditions and spread
// values share a cell per node; patched elements of a block are in a row.
func (k *Packs) layCells(n *net.Net) {
	cellOf := map[net.ID]int32{}
	cell := func(x net.ID) int32 {
		v, isConst := n.IsConst(x)
		k.Cells, k.Fixed, k.Consts = append(k.Cells, x), append(k.Fixed, isConst), append(k.Consts, v)
		return int32(len(k.Cells) - 1)
	}

	shared := func(x net.ID) int32 {
		c, ok := cellOf[x]
		if !ok {
			c = cell(x)
			cellOf[x] = c
		}
		return c
	}

	// Values that all blocks of a segment read.
	for i := range k.Segs {
		s := &k.Segs[i]
		k.slow = k.slow || s.Shadow
		s.Conds = make([]int32, len(s.Choices))
		for j, ch := range s.Choices {
			if ch.Cond >= 0 {
				s.Conds[j] = shared(ch.Cond)
			}
		}
		s.Spreads = make([]int32, len(s.Nodes))
		for j := range s.Nodes {
			if s.Nodes[j].K == VSpread {
				s.Spreads[j] = shared(s.Nodes[j].node)
			}
		}
	}

	// Values of single elements, block by block: the code of a segment walks through them.
	for i := range k.Segs {
		s := &k.Segs[i]
		s.FirstC = int32(len(k.Cells))
		s.Cells = make([]int32, 0, len(s.Blocks)+1)
		for at := range s.Blocks {
			s.Cells = append(s.Cells, int32(len(k.Cells))-s.FirstC)
			list := s.Patched(s.Index(at))
			for j := range list {
				k.patchCells(&list[j], cell)
			}
		}
		s.Cells = append(s.Cells, int32(len(k.Cells))-s.FirstC)
	}
}

// patchCells assigns consecutive cells to the elements of a patch, with gaps for elements that it
// lacks.
func (k *Packs) patchCells(t *Patch, cell func(net.ID) int32) {
	lo, hi := Span(t.Mask)
	t.Cell = int32(len(k.Cells))
	for i := lo; i <= hi; i++ {
		if t.of[i] >= 0 {
			cell(t.of[i])
		} else {
			k.Cells, k.Fixed, k.Consts = append(k.Cells, net.None), append(k.Fixed, false), append(k.Consts, 0)
		}
	}
}

// Span is the first and the last element in a mask, which is not 0.
func Span(mask uint8) (lo, hi int) {
	for mask>>lo&1 == 0 {
		lo++
	}
	for hi = ElementCount - 1; mask>>hi&1 == 0; hi-- {
	}
	return lo, hi
}

// Kinds numbers the blocks by their patches: blocks with one number share code.
func (s *Segment) Kinds() []int32 {
	known := map[string]int32{"": 0}
	kinds := make([]int32, len(s.Blocks))
	var key []byte
	for at := range kinds {
		key = key[:0]
		for _, t := range s.Patched(s.Index(at)) {
			key = append(key, byte(t.V), byte(t.V>>8), t.Mask)
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

// Index is the block that runs at position at.
func (s *Segment) Index(at int) int {
	if s.Up {
		return at
	}
	return len(s.Blocks) - 1 - at
}

// Full is the number of elements of block b.
func (s *Segment) Full(b int) int32 { return min(ElementCount, s.Size-int32(b)*ElementCount) }

// LastUses is, by vector, the last vector that uses it, or -1 if root does not need it. The root
// is used behind all others.
func (s *Segment) LastUses(root int32) []int32 {
	last := schedule.Filled(nil, len(s.Nodes))
	last[root] = int32(len(s.Nodes))
	for i := len(s.Nodes) - 1; i >= 0; i-- {
		if last[i] < 0 {
			continue
		}

		v := &s.Nodes[i]
		if v.K != VOp {
			continue
		}
		for _, x := range [3]int32{v.A, v.B, v.C} {
			if x >= 0 && last[x] < 0 {
				last[x] = int32(i)
			}
		}
	}
	return last
}
