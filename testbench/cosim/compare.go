package cosim

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// mostDifferences is the number of samples with differences after which the comparison stops.
const mostDifferences = 5

// Difference is a port with another value in a simulator of Verilog.
type Difference struct {
	Cycle uint64 // edges before it
	After bool   // the sample follows the edge; else it precedes it
	Port  string
	Got   string // as Verilog writes it; may hold x and z
	Want  string
}

// String returns one line.
func (d Difference) String() string {
	when := "before"
	if d.After {
		when = "after"
	}
	return fmt.Sprintf("cycle %d, %s the edge: %s = %s, want %s", d.Cycle, when, d.Port, d.Got, d.Want)
}

// errShort is the error of a response that ends early.
var errShort = errors.New("the simulation ended early")

// compare reads the files of a recording and a response side by side. It returns the differences
// of the first few samples that have some.
func (l *layout) compare(stimulus, expected, response io.Reader) (all []Difference, samples int, err error) {
	in, want, got := newLines(stimulus), newLines(expected), newLines(response)
	bad := 0

	// sample compares the next line of both outputs.
	sample := func(cycle uint64, after bool) error {
		w, err := want.next()
		if err != nil {
			return fmt.Errorf("the recording: %w", noEOF(err))
		}
		g, err := got.next()
		// A line of another length was cut off.
		if err == io.EOF || err == nil && len(g) != len(w) {
			return fmt.Errorf("%w in cycle %d", errShort, cycle)
		}
		if err != nil {
			return err
		}
		samples++
		if !bytes.Equal(g, w) {
			bad++
			all = append(all, l.differences(cycle, after, g, w)...)
		}
		return nil
	}

	// A line of stimulus has one sample, or two if clocks rise.
	for cycle := uint64(0); bad < mostDifferences; {
		line, err := in.next()
		if err == io.EOF {
			return all, samples, nil
		}
		if err != nil {
			return all, samples, err
		}

		// The line begins with the set of rising clocks, in hexadecimal.
		rising, _, _ := strings.Cut(string(line), " ")
		set, err := strconv.ParseUint(rising, 16, 64)
		if err != nil {
			return all, samples, fmt.Errorf("the recording: %w", err)
		}

		err = sample(cycle, false)
		if err == nil && set != 0 {
			err = sample(cycle, true)
			cycle++
		}
		if err != nil {
			return all, samples, err
		}
	}
	return all, samples, nil
}

// differences returns the ports in which two lines differ.
func (l *layout) differences(cycle uint64, after bool, got, want []byte) (all []Difference) {
	for _, f := range l.outs.fields {
		if !bytes.Equal(got[f.from:f.to], want[f.from:f.to]) {
			all = append(all, Difference{cycle, after, f.name, f.text(got), f.text(want)})
		}
	}

	// The shell drives the bits between ports low: a difference there is one of etch's own.
	if len(all) == 0 {
		all = append(all, Difference{cycle, after, "a bit of no port", string(got), string(want)})
	}
	return all
}

// lines reads a file by lines of any length.
type lines struct{ r *bufio.Reader }

func newLines(r io.Reader) *lines { return &lines{bufio.NewReaderSize(r, 1<<16)} }

// next returns the next line without its end.
func (l *lines) next() ([]byte, error) {
	line, err := l.r.ReadBytes('\n')
	if err == io.EOF && len(line) > 0 {
		err = nil
	}
	return bytes.TrimRight(line, "\r\n"), err
}

// noEOF makes an early end an error.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// compareFiles opens the three files and compares them line by line.
func (l *layout) compareFiles(stimulus, expected, response string) ([]Difference, int, error) {
	var files [3]*os.File
	for i, path := range []string{stimulus, expected, response} {
		f, err := os.Open(path)
		if err != nil {
			return nil, 0, err
		}
		defer f.Close()
		files[i] = f
	}
	return l.compare(files[0], files[1], files[2])
}
