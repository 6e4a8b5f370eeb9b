package env

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"etch/ir/input"
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
	stderr *tail

	answers, steps int // so far; of the episode
	err            error
}

// start runs a command and asks for its shape.
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
	p := &process{name: input.Excerpt(command), limits: l, cmd: exec.Command(words[0], words[1:]...), stderr: &tail{}, lines: make(chan []byte), failed: make(chan error, 1)}
	p.cmd.Stderr = p.stderr
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
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("environment %s: %w; built in are cartpole and pendulum", p.name, err)
	}
	go p.read(out)

	var hello struct {
		Observation *int     `json:"observation"`
		Actions     *int     `json:"actions"`
		Low         []number `json:"low"`
		High        []number `json:"high"`
	}
	if err := p.ask("hello", 1, &hello); err != nil {
		return nil, err
	}
	if hello.Observation == nil {
		return nil, p.fail("hello", errors.New("no observation"))
	}
	p.spec = Spec{Observation: *hello.Observation, Low: floats(hello.Low), High: floats(hello.High), Best: math.Inf(1)}
	if hello.Actions != nil {
		if p.spec.Actions = *hello.Actions; p.spec.Actions < 1 {
			return nil, p.fail("hello", fmt.Errorf("actions %d; 1 and more", p.spec.Actions))
		}
	}
	if err := p.spec.validate(); err != nil {
		return nil, p.fail("hello", err)
	}
	return p, nil
}

// read hands lines on, until the output ends or a line is too long.
func (p *process) read(out io.Reader) {
	defer close(p.lines)
	s := bufio.NewScanner(out)
	s.Buffer(nil, maxLine)
	for s.Scan() {
		p.lines <- bytes.Clone(s.Bytes())
	}
	if errors.Is(s.Err(), bufio.ErrTooLong) {
		p.failed <- fmt.Errorf("a line of more than %d bytes", maxLine)
	}
}

// ask sends a request and decodes the answer.
func (p *process) ask(what string, value, answer any) error {
	if p.err != nil {
		return p.err
	}
	text, err := json.Marshal(map[string]any{what: value})
	if err != nil {
		return p.fail(what, err)
	}
	p.answers++
	// A process that ended cannot be written to; that it ended says more.
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
			return p.fail(what, p.ended())
		}
		<-sent
		if err := decode(line, answer); err != nil {
			return p.fail(what, err)
		}
		return nil
	case <-timer.C:
		return p.fail(what, fmt.Errorf("no answer in %v", p.limits.Answer))
	}
}

// number is a number of an answer. null, into which some writers of JSON turn NaN, is none.
type number float64

// UnmarshalJSON refuses null, and what a float64 does not hold.
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

// decode reads an answer.
func decode(line []byte, answer any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	if err := d.Decode(answer); err != nil {
		// NaN and Infinity are what Python writes, and no JSON.
		about := ""
		for _, word := range []string{"NaN", "Infinity"} {
			if bytes.Contains(line, []byte(word)) {
				about = " with " + word
			}
		}
		return fmt.Errorf("%s%s is not the JSON that is wanted: %v", input.Excerpt(string(line)), about, err)
	}
	if rest, _ := io.ReadAll(d.Buffered()); len(bytes.TrimSpace(rest)) > 0 {
		return fmt.Errorf("%s has more than one value", input.Excerpt(string(line)))
	}
	return nil
}

// ended says how the process ended.
func (p *process) ended() error {
	select {
	case err := <-p.failed:
		return err
	default:
	}
	// The output is closed; the process may still run.
	timer := time.AfterFunc(time.Second, func() { p.cmd.Process.Kill() })
	err := p.cmd.Wait()
	timer.Stop()
	how := "it ended"
	if err != nil {
		how = "it ended: " + err.Error()
	}
	if last := p.stderr.last(); last != "" {
		how += "; its last words: " + input.Excerpt(last)
	}
	return errors.New(how)
}

// fail ends the process and keeps the error.
func (p *process) fail(what string, err error) error {
	p.stop()
	p.err = fmt.Errorf("environment %s, answer %d (to %s): %w", p.name, p.answers, what, err)
	return p.err
}

// stop kills the process and takes what it may still write, so that its reader ends.
func (p *process) stop() {
	p.in.Close()
	p.cmd.Process.Kill()
	go func() {
		for range p.lines {
		}
	}()
	p.cmd.Wait()
}

func (p *process) Spec() Spec { return p.spec }

// Reset is a request for a new episode.
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

// check looks at an observation.
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

// Step is a request for a step.
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
	p.steps++
	cut := p.steps >= p.limits.Episode
	return Outcome{obs, float64(*answer.Reward), *answer.Terminated, !*answer.Terminated && (*answer.Truncated || cut)}, nil
}

// Close ends the process: first by the end of its input.
func (p *process) Close() error {
	if p.err == nil {
		p.in.Close()
		select {
		case <-p.lines:
		case <-time.After(time.Second):
		}
		p.stop()
		p.err = fmt.Errorf("environment %s is closed", p.name)
	}
	return nil
}

// tail keeps the end of what is written to it.
type tail struct {
	mutex sync.Mutex
	text  []byte
}

// Write keeps the last 4 KiB.
func (t *tail) Write(text []byte) (int, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.text = append(t.text, text...)
	t.text = t.text[max(0, len(t.text)-4096):]
	return len(text), nil
}

// last is the last line that is not empty.
func (t *tail) last() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	lines := strings.Split(strings.TrimSpace(string(t.text)), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// split cuts a command into words, at spaces that are not within quotes.
func split(command string) (words []string, err error) {
	var quote rune
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
