package train

import "etch/designs/dwc/model"

// The noise net's output v gives log σ = −5 + 3.5·(tanh v + 1), so −5..2.
const (
	logDevLow  = -5
	logDevHalf = 3.5
)

// logDensityEps keeps log(1−a²) finite where the action saturates.
const logDensityEps = 1e-6

// draw is a batch of actions sampled from the stochastic policy
// a = tanh(y + σ·ε), with all that the gradient needs. Slices hold one value
// per sample and action; logp one per sample.
type draw struct {
	blocks   []*block
	noise    *tape     // the noise net's pass; its input are the observations
	eps      []float64 // ε, filled by the caller
	action   []float64
	dev      []float64 // σ
	devSlope []float64 // d log σ / d v
	logp     []float64 // log density of the sample's actions
}

func newDraw(p *policy, dims int, noise *dense, batch int) *draw {
	n := batch * p.actions
	d := &draw{
		noise: newTape(noise, batch), logp: make([]float64, batch),
		eps: make([]float64, n), action: make([]float64, n),
		dev: make([]float64, n), devSlope: make([]float64, n),
	}

	for range batch / lanes {
		b := newBlock(dims, p.perDim, p.layers, p.actions)
		b.n = lanes
		d.blocks = append(d.blocks, b)
	}
	return d
}

// sample runs policy and noise net on the loaded observations and the given ε.
func (d *draw) sample(p *policy, noise *dense) {
	noise.forward(d.noise)
	v := d.noise.output()

	for b, blk := range d.blocks {
		p.forward(blk)
		for s := range lanes {
			d.logp[b*lanes+s] = 0
		}

		// The action is tanh(y + σ·ε); its density needs the derivative of tanh.
		for a := range p.actions {
			for s := range lanes {
				row := b*lanes + s
				i := row*p.actions + a
				logDev, slope := logDeviation(float64(v[i]))
				d.dev[i], d.devSlope[i] = model.Exp(logDev), slope
				d.action[i] = model.Tanh(p.y[a][blk.counts[a][s]] + float64(d.dev[i]*d.eps[i]))
				d.logp[row] += logDensity(d.action[i], d.eps[i], logDev)
			}
		}
	}
}

// logDeviation returns log σ and its derivative by the noise net's output.
func logDeviation(v float64) (logDev, slope float64) {
	t := model.Tanh(v)
	return logDevLow + float64(logDevHalf*(t+1)), float64(logDevHalf * (1 - float64(t*t)))
}

// logDensity returns log N(ε) − log σ − log(1−a²+1e-6): the log density of the
// squashed action a = tanh(y + σ·ε).
func logDensity(a, eps, logDev float64) float64 {
	const logRoot2Pi = 0.91893853320467274178
	return -float64(0.5*float64(eps*eps)) - logDev - logRoot2Pi - log(1-float64(a*a)+logDensityEps)
}

// preSlopes returns the derivatives of the action and of its log density by
// y + σ·ε.
func preSlopes(a float64) (action, logp float64) {
	action = 1 - float64(a*a)
	return action, 2 * a * action / (action + logDensityEps)
}
