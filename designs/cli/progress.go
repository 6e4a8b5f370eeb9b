package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"
)

// progressAfter is how long something takes without a word, and the time from line to line; tests
// shorten it.
var progressAfter = time.Second / 2

// Progress is one line on a terminal about work that takes long: the part that is done, the time since it
// began, and how much of how much is done where that is known. It comes after progressAfter, is
// rewritten in place and cleared at the end, so that the result stands alone. On anything but a
// terminal nothing is printed. All methods may be called on nil, which is silent, and by several
// goroutines.
type Progress struct {
	w     io.Writer // nil unless it is a terminal
	start time.Time
	end   func()

	mu    sync.Mutex // held while something is written, so that a line and a result do not mix
	line  func() string
	what  string
	of    string // how much is done, "" if that is unknown
	shown bool
	begun bool // the verb's own output stands in the line, without a line feed
}

// NewProgress begins work that is described by what, as in "simulates uart". w is where messages
// go.
func NewProgress(w io.Writer, what string) *Progress {
	if !terminal(w) {
		return nil
	}
	return newProgress(w, what, progressAfter)
}

func newProgress(w io.Writer, what string, every time.Duration) *Progress {
	p := &Progress{w: w, start: time.Now(), what: what}
	p.line = func() string {
		text := fmt.Sprintf("%s: %v", p.what, time.Since(p.start).Round(every))
		if p.of != "" {
			text += ", " + p.of
		}
		return text
	}
	p.show(every)
	return p
}

// Now gives the work a new name; the part of it that is done is unknown again.
func (p *Progress) Now(what string) {
	if p != nil {
		p.mu.Lock()
		p.what, p.of = what, ""
		p.mu.Unlock()
	}
}

// Count tells that so many of all, say cycles, are done. all is 0 where the end is unknown.
func (p *Progress) Count(done, all uint64, units string) {
	if p == nil {
		return
	}
	of := fmt.Sprintf("%d %s", done, units)
	if all > 0 {
		of = fmt.Sprintf("%d of %d %s", done, all, units)
	}
	p.Done(of)
}

// Done tells in words how much is done.
func (p *Progress) Done(of string) {
	if p != nil {
		p.mu.Lock()
		p.of = of
		p.mu.Unlock()
	}
}

// Through is w for output during the work: the line is cleared before each write, and does not come
// back into a line of output that has no end yet.
func (p *Progress) Through(w io.Writer) io.Writer {
	if p == nil || w != p.w && !terminal(w) {
		return w
	}
	return &through{p, w}
}

// through is a writer that shares its terminal with a line of progress.
type through struct {
	p *Progress
	w io.Writer
}

// Write clears the line and writes.
func (t *through) Write(text []byte) (int, error) {
	t.p.mu.Lock()
	defer t.p.mu.Unlock()
	t.p.clear()
	if len(text) > 0 {
		t.p.begun = text[len(text)-1] != '\n'
	}
	return t.w.Write(text)
}

// End clears the line. It may be called more than once.
func (p *Progress) End() {
	if p != nil {
		p.end()
	}
}

// clear takes the line away; p.mu is held.
func (p *Progress) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}

// show prints the line again and again, from the first interval on, until the end.
func (p *Progress) show(every time.Duration) {
	stop := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				// A verb's own line that has no end yet is not overwritten.
				p.mu.Lock()
				if !p.begun {
					fmt.Fprintf(p.w, "\r\x1b[K%s", p.line())
					p.shown = true
				}
				p.mu.Unlock()
			case <-stop:
				return
			}
		}
	})

	// Nothing is written any more when the end returns.
	p.end = sync.OnceFunc(func() {
		close(stop)
		wait.Wait()
		p.mu.Lock()
		p.clear()
		p.mu.Unlock()
	})
}

// progress is a line for work whose end the returned function tells.
func progress(w io.Writer, what string) (done func()) { return NewProgress(w, what).End }

// live shows a line that is made anew again and again, from the first interval on, on whatever w
// is.
func live(w io.Writer, every time.Duration, line func() string) (done func()) {
	p := &Progress{w: w, line: line}
	p.show(every)
	return p.End
}

// shortList is the first of many files.
func shortList(files []string) string {
	const most = 3
	if len(files) <= most {
		return strings.Join(files, ", ")
	}
	return fmt.Sprintf("%s and %d other files", strings.Join(files[:most], ", "), len(files)-most)
}

// Interruptible is a context that signals end which end a command: a terminal that
// goes and a polite kill, like Ctrl-C.
func Interruptible() (context.Context, func()) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
}

// Interrupted turns the error of an interrupted command into one with the exit code of a
// shell, 130.
func Interrupted(ctx context.Context, err error) error {
	if err == nil || !errors.Is(ctx.Err(), context.Canceled) {
		return err
	}
	return &ExitError{Code: 130, Msg: err.Error()}
}
