package cells

import (
	"etch/ir"
	"etch/ir/bits"
)

// signal makes a node of bits, the lowest first. No bits are a 0.
func (l *lowering) signal(list []bit) ir.ID {
	if len(list) == 0 {
		return l.konst(1, 0)
	}
	if len(list) > bits.MaxWidth {
		l.r.fail(l.place(l.j.attrs), "a signal of %d bits", len(list))
		return l.konst(1, 0)
	}

	// Runs of bits become slices; a bit that repeats is a sign extension.
	var parts []ir.ID
	for at := 0; at < len(list); {
		part, n := l.run1(list[at:])
		at += n
		if k := repeats(list[at-1:]) - 1; k > 0 && list[at-1] >= firstNet {
			if at+k == len(list) && len(parts) == 0 && k > 1 || k > 2 {
				part = l.node(ir.SExt, n+k, part)
				at += k
			}
		}
		parts = append(parts, part)
	}

	// Zeros on top are a zero extension.
	if len(parts) == 2 {
		if v, ok := l.isConst(parts[1]); ok && v.IsZero() {
			return l.node(ir.ZExt, len(list), parts[0])
		}
	}
	return l.cat(parts...)
}

// run1 takes the longest run of bits that is a constant or lies side by side in
// one node.
func (l *lowering) run1(list []bit) (ir.ID, int) {
	first, known := l.driverOf(list[0])
	n := 1
	if !known {
		// Constants and undriven bits up to the next driven one.
		for n < len(list) {
			if _, ok := l.driverOf(list[n]); ok {
				break
			}
			n++
		}
		return l.value(constBits(list[:n])), n
	}
	for n < len(list) {
		d, ok := l.driverOf(list[n])
		if !ok || d.node != first.node || d.at != first.at+int32(n) {
			break
		}
		n++
	}
	return l.sliced(first.node, first.at, int32(n)), n
}

// repeats is how many bits at the start of list are the same.
func repeats(list []bit) int {
	n := 1
	for n < len(list) && list[n] == list[0] {
		n++
	}
	return n
}

// driverOf returns where a bit is; false for constants and nets that nothing
// drives, which are 0.
func (l *lowering) driverOf(b bit) (driver, bool) {
	if b < firstNet {
		return driver{}, false
	}
	if l.clocks[b] {
		return driver{l.clockLevel(b), 0}, true
	}
	d := l.drv[b]
	return d, d.node != ir.None
}

func (l *lowering) sliced(node ir.ID, lo, width int32) ir.ID {
	if lo == 0 && int(width) == l.width(node) {
		return node
	}

	// Equal slices are one node.
	key := sliceKey{node, lo, width}
	id, ok := l.slices[key]
	if !ok {
		id = l.slice(node, int(lo), int(width))
		l.slices[key] = id
	}
	return id
}

// constBits is the value of constant bits; x, z and nets without driver are 0.
func constBits(list []bit) bits.Value {
	words := make([]uint64, bits.WordCount(len(list)))
	for i, b := range list {
		if b == bit1 {
			words[i/64] |= 1 << (i % 64)
		}
	}
	return bits.FromWords(len(list), words)
}
