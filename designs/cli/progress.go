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

// progressAfter is how long something takes without a word.
const progressAfter = time.Second / 2

// progress shows on a terminal the work that takes longer than progressAfter, with its
// time, in one line that the returned function clears. Elsewhere it prints nothing.
func progress(w io.Writer, what string) (done func()) {
	if !terminal(w) {
		return func() {}
	}
	return tell(w, what, progressAfter)
}

// Terminal reports whether w is a terminal. Only there a command may rewrite a line.
func Terminal(w io.Writer) bool { return terminal(w) }

func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// tell is progress on whatever w is.
func tell(w io.Writer, what string, every time.Duration) (done func()) {
	start := time.Now()
	return live(w, every, func() string { return fmt.Sprintf("%s: %v", what, time.Since(start).Round(every)) })
}

// live shows a line that is made anew again and again, from the first interval on.
func live(w io.Writer, every time.Duration, line func() string) (done func()) {
	end := make(chan struct{})
	var wait sync.WaitGroup

	// The line is rewritten in place and cleared at the end, so that the result stands alone.
	wait.Go(func() {
		said := false
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				fmt.Fprintf(w, "\r\x1b[K%s", line())
				said = true
			case <-end:
				if said {
					fmt.Fprint(w, "\r\x1b[K")
				}
				return
			}
		}
	})

	return func() { close(end); wait.Wait() }
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
