package train

// Extended finite differences: the derivative of a LUT's output by the bit on
// pin l at address a is taken to be
//
//	Σ_k (2k_l−1) · α · β^H(k∖l, a∖l) · L[k]
//
// over all addresses k, where H counts the other pins in which k and a differ,
// α = ½·¾^(n−1) and β = ⅓.
//
// The sum factorises over the pins. Let F = B⊗…⊗B·L with B = [[1, β], [β, 1]]
// on every pin; that is n passes over the table. On pin l, B turns a pair
// (x₀, x₁) into (x₀+βx₁, βx₀+x₁), whose difference is (1−β)·(x₁−x₀), and every
// other pin already carries the weight that the sum asks for. So the
// derivative is α/(1−β) · (F[a with l set] − F[a with l clear]), and one
// transform serves all pins.
const efdBeta = 1.0 / 3

// efdScale returns α/(1−β) for n pins.
func efdScale(n int) float32 {
	alpha := 0.5
	for range n - 1 {
		alpha *= 0.75
	}
	return float32(alpha / (1 - efdBeta))
}

// butterfly computes F from a table of 2ⁿ values.
func butterfly(f *[64]float32, table []float32) {
	copy(f[:], table)
	for bit := 1; bit < len(table); bit *= 2 {
		for base := 0; base < len(table); base += 2 * bit {
			zeros, ones := f[base:base+bit], f[base+bit:base+2*bit]
			for i, x := range zeros {
				y := ones[i]
				zeros[i] = x + float32(efdBeta*y)
				ones[i] = y + float32(efdBeta*x)
			}
		}
	}
}

// pinGradients writes to p[l][s] the derivative of the loss by pin l's bit in
// lane s, given the butterfly of the table, the lanes' addresses, and the
// derivatives out[s] of the loss by the LUT's output.
func pinGradients(p [][lanes]float32, f *[64]float32, addr *[lanes]uint8, out *[lanes]float32) {
	scale := efdScale(len(p))
	var scaled [lanes]float32

	for s, g := range out {
		scaled[s] = g * scale
	}

	// The pin's difference: the smoothed table with the bit set, less that with it cleared.
	for l := range p {
		bit := uint8(1) << l
		to := &p[l]
		for s, g := range scaled {
			a := addr[s] & 63
			to[s] = g * (f[(a|bit)&63] - f[a&^bit])
		}
	}
}

// tableGradient adds the derivative of the loss by the table: an output's
// derivative goes to the entry that was read.
func tableGradient(grad *[64]float32, addr *[lanes]uint8, out *[lanes]float32) {
	for s, g := range out {
		grad[addr[s]&63] += g
	}
}
