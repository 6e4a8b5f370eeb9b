package arm64

import "sort"

// lengthen finds the jumps that do not reach their labels and makes room for a
// second instruction behind each. Making room moves labels, so that others may no
// longer be in reach: it goes on until none is left.
func (a *Asm) lengthen() {
	// A fixed point: a far jump stays far, so this ends.
	before := make([]int32, len(a.jumps)+1) // by jump: far ones before it
	for a.markFar(before) {
	}
	n := int(before[len(a.jumps)])
	if n == 0 {
		return
	}

	// Labels move by the number of far jumps before them.
	for l, at := range a.labels {
		if at >= 0 {
			a.labels[l] = a.moved(at, before)
		}
	}

	// Then the code between the jumps.
	old := len(a.Code)
	a.Code = append(a.Code, make([]uint32, n)...)
	for i := len(a.jumps) - 1; i >= 0; i-- { // from the end, so that nothing is overwritten
		j := &a.jumps[i]
		behind := int(j.at) + 1
		copy(a.Code[behind+int(before[i+1]):], a.Code[behind:old])
		j.at, old = j.at+before[i], behind
	}
}

// moved is where the word at comes to lie.
func (a *Asm) moved(at int32, before []int32) int32 {
	// Jumps are in the order of their places.
	i := sort.Search(len(a.jumps), func(i int) bool { return a.jumps[i].at >= at })
	return at + before[i]
}

// markFar marks jumps that are out of reach as far, and reports whether any are
// new.
func (a *Asm) markFar(before []int32) (found bool) {
	// Count the far jumps before each jump.
	n := int32(0)
	for i := range a.jumps {
		before[i] = n
		if a.jumps[i].far {
			n++
		}
	}

	before[len(a.jumps)] = n

	// Near jumps: a cheap bound first, then the exact distance.
	for i := range a.jumps {
		j := &a.jumps[i]
		if j.far || j.form == toB {
			continue
		}

		to, at := int(a.labels[j.label]), int(j.at)
		if abs(to-at)+int(n) < j.form.reach()-1 { // near, wherever the far ones lie
			continue
		}
		d := int(a.moved(int32(to), before)) - at - int(before[i])
		if d < -j.form.reach() || d >= j.form.reach() {
			j.far, found = true, true
		}
	}
	return found
}

func abs(x int) int {
	if x < 0 {
		return -x
	}
	return x
}
