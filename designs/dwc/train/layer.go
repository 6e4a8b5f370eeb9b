package train

import "math/rand/v2"

// lutLayer is a trainable layer of lookup tables with n pins each.
type lutLayer struct {
	inputs, width, n int

	// table[j·2ⁿ+a] is LUT j's latent value at address a, within ±1; the
	// output bit is 1 where it is > 0. truth[j] holds those bits.
	table []float32
	truth []uint64

	// pins[j·n+l] is the input on pin l of LUT j (address bit l).
	pins []int32
	// scores[(j·n+l)·inputs+i] is how much that pin wants input i; nil when
	// the mapping is fixed.
	scores []float32

	tableAdam, scoreAdam adam
}

// newLayer draws tables from U(−1, 1) and, for a learnable mapping, scores
// from U(0, 1); a fixed mapping is a run of random permutations of the inputs.
func newLayer(r *rand.Rand, inputs, width, n int, m Mapping) *lutLayer {
	l := &lutLayer{
		inputs: inputs, width: width, n: n,
		table: make([]float32, width<<n),
		truth: make([]uint64, width),
		pins:  make([]int32, width*n),
	}
	l.tableAdam = newAdam(len(l.table))
	for i := range l.table {
		l.table[i] = float32(uniform(r))
	}

	if m == Learnable {
		l.scores = make([]float32, width*n*inputs)
		l.scoreAdam = newAdam(len(l.scores))
		for i := range l.scores {
			l.scores[i] = float32(r.Float64())
		}
	} else {
		// A run of permutations reads every input equally often, up to one.
		var perm []int
		for c := range l.pins {
			if c%inputs == 0 {
				perm = r.Perm(inputs)
			}
			l.pins[c] = int32(perm[c%inputs])
		}
	}

	for j := range width {
		l.settle(j)
	}
	return l
}

// settle brings LUT j's table into ±1 and derives its truth table and its
// pins. Every change of table or scores must be followed by it.
func (l *lutLayer) settle(j int) {
	// The sign is the bit, so clamping cannot change it.
	size := 1 << l.n
	var truth uint64
	for a, v := range l.table[j*size : (j+1)*size] {
		switch {
		case v > 1:
			v = 1
		case v < -1:
			v = -1
		}
		l.table[j*size+a] = v
		if v > 0 {
			truth |= 1 << a
		}
	}
	l.truth[j] = truth

	// A learnable pin reads the input with the highest score.
	if l.scores == nil {
		return
	}
	for c := j * l.n; c < (j+1)*l.n; c++ {
		l.pins[c] = int32(argmax(l.scores[c*l.inputs : (c+1)*l.inputs]))
	}
}

// argmax returns the index of the largest value, the lowest on ties.
func argmax(v []float32) int {
	best, at := v[0], 0
	for i, x := range v {
		if x > best {
			best, at = x, i
		}
	}
	return at
}

// gather copies the words on LUT j's pins.
func (l *lutLayer) gather(pins *[6]uint64, in []uint64, j int) []uint64 {
	for i, p := range l.pins[j*l.n : (j+1)*l.n] {
		pins[i] = in[p]
	}
	return pins[:l.n]
}

// forward evaluates the layer for all lanes.
func (l *lutLayer) forward(out, in []uint64) {
	var pins [6]uint64
	for j := range l.width {
		out[j] = lookup(l.truth[j], l.gather(&pins, in, j))
	}
}
