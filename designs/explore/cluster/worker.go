package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"etch/designs/explore"
)

// Worker is a process that measures.
type Worker struct {
	Dial
	Jobs  int    // measurements at a time; 0: one a processor
	Build string // of this program: jobs of others are refused
	// Remake makes a measure of its data as a plan of that measure alone. It fails where
	// this machine lacks the tool.
	Remake func(design string, spec json.RawMessage) (*explore.Plan, error)
	// AckWait is how long the server waits for a sign of a worker before it gives the
	// job to another; 0 is 30 s. A worker gives a sign every third of it.
	AckWait time.Duration
	Ready   func() // called, if it is there, when the server is reached
}

const (
	ackWait = 30 * time.Second
	// forget is how long a sweep lives without an announcement.
	forget = 5 * announceEvery
	// fetchFor is how long a worker waits at one sweep's queue.
	fetchFor = time.Second
	// restFor is the pause after a failure.
	restFor = 300 * time.Millisecond
)

// sweep is one that was announced.
type sweep struct {
	announcement
	seen     time.Time
	plan     *explore.Plan // nil: refused
	why      string        // it is
	mu       sync.Mutex
	consumer jetstream.Consumer
}

// work is the state of a running worker.
type work struct {
	Worker
	name  string
	notes io.Writer
	nc    *nats.Conn
	js    jetstream.JetStream

	mu     sync.Mutex
	sweeps []*sweep
	turn   int
	told   map[string]bool // lines that stand in notes
}

// Work measures until ctx ends. Refused sweeps, with the reason, go to notes.
func (w Worker) Work(ctx context.Context, notes io.Writer) error {
	if w.Jobs < 0 || w.Jobs > 1024 {
		return fmt.Errorf("%d jobs at a time: want 1 to 1024, or 0 for one a processor", w.Jobs)
	}
	if w.Jobs == 0 {
		w.Jobs = runtime.GOMAXPROCS(0)
	}
	if w.AckWait == 0 {
		w.AckWait = ackWait
	}

	// The name that the asker's user sees in notes.
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	k := &work{Worker: w, name: fmt.Sprintf("%s/%d", host, os.Getpid()), notes: &lines{w: notes}, told: map[string]bool{}}
	if k.nc, err = w.connect("worker "+k.name, k.notes); err != nil {
		return err
	}
	defer k.nc.Close()
	if k.js, err = jetstream.New(k.nc, jetstream.WithDefaultTimeout(callFor)); err != nil {
		return err
	}
	if _, err := k.nc.Subscribe(sweepSubject, func(m *nats.Msg) { k.announced(m.Data) }); err != nil {
		return err
	}

	// Hello: askers announce their sweeps now and not at their next tick.
	if err := errors.Join(k.nc.Publish(helloSubject, nil), k.nc.FlushTimeout(callFor)); err != nil {
		return err
	}

	if w.Ready != nil {
		w.Ready()
	}
	var slots sync.WaitGroup
	for range w.Jobs {
		slots.Go(func() { k.slot(ctx) })
	}
	slots.Wait()
	return nil
}

// say writes a line for the user, once.
func (k *work) say(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.told[line] && len(k.told) < 1000 {
		k.told[line] = true
		fmt.Fprintln(k.notes, line)
	}
}

// announced takes or refuses a sweep, and tells the asker every time: it may be a new
// one.
func (k *work) announced(text []byte) {
	var a announcement
	if json.Unmarshal(text, &a) != nil || len(a.Sweep) != len(token()) || strings.Trim(a.Sweep, "0123456789abcdef") != "" {
		return
	}
	k.mu.Lock()

	// Sweeps that are over, that were not heard of for long, or whose asker has another program now,
	// go.
	k.sweeps = slices.DeleteFunc(k.sweeps, func(s *sweep) bool {
		return time.Since(s.seen) > forget || s.Sweep == a.Sweep && (a.Over || s.Build != a.Build || string(s.Spec) != string(a.Spec))
	})
	i := slices.IndexFunc(k.sweeps, func(s *sweep) bool { return s.Sweep == a.Sweep })
	k.mu.Unlock()

	if a.Over {
		return
	}

	// Announcements come one at a time: no other one adds the sweep meanwhile.
	var s *sweep
	if i >= 0 {
		s = k.sweeps[i]
	} else {
		s = &sweep{announcement: a}
		if s.plan, s.why = k.judge(a); s.plan == nil {
			k.say("refused: %s of %s: %s", a.Measure, a.Design, s.why)
		}
	}

	k.mu.Lock()
	s.seen = time.Now()
	if i < 0 {
		k.sweeps = append(k.sweeps, s)
	}
	k.mu.Unlock()

	// The asker learns of this worker, or of its reason to refuse.
	if text, err := json.Marshal(note{k.name, s.why}); err == nil {
		k.nc.Publish(noteSubject(a.Sweep), text)
	}
}

// judge makes a sweep's measure on this machine, or says why not.
func (k *work) judge(a announcement) (p *explore.Plan, why string) {
	if a.Build != k.Build {
		return nil, fmt.Sprintf("the asker is %s, this worker %s; all run the same program", a.Build, k.Build)
	}
	p, err := k.Remake(a.Design, a.Spec)
	switch {
	case err != nil:
		return nil, err.Error()
	case p.Measures[0].Tool != a.Tool:
		return nil, fmt.Sprintf("the asker has %s, this worker %s", a.Tool, p.Measures[0].Tool)
	}
	return p, ""
}

// slot takes one job after the other.
func (k *work) slot(ctx context.Context) {
	for ctx.Err() == nil {
		s, wait := k.next()
		if s == nil {
			rest(ctx, restFor/3)
			continue
		}

		// An empty queue gives no message and no error.
		msg, err := k.fetch(ctx, s, wait)

		switch {
		case err != nil:
			rest(ctx, restFor)
		case msg != nil:
			k.do(ctx, s, msg)
		}
	}
}

// rest waits.
func rest(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// next is a sweep in turn and how long to wait at its queue, nil where there is none.
func (k *work) next() (*sweep, time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	var live []*sweep
	for _, s := range k.sweeps {
		if s.plan != nil && time.Since(s.seen) <= forget {
			live = append(live, s)
		}
	}
	if len(live) == 0 {
		return nil, 0
	}

	// In turn, so that a long sweep does not starve a short one; the wait is divided among them.
	k.turn++
	return live[k.turn%len(live)], max(fetchFor/time.Duration(len(live)), 20*time.Millisecond)
}

// fetch takes a job from a sweep's queue, nil where it is empty.
func (k *work) fetch(ctx context.Context, s *sweep, wait time.Duration) (jetstream.Msg, error) {
	c, err := k.consumer(ctx, s)
	if err != nil {
		return nil, err
	}
	batch, err := c.Fetch(1, jetstream.FetchMaxWait(wait))
	if err != nil {
		return nil, err
	}

	// A closed channel gives nil: the time was over.
	msg := <-batch.Messages()
	if err := batch.Error(); msg == nil && err != nil {
		s.mu.Lock()
		s.consumer = nil // it may have gone with the server's memory
		s.mu.Unlock()
		return nil, err
	}
	return msg, nil
}

// consumer is the sweep's place in the queue, which its workers share.
func (k *work) consumer(ctx context.Context, s *sweep) (jetstream.Consumer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.consumer != nil {
		return s.consumer, nil
	}

	// The worker that takes a job once too often answers for it: hence no MaxDeliver here,
	// by which the server would only fall silent.
	c, err := k.js.CreateOrUpdateConsumer(ctx, jobStream, jetstream.ConsumerConfig{
		Durable: s.Sweep, FilterSubject: jobSubject(s.Sweep, "*"), AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: k.AckWait, MaxDeliver: -1, MaxAckPending: 100_000, InactiveThreshold: time.Hour,
	})
	if err == nil {
		s.consumer = c
	}
	return c, err
}

// do measures a job and answers.
func (k *work) do(ctx context.Context, s *sweep, msg jetstream.Msg) {
	var job explore.Job
	meta, err := msg.Metadata()
	if err != nil || json.Unmarshal(msg.Data(), &job) != nil || jobSubject(s.Sweep, keyToken(job.Key)) != msg.Subject() {
		msg.Term() // no job of this sweep: the asker publishes a lost one again
		return
	}

	defer k.signs(msg)() // until the answer is stored

	// A job that ends its worker each time would end all of them: after some it is an error of the
	// candidate.
	var r explore.Result
	if meta.NumDelivered > maxDeliver {
		r.Err = fmt.Errorf("%d workers took it and none came to an end", maxDeliver)
	} else {
		r = s.plan.Do(ctx, job)
	}

	// An end of this process says nothing of the job: the server gives it to another worker.
	switch {
	case ctx.Err() != nil: // it may have failed for that alone
		msg.Nak()
		k.nc.Flush()
		return
	case errors.Is(r.Err, explore.ErrPassing):
		k.say("%s of %s %v: %v", job.Key.Measure, job.Design, job.Values, r.Err)
		if meta.NumDelivered < maxDeliver {
			msg.NakWithDelay(k.AckWait / 10)
			return
		}
	}

	// The result is stored before the job is acknowledged, and the asker's look depends on that
	// order.
	text, err := json.Marshal(answerOf(job.Key, r, k.name))
	if err != nil {
		msg.Term()
		return
	}
	for ctx.Err() == nil {
		_, err := k.js.Publish(ctx, resultSubject(s.Sweep, keyToken(job.Key)), text)
		if err == nil {
			msg.Ack()
			return
		}
		var api *jetstream.APIError
		if errors.As(err, &api) {
			k.say("the server cannot keep results: %v", api)
		}
		rest(ctx, restFor)
	}
}

// signs tells the server that the job of msg is under way, every third of the time that it waits
// for an answer, until the function that it returns is called.
func (k *work) signs(msg jetstream.Msg) (end func()) {
	ended := make(chan struct{})
	var signs sync.WaitGroup
	signs.Go(func() {
		tick := time.NewTicker(k.AckWait / 3)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				msg.InProgress()
			case <-ended:
				return
			}
		}
	})
	return func() { close(ended); signs.Wait() }
}
