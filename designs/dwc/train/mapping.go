package train

import "etch/designs/dwc/model"

// The derivative of a learnable mapping. Forward, a pin reads the input with
// its largest score. Backward, with p the pin's gradient and x the input bits,
// the score of input i gets Σ_s (2x_i−1)·p over the samples s, and input i gets
// p times softmax(scores/0.001) at i.

// softmaxReach is how far below the maximum a score still takes part in the
// softmax: beyond it, its weight is below e^(−17.5), less than half an ulp of a
// float32 sum.
const (
	softmaxTemperature = 0.001
	softmaxReach       = 0.0175
)

// scatter adds to in[i][s] the share of the pin's gradient that goes to input
// i, for a pin with the given scores whose largest is at index top.
func scatter(in [][lanes]float32, scores []float32, top int32, p *[lanes]float32) {
	// Beyond softmaxReach a term is too small to count in a float32: only near scores take part.
	highest := scores[top]
	cut := highest - softmaxReach
	total := 0.0
	for _, w := range scores {
		if w > cut {
			total += softmaxTerm(w, highest)
		}
	}

	for i, w := range scores {
		if w > cut {
			addScaled(&in[i], float32(softmaxTerm(w, highest)/total), p)
		}
	}
}

func softmaxTerm(w, highest float32) float64 {
	return model.Exp(float64(w-highest) / softmaxTemperature)
}

func addScaled(to *[lanes]float32, factor float32, from *[lanes]float32) {
	for s, v := range from {
		to[s] += float32(factor * v)
	}
}

// thermometerScores adds Σ_s (2x_k−1)·p[s] to grad[k] for the bits k of one
// thermometer. Sample s has x_k = 1 exactly when levels[s] > k, so a histogram
// of p over the levels and one running sum serve all k.
func thermometerScores(grad []float32, hist []float32, levels *[lanes]uint16, p *[lanes]float32) {
	hist = hist[:len(grad)+1]

	clear(hist)
	for s, v := range p {
		hist[levels[s]] += v
	}

	// Σ (2x_k−1)·p = 2·Σ over levels above k − Σ over all.
	var above, total float32
	for _, v := range hist {
		total += v
	}
	for k := len(grad) - 1; k >= 0; k-- {
		above += hist[k+1]
		grad[k] += 2*above - total
	}
}

// bitScores adds Σ_s (2x_i−1)·p[s] to grad[i] for input words x. The samples
// are taken four at a time: the sixteen signed sums of four values are tabled
// once and looked up for every input.
func bitScores(grad []float32, words []uint64, p *[lanes]float32) {
	var sums [lanes / 4][16]float32
	for g := range sums {
		sums[g] = signedSums(p[4*g], p[4*g+1], p[4*g+2], p[4*g+3])
	}

	i := 0
	for ; i+4 <= len(words); i += 4 { // four independent chains of additions
		w0, w1, w2, w3 := words[i], words[i+1], words[i+2], words[i+3]
		var a0, a1, a2, a3 float32
		for g := range sums {
			t := &sums[g]
			a0 += t[w0&15]
			a1 += t[w1&15]
			a2 += t[w2&15]
			a3 += t[w3&15]
			w0, w1, w2, w3 = w0>>4, w1>>4, w2>>4, w3>>4
		}
		grad[i] += a0
		grad[i+1] += a1
		grad[i+2] += a2
		grad[i+3] += a3
	}

	// The rest, up to three words, one at a time.
	for ; i < len(words); i++ {
		w := words[i]
		var a float32
		for g := range sums {
			a += sums[g][w&15]
			w >>= 4
		}
		grad[i] += a
	}
}

// signedSums returns ±a±b±c±d, with + where the index has the bit.
func signedSums(a, b, c, d float32) (t [16]float32) {
	low := [4]float32{-a - b, a - b, b - a, a + b}
	high := [4]float32{-c - d, c - d, d - c, c + d}
	for i := range t {
		t[i] = low[i&3] + high[i>>2]
	}
	return t
}
