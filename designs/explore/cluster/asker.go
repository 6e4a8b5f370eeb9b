package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"etch/designs/explore"
)

// Intervals of an asker.
const (
	announceEvery = 2 * time.Second
	lookEvery     = 5 * time.Second
	// lonely is how long no worker may have come before the user is told.
	lonely = 10 * time.Second
	// callFor bounds one call to the server.
	callFor = 10 * time.Second
)

// Pool has the jobs of one asker measured by the workers of a server. Its Measure may
// be called one at a time.
type Pool struct {
	nc    *nats.Conn
	js    jetstream.JetStream
	build string
	place string // machine and folder
	notes io.Writer
}

// NewPool connects to a server for the sweeps of a folder. build tells programs apart.
// Notes for the user go to notes, a line each.
func NewPool(d Dial, build, dir string, notes io.Writer) (*Pool, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	host, err := os.Hostname()
	if err != nil {
		return nil, err
	}
	notes = &lines{w: notes}

	// Any NATS server would let the asker in; only one of etch-cluster has the stream.
	nc, err := d.connect("asker", notes)
	if err != nil {
		return nil, err
	}
	js, err := jetstream.New(nc, jetstream.WithDefaultTimeout(callFor))
	if err == nil {
		_, err = js.Stream(context.Background(), jobStream)
	}
	if err != nil {
		nc.Close()
		return nil, fmt.Errorf("server %s is none of etch-cluster: %w", d.URL, err)
	}

	return &Pool{nc, js, build, host + ":" + dir, notes}, nil
}

// Close ends the connection.
func (p *Pool) Close() { p.nc.Close() }

// asking is a sweep under way. One goroutine has it.
type asking struct {
	*Pool
	announcement
	jobs    []explore.Job
	open    map[string]int // jobs without a result, by key token
	done    func(int, explore.Result) error
	refused map[note]bool
	workers map[string]bool
	slow    bool // the user knows that the server is
}

// Measure implements [explore.Pool].
func (p *Pool) Measure(ctx context.Context, m explore.Measure, jobs []explore.Job, done func(int, explore.Result) error) error {
	// The sweep's name is a hash of folder, measure and tool: a killed asker finds its own jobs again.
	a := &asking{Pool: p, jobs: jobs, done: done, open: map[string]int{}, refused: map[note]bool{}, workers: map[string]bool{}}
	a.announcement = announcement{
		Sweep: token(p.place, cmp.Or(m.As, m.Name), m.Tool), Build: p.build,
		Design: jobs[0].Design, Measure: m.Name, Tool: m.Tool, Spec: m.Spec,
	}
	for i, j := range jobs {
		a.open[keyToken(j.Key)] = i
	}
	err := a.ask(ctx)

	// Withdrawn jobs need not be measured. The results of a sweep that did not end are
	// left for the next one. All of this saves work and decides nothing.
	clean, stop := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer stop()
	a.Over = true
	a.announce()
	a.js.DeleteConsumer(clean, jobStream, a.Sweep)
	a.purge(clean, jobStream, jobSubject(a.Sweep, "*"))
	if err == nil {
		a.purge(clean, resultStream, resultSubject(a.Sweep, "*"))
	}
	a.nc.FlushWithContext(clean)
	return err
}

// ask is the loop of a sweep.
func (a *asking) ask(ctx context.Context) error {
	// A message that finds the channel full is dropped; a look finds its result.
	answers := make(chan *nats.Msg, len(a.jobs)+1024)
	notes := make(chan *nats.Msg, 1024)
	hello := make(chan *nats.Msg, 16)
	for subject, to := range map[string]chan *nats.Msg{resultSubject(a.Sweep, "*"): answers, noteSubject(a.Sweep): notes, helloSubject: hello} {
		s, err := a.nc.ChanSubscribe(subject, to)
		if err != nil {
			return err
		}
		defer s.Unsubscribe()
	}

	// Three clocks: workers that come late hear of the sweep, lost messages are found, and a user
	// without workers is told.
	announce := time.NewTicker(announceEvery)
	defer announce.Stop()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	alone := time.NewTimer(lonely)
	defer alone.Stop()
	back := a.nc.StatusChanged(nats.CONNECTED)
	defer a.nc.RemoveStatusListener(back)

	// The first look publishes all jobs. From then on the loop ends when no job is open.
	if err := a.look(ctx); err != nil {
		return err
	}
	a.announce()
	for len(a.open) > 0 {
		var err error
		select {
		case <-ctx.Done():
			return ctx.Err()
		case msg := <-answers:
			err = a.take(msg.Data)
		case msg := <-notes:
			a.note(msg.Data)
		case <-hello:
			a.announce()
		case <-announce.C:
			a.announce()
		case <-alone.C:
			a.lonely()
		case <-back:
			err = a.look(ctx)
			a.announce()
		case <-look.C:
			err = a.look(ctx)
		}

		if err == nil && a.nc.IsClosed() {
			err = fmt.Errorf("the server does not let the asker in again: %w", a.nc.LastError())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// announce tells workers of the sweep. Where it fails, the next one will not.
func (a *asking) announce() {
	if text, err := json.Marshal(a.announcement); err == nil {
		a.nc.Publish(sweepSubject, text)
	}
}

// take counts an answer, once.
func (a *asking) take(text []byte) error {
	var got answer
	if json.Unmarshal(text, &got) != nil {
		return nil // none of ours: its job stays open
	}

	// A result may come twice, from a look and from the subscription.
	key := keyToken(got.Key)
	i, open := a.open[key]
	if !open {
		return nil
	}
	delete(a.open, key)
	return a.done(i, got.result())
}

// note passes a worker's line on, once.
func (a *asking) note(text []byte) {
	var n note
	if json.Unmarshal(text, &n) != nil {
		return
	}
	switch {
	case n.Why == "":
		a.workers[n.Worker] = true
	case !a.refused[n]:
		a.refused[n] = true
		fmt.Fprintf(a.notes, "worker %s refuses %s: %s\n", n.Worker, a.announcement.Measure, n.Why)
	}
}

// lonely tells the user that nobody works.
func (a *asking) lonely() {
	if len(a.workers) == 0 {
		fmt.Fprintf(a.notes, "no worker takes %s yet (%d refuse); etch-cluster work -server … with this program starts one\n", a.announcement.Measure, len(a.refused))
	}
}

// look compares the open jobs with the streams: it takes results that were missed and
// publishes jobs that are lost. A job is acknowledged after its result is stored, hence
// the order: one that has gone when jobs are listed has its result when results are.
func (a *asking) look(ctx context.Context) error {
	waiting, err := a.subjects(ctx, jobStream, jobSubject(a.Sweep, "*"))
	if err != nil {
		return a.excuse(ctx, err)
	}
	ready, err := a.subjects(ctx, resultStream, resultSubject(a.Sweep, "*"))
	if err != nil {
		return a.excuse(ctx, err)
	}

	// Each open job is in one of three states: its result is there, it waits or is under way, or it
	// is lost.
	results, err := a.js.Stream(ctx, resultStream)
	if err != nil {
		return a.excuse(ctx, err)
	}

	var sent []jetstream.PubAckFuture
	for _, job := range a.jobs {
		key := keyToken(job.Key)
		if _, open := a.open[key]; !open {
			continue
		}
		if _, is := ready[resultSubject(a.Sweep, key)]; is {
			msg, err := results.GetLastMsgForSubject(ctx, resultSubject(a.Sweep, key))
			if err != nil {
				return a.excuse(ctx, err)
			}
			if err := a.take(msg.Data); err != nil {
				return err
			}
			continue
		}
		if _, is := waiting[jobSubject(a.Sweep, key)]; is {
			continue
		}

		// Lost, or never sent. Were it sent a moment ago, the server would refuse the second.
		text, err := json.Marshal(job)
		if err != nil {
			return err
		}
		ack, err := a.js.PublishAsync(jobSubject(a.Sweep, key), text)
		if err != nil {
			return a.excuse(ctx, err)
		}
		sent = append(sent, ack)
	}
	return a.stored(ctx, sent)
}

// stored waits for the server to have stored jobs.
func (a *asking) stored(ctx context.Context, sent []jetstream.PubAckFuture) error {
	// One deadline for all of them.
	late := time.After(callFor)
	for _, s := range sent {
		select {
		case <-s.Ok():
		case err := <-s.Err():
			if err := a.excuse(ctx, err); err != nil {
				return err
			}
		case <-late: // the next look sees to it
			if !a.slow {
				a.slow = true
				fmt.Fprintf(a.notes, "the server does not confirm jobs; trying again\n")
			}
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// excuse is nil for errors of a server that has gone, which will be back, and of a
// subject that is taken. A server that cannot store jobs ends the sweep.
func (a *asking) excuse(ctx context.Context, err error) error {
	var api *jetstream.APIError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case !errors.As(err, &api), api.ErrorCode == jetstream.JSErrCodeStreamNotFound, api.ErrorCode == jetstream.JSErrCodeMessageNotFound, api.Code == 503 && !full(api):
		return nil
	case api.Description == "maximum messages per subject exceeded":
		return nil
	}
	return fmt.Errorf("the server cannot keep jobs: %w", api)
}

// full reports whether a server has no room left.
func full(err *jetstream.APIError) bool {
	const noStorage, noResources, storeFailed = 10047, 10023, 10077
	return err.ErrorCode == noStorage || err.ErrorCode == noResources || err.ErrorCode == storeFailed
}

// subjects lists the subjects of a stream that a filter matches.
func (p *Pool) subjects(ctx context.Context, stream, filter string) (map[string]uint64, error) {
	s, err := p.js.Stream(ctx, stream)
	if err != nil {
		return nil, err
	}

	// One request lists them all, without a message being read.
	info, err := s.Info(ctx, jetstream.WithSubjectFilter(filter))
	if err != nil {
		return nil, err
	}

	return info.State.Subjects, nil
}

// purge empties subjects of a stream.
func (p *Pool) purge(ctx context.Context, stream, filter string) {
	if s, err := p.js.Stream(ctx, stream); err == nil {
		s.Purge(ctx, jetstream.WithPurgeSubject(filter))
	}
}
