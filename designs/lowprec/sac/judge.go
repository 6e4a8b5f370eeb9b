package sac

import (
	"context"
	"fmt"
	"os"

	"etch/sim"
	"etch/testbench/cosim"
)

// Judge puts the first rows of each kind of record through the emitted Verilog, under a tool
// that package cosim knows. In every cycle the Verilog's outputs are compared with the
// simulator's, and the simulator's with the records.
func Judge(ctx context.Context, c Config, rec *Recorder, rows int, tool string) (result Replayed, err error) {
	for _, p := range players(c, rec) {
		k, err := p.judge(ctx, rows, tool)
		if err != nil {
			return result, fmt.Errorf("%s in Verilog: %w", p.name, err)
		}
		result = append(result, k)
	}
	return result, nil
}

// judge is play of one lane, recorded, and the recording under the tool. Each sample of
// outputs in which the Verilog is another counts as a difference.
func (p *player) judge(ctx context.Context, rows int, tool string) (k ReplayedKind, err error) {
	k = ReplayedKind{Name: p.name, Latency: p.latency, Lanes: min(1, len(p.tapes)), Engine: tool}
	if len(p.tapes) == 0 {
		return k, nil
	}

	// The circuit under the simulator, whose inputs and outputs are recorded in a folder of its own.
	d, err := p.build()
	if err != nil {
		return k, err
	}
	s, err := sim.New(d)
	if err != nil {
		return k, err
	}
	defer s.Close()
	dir, err := os.MkdirTemp("", "etch-judge-")
	if err != nil {
		return k, err
	}
	defer os.RemoveAll(dir)
	recorder, err := cosim.Record(s, dir)
	if err != nil {
		return k, err
	}
	if err := p.single(s, rows, &k); err != nil {
		return k, err
	}

	// The same stimulus, and the outputs of every cycle, under the tool.
	for _, j := range recorder.Judge(ctx, tool) {
		if j.Err != nil {
			return k, j.Err
		}
		k.Different += len(j.Differences)
		for _, x := range j.Differences[:min(1, len(j.Differences))] {
			k.First += "; " + x.String()
		}
	}
	return k, nil
}

// first is the first rows: of one tape where inputs stand still, otherwise of any.
func (p *player) first(rows int) (t tape) {
	t.still = p.tapes[0].still
	for _, x := range p.tapes {
		t.rows = append(t.rows, x.rows[:min(rows-len(t.rows), len(x.rows))]...)
		if len(p.still) > 0 {
			break
		}
	}
	return t
}

// single runs the first rows through a simulator without lanes.
func (p *player) single(s *sim.Sim, rows int, k *ReplayedKind) (err error) {
	at := func(name string) (x sim.Signal) {
		if err == nil {
			x, err = s.Signal(name)
		}
		return x
	}
	put := func(name string, v uint64) {
		if x := at(name); err == nil {
			err = s.Set(x, v)
		}
	}

	// Inputs that stand still, then a row in every cycle; the last one stays until its result
	// is there.
	t := p.first(rows)
	put("en", 1)
	for i, name := range p.still {
		put(name, uint64(t.still[i]))
	}
	for cycle := range len(t.rows) + p.latency - 1 {
		for i, name := range p.in {
			put(name, uint64(t.rows[min(cycle, len(t.rows)-1)][i]))
		}
		s.Step(1)

		// A result is there latency cycles after its row.
		done := cycle - p.latency + 1
		if done < 0 {
			continue
		}
		k.Records++
		for i, name := range p.out {
			if got, want := at(name), uint64(t.rows[done][len(p.in)+i]); err == nil && s.Get(got) != want {
				k.Different++
				k.First = fmt.Sprintf("; record %d, %x: %s is %04x", done, t.rows[done], name, s.Get(got))
				break
			}
		}
	}

	if err != nil {
		return err
	}
	return s.Err()
}
