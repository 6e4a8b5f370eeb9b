package quads

import "math/bits"

// Wrap is a field behind its step. One counting up is size too high at the end of its range, one
// counting down too low, where size is negative. In both cases it is the smaller of two numbers
// without sign: the distance from the lowest value, and that distance after wrapping around.
func Wrap(next, low, size uint16) uint16 {
	distance := next - low
	return min(distance, distance-size) + low
}

// WrapAt is the lowest value and the size of a field that had value was, should have moved on by
// step, and took value now instead. With a step above 1 there are several lowest values that explain
// this; the choice is the one with the most zeros at its end, 0 first, as ranges begin at such
// numbers. A field without a step has a size of 0: it does not wrap around.
func WrapAt(was, step, now uint16) (low, size uint16) {
	// The lowest value lies above the bound, by at most the length of a step.
	bound, length := uint32(now-step), uint32(step)
	if int16(step) < 0 { // it counts down
		bound, length = uint32(was+step), uint32(-step)
	}
	if length == 0 {
		return 0, 0
	}

	// The field is where it would be without a range, but for the size of the range.
	size = was + step - now

	// Of two numbers that agree above bit k, the upper one without its lower bits is the roundest
	// between them.
	highest := bound + length
	if highest>>16 != 0 {
		return 0, size
	}
	k := bits.Len32(bound^highest) - 1
	return uint16(highest >> k << k), size
}
