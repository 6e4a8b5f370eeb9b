package learnertool

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"etch/designs/cli"
	"etch/designs/explore"
	"etch/designs/rl/env"
	"etch/designs/rl/train"
)

// quality is the flag -quality: the environment to be learned and how often.
type quality struct {
	env   string // "" for none
	seeds int
}

// Learned is how formats of a number of bits have learned.
type Learned struct {
	Bits   int     `json:"bits"`
	Solved int     `json:"solved"` // of the seeds
	Seeds  int     `json:"seeds"`
	Steps  float64 `json:"steps"` // gradient steps, the mean of the solved
}

// learns reports whether every seed solved the environment.
func (l Learned) learns() bool { return l.Solved == l.Seeds }

// parseQuality reads cartpole:8 for a network and an algorithm.
func (q *question) parseQuality(text string) error {
	if text == "" {
		return nil
	}

	// The task and its algorithm.
	name, count, _ := strings.Cut(text, ":")
	algorithm := map[string]string{"cartpole": "dqn", "pendulum": "ddpg"}[name]
	n, err := strconv.Atoi(count)
	if algorithm == "" || err != nil || n < 1 || n > 1000 {
		return cli.Usagef("-quality %s: want cartpole:SEEDS or pendulum:SEEDS, as cartpole:8, with 1 to 1000 seeds", text)
	}
	if algorithm != q.algorithm {
		return cli.Usagef("-quality %s: %s is learned by -algorithm %s, not %s", text, name, algorithm, q.algorithm)
	}

	// The network must have the task's shape.
	e, err := env.Open(name, env.Limits{})
	if err != nil {
		return err
	}
	defer e.Close()
	spec, outputs := e.Spec(), q.sizes[len(q.sizes)-1]
	if want := max(spec.Actions, len(spec.Low)); q.sizes[0] != spec.Observation || outputs != want {
		return cli.Usagef("-quality %s: a network of %d inputs and %d outputs; %s has %d and %d", text, q.sizes[0], outputs, name, spec.Observation, want)
	}
	q.quality = quality{name, n}
	return nil
}

// learning trains the bit-exact model of each format on all seeds, and leaves the formats
// that learn. Each run is a line of the journal of a folder; a run that is there is not
// made again.
func (q *question) learning(ctx context.Context, progress io.Writer) (all []Learned, err error) {
	journal, err := explore.OpenJournal(q.dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, journal.Close()) }()

	// All formats in turn; a format that fails with any seed is left out.
	for _, bits := range q.formats {
		l, err := q.learnedWith(ctx, journal, bits)
		if err != nil {
			return all, err
		}
		all = append(all, l)
		fmt.Fprintf(progress, "%d bits: %d of %d seeds solve %s, in %.0f steps on average\n", bits, l.Solved, l.Seeds, q.quality.env, l.Steps)
	}

	q.formats = slices.DeleteFunc(slices.Clone(q.formats), func(bits int) bool {
		return slices.ContainsFunc(all, func(l Learned) bool { return l.Bits == bits && !l.learns() })
	})
	if len(q.formats) == 0 {
		return all, fmt.Errorf("none of these formats learns %s with all of %d seeds; wider ones with -formats, or another network", q.quality.env, q.quality.seeds)
	}
	return all, nil
}

// learnedWith makes the runs of a format, as many at a time as there are processors.
func (q *question) learnedWith(ctx context.Context, journal *explore.Journal, bits int) (Learned, error) {
	// A slot a run, results by seed.
	records := make([]explore.Record, q.quality.seeds)
	failed := make([]error, q.quality.seeds)
	slots := make(chan bool, runtime.GOMAXPROCS(0))

	var wait sync.WaitGroup
	for i := range records {
		slots <- true
		wait.Go(func() {
			defer func() { <-slots }()
			records[i], failed[i] = q.run(ctx, journal, bits, uint64(i+1))
		})
	}
	wait.Wait()
	if err := errors.Join(failed...); err != nil {
		return Learned{}, err
	}

	// Steps are the mean over the seeds that solved the task.
	l := Learned{Bits: bits, Seeds: len(records)}
	for _, r := range records {
		if r.Results["solved"] == 1 {
			l.Solved++
			l.Steps += r.Results["steps"]
		}
	}
	l.Steps /= float64(max(l.Solved, 1))
	return l, nil
}

// run trains with a seed, unless the journal has the run.
func (q *question) run(ctx context.Context, journal *explore.Journal, bits int, seed uint64) (r explore.Record, err error) {
	if err := ctx.Err(); err != nil {
		return r, err
	}

	// The configuration names the run in the journal.
	c, err := q.training(bits, seed)
	if err != nil {
		return r, err
	}
	text, err := json.Marshal(c)
	if err != nil {
		return r, err
	}
	sum := sha256.Sum256(text)
	r = explore.Record{
		Measure: "quality:" + q.quality.env, Tool: "etch model", Subject: hex.EncodeToString(sum[:16]), Design: q.algorithm,
		Values: map[string]string{"sizes": list(q.sizes), "batch": fmt.Sprint(q.batch), "bits": fmt.Sprint(bits), "seed": fmt.Sprint(seed)},
	}
	if known, ok := journal.Find(r.Key()); ok && known.Error == "" {
		return known, nil
	}

	// A new run, to its goal or limit.
	start := time.Now()
	t, err := train.New(c, env.Limits{}, nil)
	if err != nil {
		return r, err
	}
	defer t.Close()
	if err := t.Run(ctx, 0, nil); err != nil {
		return r, err
	}
	done, solved := t.Result(), 0.0
	if done.Solved {
		solved = 1
	}
	r.Results = map[string]float64{"solved": solved, "steps": float64(done.Steps), "return": done.Return}
	r.Seconds = time.Since(start).Seconds()
	return r, journal.Append(r)
}

// training is a run of the model. Tiles change cycles and no results: the run has the
// smallest.
func (q *question) training(bits int, seed uint64) (train.Config, error) {
	e, err := env.Open(q.quality.env, env.Limits{})
	if err != nil {
		return train.Config{}, err
	}
	defer e.Close()

	// The defaults of the task with the formats asked for.
	tiles := single(q.networks())
	c := train.Default(q.algorithm, q.quality.env, e.Spec(), seed)
	if q.algorithm == "dqn" {
		c.DQN = q.dqn(bits, tiles, 1)
	} else {
		c.DDPG = q.ddpg(bits, tiles, 1)
	}
	if q.replay > 0 {
		c.Memory.Capacity = q.replay
	}
	return c, nil
}

// fewest is the least number of bits that learns.
func fewest(all []Learned) (best Learned) {
	for _, l := range all {
		if l.learns() && (best.Bits == 0 || l.Bits < best.Bits) {
			best = l
		}
	}
	return best
}
