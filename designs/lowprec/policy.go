package lowprec

import (
	"fmt"
	"math"

	"etch/designs/float"
	"etch/designs/float/function"
	"etch/hw"
)

// Linear is where softplus-fix takes softplus for its operand.
const Linear = 10

// jacobian is J = 2(ln 2 − u − softplus(−2u)), the logarithm of the derivative of tanh at
// u, and where it is wanted the derivative of softplus at −2u.
func jacobian[V any](u ops[V], x V, slopeToo bool) (j, slope V) {
	y := u.As("minus_2u").Mul(u.Const(-2), x)
	soft := u.As("softplus").Above(y, Linear, y, u.As("softplus_table").Apply(function.Softplus, y))
	if slopeToo {
		slope = u.As("slope").Above(y, Linear, u.Const(1), u.As("sigmoid_table").Apply(function.Sigmoid, y))
	}

	return jacobianOf(u, x, soft), slope
}

// composed is the same without the fix: softplus is log(exp + 1), which is infinite from
// 11.09 on, and its derivative z/(z+1) is NaN there.
func composed[V any](u ops[V], x V) (j, slope V) {
	z := u.As("exp").Apply(function.Exp, u.As("minus_2u").Mul(u.Const(-2), x))
	more := u.As("more").Add(z, u.Const(1))
	return jacobianOf(u, x, u.As("softplus").Apply(function.Log, more)), u.As("slope").Div(z, more)
}

func jacobianOf[V any](u ops[V], x, soft V) V {
	inner := u.As("inner").Sub(u.As("from_ln2").Sub(u.Const(math.Ln2), x), soft)
	return u.As("jacobian").Mul(u.Const(2), inner)
}

// Jacobian is softplus-fix: the logarithm J of the derivative of tanh at U, and the
// derivative of the softplus in it at −2U.
type Jacobian struct {
	Numbers
	Fixed bool `help:"softplus(x) is x above 10; otherwise it is log(exp(x) + 1) throughout"`
}

// JacobianPorts are U and, Latency cycles later, J and the slope.
type JacobianPorts struct {
	En    hw.Bit    `dir:"in"`
	U     float.Num `dir:"in"`
	J     float.Num `dir:"out"`
	Slope float.Num `dir:"out"`
}

func (c Jacobian) Ports() JacobianPorts {
	n := c.shape()
	return JacobianPorts{U: n, J: n, Slope: n}
}

func jacobianBy[V any](u ops[V], c Jacobian, x V) (j, slope V) {
	if c.Fixed {
		return jacobian(u, x, true)
	}
	return composed(u, x)
}

// Latency is the number of cycles from U to both results.
func (c Jacobian) Latency() int {
	j, slope := jacobianBy[int](stages{c.Numbers}, c, 0)
	return max(j, slope)
}

// Next is the model.
func (c Jacobian) Next(x uint64) (j, slope uint64) { return jacobianBy[uint64](c.codes(), c, x) }

func (c Jacobian) Build(m *hw.Module, p JacobianPorts) {
	u := c.flow(m.Enabled(p.En))
	j, slope := jacobianBy[float.Value](u, c, u.Input("u", p.U))
	p.J.Set(j.At(c.Latency()))
	p.Slope.Set(slope.At(c.Latency()))
}

// normal is ((u−μ)/σ)² and, by the fix, the quotient z itself. Without it the difference
// and σ are squared first, and both may vanish.
func normal[V any](u ops[V], x, mu, sigma V, fixed bool) (z, square V) {
	// As written in the paper's baseline: squares of small numbers vanish in both.
	d := u.As("distance").Sub(x, mu)
	if !fixed {
		square = u.As("square").Div(u.As("distance_square").Mul(d, d), u.As("variance").Mul(sigma, sigma))
		return u.Const(0), square
	}
	z = u.As("z").Div(d, sigma)
	return z, u.As("square").Mul(z, z)
}

// Normal is normal-fix: the deviation Z of X from Mu in units of Sigma, and its square.
type Normal struct {
	Numbers
	Fixed bool `help:"divide, then square; otherwise square both and divide, and Z is 0"`
}

// NormalPorts are a value, the mean and the deviation, and Latency cycles later Z and Z².
type NormalPorts struct {
	En           hw.Bit    `dir:"in"`
	X, Mu, Sigma float.Num `dir:"in"`
	Z, Square    float.Num `dir:"out"`
}

func (c Normal) Ports() NormalPorts {
	n := c.shape()
	return NormalPorts{X: n, Mu: n, Sigma: n, Z: n, Square: n}
}

// Latency is the number of cycles to both results.
func (c Normal) Latency() int {
	z, square := normal[int](stages{c.Numbers}, 0, 0, 0, c.Fixed)
	return max(z, square)
}

// Next is the model.
func (c Normal) Next(x, mu, sigma uint64) (z, square uint64) {
	return normal[uint64](c.codes(), x, mu, sigma, c.Fixed)
}

func (c Normal) Build(m *hw.Module, p NormalPorts) {
	run := enabled(m, p.En, c.Latency())
	u := c.flow(run)
	z, square := normal[float.Value](u, u.Input("x", p.X), u.Input("mu", p.Mu), u.Input("sigma", p.Sigma), c.Fixed)
	p.Z.Set(z.At(c.Latency()))
	p.Square.Set(square.At(c.Latency()))
}

// Head is the parameters of a policy for one action: a normal distribution with the mean
// and, within bounds, the logarithm of the deviation that a network gives, through tanh.
type Head struct {
	Numbers
	Low  float64 `help:"least logarithm of the deviation" range:"-20..0"`
	High float64 `help:"greatest logarithm of the deviation" range:"0..4"`
}

func (c Head) Validate() error {
	if !(c.Low < c.High) {
		return fmt.Errorf("the bounds of the logarithm, %v and %v, leave nothing", c.Low, c.High)
	}
	return c.Numbers.Validate()
}

// half is half the distance of the bounds.
func (c Head) half() float64 { return (c.High - c.Low) / 2 }

// Action is a sample of the policy with the values that its gradient is made of.
type Action[V any] struct {
	U       V // before tanh
	A       V // the action, in (−1, 1)
	LogProb V
	T       V // tanh of the network's raw logarithm
	Sigma   V
	Z       V // the deviation in units of Sigma
}

// halfLog2Pi is ½ ln 2π.
var halfLog2Pi = math.Log(2*math.Pi) / 2

// act is a sample with the normal deviate eps: u = μ + σ·eps and a = tanh u. u is kept, and never
// found again from tanh u.
func act[V any](u ops[V], c Head, mu, raw, eps V) (a Action[V]) {
	a.T = u.As("tanh_raw").Apply(function.Tanh, raw)
	log := u.As("log_sigma").Add(u.Const(c.Low), u.As("within").Mul(u.Const(c.half()), u.As("above_low").Add(a.T, u.Const(1))))
	a.Sigma = u.As("sigma").Apply(function.Exp, log)
	a.U = u.As("u").Add(mu, u.As("spread").Mul(a.Sigma, eps))
	a.A = u.As("a").Apply(function.Tanh, a.U)

	// log π = −½z² − log σ − ½ ln 2π − J, the sums in this order.
	z, square := normal(u, a.U, mu, a.Sigma, true)
	j, _ := jacobian(u, a.U, false)
	density := u.As("exponent").Mul(u.Const(-.5), square)
	density = u.As("without_sigma").Sub(density, u.As("log").Apply(function.Log, a.Sigma))
	density = u.As("density").Sub(density, u.Const(halfLog2Pi))
	a.LogProb, a.Z = u.As("log_prob").Sub(density, j), z
	return a
}

// PolicyHead samples an action in every cycle and gives its log-probability.
type PolicyHead struct{ Head }

// PolicyHeadPorts are the network's two outputs, a deviate, and Latency cycles later the sample.
type PolicyHeadPorts struct {
	En     hw.Bit            `dir:"in"`
	Mu     float.Num         `dir:"in"`
	Raw    float.Num         `dir:"in"` // the logarithm of the deviation, before tanh and bounds
	Eps    float.Num         `dir:"in"` // a normal deviate; 0 gives the mean
	Action Action[float.Num] `dir:"out"`
}

func (c PolicyHead) Ports() PolicyHeadPorts {
	n := c.shape()
	return PolicyHeadPorts{Mu: n, Raw: n, Eps: n, Action: Action[float.Num]{n, n, n, n, n, n}}
}

// Latency is the number of cycles to all results.
func (c PolicyHead) Latency() int {
	a := act[int](stages{c.Numbers}, c.Head, 0, 0, 0)
	return max(a.U, a.A, a.LogProb, a.T, a.Sigma, a.Z)
}

// Next is the model.
func (c PolicyHead) Next(mu, raw, eps uint64) Action[uint64] {
	return act[uint64](c.codes(), c.Head, mu, raw, eps)
}

func (c PolicyHead) Build(m *hw.Module, p PolicyHeadPorts) {
	run := m.Enabled(p.En)
	u := c.flow(run)
	a := act[float.Value](u, c.Head, u.Input("mu", p.Mu), u.Input("raw", p.Raw), u.Input("eps", p.Eps))

	end := c.Latency()
	hw.Set(p.Action, Action[float.Num]{a.U.At(end), a.A.At(end), a.LogProb.At(end), a.T.At(end), a.Sigma.At(end), a.Z.At(end)})
}

// Slope is the gradient at the network's outputs.
type Slope[V any] struct{ Mu, Raw V }

// gradient is that of weight · log π + gA · a, where gA is the gradient at the action.
func gradient[V any](u ops[V], c Head, a Action[V], eps, gA, weight V) (g Slope[V]) {
	one := u.Const(1)

	// Through the density, −½z² − log σ, with z = (u−μ)/σ: dz = −z, and so on down.
	gz := u.As("g_z").Neg(u.As("weight_z").Mul(weight, a.Z))
	gu := u.As("g_distance").Div(gz, a.Sigma)
	gMu := u.Neg(gu)
	gSigma := u.Neg(u.As("g_by_sigma").Mul(gz, u.As("z_by_sigma").Div(a.Z, a.Sigma)))
	gSigma = u.As("g_sigma_log").Add(gSigma, u.Neg(u.As("weight_by_sigma").Div(weight, a.Sigma)))

	// Through −J = −2(ln 2 − u − softplus(−2u)).
	y := u.As("minus_2u").Mul(u.Const(-2), a.U)
	minus := u.As("g_inner").Mul(u.Const(-2), weight)
	gu = u.As("g_u_inner").Sub(gu, minus)
	soft := u.Neg(minus)
	slope := u.As("g_softplus").Mul(soft, u.As("sigmoid").Apply(function.Sigmoid, y))
	slope = u.As("g_y").Above(y, Linear, soft, slope)
	gu = u.As("g_u_softplus").Add(gu, u.As("g_softplus_u").Mul(u.Const(-2), slope))

	// Through the action, and from u to μ and σ.
	gu = u.As("g_u").Add(gu, u.As("g_tanh").Mul(gA, u.As("slope_a").Sub(one, u.As("square_a").Mul(a.A, a.A))))
	g.Mu = u.As("g_mu").Add(gMu, gu)
	gSigma = u.As("g_sigma").Add(gSigma, u.As("g_eps").Mul(gu, eps))

	// From σ = exp(lo + ½(hi−lo)(tanh+1)) to the raw logarithm.
	gT := u.As("g_t").Mul(u.Const(c.half()), u.As("g_log_sigma").Mul(gSigma, a.Sigma))
	g.Raw = u.As("g_raw").Mul(gT, u.As("slope_t").Sub(one, u.As("square_t").Mul(a.T, a.T)))
	return g
}

// PolicyGradient takes the gradient of a policy's loss back to the network, a sample in
// every cycle: Weight · log π plus that of the critic, whose gradient at the action is GA.
type PolicyGradient struct{ Head }

// PolicyGradientPorts are a sample with the gradients at its density and action, and Latency
// cycles later the gradient at the network's outputs.
type PolicyGradientPorts struct {
	En     hw.Bit            `dir:"in"`
	Action Action[float.Num] `dir:"in"` // of PolicyHead; LogProb is not looked at
	Eps    float.Num         `dir:"in"`
	GA     float.Num         `dir:"in"`
	Weight float.Num         `dir:"in"` // temperature · scale / batch
	Slope  Slope[float.Num]  `dir:"out"`
}

func (c PolicyGradient) Ports() PolicyGradientPorts {
	n := c.shape()
	return PolicyGradientPorts{Action: Action[float.Num]{n, n, n, n, n, n}, Eps: n, GA: n, Weight: n, Slope: Slope[float.Num]{n, n}}
}

// Latency is the number of cycles to both results.
func (c PolicyGradient) Latency() int {
	g := gradient[int](stages{c.Numbers}, c.Head, Action[int]{}, 0, 0, 0)
	return max(g.Mu, g.Raw)
}

// Next is the model.
func (c PolicyGradient) Next(a Action[uint64], eps, gA, weight uint64) Slope[uint64] {
	return gradient[uint64](c.codes(), c.Head, a, eps, gA, weight)
}

func (c PolicyGradient) Build(m *hw.Module, p PolicyGradientPorts) {
	run := m.Enabled(p.En)
	u := c.flow(run)
	in := p.Action
	hw.Unused(m, in.LogProb)
	a := Action[float.Value]{U: u.Input("u", in.U), A: u.Input("a", in.A), T: u.Input("t", in.T), Sigma: u.Input("sigma", in.Sigma), Z: u.Input("z", in.Z)}
	g := gradient[float.Value](u, c.Head, a, u.Input("eps", p.Eps), u.Input("g_a", p.GA), u.Input("weight", p.Weight))

	end := c.Latency()
	hw.Set(p.Slope, Slope[float.Num]{g.Mu.At(end), g.Raw.At(end)})
}
