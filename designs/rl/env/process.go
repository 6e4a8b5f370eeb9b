package env

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os/exec"
	"reflect"
	"strconv"
	"strings"
	"time"

	"etch/ir/input"
	"etch/testbench/tools"
)

// maxLine bounds an answer, in bytes.
const maxLine = 1 << 20

// process is an environment behind lines of JSON. After an error the process is killed
// and every call gives that error again.
type process struct {
	name   string
	limits Limits
	spec   Spec

	cmd    *exec.Cmd
	in     io.WriteCloser
	lines  chan []byte // closed at the end of standard output
	failed chan error  // why the reading ended, if not by the end
	stderr *tools.Tail

	answers int // requests sent, for messages
	steps   int // steps of the episode under way
	err     error
}

// start runs a command, without a shell, and asks for its shape (hello).
func start(command string, l Limits) (Environment, error) {
	words, err := split(command)
	if err != nil {
		return nil, fmt.Errorf("environment %s: %w", input.Excerpt(command), err)
	}
	if l.Answer == 0 {
		l.Answer = 30 * time.Second
	}
	if l.Episode == 0 {
		l.Episode = 10_000
	}

	p := &process{name: input.Excerpt(command), limits: l, cmd: exec.Command(words[0], words[1:]...), stderr: &tools.Tail{Most: 4096}, lines: make(chan []byte), failed: make(chan error, 1)}
	p.cmd.Stderr = p.stderr
	group(p.cmd)

	// A child of the process may hold standard error open after its end.
	p.cmd.WaitDelay = time.Second

	p.in, err = p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}

	// A misspelt name of a built-in environment arrives here as a command: the message names
	// the built-in ones.
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("environment %s: %w; built in are cartpole and pendulum", p.name, err)
	}
	go p.read(out)

	if err := p.hello(); err != nil {
		return nil, err
	}
	return p, nil
}

// hello asks the process for its shape.
func (p *process) hello() error {
	// Pointers tell a field that is absent from a zero.
	var hello struct {
		Observation *int     `json:"observation"`
		Actions     *int     `json:"actions"`
		Low         []number `json:"low"`
		High        []number `json:"high"`
	}
	if err := p.ask("hello", 1, &hello); err != nil {
		return err
	}
	if hello.Observation == nil {
		return p.fail("hello", errors.New("no observation"))
	}

	// A process does not tell its best return.
	p.spec = Spec{Observation: *hello.Observation, Low: floats(hello.Low), High: floats(hello.High), Best: math.Inf(1)}
	if hello.Actions != nil {
		if p.spec.Actions = *hello.Actions; p.spec.Actions < 1 {
			return p.fail("hello", fmt.Errorf("actions %d; 1 and more", p.spec.Actions))
		}
	}

	if err := p.spec.validate(); err != nil {
		return p.fail("hello", err)
	}
	return nil
}

// read hands lines on until the output ends or a line is longer than maxLine. It closes
// p.lines at its end, after the reason is in p.failed.
func (p *process) read(out io.Reader) {
	defer close(p.lines)

	s := bufio.NewScanner(out)
	s.Buffer(nil, maxLine)
	for s.Scan() {
		p.lines <- bytes.Clone(s.Bytes())
	}

	// The channel has room for one error: the reader ends though nobody asks for it.
	if errors.Is(s.Err(), bufio.ErrTooLong) {
		p.failed <- fmt.Errorf("a line of more than %d bytes", maxLine)
	}
}

// ask sends the request {name: value} and decodes the answer, within limits.Answer.
func (p *process) ask(name string, value, answer any) error {
	if p.err != nil {
		return p.err
	}
	text, err := json.Marshal(map[string]any{name: value})
	if err != nil {
		return p.fail(name, err)
	}

	p.answers++
	// The write's error is dropped: after the end of the process the closed output reports
	// more. The write has a goroutine of its own, for a process that does not read would
	// block it beyond the time limit.
	sent := make(chan struct{})
	go func() {
		p.in.Write(append(text, '\n'))
		close(sent)
	}()

	timer := time.NewTimer(p.limits.Answer)
	defer timer.Stop()
	select {
	case line, ok := <-p.lines:
		if !ok {
			return p.fail(name, p.ended())
		}

		// No write may be under way when the next request is sent.
		<-sent
		if err := decode(line, answer); err != nil {
			return p.fail(name, err)
		}
		return nil
	case <-p.limits.Stop:
		return p.fail(name, context.Canceled)
	case <-timer.C:
		return p.fail(name, fmt.Errorf("no answer in %v", p.limits.Answer))
	}
}

// number is a number of an answer. encoding/json would read null, as which some writers of
// JSON print NaN, as 0.
type number float64

// UnmarshalJSON refuses null, and numbers beyond the range of float64.
func (n *number) UnmarshalJSON(text []byte) error {
	x, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return fmt.Errorf("%s is not a number", input.Excerpt(string(text)))
	}
	*n = number(x)
	return nil
}

func floats(xs []number) (all []float64) {
	for _, x := range xs {
		all = append(all, float64(x))
	}
	return all
}

// decode reads an answer, which is exactly one value of JSON.
func decode(line []byte, answer any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	if err := d.Decode(answer); err != nil {
		// Python's writer prints NaN and Infinity, which are not JSON.
		about := ""
		for _, word := range []string{"NaN", "Infinity"} {
			if bytes.Contains(line, []byte(word)) {
				about = " with " + word
			}
		}
		return fmt.Errorf("%s%s is not the JSON that is wanted: %v", input.Excerpt(string(line)), about, plain(err))
	}

	// The decoder stops after the first value.
	if rest, _ := io.ReadAll(d.Buffered()); len(bytes.TrimSpace(rest)) > 0 {
		return fmt.Errorf("%s has more than one value", input.Excerpt(string(line)))
	}
	return nil
}

// plain words an error of encoding/json about a type without those of Go.
func plain(err error) error {
	var e *json.UnmarshalTypeError
	if !errors.As(err, &e) {
		return err
	}

	// The kinds that answers have. The reader may be a Python programmer, who knows no Go types.
	kind := e.Type.Kind()
	want := "an object"
	switch {
	case kind == reflect.Bool:
		want = "true or false"
	case kind == reflect.Slice:
		want = "an array of numbers"
	case kind == reflect.Int:
		want = "an integer"
	case kind == reflect.Float64:
		want = "a number"
	}
	if e.Field == "" {
		return fmt.Errorf("it is %s; want %s", e.Value, want)
	}
	return fmt.Errorf("%s is %s; want %s", strings.TrimPrefix(e.Field, "."), e.Value, want)
}

// ended describes the end of the process: why the reading stopped, or the exit status and
// the last line of standard error.
func (p *process) ended() error {
	select {
	case err := <-p.failed:
		return err
	default:
	}

	// The output is closed; the process may still run.
	timer := time.AfterFunc(time.Second, func() { kill(p.cmd) })
	err := p.cmd.Wait()
	timer.Stop()

	how := "it ended"
	if err != nil {
		how = "it ended: " + err.Error()
	}

	if last := lastLine(p.stderr.String()); last != "" {
		how += "; its last words: " + input.Excerpt(last)
	}
	return errors.New(how)
}

// fail ends the process and keeps the error for all later calls; request is the name of the
// request that failed.
func (p *process) fail(request string, err error) error {
	p.stop()
	p.err = &Failure{fmt.Errorf("environment %s, answer %d (to %s): %w", p.name, p.answers, request, err)}
	return p.err
}

// stop kills the process and its children. It drains the lines still to come, so that the reader's
// goroutine ends.
func (p *process) stop() {
	p.in.Close()
	kill(p.cmd)
	go func() {
		for range p.lines {
		}
	}()
	p.cmd.Wait()
}

func (p *process) Spec() Spec { return p.spec }

// Reset asks for a new episode, and restarts the count of limits.Episode.
func (p *process) Reset(seed uint32) ([]float64, error) {
	var answer struct {
		Obs *[]number `json:"obs"`
	}
	if err := p.ask("reset", seed, &answer); err != nil {
		return nil, err
	}

	obs, err := p.check(answer.Obs)
	if err != nil {
		return nil, p.fail("reset", err)
	}
	p.steps = 0
	return obs, nil
}

// check refuses an observation that is absent, of another length than Spec's, or not
// finite.
func (p *process) check(obs *[]number) ([]float64, error) {
	switch {
	case obs == nil:
		return nil, errors.New("no obs")
	case len(*obs) != p.spec.Observation:
		return nil, fmt.Errorf("an obs of %d numbers, not %d", len(*obs), p.spec.Observation)
	}
	x := floats(*obs)
	return x, finite(x...)
}

// Step asks for a step; beyond limits.Episode steps the outcome is truncated.
func (p *process) Step(a Action) (o Outcome, err error) {
	var answer struct {
		Obs        *[]number `json:"obs"`
		Reward     *number   `json:"reward"`
		Terminated *bool     `json:"terminated"`
		Truncated  *bool     `json:"truncated"`
	}

	var act any = a.Number
	if p.spec.Actions == 0 {
		act = a.Amounts
	}
	if err := p.ask("act", act, &answer); err != nil {
		return o, err
	}

	// Each field must be there: a missing flag read as false would never end an episode.

	// The first fault in the answer, if there is one.
	obs, err := p.check(answer.Obs)
	switch {
	case err != nil:
	case answer.Reward == nil:
		err = errors.New("no reward")
	case answer.Terminated == nil:
		err = errors.New("no terminated")
	case answer.Truncated == nil:
		err = errors.New("no truncated")
	default:
		err = finite(float64(*answer.Reward))
	}
	if err != nil {
		return o, p.fail("act", err)
	}

	// An end takes precedence over a cut, so that at most one flag is set.
	p.steps++
	cut := p.steps >= p.limits.Episode
	return Outcome{obs, float64(*answer.Reward), *answer.Terminated, !*answer.Terminated && (*answer.Truncated || cut)}, nil
}

// Close ends the process: first by the end of its input.
func (p *process) Close() error {
	if p.err == nil {
		p.in.Close()

		// Grace of 1 s for an orderly exit, before the process is killed.
		select {
		case <-p.lines:
		case <-p.limits.Stop:
		case <-time.After(time.Second):
		}
		p.stop()
		p.err = fmt.Errorf("environment %s is closed", p.name)
	}
	return nil
}

// lastLine is the last line of a text, without the blank lines that follow it.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// split cuts a command into words at spaces outside quotes. There are no escapes: a
// backslash, as in a path of Windows, stands for itself.
func split(command string) (words []string, err error) {
	var quote rune

	// begun tells the empty word of a pair of quotes from the gap between two spaces.
	word, begun := "", false
	for _, r := range command {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, begun = r, true
		case quote == 0 && (r == ' ' || r == '\t' || r == '\n'):
			if begun {
				words = append(words, word)
			}
			word, begun = "", false
		default:
			word, begun = word+string(r), true
		}
	}

	if quote != 0 {
		return nil, fmt.Errorf("a quote %c is not closed", quote)
	}
	if begun {
		words = append(words, word)
	}
	if len(words) == 0 {
		return nil, errors.New("no command")
	}
	return words, nil
}
