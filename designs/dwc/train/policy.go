package train

import (
	"math"
	"math/rand/v2"

	"etch/designs/dwc/model"
)

// logAlphaStart is the head's log α before training.
const logAlphaStart = -math.Ln2

// policy is the differentiable weightless network: LUT layers on thermometer
// bits, one group of last-layer outputs per action, and the affine head
// y = e^logα · (count/G − ½) + β.
type policy struct {
	perDim  int // thresholds per dimension
	layers  []*lutLayer
	actions int
	group   int // G

	logAlpha, beta         []float32
	logAlphaAdam, betaAdam adam

	// y[a][c] is the head's output for count c, slope[a] is e^logα.
	y     [][]float64
	slope []float64
}

// newPolicy draws a network. The last width is padded up to a multiple of the
// number of actions.
func newPolicy(r *rand.Rand, dims, actions int, c *Config) *policy {
	p := &policy{
		perDim: c.Bits, actions: actions,
		logAlpha: make([]float32, actions), logAlphaAdam: newAdam(actions),
		beta: make([]float32, actions), betaAdam: newAdam(actions),
		slope: make([]float64, actions),
	}

	inputs := dims * c.Bits
	for i, width := range c.Widths {
		if i == len(c.Widths)-1 {
			width = model.PadWidth(width, actions)
		}
		p.layers = append(p.layers, newLayer(r, inputs, width, c.N, c.Mapping))
		inputs = width
	}

	// Each action has an equal group of the last layer's outputs, and a table of y by its count.
	p.group = inputs / actions
	for a := range actions {
		p.logAlpha[a] = logAlphaStart
		p.y = append(p.y, make([]float64, p.group+1))
	}
	p.settleHead()
	return p
}

// settleHead tables the head. Every change of logAlpha or beta must be followed
// by it.
func (p *policy) settleHead() {
	for a, row := range p.y {
		p.slope[a] = model.Exp(float64(p.logAlpha[a]))
		for c := range row {
			row[c] = float64(p.slope[a]*p.centred(c)) + float64(p.beta[a])
		}
	}
}

// centred returns count/G − ½.
func (p *policy) centred(count int) float64 { return float64(count)/float64(p.group) - 0.5 }

// forward runs a block whose levels are loaded; counts are the result.
func (p *policy) forward(b *block) {
	b.thermometer()
	for i, l := range p.layers {
		l.forward(b.bits[i+1], b.bits[i])
	}
	last := b.bits[len(p.layers)]
	for a := range b.counts {
		popcount(&b.counts[a], last[a*p.group:(a+1)*p.group])
	}
}

// policyErrs is the space for derivatives through the whole policy.
type policyErrs struct {
	// y[b][a][s] is the derivative of the loss by the head's output y.
	y      [][][lanes]float32
	count  [][][lanes]float32 // the same by each last-layer output of the group
	layers []layerErrs
	hidden [][][][lanes]float32 // [layer][block][input]
}

func newPolicyErrs(p *policy, blocks int) *policyErrs {
	e := &policyErrs{
		layers: make([]layerErrs, len(p.layers)),
		hidden: make([][][][lanes]float32, len(p.layers)),
	}
	for range blocks {
		e.y = append(e.y, make([][lanes]float32, p.actions))
		e.count = append(e.count, make([][lanes]float32, p.actions))
	}

	// The errors are chained by pointers: an output of a layer is the sum over the inputs of the
	// next, the last layer's the error of its action's count.
	for i, l := range p.layers {
		for b := range blocks {
			out := make([]*[lanes]float32, l.width)
			for j := range out {
				if i == len(p.layers)-1 {
					out[j] = &e.count[b][j/p.group]
				}
			}
			e.layers[i].out = append(e.layers[i].out, out)

			if i == 0 {
				continue
			}
			sum := make([][lanes]float32, l.inputs)
			e.hidden[i] = append(e.hidden[i], sum)
			for j := range sum {
				e.layers[i-1].out[b][j] = &sum[j]
			}

			// Each shard adds into a slice of its own.
			for s := range shards {
				e.layers[i].in[s] = append(e.layers[i].in[s], make([][lanes]float32, l.inputs))
			}
		}
	}
	return e
}

// learn takes one Adam step of the whole policy against errs.y, for blocks that
// have been through forward.
func (p *policy) learn(c *crew, sc *[shards]*scratch, blocks []*block, errs *policyErrs, rate float64) {
	gradAlpha, gradBeta := p.headGradients(blocks, errs)

	// From the last layer back: each one's input errors are the next one's output errors.
	for i := len(p.layers) - 1; i >= 0; i-- {
		l := p.layers[i]
		tables, scores := l.tableAdam.next(rate), adamStep{}
		if l.scores != nil {
			scores = l.scoreAdam.next(rate)
		}
		c.both(func(shard int) {
			l.learn(sc[shard], i, shard, blocks, &errs.layers[i], tables, scores)
		})

		// The shards' sums are added in one order, whichever shard was first.
		for b, sum := range errs.hidden[i] {
			zero, one := errs.layers[i].in[0][b], errs.layers[i].in[1][b]
			for j := range sum {
				for s := range sum[j] {
					sum[j][s] = zero[j][s] + one[j][s]
				}
			}
		}
	}

	p.logAlphaAdam.step(rate, p.logAlpha, gradAlpha)
	p.betaAdam.step(rate, p.beta, gradBeta)
	p.settleHead()
}

// headGradients returns the derivatives by log α and β, and fills errs.count.
func (p *policy) headGradients(blocks []*block, errs *policyErrs) (alpha, beta []float32) {
	// y = e^logα·(count/G − ½) + β: the three derivatives.
	alpha, beta = make([]float32, p.actions), make([]float32, p.actions)
	for b, blk := range blocks {
		for a := range p.actions {
			slope := float32(p.slope[a])
			for s, g := range errs.y[b][a] {
				alpha[a] += float32(float32(g*slope) * float32(p.centred(int(blk.counts[a][s]))))
				beta[a] += g
				errs.count[b][a][s] = float32(g*slope) / float32(p.group)
			}
		}
	}
	return alpha, beta
}
