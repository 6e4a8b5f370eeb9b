package sac

// Kind is a group of weights.
type Kind int

// The groups.
const (
	Critics Kind = iota
	Actor
	Temperature
)

func (k Kind) String() string { return [...]string{"critics", "actor", "temperature"}[k] }

// OptimizerRow is a weight's step: θ, c, m, w, g, then the new θ, c, m, w, as codes.
type OptimizerRow [9]uint16

// TargetRow is a soft update: ψ, B, C, then the new B, C and the target.
type TargetRow [6]uint16

// HeadRow is a sample of the policy: μ, raw, ε, then u, a, log π, tanh raw, σ, z.
type HeadRow [9]uint16

// SlopeRow is a sample's gradient: u, a, tanh raw, σ, z, ε, g_a and weight, then the
// gradients by μ and by raw.
type SlopeRow [10]uint16

// GroupStep is the steps of a group's weights that share constants.
type GroupStep struct {
	Kahan     bool
	Constants [4]uint16 // 1−β1^t, √(1−β2^t), ε, α
	Rows      []OptimizerRow
}

// Recorder keeps the operands and results of every Every-th step of a run. Every is 1 at least.
// A nil Recorder keeps nothing.
type Recorder struct {
	Every   int
	Steps   []GroupStep
	Targets []TargetRow
	Heads   []HeadRow
	Slopes  []SlopeRow

	on bool
}

// Count is the number of records.
func (r *Recorder) Count() (n int) {
	for _, s := range r.Steps {
		n += len(s.Rows)
	}
	return n + len(r.Targets) + len(r.Heads) + len(r.Slopes)
}

// step begins step n of the run. Targets move every other step: an even Every records them.
func (r *Recorder) step(n int) {
	if r != nil {
		r.on = n%r.Every == 0
	}
}

func (r *Recorder) isOn() bool { return r != nil && r.on }

// before keeps a group's state before a step.
func (r *Recorder) before(o *group) {
	if !r.isOn() {
		return
	}

	// The state before, and the gradient; the step's own results come after it.
	first, second, e, rate := o.constants()
	s := GroupStep{Kahan: o.kahan, Rows: make([]OptimizerRow, len(o.p))}
	s.Constants = [4]uint16{o.n.code(first), o.n.code(second), o.n.code(e), o.n.code(rate)}
	for i := range s.Rows {
		s.Rows[i] = OptimizerRow{o.n.code(o.p[i]), o.n.code(o.k[i]), o.n.code(o.m[i]), o.n.code(o.w[i]), o.n.code(o.g[i])}
	}
	r.Steps = append(r.Steps, s)
}

// after completes it.
func (r *Recorder) after(o *group) {
	if !r.isOn() {
		return
	}
	rows := r.Steps[len(r.Steps)-1].Rows
	for i := range rows {
		copy(rows[i][5:], []uint16{o.n.code(o.p[i]), o.n.code(o.k[i]), o.n.code(o.m[i]), o.n.code(o.w[i])})
	}
}

func (r *Recorder) target(n *numbers, v ...float32) {
	if r.isOn() {
		var row TargetRow
		encode(n, row[:], v)
		r.Targets = append(r.Targets, row)
	}
}

func (r *Recorder) head(n *numbers, h *head) {
	if r.isOn() {
		var row HeadRow
		encode(n, row[:], []float32{h.mu, h.raw, h.eps, h.u, h.a, h.logProb, h.t, h.sigma, h.z})
		r.Heads = append(r.Heads, row)
	}
}

func (r *Recorder) slope(n *numbers, h *head, gA, weight, gMu, gRaw float32) {
	if r.isOn() {
		var row SlopeRow
		encode(n, row[:], []float32{h.u, h.a, h.t, h.sigma, h.z, h.eps, gA, weight, gMu, gRaw})
		r.Slopes = append(r.Slopes, row)
	}
}

func encode(n *numbers, to []uint16, v []float32) {
	for i, x := range v {
		to[i] = n.code(x)
	}
}
