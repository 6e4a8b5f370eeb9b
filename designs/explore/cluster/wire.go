package cluster

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"etch/designs/explore"
)

const (
	jobStream    = "etch_jobs"
	resultStream = "etch_results"

	sweepSubject = "etch.sweep"
	helloSubject = "etch.hello" // of a worker that has come: askers announce at once

	// maxDeliver is the number of workers that may take a job before its row is an error.
	maxDeliver = 5
	// keepFor bounds how long the server keeps jobs and results that nobody asks for.
	keepFor = 7 * 24 * time.Hour
)

func jobSubject(sweep, key string) string    { return "etch.job." + sweep + "." + key }
func resultSubject(sweep, key string) string { return "etch.result." + sweep + "." + key }
func noteSubject(sweep string) string        { return "etch.note." + sweep }

// token is a hash of texts that can stand in a subject.
func token(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		fmt.Fprintf(h, "%q\n", t)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// keyToken is a result's key in a subject.
func keyToken(k explore.Key) string { return token(k.Measure, k.Tool, k.Subject) }

// announcement says that a sweep wants workers, and of which kind.
type announcement struct {
	Sweep   string          `json:"sweep"`
	Build   string          `json:"build"`
	Design  string          `json:"design"`
	Measure string          `json:"measure"`
	Tool    string          `json:"tool"`
	Spec    json.RawMessage `json:"spec"`
	Over    bool            `json:"over,omitempty"` // it has ended
}

// note is a worker's line about a sweep.
type note struct {
	Worker string `json:"worker"`
	Why    string `json:"why,omitempty"` // it refuses; "": it works
}

// answer is an [explore.Result] on its way.
type answer struct {
	Key     explore.Key        `json:"key"`
	Numbers map[string]float64 `json:"numbers,omitempty"`
	Error   string             `json:"error,omitempty"`
	Passing bool               `json:"passing,omitempty"`
	Seconds float64            `json:"seconds"`
	Worker  string             `json:"worker"`
}

// maxError bounds the text of an error in an answer, in bytes: a message has at most 1 MB.
const maxError = 4096

func answerOf(k explore.Key, r explore.Result, worker string) answer {
	a := answer{Key: k, Numbers: r.Numbers, Seconds: r.Seconds, Worker: worker}
	if r.Err != nil {
		text := r.Err.Error()
		a.Numbers, a.Error, a.Passing = nil, text[:min(len(text), maxError)], errors.Is(r.Err, explore.ErrPassing)
		if text == "" {
			a.Error = "failed"
		}
	}
	return a
}

// result is the answer as an [explore.Result]. The worker is named where the error is one of
// its machine.
func (a answer) result() explore.Result {
	r := explore.Result{Numbers: a.Numbers, Seconds: max(0, a.Seconds)}
	switch {
	case a.Passing:
		r.Numbers, r.Err = nil, fmt.Errorf("%w: %s: %s", explore.ErrPassing, a.Worker, a.Error)
	case a.Error != "":
		r.Numbers, r.Err = nil, errors.New(a.Error)
	case len(a.Numbers) == 0:
		r.Err = fmt.Errorf("%w: an answer of %s without numbers", explore.ErrPassing, a.Worker)
	}
	return r
}

// streams are the server's two streams. Jobs are a work queue with one message a
// subject, and refuse a second one; of results the last of a subject counts.
var streams = []jetstream.StreamConfig{
	{
		Name: jobStream, Subjects: []string{"etch.job.*.*"}, Storage: jetstream.FileStorage, MaxAge: keepFor,
		Retention: jetstream.WorkQueuePolicy, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, MaxMsgsPerSubject: 1,
	},
	{
		Name: resultStream, Subjects: []string{"etch.result.*.*"}, Storage: jetstream.FileStorage, MaxAge: keepFor,
		Retention: jetstream.LimitsPolicy, Discard: jetstream.DiscardOld, MaxMsgsPerSubject: 1,
	},
}
