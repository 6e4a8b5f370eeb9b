package fuzz

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"sort"
	"sync"
	"time"
)

// Options configure Run.
type Options struct {
	N       int           // number of circuits; 0: as many as For allows
	Seed    uint64        // of the first circuit; the others count up from it
	Size    int           // see NewCase
	Judges  []*Judge      // who judges them
	For     time.Duration // the run ends then, or within Grace; 0: no limit
	Workers int           // at the same time; 0: one per processor
	Most    int           // mismatches after which it stops; 5 if 0
	Dir     string        // folder of shrunk cases; "": mismatches are not shrunk
	Shrink  time.Duration // longest time per mismatch; a minute if 0. All shrinking ends LastShrink after For
	// Progress, if set, gets a line about the progress every few seconds.
	Progress io.Writer
}

// The time that a run may take beyond Options.For.
const (
	Grace      = 2 * time.Second  // for circuits being judged; later verdicts are dropped
	LastShrink = 10 * time.Second // for mismatches being shrunk; then they stay as they are
)

// Summary is the result of a run.
type Summary struct {
	Circuits   int
	Elapsed    time.Duration
	Judges     []Tally // parallel to Options.Judges
	Mismatches []Mismatch
}

// Tally is the work of one judge.
type Tally struct {
	Name    string
	Judged  int
	Skipped map[string]int // by reason
	Busy    time.Duration  // of one processor, about
}

// Mismatch is a circuit on which a judge differs from the interpreter.
type Mismatch struct {
	Seed  uint64
	Judge string
	Verdict
	File string // the shrunk case, "" if there is none
	Size int    // number of nodes of the shrunk case
}

// String returns a line with seed and file.
func (m Mismatch) String() string {
	text := fmt.Sprintf("seed %d: %s %s: %s", m.Seed, m.Judge, m.Kind, m.Text)
	if m.File != "" {
		text += fmt.Sprintf(" (shrunk to %d nodes: %s)", m.Size, m.File)
	}
	return text
}

// chunk is the number of circuits that a worker takes at a time.
const chunk = 200

// campaign is a running Run.
type campaign struct {
	o       Options
	w       *workshop
	start   time.Time
	mu      sync.Mutex
	pace    time.Duration // time per circuit in the last chunk, 0 before the first
	next    uint64        // number of the first circuit of the next chunk
	done    int
	tallies []Tally
	found   []Mismatch
	err     error
	shrinks sync.Mutex // held while a mismatch is shrunk
}

// Run makes circuits and has the judges compare them; mismatches are in the summary. The same
// options give the same circuits and mismatches. Errors are of the surroundings: a missing tool,
// a full disk, an ended context.
func Run(ctx context.Context, o Options) (*Summary, error) {
	// A missing tool ends the run before the first circuit, not after an hour.
	for _, j := range o.Judges {
		if err := j.Ready(); err != nil {
			return nil, err
		}
	}
	if o.Workers == 0 {
		o.Workers = runtime.NumCPU()
	}
	if o.Most == 0 {
		o.Most = 5
	}
	if o.Shrink == 0 {
		o.Shrink = time.Minute
	}
	w, err := newWorkshop()
	if err != nil {
		return nil, err
	}
	defer w.close()
	c := &campaign{o: o, w: w, start: time.Now()}
	for _, j := range o.Judges {
		c.tallies = append(c.tallies, Tally{Name: j.Name, Skipped: map[string]int{}})
	}

	// The judges get a grace period; shrinking has the caller's context and a limit of its own.
	stop := c.report()
	judging := ctx
	if o.For > 0 {
		var cancel context.CancelFunc
		judging, cancel = context.WithDeadline(ctx, c.start.Add(o.For+Grace))
		defer cancel()
	}
	var all sync.WaitGroup
	for range o.Workers {
		all.Go(func() { c.work(ctx, judging) })
	}
	all.Wait()
	stop()

	// Workers finish in any order.
	sort.SliceStable(c.found, func(i, j int) bool { return c.found[i].Seed < c.found[j].Seed })
	return &Summary{c.done, time.Since(c.start), c.tallies, c.found}, c.err
}

// work judges chunks until there are none left or the context judging ends, which is the end of
// the run's time.
func (c *campaign) work(ctx, judging context.Context) {
	for {
		first, n := c.take(ctx)
		if n == 0 {
			return
		}
		err := c.chunk(ctx, judging, first, n)

		// The time is up, which is no error: the verdicts so far stand.
		if judging.Err() != nil && ctx.Err() == nil {
			return
		}

		// Only the first error is told; take ends the other workers for it.
		if err != nil {
			c.mu.Lock()
			if c.err == nil {
				c.err = err
			}
			c.mu.Unlock()
			return
		}
	}
}

// take returns the next circuits to judge, none when the run is to end.
func (c *campaign) take(ctx context.Context) (first uint64, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	late := c.o.For > 0 && time.Since(c.start) > c.o.For
	if c.err == nil {
		c.err = ctx.Err()
	}
	if c.err != nil || late || len(c.found) >= c.o.Most {
		return 0, 0
	}
	n = chunk

	// Near the end of the time chunks get smaller, so that none is cut off.
	if c.o.For > 0 {
		n = c.inTime()
	}

	// The last chunk may be short.
	if c.o.N > 0 {
		n = min(n, c.o.N-int(c.next))
	}
	first = c.o.Seed + c.next
	c.next += uint64(n)
	return first, n
}

// firstChunk is the size of a worker's chunk before the time per circuit is known.
const firstChunk = 4

// inTime returns the number of circuits that a worker can judge in the time left: at least one,
// and at most twice the number judged so far, since the estimate is no better.
func (c *campaign) inTime() int {
	if c.pace == 0 {
		return firstChunk
	}
	left := c.o.For - time.Since(c.start)
	return max(1, min(chunk, max(firstChunk, 2*c.done), int(left/c.pace)))
}

// chunk judges n circuits with all judges.
func (c *campaign) chunk(ctx, judging context.Context, first uint64, n int) error {
	from := time.Now()
	cases := make([]*Case, n)
	for i := range cases {
		cases[i] = NewCase(first+uint64(i), c.o.Size)
	}

	// Each judge sees the same cases; a mismatch is shrunk by the judge that found it.
	for k, j := range c.o.Judges {
		begin := time.Now()
		verdicts, err := j.look(judging, c.w, cases)
		if err != nil {
			return err
		}
		c.note(k, verdicts, time.Since(begin))
		for i, v := range verdicts {
			if v.Kind != None {
				if err := c.mismatch(ctx, j, cases[i], v); err != nil {
					return err
				}
			}
		}
	}

	// The time per circuit of all judges, for the size of the next chunk.
	c.mu.Lock()
	c.done += n
	c.pace = time.Since(from) / time.Duration(n)
	c.mu.Unlock()
	return nil
}

// note adds the verdicts of a chunk to the tally of judge k.
func (c *campaign) note(k int, verdicts []Verdict, busy time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &c.tallies[k]
	t.Busy += busy
	for _, v := range verdicts {
		if v.Skipped != "" {
			t.Skipped[v.Skipped]++
		} else {
			t.Judged++
		}
	}
}

// mismatch shrinks a case on which a judge differs, saves it, and adds it to the mismatches
// found. After Options.Most of them it does nothing.
func (c *campaign) mismatch(ctx context.Context, j *Judge, found *Case, v Verdict) error {
	m := Mismatch{Seed: found.Stim.Seed, Judge: j.Name, Verdict: v}

	// Workers find mismatches side by side: only the lists are shared.
	c.mu.Lock()
	enough := len(c.found) >= c.o.Most
	c.mu.Unlock()
	if enough {
		return nil
	}

	// Without a folder nobody could read the shrunk case, so the time is saved.
	if c.o.Dir != "" {
		small, err := c.shrink(ctx, j, found, v)
		if err != nil {
			return err
		}
		m.Size = small.size()
		comment := fmt.Sprintf("etch fuzz: seed %d, size %d, judge %s\n%s: %s", m.Seed, c.o.Size, j.Name, v.Kind, v.Text)
		if m.File, err = small.Save(c.o.Dir, fmt.Sprintf("%s-seed%d", j.Name, m.Seed), comment); err != nil {
			return err
		}
	}

	// Another worker may have been faster: the list may then hold one more than wanted.
	c.mu.Lock()
	defer c.mu.Unlock()
	c.found = append(c.found, m)
	if c.o.Progress != nil {
		fmt.Fprintln(c.o.Progress, m)
	}
	return nil
}

// shrink shrinks a case within the time left. One worker shrinks at a time, for tools to get the
// whole machine.
func (c *campaign) shrink(ctx context.Context, j *Judge, found *Case, v Verdict) (*Case, error) {
	c.shrinks.Lock()
	defer c.shrinks.Unlock()

	// The mismatch's own time, or the rest of the run's if that is shorter.
	limit := c.o.Shrink
	if c.o.For > 0 {
		limit = min(limit, time.Until(c.start.Add(c.o.For+LastShrink)))
	}
	if limit <= 0 {
		return found, nil
	}
	short, cancel := context.WithTimeout(ctx, limit) // tools end with it
	defer cancel()
	return Shrink(short, c.w, j, found, v, limit)
}

// size counts the nodes of a case.
func (c *Case) size() int {
	n := 0
	for _, m := range c.Design.Modules {
		n += m.Len() - 1
	}
	return n
}

// reportEvery is the time between two lines of progress.
const reportEvery = 5 * time.Second

// report prints the progress until stop is called; stop waits until nothing is printed any more.
func (c *campaign) report() (stop func()) {
	if c.o.Progress == nil {
		return func() {}
	}

	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(reportEvery)
		defer tick.Stop()
		for {
			select {
			case <-end:
				return
			// A line shows the rate since the start, which is steady, not that of the last seconds.
			case <-tick.C:
				c.mu.Lock()
				seconds := time.Since(c.start).Seconds()
				fmt.Fprintf(c.o.Progress, "%d circuits, %d mismatches, %.0f circuits/s\n", c.done, len(c.found), float64(c.done)/seconds)
				c.mu.Unlock()
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}

// Print writes the summary: a line per judge with its throughput on one processor, the circuits
// skipped by reason, and the mismatches.
func (s *Summary) Print(w io.Writer) {
	// The rate is per second of the judge's own time, since judges share the workers.
	fmt.Fprintf(w, "%d circuits in %.1f s, %d mismatches\n", s.Circuits, s.Elapsed.Seconds(), len(s.Mismatches))
	for _, t := range s.Judges {
		rate := 0.0
		if t.Busy > 0 {
			rate = float64(t.Judged) / t.Busy.Seconds()
		}
		fmt.Fprintf(w, "  %-10s %8d circuits %8.1f circuits/s\n", t.Name, t.Judged, rate)

		// A map has no order; sorted, two runs give the same lines.
		reasons := make([]string, 0, len(t.Skipped))
		for r := range t.Skipped {
			reasons = append(reasons, r)
		}
		sort.Strings(reasons)
		for _, r := range reasons {
			fmt.Fprintf(w, "  %-10s %8d skipped: %s\n", "", t.Skipped[r], r)
		}
	}
	for _, m := range s.Mismatches {
		fmt.Fprintln(w, m)
	}
}
