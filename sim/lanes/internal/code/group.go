package code

// Group is the state of as many instances as Layout.Lanes says.
type Group struct {
	State
	l     *Layout
	lanes int
}

// State is the words and memories of all instances of a group. Each form of layout has its own:
// [Sliced] one vector per bit, [Words] elements of vectors, [Mixed] a state of each kind.
// Instances are numbered from 0.
type State interface {
	// Word returns word r of one instance.
	Word(r, lane int) uint64
	// SetWord sets word r of one instance to v.
	SetWord(r, lane int, v uint64)
	// FillWord sets word r of all instances to v.
	FillWord(r int, v uint64)
	// Words stores word r of instance i in dst[i].
	Words(r int, dst []uint64)
	// SetWords sets word r of instance i to v[i].
	SetWords(r int, v []uint64)
	// AppendRaw appends word r of all instances, in the form's own representation.
	AppendRaw(dst []uint64, r int) []uint64

	// Mem returns word row of memory m of one instance.
	Mem(m, row, lane int) uint64
	// SetMem sets word row of memory m of one instance to v.
	SetMem(m, row, lane int, v uint64)

	// Activate marks the first n instances as in use; the others never stop.
	Activate(n int)

	// raw is the memory of a state of one form, nil in Mixed form.
	raw() *store
}

// NewGroup returns a group with all state 0.
func NewGroup(l *Layout, t Target) *Group {
	g := &Group{l: l, lanes: l.Lanes(t)}
	switch l.Form {
	case Sliced:
		g.State = newSlicedState(l, t)
	case Words:
		g.State = newWordState(l, t)
	default:
		g.State = newMixedState(l, t)
	}
	return g
}

// Lanes returns the number of instances.
func (g *Group) Lanes() int { return g.lanes }

// Fill sets the state words and memories of all instances.
func (g *Group) Fill(words []uint64, mems [][]uint64) {
	for r, v := range words {
		g.FillWord(r, v)
	}
	for m, rows := range mems {
		for row, v := range rows {
			for lane := range g.lanes {
				g.SetMem(m, row, lane, v)
			}
		}
	}
}

// Lane reads the state words and memories of an instance.
func (g *Group) Lane(lane int, words []uint64, mems [][]uint64) {
	for r := range words {
		words[r] = g.Word(r, lane)
	}
	for m, rows := range mems {
		for row := range rows {
			rows[row] = g.Mem(m, row, lane)
		}
	}
}

// SetLane sets the state words and memories of an instance.
func (g *Group) SetLane(lane int, words []uint64, mems [][]uint64) {
	for r, v := range words {
		g.SetWord(r, lane, v)
	}
	for m, rows := range mems {
		for row, v := range rows {
			g.SetMem(m, row, lane, v)
		}
	}
}

// CopyLane copies the state of instance k of another group, whose layout has the same words and
// memories.
func (g *Group) CopyLane(lane int, from *Group, k int) {
	for r := range g.l.Reg {
		g.SetWord(r, lane, from.Word(r, k))
	}
	for m := range g.l.mems {
		// Both groups have the same tables.
		if g.l.mems[m].table != nil {
			continue
		}
		for row := range g.l.mems[m].Words {
			g.SetMem(m, row, lane, from.Mem(m, row, k))
		}
	}
}
