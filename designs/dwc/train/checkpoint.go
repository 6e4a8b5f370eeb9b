package train

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"etch/designs/dwc/model"
	"etch/ir/output"
)

// checkpointMagic begins a checkpoint; the number is the format's version.
const checkpointMagic = "etch dwc training checkpoint 1\n"

// maxConfig bounds the configuration's JSON, in bytes.
const maxConfig = 1 << 16

// Save writes the whole state of the run. Resume and Run then go on as if
// there had been no break: the results are the same bits. The file is good for
// this version of the trainer only.
func (t *Trainer) Save(w io.Writer) error {
	buffered := bufio.NewWriterSize(w, 1<<16)
	s := newWriter(buffered)
	s.constant("magic", checkpointMagic)

	config, err := json.Marshal(t.cfg)
	if err != nil {
		return fmt.Errorf("train: checkpoint: %w", err)
	}
	size := len(config)
	s.integer("config size", &size, 0, maxConfig)
	s.bytes("config", config)

	// One method carries the state in both directions, so that Save and Resume cannot disagree.
	t.carry(s)
	if err := s.finish(); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return fmt.Errorf("train: checkpoint: %w", err)
	}
	return nil
}

// SaveFile saves to a file by way of a temporary one in the same directory, so
// that a failure leaves the old file.
func (t *Trainer) SaveFile(path string) error { return output.Replace(path, 0o600, t.Save) }

// Resume reads a run that Save wrote. It trusts nothing: another version, a
// configuration that New would refuse, values out of range, a wrong checksum,
// missing or surplus bytes give one error that names the field.
func Resume(r io.Reader) (*Trainer, error) {
	s := newReader(bufio.NewReaderSize(r, 1<<16))

	s.constant("magic", checkpointMagic)
	size := 0
	s.integer("config size", &size, 0, maxConfig)
	config := make([]byte, size)
	s.bytes("config", config)
	if s.err != nil {
		return nil, s.err
	}

	// The configuration must be one that New accepts; the size of everything after it follows from
	// it.
	var c Config
	d := json.NewDecoder(strings.NewReader(string(config)))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return nil, fmt.Errorf("train: checkpoint: config: %w", err)
	}
	t, err := New(c)
	if err != nil {
		return nil, fmt.Errorf("train: checkpoint: config: %w", err)
	}

	t.carry(s)
	if err := s.finish(); err != nil {
		return nil, err
	}

	// Truth tables, pins and the head's table are derived, not stored.
	for _, l := range t.sac.policy.layers {
		for j := range l.width {
			l.settle(j)
		}
	}
	t.sac.policy.settleHead()
	if slow := t.sac.slow; slow != nil {
		// A fixed mapping's pins are the policy's own; follow with nothing to move
		// derives the rest.
		for i, l := range slow.layers {
			copy(l.pins, t.sac.policy.layers[i].pins)
		}
		slow.follow(slow, 0)
	}
	return t, nil
}

// ResumeFile is Resume from a file; errors name it.
func ResumeFile(path string) (*Trainer, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := Resume(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// carry carries everything that New does not derive from the configuration.
func (t *Trainer) carry(s *stream) {
	s.integer("step", &t.step, 0, t.cfg.Steps)
	t.env.carry(s)
	s.float("episode", &t.episode)

	n := len(t.recent)
	s.integer("recent", &n, 0, recentEpisodes)
	// A reader's list is empty and grows to n; a writer's has n elements.
	t.recent = append(t.recent, make([]float64, n-len(t.recent))...)
	for i := range t.recent {
		s.float("recent", &t.recent[i])
	}

	t.carryRandom(s)
	t.mem.carry(s, t.remembered(), model.MaxCode(t.cfg.SensorBits))
	t.sac.carry(s)
	if t.ppo != nil {
		t.ppo.carry(s, t.remembered())
	}
	if t.cfg.Correlation > 0 {
		s.float("noise", &t.noise)
	}
	t.best.carry(s, t.sac.policy, t.step)
}

func (t *Trainer) carryRandom(s *stream) {
	// A reader overwrites the state of its own source, which has the same length.
	state, err := t.source.MarshalBinary()
	if err != nil {
		s.failf("random", "%v", err)
		return
	}
	s.bytes("random", state)
	if s.err != nil {
		return
	}
	if err := t.source.UnmarshalBinary(state); err != nil {
		s.failf("random", "%v", err)
	}
}

// carry carries n transitions, a thousand at a time, so that a short file
// that promises many cannot take much memory.
func (r *replay) carry(s *stream, n, maxCode int) {
	for at := 0; at < n && s.err == nil; {
		to := min(at+1000, n)
		if s.reading() {
			r.codes = append(r.codes, make([]int16, 2*r.dims*(to-at))...)
			r.action = append(r.action, make([]float32, r.actions*(to-at))...)
			r.reward = append(r.reward, make([]float32, to-at)...)
			r.ends = append(r.ends, make([]int16, to-at)...)
		}
		s.shorts("replay.codes", r.codes[2*r.dims*at:2*r.dims*to], maxCode)
		s.floats("replay.action", r.action[r.actions*at:r.actions*to])
		s.floats("replay.reward", r.reward[at:to])
		if r.marked {
			s.shorts("replay.ends", r.ends[at:to], truncated)
		}
		at = to
	}
}

func (l *sac) carry(s *stream) {
	// The actor first, layer by layer,
	for i, layer := range l.policy.layers {
		field := fmt.Sprintf("layers[%d].", i)
		s.floats(field+"table", layer.table)
		layer.tableAdam.carry(s, field+"table")
		if layer.scores == nil {
			s.indices(field+"pins", layer.pins, layer.inputs)
			continue
		}
		s.floats(field+"scores", layer.scores)
		layer.scoreAdam.carry(s, field+"scores")
	}
	s.floats("log_alpha", l.policy.logAlpha)
	l.policy.logAlphaAdam.carry(s, "log_alpha")
	s.floats("beta", l.policy.beta)
	l.policy.betaAdam.carry(s, "beta")

	// then the networks beside it, with their optimisers and targets.
	s.floats("noise", l.noise.params)
	l.noiseAdam.carry(s, "noise")
	for i := range l.critics {
		field := fmt.Sprintf("critics[%d]", i)
		s.floats(field, l.critics[i].params)
		l.criticAdam[i].carry(s, field)
		s.floats(fmt.Sprintf("targets[%d]", i), l.targets[i].params)
	}

	s.floats("temperature", l.logTemp)
	l.tempAdam.carry(s, "temperature")
	if l.slow != nil {
		l.slow.carry(s)
	}
}

func (a *adam) carry(s *stream, field string) {
	s.floats(field+".m", a.m)
	s.floats(field+".v", a.v)
	s.float(field+".power1", &a.power1)
	s.float(field+".power2", &a.power2)
}

// carry carries the best policy so far, if there is one; its shape is p's.
func (b *snapshot) carry(s *stream, p *policy, step int) {
	s.integer("best.step", &b.step, 0, step)
	if s.err != nil || b.step == 0 {
		return
	}
	if s.reading() {
		b.shape(p)
	}
	s.float("best.score", &b.score)

	for i, l := range p.layers {
		field := fmt.Sprintf("best.layers[%d].", i)
		s.tables(field+"tables", b.truth[i], 1<<l.n)
		s.indices(field+"pins", b.pins[i], l.inputs)
	}
	s.floats("best.log_alpha", b.logAlpha)
	s.floats("best.beta", b.beta)
}
