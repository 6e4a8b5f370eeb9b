package rltool

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"sync"

	"etch/designs/rl/env"
	"etch/designs/rl/train"
	"etch/ir/input"
)

// SeedRun is a run to its end, a line of a file of results.
type SeedRun struct {
	Env     string  `json:"env"`
	Engine  string  `json:"engine"`
	Seed    uint64  `json:"seed"`
	Uniform bool    `json:"uniform,omitempty"` // without priorities
	Config  string  `json:"config"`            // the first digits of the configuration's SHA-256, see [digest]
	Solved  bool    `json:"solved"`
	Steps   int     `json:"steps"` // gradient steps
	Return  float64 `json:"return"`
}

// runs are the runs of a file, to which new ones are appended. Without a file they are only
// kept until the end.
type runs struct {
	mutex sync.Mutex
	file  *os.File
	known map[string]SeedRun // by digest
}

// openRuns reads a file of runs, if there is one; "" is none. The last line, if it was cut
// short, is dropped.
func openRuns(path string) (*runs, error) {
	r := &runs{known: map[string]SeedRun{}}
	if path == "" {
		return r, nil
	}
	text, err := input.ReadFile(path, maxRuns)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}

	// Whole lines are runs; the rest of one is of a run that was killed.
	whole := bytes.LastIndexByte(text, '\n') + 1
	for n, line := range bytes.Split(text[:whole], []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var x SeedRun
		if err := json.Unmarshal(line, &x); err != nil || x.Config == "" {
			return nil, fmt.Errorf("%s: line %d: %s is no run", path, n+1, input.Excerpt(string(line)))
		}
		r.known[x.Config] = x
	}

	if r.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666); err != nil {
		return nil, err
	}
	if whole < len(text) {
		err = r.file.Truncate(int64(whole))
	}
	return r, err
}

// maxRuns bounds a file of runs, in bytes.
const maxRuns = 1 << 24

func (r *runs) close() error {
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}

// run makes a run, unless it is known, and keeps it. Runs may be made side by side.
func (r *runs) run(ctx context.Context, c train.Config) (SeedRun, error) {
	key, err := digest(c)
	if err != nil {
		return SeedRun{}, err
	}

	// A configuration that is known is not run again.
	r.mutex.Lock()
	x, known := r.known[key]
	r.mutex.Unlock()
	if known {
		return x, nil
	}

	// To its goal or its limit.
	t, err := train.New(c, env.Limits{}, nil)
	if err != nil {
		return SeedRun{}, err
	}
	defer t.Close()
	if err := t.Run(ctx, 0, nil); err != nil {
		return SeedRun{}, err
	}
	done := t.Result()
	x = SeedRun{c.Env, c.Engine, c.Seed, c.Uniform, key, done.Solved, done.Steps, done.Return}

	// A line is written whole and reaches the disk before the next run begins.
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.known[key] = x
	if r.file == nil {
		return x, nil
	}
	line, err := json.Marshal(x)
	if err == nil {
		_, err = r.file.Write(append(line, '\n'))
	}
	if err == nil {
		err = r.file.Sync()
	}
	return x, err
}

// digest names a configuration, its seed and engine among it. The cycles of a memory's read
// change no result: a run with reads of one cycle stands for a run with reads of two.
func digest(c train.Config) (string, error) {
	c.Memory.Read = 1
	text, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8]), nil
}
