package lowprectool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"etch/designs/cli"
	"etch/designs/lowprec/sac"
)

// entry is a run with its result, a line of the file of results.
type entry struct {
	Config sac.Config  `json:"config"`
	Result *sac.Result `json:"result"`
}

// run makes the runs that the file of results lacks, and reports all.
func (e *experiment) run(configs []sac.Config, out cli.Output) error {
	if err := os.MkdirAll(e.dir, 0o777); err != nil {
		return err
	}

	ctx, stop := cli.Interruptible()
	defer stop()

	// The file has the results of earlier runs of this verb, by the whole configuration.
	path := filepath.Join(e.dir, "lowprecision.jsonl")
	done, err := readEntries(path)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	defer file.Close()

	// The report is of all runs that are asked for, old and new, in their order.
	var todo []sac.Config
	asked := map[sac.Config]bool{}
	for _, c := range configs {
		if k := unnamed(c); done[k] == nil && !asked[k] {
			asked[k] = true
			todo = append(todo, c)
		}
	}

	if err := e.train(ctx, todo, file, done, out.Err); err != nil {
		return interrupted(ctx, err, "; the runs that ended are in "+path)
	}
	return e.report(entries(configs, done), out)
}

// unnamed is a configuration without its name, on which no result depends. Two variants may be
// one: all six methods without the last that was added, and the row before it.
func unnamed(c sac.Config) sac.Config {
	c.Name = ""
	return c
}

// entries are runs with the results that are there.
func entries(configs []sac.Config, done map[sac.Config]*sac.Result) (list []entry) {
	for _, c := range configs {
		if r := done[unnamed(c)]; r != nil {
			list = append(list, entry{c, r})
		}
	}
	return list
}

// readEntries reads the results of earlier runs, by their configurations without names. A last line that was cut is passed over.
func readEntries(path string) (done map[sac.Config]*sac.Result, err error) {
	done = map[sac.Config]*sac.Result{}

	// A folder without the file is a first run.
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return done, nil
	}
	if err != nil {
		return nil, err
	}

	list, err := parseEntries(path, data)
	for _, x := range list {
		done[unnamed(x.Config)] = x.Result
	}
	return done, err
}

// parseEntries reads lines of results; path is for messages.
func parseEntries(path string, data []byte) (list []entry, err error) {
	// A line that is no result is a mistake, unless it is the end of a file whose writer was
	// killed.
	lines := strings.SplitAfter(string(data), "\n")
	for i, line := range lines {
		var x entry
		if err := json.Unmarshal([]byte(line), &x); err != nil || x.Result == nil {
			if !strings.HasSuffix(line, "\n") {
				break
			}
			return nil, fmt.Errorf("%s: line %d is no result of this experiment; remove the file or give another -o", path, i+1)
		}
		list = append(list, x)
	}
	return list, nil
}

// train makes runs side by side and appends each result when it is there.
func (e *experiment) train(ctx context.Context, todo []sac.Config, file *os.File, done map[sac.Config]*sac.Result, progress io.Writer) error {
	var (
		lock    sync.Mutex // of all below, and of done and the file
		failed  error
		next    int
		ended   int
		workers sync.WaitGroup
	)

	// take is the next run to make; after a failure there is none.
	take := func() (c sac.Config, ok bool) {
		lock.Lock()
		defer lock.Unlock()
		if next == len(todo) || failed != nil {
			return c, false
		}
		next++
		return todo[next-1], true
	}

	// keep stores a result at once, in the file and in the list of finished runs.
	keep := func(c sac.Config, r *sac.Result, err error) {
		lock.Lock()
		defer lock.Unlock()
		if err == nil {
			err = appendEntry(file, entry{c, r})
		}
		if err != nil {
			failed = errors.Join(failed, err)
			return
		}
		ended++
		done[unnamed(c)] = r
		fmt.Fprintf(progress, "%d of %d: %v: %s\n", ended, len(todo), c, outcome(r))
	}

	// A run takes one processor.
	for range min(e.jobs, len(todo)) {
		workers.Go(func() {
			for c, ok := take(); ok; c, ok = take() {
				r, err := sac.Train(ctx, c, nil, nil)
				keep(c, r, err)
			}
		})
	}
	workers.Wait()
	return failed
}

// appendEntry writes a line, at once: an experiment that is killed has lost the runs that
// were being made.
func appendEntry(file *os.File, x entry) error {
	line, err := json.Marshal(x)
	if err == nil {
		_, err = file.Write(append(line, '\n'))
	}
	return err
}

// outcome is a result in a word.
func outcome(r *sac.Result) string {
	if mean, ok := r.Final(); ok {
		return fmt.Sprintf("%.0f", mean)
	}
	return fmt.Sprintf("crash@%d (%s)", r.CrashStep, r.Crash)
}
