package hw_test

import "math/rand/v2"

// machine interprets a program.
type machine struct {
	in   [nInputs]int
	sel  int
	regs [nTargets]int
	set  settings
}

// settings is what each bit of each target was set to last; nil: nothing.
type settings [nTargets][4]*bitOf

// bitOf is a bit of an expression.
type bitOf struct {
	x   *expr
	bit int
}

func (mc *machine) value(e expr) int {
	sum := 0
	for _, l := range e.leaves {
		switch l.kind {
		case 'i':
			sum += mc.in[l.index]
		case 'c':
			sum += l.index
		case 'r':
			sum += mc.regs[l.index]
		case 'w':
			sum += mc.final(l.index)
		}
	}
	return sum & 15
}

// final is what a wire holds, or a register takes at the next edge.
func (mc *machine) final(i int) int {
	v := i
	if i >= firstReg {
		v = mc.regs[i]
	}
	for bit, s := range mc.set[i] {
		switch {
		case s != nil:
			v = v&^(1<<bit) | mc.value(*s.x)>>s.bit&1<<bit
		case i == bare:
			panic("a wire without value")
		}
	}
	return v
}

// assign sets bits of a target from lo on.
func (mc *machine) assign(to, lo, width int, x *expr) {
	for i := range width {
		mc.set[to][lo+i] = &bitOf{x, i}
	}
}

func (mc *machine) run(body []stmt) {
	for _, s := range body {
		switch s.kind {
		case setStmt:
			mc.assign(s.to, 0, 4, &s.x)
		case partStmt:
			mc.assign(s.to, s.lo, s.width, &s.x)
		case atStmt:
			if at := mc.value(s.sel) & 3; at < 3 {
				mc.assign(vecAt+at, 0, 4, &s.x)
			}
		case whenStmt:
			for _, a := range s.arms {
				if a.cond == nil || mc.value(*a.cond)&1 == 1 {
					mc.run(a.body)
					break
				}
			}
		case casesStmt:
			mc.cases(s)
		case numbersStmt:
			mc.run(s.arms[[]int{0, 2, 1, 2}[mc.value(s.sel)&3]].body) // of 0, 2 and others
		}
	}
}

// cases runs the case that is selected. The code without a value does as the
// last one for targets that every case sets, and nothing for the others.
func (mc *machine) cases(s stmt) {
	if mc.sel < 3 {
		mc.run(s.arms[mc.sel].body)
		return
	}
	before := mc.set
	mc.run(s.arms[2].body)
	for i := range mc.set {
		for bit := range mc.set[i] {
			for _, a := range s.arms {
				if !sets(a.body, i, bit) {
					mc.set[i][bit] = before[i][bit]
				}
			}
		}
	}
}

// sets reports whether a body has a Set of a bit of a target anywhere.
func sets(body []stmt, target, bit int) bool {
	for _, s := range body {
		switch {
		case s.kind == setStmt && s.to == target, s.kind == atStmt && target >= vecAt,
			s.kind == partStmt && s.to == target && s.lo <= bit && bit < s.lo+s.width:
			return true
		}
		for _, a := range s.arms {
			if sets(a.body, target, bit) {
				return true
			}
		}
	}
	return false
}

// writer makes random programs.
type writer struct{ rng *rand.Rand }

// expr is a random value; wires below the given number may be read.
func (w *writer) expr(wires int) (e expr) {
	for i := range 1 + w.rng.IntN(3) {
		switch k := w.rng.IntN(8); {
		case k < 4, i == 0 && (k == 7 || k == 6 && wires == 0): // literals only are a mistake
			e.leaves = append(e.leaves, leaf{'i', w.rng.IntN(nInputs)})
		case k < 6:
			e.leaves = append(e.leaves, leaf{'r', firstReg + w.rng.IntN(nTargets-firstReg)})
		case k == 6 && wires > 0:
			e.leaves = append(e.leaves, leaf{'w', w.rng.IntN(min(wires, firstReg))})
		default:
			e.leaves = append(e.leaves, leaf{'c', w.rng.IntN(16)})
		}
	}
	return e
}

// block makes statements; a target that the block has set already is not set
// again by name, for that is a mistake.
func (w *writer) block(depth, n int, first ...stmt) (body []stmt) {
	done := map[[2]int]bool{}
	again := func(s stmt) bool {
		for bit := range 4 {
			if (s.kind == setStmt || s.kind == partStmt && s.lo <= bit && bit < s.lo+s.width) && done[[2]int{s.to, bit}] {
				return true
			}
		}
		return false
	}
	for i := range len(first) + n {
		var s stmt
		if i < len(first) {
			s = first[i]
		} else {
			s = w.stmt(depth)
		}
		if again(s) {
			continue
		}
		body = append(body, s)
		for i := range nTargets {
			for bit := range 4 {
				at := [2]int{i, bit}
				done[at] = done[at] || sets(body[len(body)-1:], i, bit)
			}
		}
	}
	return body
}

func (w *writer) stmt(depth int) stmt {
	k := w.rng.IntN(13)
	switch {
	case k >= 10 && k < 12:
		to, lo := w.rng.IntN(nTargets), w.rng.IntN(4)
		return stmt{kind: partStmt, to: to, lo: lo, width: 1 + w.rng.IntN(4-lo), x: w.expr(to)}
	case k == 12 && depth > 0:
		s := stmt{kind: numbersStmt, sel: w.expr(0)}
		for range 3 {
			s.arms = append(s.arms, arm{nil, w.block(depth-1, w.rng.IntN(4))})
		}
		return s
	case depth == 0 || k < 5:
		to := w.rng.IntN(nTargets)
		return stmt{kind: setStmt, to: to, x: w.expr(to)}
	case k < 6:
		return stmt{kind: atStmt, sel: w.expr(0), x: w.expr(nTargets)}
	case k < 7:
		s := stmt{kind: casesStmt}
		for range 3 {
			s.arms = append(s.arms, arm{nil, w.block(depth-1, w.rng.IntN(4))})
		}
		return s
	}
	s := stmt{kind: whenStmt}
	for range 1 + w.rng.IntN(3) {
		c := w.expr(0)
		s.arms = append(s.arms, arm{&c, w.block(depth-1, w.rng.IntN(4))})
	}
	if w.rng.IntN(2) == 0 {
		s.arms = append(s.arms, arm{nil, w.block(depth-1, w.rng.IntN(4))})
	}
	return s
}
