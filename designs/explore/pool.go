package explore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"
)

// Job is a measurement that is to be made, as data: a process with the same build and
// tools makes of it the netlist and the numbers.
type Job struct {
	Key    Key               `json:"key"`
	Design string            `json:"design"`
	Values map[string]string `json:"values"`
}

// Result is the end of a job: numbers or an error. One that wraps [ErrPassing] is
// reported and not kept.
type Result struct {
	Numbers map[string]float64
	Err     error
	Seconds float64 // of the measurement
}

// Pool makes measurements: in this process, or on other machines.
type Pool interface {
	// Measure applies m to all jobs and calls done with the index of each job that has
	// ended, once a job, from any goroutine and in any order. It returns when all have
	// ended, with the first error of done, or when ctx has ended, with its error.
	Measure(ctx context.Context, m Measure, jobs []Job, done func(i int, r Result) error) error
}

// local is the pool of this process.
type local struct{ *Plan }

// Measure builds every candidate again: netlists of thousands would not fit in memory
// after the first stage, and building is cheap beside a dear measure.
func (l local) Measure(ctx context.Context, m Measure, jobs []Job, done func(i int, r Result) error) error {
	return pool(ctx, l.workers(), len(jobs), func(ctx context.Context, i int) error {
		c, err := l.candidate(jobs[i].Values)
		if err != nil {
			return fmt.Errorf("%v was built before and now is not: %w", jobs[i].Values, err)
		}

		res := m.take(ctx, c)
		if ctx.Err() != nil {
			return ctx.Err() // it may have failed for that alone
		}
		return done(i, res)
	})
}

// Do makes the measurement of a job of another process with a plan of one measure. The
// result is passing where this process would measure another netlist, or with another
// tool, than the job's key says: a parameter may name a file that differs here.
func (p *Plan) Do(ctx context.Context, job Job) Result {
	c, err := p.candidate(job.Values)
	if err != nil {
		return Result{Err: fmt.Errorf("%w: %s of %v is not valid here: %w", ErrPassing, job.Design, job.Values, err)}
	}

	// The same text of parameters may mean another circuit here: the hash of the netlist decides.
	keys, err := guarded(func() ([]Key, error) { return p.keys(c) })
	switch {
	case err != nil:
		return Result{Err: fmt.Errorf("%w: %w", ErrPassing, err)}
	case keys[0] != job.Key:
		return Result{Err: fmt.Errorf("%w: %s of %v is another circuit here; a parameter that names a file needs the same file everywhere", ErrPassing, job.Design, job.Values)}
	}
	return p.Measures[0].take(ctx, c)
}

// take runs one measurement and times it. A panic, a NaN or an infinity is the result's error.
func (m Measure) take(ctx context.Context, c Candidate) Result {
	began := time.Now()
	numbers, err := guarded(func() (map[string]float64, error) { return m.Run(ctx, c) })

	// A number that is none would be first or last on every axis.
	for name, x := range numbers {
		if err == nil && (math.IsNaN(x) || math.IsInf(x, 0)) {
			err = fmt.Errorf("%s is %v", name, x)
		}
	}
	if err == nil && len(numbers) == 0 {
		err = errors.New("no results")
	}
	return Result{numbers, err, time.Since(began).Seconds()}
}

// pool calls f for 0 to n-1 from several goroutines. The first error ends the others.
func pool(ctx context.Context, workers, n int, f func(ctx context.Context, i int) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)

	// Jobs are handed out one by one: their costs differ by orders of magnitude.
	jobs := make(chan int)
	var wait sync.WaitGroup
	for range min(workers, n) {
		wait.Go(func() {
			for i := range jobs {
				if err := f(ctx, i); err != nil {
					stop(err)
				}
			}
		})
	}
feed:
	for i := range n {
		// The other case may be chosen though the context has ended: hence the check.
		select {
		case jobs <- i:
		case <-ctx.Done():
			break feed
		}
		if ctx.Err() != nil {
			break
		}
	}

	close(jobs)
	wait.Wait()

	// The cause is the first error of f, the end of the caller's context, or nil.
	return context.Cause(ctx)
}
