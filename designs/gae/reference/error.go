package reference

import "math"

// Error is how far results are from their references.
type Error struct {
	SNR float64 // power of the references over that of the difference, dB; +Inf where there is none
	Max float64 // largest difference
}

// Compare holds results against their references; both are equally long.
func Compare(want, got []float64) Error {
	var power, noise, most float64
	for i, w := range want {
		d := w - got[i]
		power += float64(w * w)
		noise += float64(d * d)
		most = max(most, math.Abs(d))
	}
	return Error{SNR: 10 * math.Log10(power/noise), Max: most}
}
