package sac

import (
	"fmt"
	"strings"

	"etch/designs/lowprec"
	"etch/hw"
	"etch/ir"
	"etch/sim"
)

// Replayed is how many records of each kind went through the circuits, and how many of
// them came out otherwise than recorded.
type Replayed []ReplayedKind

// ReplayedKind is one of them.
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
	numbers := lowprec.Half()
	numbers.Format = c.Format
	add := func(k ReplayedKind, err2 error) {
		result = append(result, k)
		if err == nil {
			err = err2
		}
	}
	for _, kahan := range []bool{true, false} {
		o := lowprec.Ours()
		o.Numbers, o.Kahan = numbers, kahan
		p := player{name: fmt.Sprintf("optimizer, Kahan %v", kahan), latency: o.Latency(), still: []string{"step_first", "step_second", "step_epsilon", "step_rate"},
			in: []string{"state_theta", "state_c", "state_m", "state_w", "g"}, out: []string{"next_theta", "next_c", "next_m", "next_w"}}
		for _, s := range rec.Steps {
			if s.Kahan == kahan {
				t := tape{still: s.Constants[:]}
				for i := range s.Rows {
					t.rows = append(t.rows, s.Rows[i][:])
				}
				p.tapes = append(p.tapes, t)
			}
		}
		add(play(o, p))
	}
	soft := lowprec.SoftUpdate{Numbers: numbers, Tau: c.Tau, Scale: c.Target, Kahan: true}
	add(play(soft, player{name: "soft update", latency: soft.Latency(), in: []string{"psi", "b", "c"}, out: []string{"b_out", "c_out", "target"}, tapes: cut(rec.Targets, func(r *TargetRow) []uint16 { return r[:] })}))
	head := lowprec.Head{Numbers: numbers, Low: c.Low, High: c.High}
	forward, back := lowprec.PolicyHead{Head: head}, lowprec.PolicyGradient{Head: head}
	add(play(forward, player{name: "policy head", latency: forward.Latency(), in: []string{"mu", "raw", "eps"},
		out: []string{"action_u", "action_a", "action_log_prob", "action_t", "action_sigma", "action_z"}, tapes: cut(rec.Heads, func(r *HeadRow) []uint16 { return r[:] })}))
	add(play(back, player{name: "policy gradient", latency: back.Latency(),
		in:  []string{"action_u", "action_a", "action_t", "action_sigma", "action_z", "eps", "ga", "weight"},
		out: []string{"slope_mu", "slope_raw"}, tapes: cut(rec.Slopes, func(r *SlopeRow) []uint16 { return r[:] })}))
	return result, err
}

// tape is rows that go through a lane one after the other, with inputs that stand still.
type tape struct {
	still []uint16
	rows  [][]uint16
}

// tapesOf is the number of lanes for records that may go anywhere.
const tapesOf = 512

// cut deals rows out to lanes.
func cut[R any](rows []R, codes func(r *R) []uint16) []tape {
	tapes := make([]tape, min(tapesOf, len(rows)))
	for i := range rows {
		t := &tapes[i%len(tapes)]
		t.rows = append(t.rows, codes(&rows[i]))
	}
	return tapes
}

// player puts tapes through a circuit, a lane each: a row is the inputs and then the
// outputs that they had.
type player struct {
	name    string
	latency int
	still   []string
	in, out []string
	tapes   []tape
}

func play[P any](c hw.Component[P], p player) (k ReplayedKind, err error) {
	k = ReplayedKind{Name: p.name, Latency: p.latency, Lanes: len(p.tapes)}
	if len(p.tapes) == 0 {
		return k, nil
	}
	d, _, err := hw.Build(c)
	if err != nil {
		return k, err
	}
	return k, p.run(d, &k)
}

// run feeds a row into every lane in every cycle, and compares those that come out.
func (p *player) run(d *ir.Design, k *ReplayedKind) error {
	l, err := sim.NewLanes(d, len(p.tapes))
	if err != nil {
		return err
	}
	defer l.Close()
	k.Engine = l.Engine()
	find := func(names []string) (list []sim.Signal) {
		for _, name := range names {
			s, err2 := l.Signal(name)
			if err == nil {
				err = err2
			}
			list = append(list, s)
		}
		return list
	}
	en, still, in, out := find([]string{"en"}), find(p.still), find(p.in), find(p.out)
	if err != nil {
		return err
	}
	if err := l.SetAll(en[0], 1); err != nil {
		return err
	}
	for lane, t := range p.tapes {
		for i, s := range still {
			if err := l.Set(s, lane, uint64(t.still[i])); err != nil {
				return err
			}
		}
	}
	longest := 0
	for _, t := range p.tapes {
		longest = max(longest, len(t.rows))
	}
	column := make([]uint64, len(p.tapes))
	wrong := make([]bool, len(p.tapes))
	for at := range longest + p.latency - 1 {
		for i, s := range in {
			for lane, t := range p.tapes {
				column[lane] = uint64(t.rows[min(at, len(t.rows)-1)][i])
			}
			if err := l.SetSlice(s, column); err != nil {
				return err
			}
		}
		l.Step(1)
		done := at - p.latency + 1
		if done < 0 {
			continue
		}
		clear(wrong)
		for i, s := range out {
			if err := l.GetSlice(s, column); err != nil {
				return err
			}
			for lane, t := range p.tapes {
				if done < len(t.rows) && column[lane] != uint64(t.rows[done][len(in)+i]) {
					wrong[lane] = true
					if k.First == "" {
						k.First = fmt.Sprintf("; lane %d, record %d, %x: %s is %04x", lane, done, t.rows[done], p.out[i], column[lane])
					}
				}
			}
		}
		for lane, t := range p.tapes {
			if done < len(t.rows) {
				k.Records++
				if wrong[lane] {
					k.Different++
				}
			}
		}
	}
	return l.Err()
}
