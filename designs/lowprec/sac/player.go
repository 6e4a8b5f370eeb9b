package sac

import (
	"errors"
	"fmt"

	"etch/ir"
	"etch/sim"
	"etch/sim/lanes"
)

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
	build   func() (*ir.Design, error)
	latency int
	still   []string
	in, out []string
	tapes   []tape
}

// play runs all tapes, if there are any.
func (p *player) play() (k ReplayedKind, err error) {
	k = ReplayedKind{Name: p.name, Latency: p.latency, Lanes: len(p.tapes)}
	if len(p.tapes) == 0 {
		return k, nil
	}
	d, err := p.build()
	if err != nil {
		return k, err
	}
	return k, p.run(d, &k)
}

// run feeds a row into every lane in every cycle, and compares the rows that come out.
func (p *player) run(d *ir.Design, k *ReplayedKind) error {
	l, err := lanes.New(d, len(p.tapes))
	if err != nil {
		return err
	}
	defer l.Close()
	k.Engine = l.Engine()
	in, out, err := p.connect(l)
	if err != nil {
		return err
	}

	// Tapes differ in length: a lane whose tape has ended gets its last row again, whose
	// results nobody looks at.
	longest := 0
	for _, t := range p.tapes {
		longest = max(longest, len(t.rows))
	}

	column := make([]uint64, len(p.tapes))
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

		// The first row's results are there after as many steps as the latency has.
		if done := at - p.latency + 1; done >= 0 {
			if err := p.compare(l, out, done, column, k); err != nil {
				return err
			}
		}
	}
	return l.Err()
}

// connect finds the ports, and sets the ports that stay constant: the enable, and each
// tape's own constants.
func (p *player) connect(l *lanes.Lanes) (in, out []sim.Signal, err error) {
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

	en, still := find([]string{"en"}), find(p.still)
	in, out = find(p.in), find(p.out)
	if err != nil {
		return nil, nil, err
	}

	// All lanes have one enable; each lane has the constants of its own step.
	err = l.SetAll(en[0], 1)
	for lane, t := range p.tapes {
		for i, s := range still {
			err = errors.Join(err, l.Set(s, lane, uint64(t.still[i])))
		}
	}
	return in, out, err
}

// compare counts the lanes whose results differ from row done.
func (p *player) compare(l *lanes.Lanes, out []sim.Signal, done int, column []uint64, k *ReplayedKind) error {
	wrong := make([]bool, len(p.tapes))
	for i, s := range out {
		if err := l.GetSlice(s, column); err != nil {
			return err
		}
		for lane, t := range p.tapes {
			if done >= len(t.rows) || column[lane] == uint64(t.rows[done][len(p.in)+i]) {
				continue
			}
			wrong[lane] = true
			if k.First == "" {
				k.First = fmt.Sprintf("; lane %d, record %d, %x: %s is %04x", lane, done, t.rows[done], p.out[i], column[lane])
			}
		}
	}

	// A record differs once, however many of its results do.
	for lane, t := range p.tapes {
		if done < len(t.rows) {
			k.Records++
			if wrong[lane] {
				k.Different++
			}
		}
	}
	return nil
}
