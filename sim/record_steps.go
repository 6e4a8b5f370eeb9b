package sim

// A bench that counts an input up, or walks through addresses, changes it at every edge by the
// same difference. Such quads move: at each edge their fields take their step without an entry, and
// only the fields that do otherwise are named. A recording moves as a whole or not at all, so that
// in one that does not, an input left alone needs no entry either.
//
// Writer and [Player] keep the same steps. At entryMove those of the quads named since the last
// edge become the differences of these entries, all others 0. While the recording moves, all fields
// that are not named move, once before each edge. A field that is named keeps its step, as a counter
// does that starts again from 0, and is taken to wrap around there from now on (quads.WrapAt); one
// that was named before the last edge too takes the difference as its step, and does not wrap
// around. At entryRest all steps are 0.

// steps is the writer's side of a recording that may move.
type steps struct {
	moves   bool   // the recording moves
	quick   bool   // and the next edge may be byHand's frequent case
	movers  int    // quads that moved at first
	steady  int    // edges in succession at which most named quads repeated their difference
	flushes uint64 // counts the flushes that looked at the inputs

	named, again int // in the last flush: quads named, and those of them with their difference of before
}

// untilMove is the number of steady edges before a recording moves. A move that ends at once costs
// an entry for each quad, so no more than a sixteenth of the entries made before it.
const untilMove = 16

// watches reports whether differences are looked at, which takes as long as the recording itself:
// in the first flushes of 256.
func (r *Recording) watches() bool { return r.flushes%256 < untilMove+4 }

// mention takes an entry of a quad into account: the change of its fields, and those that were not as
// expected.
func (r *Recording) mention(i int, diff, fields uint64) {
	last := &r.quads[i].entry
	r.named++
	if diff == last.diff {
		r.again++
	}

	// Fields that were named before the last edge too have a new step; the others wrapped around.
	if r.moves {
		twice := uint64(0)
		if last.flush == r.flushes-1 {
			twice = fields & last.fields
		}
		r.expected.SetStep(i, diff, twice)
		r.expected.WrapAround(i, fields&^twice)
	}
	*last = entry{r.flushes, diff, fields}
}

// flushEdge is flush before n edges of the clocks that had the edge before.
func (r *Recording) flushEdge(n int) {
	// An edge without a set before it moves nothing.
	if n != 1 || r.s.m.Version == r.seen || r.steady < 0 {
		r.rest()
	}
	r.inputsNow()

	switch {
	case r.moves:
		r.endIfMany()
	case n == 1 && r.watches() && r.named > 0 && 2*r.again > r.named && len(r.s.m.St.Models) == 0:
		if r.steady++; r.steady >= untilMove {
			r.move()
		}
	default:
		r.steady = 0
	}
}

// nameUnlike names the quads that do otherwise, and ends the moves where they are too many.
func (r *Recording) nameUnlike(unlike uint64) {
	r.named, r.again = 0, 0
	w := setWriter{r: r, watch: true}
	w.unlike(0, unlike)
	r.newer.entries = w.to[:w.n]
	r.endIfMany()
}

// isQuick reports whether the next edge may be the frequent case of byHand. Outputs of black boxes
// are recorded within an edge, so designs with boxes have none.
func (r *Recording) isQuick() bool {
	return r.moves && r.single && r.steady >= 0 && len(r.s.m.P.Boxes) == 0
}

// endIfMany ends the moves behind this edge if most quads had to be named.
func (r *Recording) endIfMany() {
	if 2*r.named > r.movers {
		r.steady, r.quick = -1, false
	}
}

// move makes the quads named in the last flush move.
func (r *Recording) move() {
	r.put(entryMove)
	r.moves, r.movers = true, 0
	for i := range r.quads {
		if q := &r.quads[i]; q.entry.flush == r.flushes {
			r.expected.SetStep(i, q.entry.diff, allBits)
			r.movers++
		}
	}
}

// rest ends the moves, behind an edge.
func (r *Recording) rest() {
	if !r.moves {
		return
	}
	r.endEdges()
	r.put(entryRest)
	r.moves, r.quick, r.steady = false, false, 0
	r.expected.Rest()
}

// takeBack ends the moves where not just one edge has followed the flush: what has moved is named.
func (r *Recording) takeBack() {
	r.steady = 0
	if !r.moves {
		return
	}
	w := setWriter{r: r}
	var moved []int
	for i := range r.quads {
		if r.expected.Step(i) != 0 {
			moved = append(moved, i)
		}
	}
	r.rest()
	w.begin()
	for _, i := range moved {
		q := &r.quads[i]
		now, _ := r.expected.Last(i)
		w.fields(q, now, q.bits&fieldTop)
	}
	r.newer.entries = w.to[:w.n]
}
