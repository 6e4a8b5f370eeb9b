package cosim

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Judgement is the result of a simulator for a recording.
type Judgement struct {
	Tool        string
	Samples     int          // number of samples compared
	Differences []Difference // of the first few samples that have some
	Err         error        // why there is no judgement
	Note        string       // why a part was not compared, "" if all was
}

// Known reports whether co-simulation knows a tool.
func Known(tool string) bool { return lookup(tool) != nil }

// Tools lists the tools that co-simulation knows.
func Tools() []string {
	var names []string
	for _, s := range simulators {
		names = append(names, s.name)
	}
	return names
}

// Find finds all programs that a tool needs to run a model.
func Find(tool string) error {
	sim := lookup(tool)
	if sim == nil {
		return fmt.Errorf("co-simulation knows no %q, only %s", tool, strings.Join(Tools(), ", "))
	}
	_, err := sim.kit()
	return err
}

// Judge ends the recording and runs the emitted Verilog under each of these tools in turn. The
// files of a tool are in a folder of its name inside the recording's.
func (r *Recorder) Judge(ctx context.Context, names ...string) []Judgement {
	err := r.Close()

	var all []Judgement
	for _, name := range names {
		j := Judgement{Tool: name, Err: err, Note: r.note}
		if err == nil && r.written > 0 {
			j.Err = r.judge(ctx, &j)
		}
		all = append(all, j)
	}
	return all
}

// judge builds and runs a model, and compares its outputs.
func (r *Recorder) judge(ctx context.Context, j *Judgement) error {
	sim := lookup(j.Tool)
	if sim == nil {
		return Find(j.Tool)
	}
	k, err := sim.kit()
	if err != nil {
		return err
	}
	s, err := sim.sources(&r.layout, r.sim.Design())
	if err != nil {
		return err
	}

	dir := filepath.Join(r.dir, sim.name)
	if err := r.prepare(dir, s); err != nil {
		return err
	}

	// Another process may prune a model between its build and its start: then build it once more.
	for try := 0; ; try++ {
		model, err := sim.model(ctx, k, s, dir)
		if err != nil {
			return fmt.Errorf("building the model: %w", err)
		}
		if err = r.run(ctx, sim, k, model, dir); err == nil {
			break
		}

		// A model that is still there would fail again.
		if _, there := os.Stat(model); there == nil || try > 0 {
			return fmt.Errorf("running the model: %w", err)
		}
	}

	j.Differences, j.Samples, err = r.layout.compareFiles(filepath.Join(r.dir, stimulusFile),
		filepath.Join(r.dir, expectedFile), filepath.Join(dir, responseFile))
	return err
}

// prepare makes the folder of a tool with all files by which a person can run the model by hand.
func (r *Recorder) prepare(dir string, s *sources) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := save(dir, append(s.files[:len(s.files):len(s.files)], s.data...)); err != nil {
		return err
	}

	// The recording is linked, since a copy may have hundreds of megabytes.
	for _, name := range []string{stimulusFile, startFile} {
		if err := link(filepath.Join(r.dir, name), filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// model returns the path of a built model.
func (sim *simulator) model(ctx context.Context, k *kit, s *sources, dir string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, buildLimit)
	defer cancel()
	build := func(dir string) error {
		if err := save(dir, s.files); err != nil {
			return err
		}
		return sim.build(ctx, k, s, dir)
	}

	var err error
	if k.cache, err = cacheDir(); err != nil { // no home, or a read-only one: build where the run is
		k.cache = ""
		return filepath.Join(dir, modelFile), build(dir)
	}

	key, err := k.key(sim.name, sim.flags, s)
	if err != nil {
		return "", err
	}
	return cached(k.cache, key, build)
}

// run runs a built model on the recorded stimulus, for runLimit at most.
func (r *Recorder) run(ctx context.Context, sim *simulator, k *kit, model, dir string) error {
	ctx, cancel := context.WithTimeout(ctx, runLimit)
	defer cancel()
	err := command(sim.run(ctx, k, model), dir)

	// The error of the process would only say that it was killed.
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return errors.New("it does not end")
	}
	return err
}

// link gives a file a second name, or copies it where that is not possible.
func link(from, to string) error {
	if os.Link(from, to) == nil {
		return nil
	}
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o666)
}
