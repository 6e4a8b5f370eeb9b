package model

// Place is where a vector lies: a stack of a row, and its first address there.
type Place struct{ Row, Stack, Base int }

// Schedule gives vectors their places.
type Schedule struct {
	system System
	work   []int // per row and stack
	next   int
}

// NewSchedule is a schedule of empty rows.
func (s System) NewSchedule() *Schedule {
	return &Schedule{system: s, work: make([]int, s.Rows*s.Stacks())}
}

// Place chooses the stack for a vector of so many steps: the stack with the least work, of equal
// ones the first after the last choice; or all in turn. ok is false if no stack has room; then
// nothing changes.
func (c *Schedule) Place(length int) (p Place, ok bool) {
	n, best := len(c.work), c.next

	// Start at the stack after the last choice, so that equal stacks take turns.
	if !c.system.RoundRobin {
		for i := range n {
			if at := (c.next + i) % n; c.work[at] < c.work[best] {
				best = at
			}
		}
	}

	if c.work[best]+length > c.system.Depth/c.system.Stacks() {
		return Place{}, false
	}

	k := c.system.Stacks()
	p = Place{Row: best / k, Stack: best % k, Base: c.work[best]}
	c.work[best] += length
	c.next = (best + 1) % n
	return p, true
}

// Makespan is the number of steps of the fullest row; with several stacks a row,
// of the fullest stack times their number.
func (c *Schedule) Makespan() int {
	most := 0
	for _, w := range c.work {
		most = max(most, w)
	}
	return most * c.system.Stacks()
}
