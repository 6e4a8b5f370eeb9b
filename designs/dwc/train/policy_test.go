package train

import (
	"math"
	"math/rand/v2"
	"testing"
)

// testPolicy returns a small policy and blocks of random observations that
// have been through it.
func testPolicy(m Mapping, blocks int) (*rand.Rand, *policy, []*block) {
	r := rand.New(rand.NewPCG(7, 7))
	const dims = 2
	c := Config{Bits: 5, Widths: []int{9, 6, 5}, N: 3, Mapping: m}
	p := newPolicy(r, dims, 2, &c)
	var all []*block
	for range blocks {
		b := newBlock(dims, c.Bits, p.layers, 2)
		b.n = lanes
		for d := range dims {
			for s := range lanes {
				b.levels[d][s] = uint16(r.IntN(c.Bits + 1))
			}
		}
		p.forward(b)
		all = append(all, b)
	}
	return r, p, all
}

func TestPolicyForward(t *testing.T) {
	_, p, blocks := testPolicy(Learnable, 1)
	if w := p.layers[2].width; w != 6 || p.group != 3 {
		t.Fatalf("last layer of 5 for 2 actions: width %d, groups of %d; want 6 and 3", w, p.group)
	}
	b := blocks[0]
	for s := range lanes {
		in := make([]int, len(b.bits[0]))
		for i, w := range b.bits[0] {
			in[i] = int(w >> s & 1)
		}
		for _, l := range p.layers {
			out := make([]int, l.width)
			for j := range out {
				a := 0
				for k := range l.n {
					a |= in[l.pins[j*l.n+k]] << k
				}
				if l.table[j<<l.n+a] > 0 {
					out[j] = 1
				}
			}
			in = out
		}
		for a := range 2 {
			count := in[3*a] + in[3*a+1] + in[3*a+2]
			if int(b.counts[a][s]) != count {
				t.Fatalf("lane %d action %d: count %d, want %d", s, a, b.counts[a][s], count)
			}
			want := math.Exp(float64(p.logAlpha[a]))*(float64(count)/3-0.5) + float64(p.beta[a])
			near(t, "y", float32(p.y[a][count]), want, 1e-6)
		}
	}
}

// directLayer computes a layer's derivatives from the definitions, with dense
// matrices in float64: by the table, by the scores, and by the inputs.
func directLayer(l *lutLayer, in []uint64, out []*[lanes]float32, table, scores []float64, byInput [][lanes]float64) {
	size := 1 << l.n
	for j := range l.width {
		for s := range lanes {
			a := 0
			for k := range l.n {
				a |= int(in[l.pins[j*l.n+k]]>>s&1) << k
			}
			g := float64(out[j][s])
			table[j*size+a] += g
			for k := range l.n {
				c := j*l.n + k
				p := g * directEFD(l.table[j*size:(j+1)*size], l.n, k, a)
				weights := make([]float64, l.inputs)
				weights[l.pins[c]] = 1
				if l.scores != nil {
					weights = softmax(l.scores[c*l.inputs : (c+1)*l.inputs])
				}
				for i := range l.inputs {
					byInput[i][s] += p * weights[i]
					if l.scores != nil {
						scores[c*l.inputs+i] += float64(2*int(in[i]>>s&1)-1) * p
					}
				}
			}
		}
	}
}

// The derivatives of every layer, over two blocks, against the definitions.
// Adam is out of the way: a rate of zero leaves the parameters alone, and its
// first moment is then a tenth of the gradient.
func TestPolicyGradients(t *testing.T) {
	for _, mapping := range []Mapping{Learnable, Fixed} {
		r, p, blocks := testPolicy(mapping, 2)
		errs := newPolicyErrs(p, len(blocks))
		for b := range errs.y {
			for a := range errs.y[b] {
				errs.y[b][a] = *randomLane(r)
			}
		}
		var sc [shards]*scratch
		for i := range sc {
			sc[i] = newScratch(p.layers, p.perDim)
		}
		p.learn(nil, &sc, blocks, errs, 0)

		above := make([][]*[lanes]float32, len(blocks)) // by the outputs of layer i
		for b := range blocks {
			above[b] = errs.layers[len(p.layers)-1].out[b]
			for j, e := range above[b] {
				for s := range lanes {
					near(t, "head", e[s], float64(errs.y[b][j/p.group][s])*p.slope[j/p.group]/float64(p.group), 1e-6)
				}
			}
		}
		for i := len(p.layers) - 1; i >= 0; i-- {
			l := p.layers[i]
			table, scores := make([]float64, len(l.table)), make([]float64, len(l.scores))
			for b, blk := range blocks {
				byInput := make([][lanes]float64, l.inputs)
				directLayer(l, blk.bits[i], above[b], table, scores, byInput)
				if i == 0 {
					continue
				}
				for in := range byInput {
					for s := range lanes {
						near(t, "by input", errs.hidden[i][b][in][s], byInput[in][s], 1e-5)
					}
				}
				above[b] = errs.layers[i-1].out[b]
			}
			for k := range table {
				near(t, "by table", l.tableAdam.m[k]*10, table[k], 1e-4)
			}
			for k := range scores {
				near(t, "by score", l.scoreAdam.m[k]*10, scores[k], 1e-4)
			}
		}
	}
}

// The head is smooth: its derivatives by log α and β against differences.
func TestHeadGradients(t *testing.T) {
	r, p, blocks := testPolicy(Learnable, 2)
	errs := newPolicyErrs(p, len(blocks))
	for b := range errs.y {
		for a := range errs.y[b] {
			errs.y[b][a] = *randomLane(r)
		}
	}
	loss := func(logAlpha, beta float64, a int) float64 {
		sum := 0.0
		for b, blk := range blocks {
			for s, c := range blk.counts[a] {
				y := math.Exp(logAlpha)*(float64(c)/float64(p.group)-0.5) + beta
				sum += float64(errs.y[b][a][s]) * y
			}
		}
		return sum
	}
	alpha, beta := p.headGradients(blocks, errs)
	for a := range p.actions {
		la, be := float64(p.logAlpha[a]), float64(p.beta[a])
		const h = 1e-5
		near(t, "log alpha", alpha[a], (loss(la+h, be, a)-loss(la-h, be, a))/(2*h), 1e-4)
		near(t, "beta", beta[a], (loss(la, be+h, a)-loss(la, be-h, a))/(2*h), 1e-4)
	}
}
