package sac

import (
	"fmt"
	"strings"

	"etch/designs/lowprec"
	"etch/hw"
	"etch/ir"
)

// Replayed is how many records of each kind went through the circuits, and how many of
// them came out otherwise than recorded.
type Replayed []ReplayedKind

// ReplayedKind compares one circuit with the records of its kind.
type ReplayedKind struct {
	Name           string
	Records        int
	Different      int
	First          string // the first difference
	Lanes, Latency int
	Engine         string
}

// Differ is the number of differences of all kinds.
func (r Replayed) Differ() (n int) {
	for _, k := range r {
		n += k.Different
	}
	return n
}

// String is a line a kind.
func (r Replayed) String() string {
	var b strings.Builder
	total := 0
	for _, k := range r {
		total += k.Records
		fmt.Fprintf(&b, "%s: %d records in %d lanes (%s), latency %d: %d differ%s\n", k.Name, k.Records, k.Lanes, k.Engine, k.Latency, k.Different, k.First)
	}
	fmt.Fprintf(&b, "%d records, %d differ\n", total, r.Differ())
	return b.String()
}

// Spoil changes the last bit of one result of each kind of record.
func (r *Recorder) Spoil() {
	if len(r.Steps) > 0 {
		row := &r.Steps[0].Rows[len(r.Steps[0].Rows)/2]
		row[5] ^= 1
	}
	if n := len(r.Targets); n > 0 {
		r.Targets[n/2][4] ^= 1
	}
	if n := len(r.Heads); n > 0 {
		r.Heads[n/2][5] ^= 1
	}
	if n := len(r.Slopes); n > 0 {
		r.Slopes[n/2][9] ^= 1
	}
}

// Replay puts records through the cycle-accurate circuits, in lanes.
func Replay(c Config, rec *Recorder) (result Replayed, err error) {
	for _, p := range players(c, rec) {
		k, err := p.play()
		if err != nil {
			return result, err
		}
		result = append(result, k)
	}
	return result, nil
}

// players are the circuits with the records that are theirs.
func players(c Config, rec *Recorder) (list []player) {
	numbers := lowprec.Half()
	numbers.Format = c.Format

	// Weights: a lane has a group's step, since constants belong to the step. The groups with
	// and without Kahan sums have circuits of their own.
	for _, kahan := range []bool{true, false} {
		o := lowprec.Ours()
		o.Numbers, o.Kahan = numbers, kahan
		list = append(list, player{
			name: fmt.Sprintf("optimizer, Kahan %v", kahan), build: built(o), latency: o.Latency(),
			still: []string{"step_first", "step_second", "step_epsilon", "step_rate"},
			in:    []string{"state_theta", "state_c", "state_m", "state_w", "g"}, out: []string{"next_theta", "next_c", "next_m", "next_w"},
			tapes: stepTapes(rec.Steps, kahan),
		})
	}

	// Targets, and samples of the policy with their gradients: rows that go into any lane.
	soft := lowprec.SoftUpdate{Numbers: numbers, Tau: c.Tau, Scale: c.Target, Kahan: true}
	head := lowprec.Head{Numbers: numbers, Low: c.Low, High: c.High}
	forward, back := lowprec.PolicyHead{Head: head}, lowprec.PolicyGradient{Head: head}
	return append(list,
		player{
			name: "soft update", build: built(soft), latency: soft.Latency(),
			in: []string{"psi", "b", "c"}, out: []string{"b_out", "c_out", "target"},
			tapes: cut(rec.Targets, func(r *TargetRow) []uint16 { return r[:] }),
		},
		player{
			name: "policy head", build: built(forward), latency: forward.Latency(),
			in:    []string{"mu", "raw", "eps"},
			out:   []string{"action_u", "action_a", "action_log_prob", "action_t", "action_sigma", "action_z"},
			tapes: cut(rec.Heads, func(r *HeadRow) []uint16 { return r[:] }),
		},
		player{
			name: "policy gradient", build: built(back), latency: back.Latency(),
			in:    []string{"action_u", "action_a", "action_t", "action_sigma", "action_z", "eps", "ga", "weight"},
			out:   []string{"slope_mu", "slope_raw"},
			tapes: cut(rec.Slopes, func(r *SlopeRow) []uint16 { return r[:] }),
		})
}

// built elaborates a circuit when it is played.
func built[P any](c hw.Component[P]) func() (*ir.Design, error) {
	return func() (*ir.Design, error) {
		d, _, err := hw.Build(c)
		return d, err
	}
}

// stepTapes is the steps of the groups with Kahan sums, or of the groups without.
func stepTapes(steps []GroupStep, kahan bool) (tapes []tape) {
	for _, s := range steps {
		if s.Kahan != kahan {
			continue
		}
		t := tape{still: s.Constants[:]}
		for i := range s.Rows {
			t.rows = append(t.rows, s.Rows[i][:])
		}
		tapes = append(tapes, t)
	}
	return tapes
}
