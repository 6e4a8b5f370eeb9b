package suite

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// event is a line of go test -json (go doc test2json, and go help buildjson for
// the two build actions).
type event struct {
	Action      string // run, pause, cont, pass, bench, fail, output, skip, start, build-output, build-fail
	Package     string
	Test        string // "" for events of the whole package
	Elapsed     float64
	Output      string
	ImportPath  string // of build events
	FailedBuild string // the package whose build failed, on a package's fail
}

// readEvents calls on for each event of r, and other for each line that is no event, in order.
func readEvents(r io.Reader, on func(event), other func(line string)) error {
	br := bufio.NewReader(r)
	for {
		line, err := br.ReadBytes('\n')

		// The go command mixes events with lines of builds that failed.
		if text := bytes.TrimSpace(line); len(text) > 0 {
			var e event
			if text[0] == '{' && json.Unmarshal(text, &e) == nil && e.Action != "" {
				on(e)
			} else {
				other(string(text))
			}
		}

		// The last line may lack its end, so it is handled before the end is seen.
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// maxOutput bounds the output kept of one test, package or build.
const maxOutput = 256 << 10

// capture keeps the first maxOutput bytes of an output.
type capture struct {
	buf bytes.Buffer
	cut bool
}

// add appends an output, up to the limit.
func (c *capture) add(s string) {
	if room := maxOutput - c.buf.Len(); len(s) > room {
		c.cut = true
		s = s[:room]
	}
	c.buf.WriteString(s)
}

// text returns the output kept.
func (c *capture) text() string {
	if c.cut {
		return c.buf.String() + "\n… (the rest is cut)\n"
	}
	return c.buf.String()
}
